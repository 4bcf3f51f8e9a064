"""The text of kernels, pinned: a file `text/NAME.tl` becomes `text/NAME.cl`, always with the same bytes."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from einsum_front.core.diagnostics import Source
from einsum_front.tl_backend.emit import emit
from einsum_front.tl_backend.opencl.target import DEFAULT
from einsum_front.tl_backend.parse import parse
from einsum_front.tl_backend.schedules.tuning import ScheduleKind, Tuning
from einsum_front.tl_backend.verify import check

FILES = sorted((Path(__file__).parent / "text").glob("*.tl"))


def text_of(path: Path) -> str:
    program = parse(Source(path.name, path.read_text(encoding="utf-8")))
    check(program)
    return emit(program.functions[0], DEFAULT, Tuning(ScheduleKind.WORK_GROUP)).source


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_text(path: Path) -> None:
    assert text_of(path) == path.with_suffix(".cl").read_text(encoding="utf-8")


@pytest.mark.parametrize("seed", ["0", "1"])
def test_the_bytes_do_not_depend_on_the_order_of_sets(seed: str) -> None:
    code = "from tests.tl_backend.opencl.test_text import FILES, text_of; print(*map(text_of, FILES), sep='', end='')"
    environment = os.environ | {"PYTHONHASHSEED": seed}
    printed = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    assert printed.stdout == "".join(path.with_suffix(".cl").read_text(encoding="utf-8") for path in FILES)
