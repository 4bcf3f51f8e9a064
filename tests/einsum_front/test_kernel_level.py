"""The kernel tree is a level of its own: what a schedule does wrong shows there, before a device runs it."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import einsum_front as ef
from einsum_front.compiled import CompiledKernel
from einsum_front.driver import verification
from einsum_front.driver.verification import Comparison
from einsum_front.tl_backend.kernel import tree
from einsum_front.tl_backend.kernel.types import Scalar
from einsum_front.tl_backend.opencl.kernel import Kernel
from einsum_front.tl_backend.schedules.batch_simd.schedule import BatchSimdPlan
from einsum_front.tl_backend.schedules.work_group.schedule import WorkGroupPlan

TEXT = """
tensor C[3, 4] strided<1, 5>
tensor A[3, 2]
tensor B[2, 4] constant
kernel product { C[i,j] += A[i,k] * B[k,j] }
"""
LARGE = """
tensor C[40, 40]
tensor A[40, 40]
kernel square { C[i,j] = A[i,k] * A[k,j] }
"""
SCHEDULES: dict[str, type[WorkGroupPlan | BatchSimdPlan]] = {"work_group": WorkGroupPlan, "batch_simd": BatchSimdPlan}


def compiled(schedule: str, text: str = TEXT) -> CompiledKernel:
    (kernel,) = ef.compile(ef.parse(text), schedule=schedule, cache=False).values()
    return kernel


def at_the_level(kernel: CompiledKernel) -> Comparison:
    (comparison,) = (each for each in kernel.verify() if each.level == "kernel")
    return comparison


def plant(
    monkeypatch: pytest.MonkeyPatch, schedule: str, change: Callable[[tree.Function], tuple[tree.Statement, ...]]
) -> None:
    """From now on the schedule makes kernels with another body."""
    plan = SCHEDULES[schedule]
    right = plan.lower

    def lower(self: Any, taken: frozenset[str]) -> Kernel:
        kernel: Kernel = right(self, taken)
        *others, entry = kernel.file.functions
        broken = replace(entry, body=change(entry))
        return replace(kernel, file=replace(kernel.file, functions=(*others, broken)))

    monkeypatch.setattr(plan, "lower", lower)


@pytest.mark.parametrize("schedule", SCHEDULES)
def test_a_kernel_agrees(schedule: str) -> None:
    comparisons = compiled(schedule).verify()
    levels = [each.level for each in comparisons if not each.layout]
    assert levels == ["graph", "yir", "tl", "kernel", "device"]
    assert all(each.agrees and not each.left_out for each in comparisons)


@pytest.mark.parametrize("schedule", SCHEDULES)
def test_a_kernel_that_does_nothing_differs(schedule: str, monkeypatch: pytest.MonkeyPatch) -> None:
    kernel = compiled(schedule)
    plant(monkeypatch, schedule, lambda _: ())
    comparison = at_the_level(kernel)
    assert not comparison.agrees
    assert not comparison.mistake
    assert np.isfinite(comparison.error)
    wrong = [each.level for each in kernel.verify() if not each.agrees]
    assert wrong == ["kernel"]


@pytest.mark.parametrize("schedule", SCHEDULES)
@pytest.mark.parametrize(
    ("name", "index", "words"),
    [
        ("C", 10**6, "which is outside (E0711)"),
        ("C", 3, "memory between entries of `C` was changed, which is not the kernel's to write (E0711)"),
        ("B", 0, "a pointer to constants (E0704)"),
        ("nothing", 0, "`nothing`"),
    ],
)
def test_an_access_that_must_not_be_is_named(
    schedule: str, name: str, index: int, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    kernel = compiled(schedule)
    target = tree.Subscript(tree.Name(name), tree.Integer(index))
    item = tree.Binary(tree.BinaryOperator.ADD, tree.ItemId(0), tree.ItemId(1))
    first = tree.Binary(tree.BinaryOperator.ADD, tree.GroupId(), item)
    wrong = tree.If(
        tree.Binary(tree.BinaryOperator.EQUAL, first, tree.Integer(0)),
        (tree.Assign(target, tree.Floating(0.0, Scalar.F64)),),
    )
    plant(monkeypatch, schedule, lambda entry: (wrong, *entry.body))
    comparison = at_the_level(kernel)
    assert words in comparison.mistake
    assert (comparison.agrees, comparison.error) == (False, float("inf"))


def test_what_takes_too_long_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    kernel = compiled("work_group", LARGE)
    monkeypatch.setattr(verification, "MOST_STATEMENTS", 100)
    comparison = at_the_level(kernel)
    assert comparison.left_out == "its interpreter would run more than 100 statements"
    assert comparison.agrees
    assert np.isnan(comparison.error)


def test_what_is_too_large_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    kernel = compiled("work_group", LARGE.replace("40", "400"))
    monkeypatch.setattr(verification, "MOST_BYTES", 1 << 20)
    assert at_the_level(kernel).left_out == "its interpreter takes arguments of 1 MiB at most"
