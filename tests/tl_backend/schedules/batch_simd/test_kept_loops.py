"""Where the compiler of a GPU is asked to leave loops as they are."""

from dataclasses import replace

from einsum_front.tl_backend.emit import emit
from einsum_front.tl_backend.kernel import tree
from einsum_front.tl_backend.kernel.types import Scalar
from einsum_front.tl_backend.opencl.target import DEFAULT
from einsum_front.tl_backend.schedules.batch_simd.lower import roll
from einsum_front.tl_backend.schedules.tuning import ScheduleKind, Tuning
from tests.tl_backend.opencl.harness import function_of

GPU = replace(DEFAULT, name="a GPU", is_cpu=False, vector_bytes=8, has_prefetch=False)
LANES = Tuning(ScheduleKind.BATCH_SIMD)
ASSIGN = tree.Assign(tree.Name("a"), tree.Integer(1))
NEVER = tree.Unroll.NEVER


def product(size: int) -> str:
    one = f"memref<f64x{size}x{size}>"
    many = one.replace(">", "x?>")
    return f"""func @product(%A: {many}, %B: {one}, %C: {many}) {{
      %g = group_id
      %a = subview %A[:, :, %g] : {many}
      %c = subview %C[:, :, %g] : {many}
      gemm.n.n 1.0, %a, %B, 0.0, %c : f64, {one}, {one}, f64, {one}
    }}"""


def loop(*body: tree.Statement, unroll: tree.Unroll = tree.Unroll.AS_THE_COMPILER_LIKES) -> tree.For:
    return tree.For(Scalar.I32, "i", tree.Integer(0), tree.Integer(4), tree.Integer(1), body, unroll)


def test_only_loops_that_would_take_long_to_unroll() -> None:
    """1024 summands are a second of the compiler's time."""
    small, large = (emit(function_of(product(size)), GPU, LANES).source for size in (10, 11))
    assert "#pragma unroll" not in small
    lines = [line.strip() for line in large.splitlines()]
    loops = [number for number, line in enumerate(lines) if line.startswith("for (")]
    left = [number for number in loops if lines[number - 1] == "#pragma unroll 1"]
    assert [lines[number].split(" = ")[0] for number in loops if number not in left] == ["for (long element"]
    assert len(left) > 3


def test_no_loops_of_a_cpu() -> None:
    assert "#pragma unroll" not in emit(function_of(product(32)), DEFAULT, LANES).source


def test_loops_anywhere_but_not_those_that_are_unrolled_for_sure() -> None:
    always = loop(ASSIGN, unroll=tree.Unroll.FULLY)
    for inside in (
        lambda *body: body,
        lambda *body: (tree.Block(body),),
        lambda *body: (tree.Section(("here",), body),),
    ):
        assert roll(inside(loop(loop(), always))) == inside(loop(loop(unroll=NEVER), always, unroll=NEVER))
    assert roll((tree.If(tree.Name("c"), (loop(),), (loop(),)), tree.DoWhile((loop(),), tree.Name("c")))) == (
        tree.If(tree.Name("c"), (loop(unroll=NEVER),), (loop(unroll=NEVER),)),
        tree.DoWhile((loop(unroll=NEVER),), tree.Name("c")),
    )
