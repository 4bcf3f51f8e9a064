"""A function that is built is the function that is read from the text one would write."""

import pytest

from einsum_front.core.diagnostics import CompilerBug, Source, Span
from einsum_front.tl_backend import instructions as tl
from einsum_front.tl_backend.builder import ALL, Builder
from einsum_front.tl_backend.parse import parse
from einsum_front.tl_backend.program import Batched, Program
from einsum_front.tl_backend.types import GroupType, MemrefType, ScalarType
from einsum_front.tl_backend.unparse import unparse_function
from einsum_front.tl_backend.verify import verify

F32, F64, I32, INDEX = ScalarType.F32, ScalarType.F64, ScalarType.I32, ScalarType.INDEX
N, T = tl.Transpose.N, tl.Transpose.T


def matrix(*shape: int | None) -> MemrefType:
    return MemrefType.packed(F32, shape)


def text_of(builder: Builder) -> str:
    """The text of the function, which keeps all rules."""
    function = builder.function()
    assert verify(Program((function,))) == ()
    return unparse_function(function)


def test_the_sample_of_the_manual() -> None:
    builder = Builder(
        "fused_kernel",
        {
            "alpha": F32,
            "A": GroupType(matrix(16, 8)),
            "B": matrix(8, 8),
            "C": matrix(8, 16),
            "D": matrix(16, 16, None),
        },
    )
    alpha, a, b, c, d = builder.arguments
    group = builder.group_id("0")
    element = builder.load(a, group, name="1")
    target = builder.subview(d, ALL, ALL, group, name="2")
    product = builder.alloca(matrix(16, 8), "tmp0")
    builder.gemm(1.0, element, b, 0.0, product, (N, T))
    builder.gemm(alpha, product, c, 1.0, target)
    function = builder.function(work_group_size=(16, 1), subgroup_size=16, facts=(Batched("D"),))
    text = """
    ;! batched %D
    func @fused_kernel(%alpha: f32,
                       %A: group<memref<f32x16x8>>,
                       %B: memref<f32x8x8>,
                       %C: memref<f32x8x16>,
                       %D: memref<f32x16x16x?>) work_group_size(16, 1) subgroup_size(16) {
      %0 = group_id
      %1 = load %A[%0]        : group<memref<f32x16x8>> ; Returns memref<f32x16x8>
      %2 = subview %D[:,:,%0] : memref<f32x16x16x?>     ; Returns memref<f32x16x16>
      %tmp0 = alloca -> memref<f32x16x8>
      gemm.n.t 1.0, %1, %B, 0.0, %tmp0
         : f32, memref<f32x16x8>, memref<f32x8x8>, f32, memref<f32x16x8>
      gemm.n.n %alpha, %tmp0, %C, 1.0, %2
         : f32, memref<f32x16x8>, memref<f32x8x16>, f32, memref<f32x16x16>
    }
    """
    assert Program((function,)) == parse(Source("sample.tl", text))


def test_scalars() -> None:
    builder = Builder("f", {"x": F32, "n": I32})
    x, n = builder.arguments
    negated = builder.unary(tl.UnaryOperator.NEG, x)
    doubled = builder.arith(tl.BinaryOperator.MUL, 2.0, negated)
    is_small = builder.compare(tl.Condition.LT, n, 10)
    as_index = builder.cast(n, INDEX)
    builder.arith(tl.BinaryOperator.ADD, as_index, builder.group_size())
    assert (doubled.type, is_small.type, as_index.type) == (F32, ScalarType.BOOL, INDEX)
    assert text_of(builder) == (
        "func @f(%x: f32, %n: i32) {\n"
        "  %t = arith.neg %x : f32\n"
        "  %t_1 = arith.mul 2.0, %t : f32\n"
        "  %is = cmp.lt %n, 10 : i32\n"
        "  %t_2 = cast %n : i32 -> index\n"
        "  %groups = group_size\n"
        "  %t_3 = arith.add %t_2, %groups : index\n"
        "}\n"
    )


def test_views_have_the_types_of_their_results() -> None:
    builder = Builder("f", {"A": matrix(8, 6, None), "n": INDEX})
    a, n = builder.arguments
    part = builder.subview(a, (2, 4), ALL, (n, None))
    fused = builder.fuse(builder.subview(a, ALL, ALL, 0), 0, 1)
    split = builder.expand(fused, 0, (None, 6))
    builder.size(part, 2)
    assert text_of(builder) == (
        "func @f(%A: memref<f32x8x6x?>, %n: index) {\n"
        "  %view = subview %A[2:4, :, %n:?] : memref<f32x8x6x?>\n"
        "  %view_1 = subview %A[:, :, 0] : memref<f32x8x6x?>\n"
        "  %fused = fuse %view_1[0,1] : memref<f32x8x6>\n"
        "  %expanded = expand %fused[0->?x6] : memref<f32x48>\n"
        "  %n_1 = size %view[2] : memref<f32x4x6x?,strided<1,8,48>>\n"
        "}\n"
    )
    assert split.type == matrix(8, 6)


def test_collective_instructions() -> None:
    builder = Builder("f", {"A": matrix(4, 4), "x": matrix(4), "y": matrix(4), "s": matrix(), "b": F32})
    a, x, y, s, beta = builder.arguments
    builder.axpby(2.0, a, beta, builder.alloca(matrix(4, 4)), T)
    builder.gemv(1.0, a, x, 0.0, y, T)
    builder.ger(1.0, x, y, 1.0, a, atomic=True)
    builder.hadamard_product(1.0, x, x, 1.0, y)
    builder.sum(1.0, x, 0.0, s)
    builder.barrier()
    assert text_of(builder).splitlines()[1:-1] == [
        "  %tmp = alloca -> memref<f32x4x4>",
        "  axpby.t 2.0, %A, %b, %tmp : f32, memref<f32x4x4>, f32, memref<f32x4x4>",
        "  gemv.t 1.0, %A, %x, 0.0, %y : f32, memref<f32x4x4>, memref<f32x4>, f32, memref<f32x4>",
        "  ger.atomic 1.0, %x, %y, 1.0, %A : f32, memref<f32x4>, memref<f32x4>, f32, memref<f32x4x4>",
        "  hadamard_product 1.0, %x, %x, 1.0, %y : f32, memref<f32x4>, memref<f32x4>, f32, memref<f32x4>",
        "  sum.n 1.0, %x, 0.0, %s : f32, memref<f32x4>, f32, memref<f32>",
        "  barrier",
    ]


def test_regions() -> None:
    builder = Builder("f", {"x": matrix(8), "n": I32})
    x, n = builder.arguments
    with builder.for_loop(0, 8, 2) as i, builder.foreach_loop(0, n, I32) as j:
        value = builder.load(x, i)
        with builder.if_then(builder.compare(tl.Condition.GT, j, 1)):
            builder.store(value, x, builder.cast(j, INDEX))
    is_small = builder.compare(tl.Condition.LT, n, 8)
    (limit,) = builder.if_else(is_small, (I32,), lambda: (n,), lambda: (8,))
    temporary = builder.alloca(matrix(2))
    builder.lifetime_stop(temporary)
    assert limit.type is I32
    assert text_of(builder) == (
        "func @f(%x: memref<f32x8>, %n: i32) {\n"
        "  for %i = 0, 8, 2 {\n"
        "    foreach %i_1 = 0, %n : i32 {\n"
        "      %t = load %x[%i] : memref<f32x8>\n"
        "      %is = cmp.gt %i_1, 1 : i32\n"
        "      if %is {\n"
        "        %t_1 = cast %i_1 : i32 -> index\n"
        "        store %t, %x[%t_1] : memref<f32x8>\n"
        "      }\n"
        "    }\n"
        "  }\n"
        "  %is_1 = cmp.lt %n, 8 : i32\n"
        "  %chosen = if %is_1 -> (i32) {\n"
        "    yield %n : i32\n"
        "  } else {\n"
        "    yield 8 : i32\n"
        "  }\n"
        "  %tmp = alloca -> memref<f32x2>\n"
        "  lifetime_stop %tmp\n"
        "}\n"
    )


def test_what_is_added_carries_the_origin_of_the_moment() -> None:
    span = Span(Source("t.ein", "C = A"), 0, 5)
    builder = Builder("f", {})
    builder.barrier()
    builder.origin = (span,)
    builder.barrier()
    assert [instruction.origin for instruction in builder.function().body] == [(), (span,)]


def test_a_scalar_is_no_tensor() -> None:
    builder = Builder("f", {"x": F32, "A": matrix(4)})
    x, a = builder.arguments
    with pytest.raises(CompilerBug, match="%x is no memref"):
        builder.size(x, 0)
    with pytest.raises(CompilerBug, match="%x has nothing to load"):
        builder.load(x, 0)
    with pytest.raises(CompilerBug, match="%A is no scalar"):
        builder.unary(tl.UnaryOperator.NEG, a)
    with pytest.raises(CompilerBug, match="an operation on constants alone has no type"):
        builder.arith(tl.BinaryOperator.ADD, 1, 2)
