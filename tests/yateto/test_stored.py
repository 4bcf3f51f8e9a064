"""Kernels on YATeTo's memory, interpreted, compute what the formula says: boxes, padding, columns of entries."""

import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn
from numpy.typing import NDArray

from einsum_front import ir
from einsum_front.core.diagnostics import CompilerBug
from einsum_front.core.extent import static_shape
from einsum_front.ir import Box, in_boxes, stays_inside
from einsum_front.ir.yateto.interpret import interpret as interpret_yateto
from einsum_front.notation.check import check
from einsum_front.notation.interpret import interpret
from einsum_front.notation.parse import parse_file
from einsum_front.notation.unparse import unparse
from einsum_front.yateto import CSCMemoryLayout, DenseMemoryLayout, Scalar, Tensor, useArchitectureIdentifiedBy
from einsum_front.yateto.formula import Assign
from einsum_front.yateto.stored import StoredKernel, stored, stored_positions
from einsum_front.yateto.subroutines import session_for
from einsum_front.yateto.translation import Statements, translate
from tests.profiles import share

Array = NDArray[Any]
ARCH = useArchitectureIdentifiedBy("dhsw")
PADDING, SCALAR = 7.0, 3.0


def kernel_of(*statements: Assign) -> tuple[StoredKernel, dict[str, Tensor]]:
    """The kernel of some statements, and the tensors of the script by argument."""
    with tempfile.TemporaryDirectory() as folder:
        listed = [Statements("f", tuple(statements), "here")]
        translated = translate(listed, "f64", "kernel.npz", promises_values=False)
        path = Path(folder) / "kernel.ein"
        np.savez(path.with_name("kernel.npz"), **dict(translated.arrays), allow_pickle=False)
        path.write_text(unparse(translated.program), encoding="utf-8")
        program = check(parse_file(path), directory=path.parent)
    return stored(session_for(ARCH), program.kernels[0], program, translated.tensors), dict(translated.tensors)


def assert_means_the_same(*statements: Assign) -> StoredKernel:
    """On generated integers, each entry of the memory is that of the formula, and padding stays."""
    kernel, tensors = kernel_of(*statements)
    rng = np.random.default_rng(0)
    whole, memory = {}, {}
    for name, tensor in tensors.items():
        pattern = tensor.spp(groupSpp=False).as_ndarray()
        whole[name] = np.where(pattern, rng.integers(1, 5, tensor.shape()), 0).astype(np.float64)
        positions = stored_positions(tensor)
        memory[name] = np.array([PADDING if at is None else whole[name][at] for at in positions])
        assert len(memory[name]) == tensor.memoryLayout().requiredReals()
    run(kernel, memory)
    expected: dict[str, Any] = {name: array[np.newaxis].copy() for name, array in whole.items()}
    for known in kernel.program.tensors:
        if known.values is not None:
            expected[known.name] = np.array(known.values).reshape(known.shape, order="F")
    expected |= {scalar.name: SCALAR for scalar in kernel.program.scalars}
    interpret(kernel.kernel, kernel.program, expected)
    written = {statement.written for statement in kernel.kernel.statements}
    for name, tensor in tensors.items():
        for entry, at in enumerate(stored_positions(tensor)):
            wanted = PADDING if at is None else (expected[name][0] if name in written else whole[name])[at]
            assert memory[name][entry] == wanted, (name, at)
    return kernel


def run(kernel: StoredKernel, memory: dict[str, Array]) -> None:
    """The function of the YATeTo language on memory, with the copies that a call makes."""
    taken = dict(memory)
    for name, copy in kernel.copies.items():
        taken[name] = np.zeros(copy.size)
        for entry, place in enumerate(copy.places):
            if place is not None:
                taken[name][place] = memory[name][entry]
    arguments: dict[str, Any] = {scalar.name: SCALAR for scalar in kernel.program.scalars}
    for tensor in (buffer.tensor for buffer in kernel.planned.plan.buffers if not buffer.is_temporary):
        if tensor.values is None:
            shape, strides = static_shape(tensor.shape), static_shape(tensor.strides)
            steps = [stride * 8 for stride in strides]
            arguments[tensor.name] = np.lib.stride_tricks.as_strided(taken[tensor.name], shape, steps)
        else:
            arguments[tensor.name] = np.array(tensor.values).reshape(tensor.shape, order="F")
    interpret_yateto(ir.emit_yateto(kernel.planned.plan), arguments, 1)
    for name, copy in kernel.copies.items():
        for entry, place in enumerate(copy.places):
            if place is not None:
                memory[name][entry] = taken[name][place]


@st.composite
def tensors(draw: DrawFn, name: str, shape: tuple[int, ...]) -> Tensor:
    """One with a pattern in a box, stored densely, padded or by columns."""
    starts = [draw(st.integers(0, extent - 1)) for extent in shape]
    stops = [draw(st.integers(start + 1, extent)) for start, extent in zip(starts, shape, strict=True)]
    box = tuple(slice(start, stop) for start, stop in zip(starts, stops, strict=True))
    pattern = np.zeros(shape, np.bool_)
    pattern[box] = np.random.default_rng(draw(st.integers(0, 3))).random(pattern[box].shape) < 0.7
    pattern[tuple(starts)] = True
    layout = draw(st.sampled_from([DenseMemoryLayout, DenseMemoryLayout, CSCMemoryLayout]))
    if len(shape) != 2:
        layout = DenseMemoryLayout
    return Tensor(name, shape, pattern, layout, alignStride=draw(st.booleans()))


@share(0.6)
@given(st.data())
def test_kernels_on_memory(data: st.DataObject) -> None:
    A, B = data.draw(tensors("A", (6, 5))), data.draw(tensors("B", (5, 4)))
    C, D = data.draw(tensors("C", (6, 4))), data.draw(tensors("D", (6, 4)))
    E = data.draw(tensors("E", (5,)))
    s, T = Scalar("s"), Tensor("T", (6, 4), temporary=True)
    products = [A["ik"] * B["kj"], s * D["ij"], C["ij"] + A["ik"] * B["kj"], A["ik"] * E["k"] * D["ij"] - D["ij"]]
    statements = [
        C["ij"] <= data.draw(st.sampled_from(products)),
        T["ij"] <= A["ik"] * (B["kj"] + B["kj"]),
        D["ij"] <= data.draw(st.sampled_from([C["ij"] + T["ij"], D["ij"] - C["ij"], T["ij"]])),
        C["ij"].subslice("i", 1, 3) <= D["ij"].subslice("i", 2, 4),
    ]
    chosen = data.draw(st.sampled_from([statements[:1], statements[1:3], statements]))
    assert_means_the_same(*chosen)


def test_zeros_are_written_where_memory_has_room() -> None:
    """What is written before it is read gets zeros in the whole box."""
    diagonal = Tensor("D", (4, 4), np.eye(4, dtype=bool))
    x = Tensor("x", (4, 4), np.eye(4, k=1, dtype=bool) | np.eye(4, dtype=bool))
    assert not assert_means_the_same(diagonal["ij"] <= x["ij"]).copies


def test_matrices_by_columns_are_copied() -> None:
    W = Tensor("W", (9, 3), {(0, 0): "1", (2, 1): "1.5", (8, 2): "0.5"}, CSCMemoryLayout)
    kernel = assert_means_the_same(Tensor("V", (5, 3))["kp"] <= Tensor("Q", (5, 9))["kq"] * W["qp"])
    assert kernel.copies["W"].places == (0, 11, 26)


def test_boxes_are_taken_as_they_lie() -> None:
    pattern = np.zeros((10, 10), np.bool_)
    pattern[2:9, 1:4] = True
    K = Tensor("K", (10, 10), pattern, alignStride=True)
    kernel = assert_means_the_same(Tensor("Q", (10, 3))["kp"] <= K["kl"] * Tensor("I", (10, 3))["lp"])
    (stored_matrix,) = (b.tensor for b in kernel.planned.plan.buffers if b.tensor.name == "K")
    assert (stored_matrix.shape, stored_matrix.strides) == ((10, 3), (1, 12))
    assert not kernel.copies


def test_a_step_that_leaves_a_box_is_found() -> None:
    kernel, _ = kernel_of(Tensor("Q", (4,))["k"] <= Tensor("I", (4,))["k"])
    plan, box = kernel.planned.plan, Box((1,), (3,), (1,))
    assert not stays_inside(plan, "I", box)
    with pytest.raises(CompilerBug, match="leaves the box"):
        in_boxes(plan, {"I": box})
