"""Arguments that are only prefetched: each line of their memory is asked for, nothing else, and no result changes."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from einsum_front.driver import gpu_target
from einsum_front.driver.c_functions import INSTRUCTION_SETS, c_target, one_element
from einsum_front.tl_backend.emit import emit
from einsum_front.tl_backend.interpret_kernel import interpret_kernel
from einsum_front.tl_backend.kernel import tree
from einsum_front.tl_backend.kernel.features import statements
from einsum_front.tl_backend.kernel.interpret import _Group
from einsum_front.tl_backend.opencl.target import DEFAULT, Target
from einsum_front.tl_backend.program import Function
from einsum_front.tl_backend.schedules.choice import schedule, with_work_group
from einsum_front.tl_backend.schedules.prefetched import streams
from einsum_front.tl_backend.schedules.text import schedule_text
from einsum_front.tl_backend.schedules.tuning import ScheduleKind, Tuning
from tests.tl_backend.opencl.harness import function_of

LINE = 64
C_TARGETS = {each.name: c_target(each) for each in INSTRUCTION_SETS}
CPUS = {"opencl": DEFAULT, **C_TARGETS}
GPU = gpu_target("sm_90", "cuda")


def product(rows: int, columns: int, depth: int, *sizes: int, facts: str = "") -> Function:
    """One product of matrices, which prefetches vectors of these sizes."""
    a, b, c = f"memref<f64x{rows}x{depth}>", f"memref<f64x{depth}x{columns}>", f"memref<f64x{rows}x{columns}>"
    next_ = "".join(f", %next{place}: memref<f64x{size}>" for place, size in enumerate(sizes))
    said = "".join(f";! prefetched %next{place}\n" for place in range(len(sizes)))
    return function_of(
        f"{facts}{said}func @f(%A: {a}, %B: {b}, %C: {c}{next_}) {{\n"
        f"  gemm.n.n 1.0, %A, %B, 1.0, %C : f64, {a}, {b}, f64, {c}\n}}\n"
    )


def asked_for(function: Function, target: Target, groups: int = 1) -> list[list[int]]:
    """The bytes that are asked for of each argument that is prefetched, from its start."""
    names = [each.argument for each in streams(function, target)]
    found: dict[str, list[int]] = {name: [] for name in names}
    random = np.random.default_rng(1)
    arguments: dict[str, Any] = {}
    for argument in function.arguments:
        shape = tuple(size or 0 for size in argument.type.shape)  # type: ignore[union-attr]
        arguments[argument.name.name] = np.asfortranarray(random.random(shape))
    expected = arguments["C"] + arguments["A"] @ arguments["B"] if "C" in arguments else None
    own = _Group._effect

    def effect(self: _Group, statement: Any) -> None:
        if isinstance(statement, tree.Prefetch):
            assert isinstance(statement.address, tree.Name)
            value = self.value(statement.offset)
            assert isinstance(value, np.ndarray)
            offsets = np.broadcast_to(value, self.mask.shape)
            found[statement.address.text] += offsets[self.mask].tolist()
        own(self, statement)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_Group, "_effect", effect)
        wanted = Tuning(ScheduleKind.WORK_GROUP)
        ready = with_work_group(function, wanted, target)
        interpret_kernel(schedule(ready, target, wanted), arguments, groups)
    if expected is not None:
        np.testing.assert_allclose(arguments["C"], expected, rtol=1e-13)
    return [found[name] for name in names]


def check(offsets: list[int], size: int) -> None:
    """Each line is asked for, wherever the memory begins, and nothing outside of it."""
    assert 0 <= min(offsets) <= max(offsets) < size
    for start in range(0, LINE, 8):
        wanted = set(range(start // LINE, (start + size - 1) // LINE + 1))
        assert {(start + offset) // LINE for offset in offsets} == wanted


@given(
    st.sampled_from([*CPUS.values(), GPU]),
    st.tuples(*[st.integers(1, 24)] * 3),
    st.lists(st.integers(1, 600), min_size=1, max_size=3),
)
def test_every_line_is_asked_for(target: Target, extents: tuple[int, int, int], sizes: list[int]) -> None:
    function = product(*extents, *sizes)
    for offsets, size in zip(asked_for(function, target), sizes, strict=True):
        check(offsets, 8 * size)


def test_they_are_spread_over_the_loops() -> None:
    function, target = product(20, 9, 20, 216), C_TARGETS["avx512"]
    source = emit(function, target, Tuning(ScheduleKind.WORK_GROUP)).source
    assert "(uintptr_t)next0 + " in source
    assert "for (int32_t line = " not in source
    (offsets,) = asked_for(function, target)
    assert len(offsets) <= 2 * 28


def test_functions_of_products_ask_in_their_loops() -> None:
    """As many lines in all as without them, and two kernels that ask for as much call the same functions."""
    target = one_element(INSTRUCTION_SETS[0]).target
    assert target.outlines_products
    wanted = Tuning(ScheduleKind.WORK_GROUP)
    files = []
    for name in ("next", "other"):
        function = function_of(
            f";! prefetched %{name}\n"
            f"func @f(%A: memref<f64x20x20>, %B: memref<f64x20x9>, %C: memref<f64x20x9>, %{name}: memref<f64x216>) {{\n"
            "  %t = alloca -> memref<f64x20x9>\n"
            "  gemm.n.n 1.0, %A, %B, 0.0, %t : f64, memref<f64x20x20>, memref<f64x20x9>, f64, memref<f64x20x9>\n"
            "  gemm.n.n 1.0, %A, %t, 1.0, %C : f64, memref<f64x20x20>, memref<f64x20x9>, f64, memref<f64x20x9>\n}\n"
        )
        kernel = schedule(function, target, wanted).lower()
        files.append(kernel.file)
        routines = {each.name: each for each in kernel.file.functions[:-1]}
        calls = [each for each in statements(kernel.file.functions[-1].body) if isinstance(each, tree.Call)]
        assert [each.function in routines for each in calls] == [True, True]
        assert set(routines) == {each.function for each in calls}  # those that ask for nothing are gone
        assert calls[0].arguments[-1] == tree.Name(name)
        asked = [
            each.offset for routine in routines.values() for each in statements(routine.body)
            if isinstance(each, tree.Prefetch)
        ]  # fmt: skip
        assert asked
        assert not any(isinstance(each, tree.Prefetch) for each in statements(kernel.file.functions[-1].body))
        random = np.random.default_rng(3)
        A, B = np.asfortranarray(random.random((20, 20))), np.asfortranarray(random.random((20, 9)))
        C = np.zeros((20, 9), order="F")
        interpret_kernel(schedule(function, target, wanted), {"A": A, "B": B, "C": C, name: np.ones(216)}, 1)
        np.testing.assert_allclose(C, A @ A @ B, rtol=1e-13)
    assert files[0].functions[:-1] == files[1].functions[:-1]


def test_without_loops_one_in_front_asks_for_them() -> None:
    function = function_of(";! prefetched %next0\nfunc @f(%next0: memref<f64x100>) {\n}\n")
    source = emit(function, C_TARGETS["avx2"], Tuning(ScheduleKind.WORK_GROUP)).source
    loop = source[source.index("for (int32_t line = 0; line < 14; ++line)") :].splitlines()
    assert loop[1].strip() == "__builtin_prefetch((const char *)((uintptr_t)next0 + MINIMUM(64 * line, 799)), 0, 2);"


def test_on_a_gpu_all_threads_of_a_block_ask_for_them() -> None:
    ready = with_work_group(product(32, 8, 8, 2000), Tuning(ScheduleKind.WORK_GROUP), GPU)
    source = emit(ready, GPU, Tuning(ScheduleKind.WORK_GROUP)).source
    assert "prefetch(next0, min(64 * line, 15999));" in source
    assert "prefetch.global.L2" in source
    assert "if (base != nullptr)" in source
    alone = function_of(";! prefetched %next0\nfunc @f(%next0: memref<f64x2000>) work_group_size(16, 2) {\n}\n")
    (one,), (three,) = asked_for(alone, GPU, 1), asked_for(alone, GPU, 3)
    check(one, 16000)
    assert sorted(3 * one) == sorted(three)  # each block for all: which of them run is not known


def test_languages_without_a_word_for_it_leave_it_out() -> None:
    quiet = gpu_target("sm_90", "opencl")
    ready = with_work_group(product(4, 4, 4, 100), Tuning(ScheduleKind.WORK_GROUP), quiet)
    assert "prefetch" not in emit(ready, quiet, Tuning(ScheduleKind.WORK_GROUP)).source


def test_the_schedule_says_so() -> None:
    text = schedule_text(schedule(product(4, 4, 4, 100), DEFAULT))
    assert text.endswith("    prefetched for the caller: %next0, 800 bytes\n")


@pytest.mark.parametrize("kind", [ScheduleKind.WORK_GROUP, ScheduleKind.BATCH_SIMD])
def test_a_batch_asks_once_in_each_work_group(kind: ScheduleKind) -> None:
    function = function_of(
        ";! batched %A\n;! batched %C\n;! prefetched %next\n"
        "func @f(%A: memref<f64x4x4x?>, %C: memref<f64x4x4x?>, %next: memref<f64x64>) {\n"
        "  %g = group_id\n"
        "  %a = subview %A[:, :, %g] : memref<f64x4x4x?>\n"
        "  %c = subview %C[:, :, %g] : memref<f64x4x4x?>\n"
        "  gemm.n.n 1.0, %a, %a, 0.0, %c : f64, memref<f64x4x4>, memref<f64x4x4>, f64, memref<f64x4x4>\n"
        "}\n"
    )
    A = np.asfortranarray(np.random.default_rng(2).random((4, 4, 19)))
    C, next_ = np.zeros_like(A), np.full(64, np.nan)
    interpret_kernel(schedule(function, DEFAULT, Tuning(kind)), {"A": A, "C": C, "next": next_}, 19)
    np.testing.assert_allclose(C, np.einsum("ike,kje->ije", A, A), rtol=1e-13)
    assert "next" in emit(function, DEFAULT, Tuning(kind)).source.split("{", 1)[1]
