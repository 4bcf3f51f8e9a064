"""Runs hostile cases in processes of their own, and says which break the promise."""

import json
import os
import subprocess
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from tests.hostile.cases import ROOT, case

MOST_SECONDS = 10.0
"""Of processor time; the clock on the wall shows what else the machine does."""

MOST_BYTES = 2**30
PATIENCE = 60.0
"""Seconds on the clock for a case in which a process is not yet given up."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a case came to: an exit code, or the words of a failure."""

    number: int
    said: int | str | None
    seconds: float
    bytes: int


def run(folder: str, numbers: Iterable[int]) -> list[Outcome]:
    """The cases of these numbers, one after the other in few processes; after one that ends early, in a new one."""
    left, found = list(numbers), []
    while left:
        done = _started(folder, left)
        found += done
        left = left[len(done) :]
    return found


def _started(folder: str, numbers: list[int]) -> list[Outcome]:
    """The outcomes up to the one that ended the process, if one did."""
    command = [sys.executable, "-m", "tests.hostile.worker", str(Path(folder).resolve()), *map(str, numbers)]
    outcomes: list[Outcome] = []
    # drivers keep what they build, and not in folders that come and go
    caches = {"POCL_CACHE_DIR": str(Path(folder).resolve() / "pocl"), "PYOPENCL_NO_CACHE": "1"}
    environment = {**os.environ, **caches}
    with subprocess.Popen(
        command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        try:
            out, errors = process.communicate(timeout=PATIENCE + MOST_SECONDS * len(numbers))
            end = f"the process ended with {process.returncode}: {errors[-2000:]}"
        except subprocess.TimeoutExpired:
            process.kill()
            out, _ = process.communicate()
            end = "given up"
    begun: int | None = None
    for line in map(json.loads, out.splitlines()):
        if "begins" in line:
            begun = line["begins"]
        else:
            assert begun is not None
            outcomes.append(Outcome(begun, line["said"], line["seconds"], line["bytes"]))
            begun = None
    if len(outcomes) < len(numbers):
        outcomes.append(Outcome(numbers[len(outcomes)], end, 0.0, 0))
    return outcomes


def failures(outcomes: Iterable[Outcome]) -> list[str]:
    """What is wrong, in words: a traceback or a defect, more memory or time than allowed."""
    return [words for outcome in outcomes if (words := _failure(outcome)) is not None]


def _failure(outcome: Outcome) -> str | None:
    given = case(outcome.number)
    subject = f"{given.name}: {' '.join(word[:60] for word in given.command)}"
    if isinstance(outcome.said, str):
        return f"{subject}\n{outcome.said}"
    if outcome.bytes > MOST_BYTES:
        return f"{subject}: {outcome.bytes / 2**20:.0f} MiB"
    return f"{subject}: {outcome.seconds:.1f} s" if outcome.seconds > MOST_SECONDS else None
