"""Which modes of its arguments a function sees as one."""

import pytest

from einsum_front.core.diagnostics import Source
from einsum_front.tl_backend.analysis.fused import Pair, fused_modes
from einsum_front.tl_backend.parse import parse
from einsum_front.tl_backend.verify import check

OPEN = "memref<f64x?x3x5,strided<1,?,?>>"


def asked(body: str, type_: str = OPEN) -> tuple[Pair, ...]:
    program = parse(Source("test.tl", f"func @f(%A: {type_}, %n: index) {{\n{body}\n}}"))
    check(program)
    return fused_modes(program.functions[0])["A"]


@pytest.mark.parametrize(
    ("body", "pairs"),
    [
        ("", ()),
        (f"%x = fuse %A[0,1] : {OPEN}", ((0, 1),)),
        (f"%x = fuse %A[0,2] : {OPEN}", ((0, 1), (1, 2))),
        (f"%x = fuse %A[1,2] : {OPEN}\n%y = fuse %x[0,1] : memref<f64x?x15,strided<1,?>>", ((0, 1), (1, 2))),
        # a position takes a mode away; the others keep their places in the argument
        (f"%v = subview %A[:, %n, :] : {OPEN}\n%x = fuse %v[0,1] : memref<f64x?x5,strided<1,?>>", ((0, 2),)),
        (f"%v = subview %A[%n, :, 0:5] : {OPEN}\n%x = fuse %v[0,1] : memref<f64x3x5,strided<?,?>>", ((1, 2),)),
        # a slice of the second mode begins somewhere else, and has its stride; one of the first may be all of it
        (f"%v = subview %A[:, 1:2, 0] : {OPEN}\n%x = fuse %v[0,1] : memref<f64x?x2,strided<1,?>>", ((0, 1),)),
        (f"%v = subview %A[%n:2, :, 0] : {OPEN}\n%x = fuse %v[0,1] : memref<f64x2x3,strided<1,?>>", ((0, 1),)),
        # the parts of a mode lie close whatever its stride
        (f"%v = expand %A[0 -> ? x 2] : {OPEN}\n%x = fuse %v[0,1] : memref<f64x?x2x3x5,strided<1,?,?,?>>", ()),
        (
            f"%v = expand %A[0 -> ? x 2] : {OPEN}\n%x = fuse %v[1,2] : memref<f64x?x2x3x5,strided<1,?,?,?>>",
            ((0, 1),),
        ),
        (f"if true {{\n%x = fuse %A[0,1] : {OPEN}\n}}", ((0, 1),)),
    ],
)
def test_what_must_lie_close(body: str, pairs: tuple[Pair, ...]) -> None:
    assert asked(body) == pairs


def test_what_the_type_says_is_not_asked() -> None:
    assert asked("%x = fuse %A[0,1] : memref<f64x4x3x?>", "memref<f64x4x3x?>") == ()
    assert asked("%x = fuse %A[0,2] : memref<f64x4x3x?,strided<1,4,?>>", "memref<f64x4x3x?,strided<1,4,?>>") == (
        (1, 2),
    )


def test_members_of_a_group_and_what_a_prologue_fuses() -> None:
    text = """func @first(%B: memref<f64x?x3>, %s: memref<f64>) {
      %b = fuse %B[0,1] : memref<f64x?x3>
      sum.n 1.0, %b, 0.0, %s : f64, memref<f64x?>, f64, memref<f64>
    }
    ;! prologue @first
    func @f(%G: group<memref<f64x?x3>>, %B: memref<f64x?x3>, %C: memref<f64x?x3>, %s: memref<f64>) {
      %g = group_id
      %m = load %G[%g] : group<memref<f64x?x3>>
      %x = fuse %m[0,1] : memref<f64x?x3>
    }"""
    program = parse(Source("test.tl", text))
    check(program)
    assert dict(fused_modes(program.functions[-1])) == {"G": ((0, 1),), "B": ((0, 1),), "C": (), "s": ()}


def test_a_name_that_is_given_again_is_another_value() -> None:
    body = f"""for %i = 0, 2 {{
      %v = subview %A[:, :, %i] : {OPEN}
    }}
    for %i = 0, 2 {{
      %v = alloca -> memref<f64x4x3>
      %x = fuse %v[0,1] : memref<f64x4x3>
    }}"""
    assert asked(body) == ()
