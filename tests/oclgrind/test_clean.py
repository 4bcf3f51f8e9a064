"""Oclgrind has nothing to report of our kernels, and would if there were something."""

import shutil

import pytest

from tests.oclgrind.__main__ import SIMULATE, simulate

pytestmark = pytest.mark.skipif(shutil.which("oclgrind") is None, reason="Oclgrind is not installed")

WITHOUT_BARRIERS = """
from dataclasses import replace
from tests.oclgrind.simulate import Simulator, written_cases
from tests.tl_backend.test_barriers import without_barriers
from einsum_front.tl_backend.schedules.tuning import ScheduleKind, Tuning
case = next(case for case in written_cases() if case.function.name == "in_turn")
racing = without_barriers(case.function, lambda number: True)
Simulator().compare(replace(case, function=racing), Tuning(ScheduleKind.WORK_GROUP))
"""


def test_kernels_are_clean() -> None:
    assert simulate(*SIMULATE, "5") == (0, "")


def test_a_kernel_without_its_barriers_is_not() -> None:
    code, reports = simulate("-c", WITHOUT_BARRIERS)
    assert code == 1
    assert "Kernel: in_turn" in reports
