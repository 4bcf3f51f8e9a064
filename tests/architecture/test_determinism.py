"""The same inputs give the same bytes: in every process, whatever the seed of its hashes, and however often."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.architecture.all_texts import PROGRAMS, all_texts

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def texts() -> dict[str, str]:
    return all_texts()


def differing(texts: dict[str, str], others: dict[str, str]) -> list[str]:
    """The names of texts that are not the same in both."""
    return [name for name in texts.keys() | others.keys() if texts.get(name) != others.get(name)]


def test_there_is_something_to_compare(texts: dict[str, str]) -> None:
    assert texts["mistakes"].count("error[E02") > 1
    assert all(any(f": {program} " in name and text for name, text in texts.items()) for program in PROGRAMS)


@pytest.mark.parametrize("seed", ["0", "1"])
def test_another_process_with_other_hashes_gives_the_same_bytes(seed: str, texts: dict[str, str]) -> None:
    run = subprocess.run(
        [sys.executable, "-m", "tests.architecture.all_texts"],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
        env={**os.environ, "PYTHONHASHSEED": seed},
    )
    assert run.returncode == 0, run.stderr
    assert differing(json.loads(run.stdout), texts) == []


def test_a_process_gives_the_same_bytes_again(texts: dict[str, str]) -> None:
    assert differing(all_texts(), texts) == []
