"""Takes a `case` away, and asks whether anything notices: `python -m tests.mutation SEED [COUNT]`.

COUNT lines (10) are chosen among all of the product that begin a `case`. In a copy of the project, each case is removed
with its body; then the check of wildcards, mypy and the tests of that part of the product run, until one fails. Each is
printed with what noticed it, and the exit code is the number of those that nothing noticed.
"""

import ast
import random
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.sources import ROOT, file_of, modules

COUNT = 10

TESTS = {
    "core": ("tests/core", "tests/ir", "tests/tl_backend/test_parse.py", "tests/einsum_front"),
    "ir/contraction": ("tests/ir/contraction", "tests/ir/plan", "tests/meaning"),
    "ir/yateto": ("tests/ir/yateto", "tests/ir/test_emit_tensor_language.py", "tests/meaning"),
    "ir": ("tests/ir", "tests/meaning", "tests/einsum_front"),
    "tl_backend/kernel": ("tests/tl_backend/kernel", "tests/tl_backend/opencl"),
    "tl_backend/targets": (
        "tests/tl_backend/targets",
        "tests/tl_backend/test_bf16.py",
        "tests/tl_backend/opencl",
        "tests/package",
    ),
    "tl_backend/opencl": ("tests/tl_backend/opencl", "tests/tl_backend"),
    "tl_backend/schedules": ("tests/tl_backend/schedules", "tests/tl_backend/opencl", "tests/meaning"),
    "tl_backend": ("tests/tl_backend", "tests/tinytc"),
    "runtime": ("tests/runtime", "tests/einsum_front", "tests/package"),
    "einsum_front/mlir/tpp": ("tests/mlir/tpp", "tests/mlir"),
    "einsum_front/mlir": ("tests/mlir", "tests/tc"),
    "einsum_front/tc": ("tests/tc", "tests/mlir"),
    "einsum_front/notation": ("tests/einsum_front", "tests/tc"),
    "einsum_front/yateto": ("tests/yateto",),
    "einsum_front/package": ("tests/package",),
    "einsum_front/exporter": ("tests/exporter", "tests/yateto"),
    "einsum_front/driver": ("tests/einsum_front", "tests/cli"),
    "einsum_front/commands": ("tests/cli", "tests/einsum_front"),
    "einsum_front/inspector": ("tests/inspector",),
    "einsum_front": ("tests/einsum_front", "tests/cli", "tests/meaning"),
}
"""The tests of a part of the product, by the longest beginning of a path."""


@dataclass(frozen=True, slots=True)
class Mutant:
    """A `case` that is taken away: lines `first` to `last` of a file, counted from 1."""

    path: str
    first: int
    last: int

    def __str__(self) -> str:
        line = file_of(self.path).read_text(encoding="utf-8").splitlines()[self.first - 1].strip()
        return f"{self.path}:{self.first}: {line}"


def mutants() -> Iterator[Mutant]:
    """All of them, but for a `case` that stands alone in its `match`."""
    for name, path in modules().items():
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Match) and len(node.cases) > 1:
                for case in node.cases:
                    last = case.body[-1].end_lineno or case.body[-1].lineno
                    yield Mutant(name, case.pattern.lineno, last)


def noticed(mutant: Mutant, copy: Path) -> str | None:
    """What fails in a copy of the project without the case; None if nothing does."""
    path = copy / mutant.path
    text = path.read_text(encoding="utf-8")
    lines = text.splitlines(keepends=True)
    start = next(n for n in range(mutant.first - 1, -1, -1) if lines[n].lstrip().startswith("case "))
    path.write_text("".join([*lines[:start], *lines[mutant.last :]]), encoding="utf-8")
    try:
        found = (step for step, command in _steps(mutant) if _fails(command, copy))
        return next(found, None)
    finally:
        path.write_text(text, encoding="utf-8")


def _steps(mutant: Mutant) -> Iterator[tuple[str, list[str]]]:
    python = sys.executable
    yield "wildcards", [python, "-m", "tests.architecture.wildcards"]
    yield "mypy", [python, "-m", "mypy", "-p", "einsum_front"]
    begin = max((each for each in TESTS if mutant.path.startswith(each)), key=len)
    for folder in TESTS[begin]:
        yield folder, [python, "-m", "pytest", "-x", "-q", "-n", "2", "--dist", "worksteal", folder]


def _fails(command: list[str], folder: Path) -> bool:
    return subprocess.run(command, cwd=folder, capture_output=True, check=False).returncode != 0


def main() -> int:
    """Prints each mutant with what noticed it."""
    seed = int(sys.argv[1]) if len(sys.argv) > 1 else 0
    count = int(sys.argv[2]) if len(sys.argv) > 2 else COUNT
    chosen = random.Random(seed).sample(sorted(mutants(), key=str), count)
    survivors = 0
    with TemporaryDirectory() as folder:
        copy = Path(folder) / "copy"
        shutil.copytree(
            ROOT, copy, symlinks=True, ignore=shutil.ignore_patterns(".git", ".venv", "__pycache__", "build")
        )
        for mutant in chosen:
            step = noticed(mutant, copy)
            survivors += step is None
            sys.stdout.write(f"{step or 'NOTHING'} notices {mutant}\n")
            sys.stdout.flush()
    return survivors


if __name__ == "__main__":
    sys.exit(main())
