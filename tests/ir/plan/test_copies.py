"""Copies of operands in another order of their modes: where they pay, and what they may take."""

import pytest

from einsum_front.core.machines import ZEN4
from einsum_front.ir.plan.copies import prepared, rooms
from einsum_front.ir.plan.gemm import cycles
from einsum_front.ir.plan.memory import peak_bytes
from einsum_front.ir.plan.plan import Plan, Step, StepKind
from tests.ir.programs import plan_of

FOUR = """
tensor A[{n},{n},{n},{n}]
tensor B[{n},{n},{n},{n}]
tensor C[{n},{n},{n},{n}]
tensor D[{n},{n},{n},{n}]
tensor R[{n},{n},{n},{n}]
kernel f {{ R[h,j,i,g] = A[c,b,h,j] * B[e,a,f,d] * C[d,b,a,g] * D[c,i,f,e] }}
"""
"""Two temporaries are alive in the second of three steps, so that the others have memory for copies."""


def copies(made: Plan) -> list[Step]:
    return [step for step in made.steps if step.kind is StepKind.AXPBY]


def test_large_operands_with_rows_far_apart_are_copied() -> None:
    made = plan_of(FOUR.format(n=16))
    copy = copies(made)[0]
    tensor = made.tensors[copy.target.buffer]
    assert tensor.name == f"{copy.operands[0].buffer}_copy"
    assert tensor.modes_by_stride != made.tensors[copy.operands[0].buffer].modes_by_stride
    assert copy.cost.operations == 0
    assert copy.cost.read == copy.cost.written == tensor.footprint * 8 == 16**4 * 8


def test_copies_take_no_more_memory_than_there_is() -> None:
    made = plan_of(FOUR.format(n=16))
    kept = [buffer for buffer in made.buffers if not buffer.tensor.name.endswith("_copy")]
    assert peak_bytes(made.buffers) == peak_bytes(kept)


def test_small_operands_are_not_copied() -> None:
    assert ZEN4.memory.lines.bytes > 8 * 7**4
    assert not copies(plan_of(FOUR.format(n=7)))


def test_a_single_product_has_no_memory_for_a_copy() -> None:
    text = "tensor A[16,16,16,16]\ntensor B[16,16,16,16]\ntensor C[16,16,16,16]\n"
    made = plan_of(f"{text}kernel f {{ C[a,p,b,q] = A[b,x,a,y] * B[p,x,q,y] }}")
    assert [step.kind for step in made.steps] == [StepKind.LOG]
    (step,) = made.steps
    with_room = prepared(step, made.tensors, 16**4 * 8, ZEN4)
    assert len(with_room.copies) == 1
    assert with_room.cycles < cycles(step, made.tensors, ZEN4)
    assert prepared(step, made.tensors, 16**4 * 8 - 1, ZEN4).copies == ()


@pytest.mark.parametrize("extents", [(16, 16, 16, 16), (12, 1, 40, 12), (1, 24, 1, 24)])
def test_what_was_priced_is_what_is_made(extents: tuple[int, ...]) -> None:
    """The cycles are worked out from modes, before there are any copies."""
    a, b, x, y = extents
    text = f"tensor A[{b},{x},{a},{y}]\ntensor B[16,{x},16,{y}]\ntensor C[{a},16,{b},16]\n"
    made = plan_of(f"{text}kernel f {{ C[a,p,b,q] = A[b,x,a,y] * B[p,x,q,y] }}")
    (step,) = made.steps
    for room in (0, 16**4 * 8, 2 * 16**4 * 8):
        found = prepared(step, made.tensors, room, ZEN4)
        tensors = made.tensors | {copy.tensor.name: copy.tensor for copy in found.copies}
        copying = sum(cycles(copy.step, tensors, ZEN4) for copy in found.copies)
        assert found.cycles == cycles(found.step, tensors, ZEN4) + copying


def test_rooms_are_what_other_steps_need_more() -> None:
    made = plan_of(FOUR.format(n=16))
    temporaries = [buffer.tensor for buffer in made.buffers if buffer.is_temporary]
    assert min(rooms(temporaries, made.steps)) == 0


def test_copies_of_views_have_the_entries_that_are_read() -> None:
    """A copy has the modes that indices walk, without those held at a position."""
    text = "tensor A[16,16,3,16,16]\ntensor B[16,16,16,16]\ntensor C[16,16,16,16]\n"
    made = plan_of(f"{text}kernel f {{ C[a,p,b,q] = A[b,x,1,a,y] * B[p,x,q,y] }}")
    (step,) = made.steps
    (copy,) = prepared(step, made.tensors, 16**4 * 8, ZEN4).copies
    assert copy.step.operands == (step.operands[0],)
    assert copy.tensor.shape == (16, 16, 16, 16)
    assert copy.bytes == 16**4 * 8
