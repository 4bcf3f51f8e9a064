"""The examples of both language references, with the result types that follow from their rules.

Where a result type of a reference contradicts its own rules, the type by the rules stands here and a comment says why.
"""

import pytest

from einsum_front.core.diagnostics import Source
from einsum_front.tl_backend import instructions as tl
from einsum_front.tl_backend.parse import parse
from einsum_front.tl_backend.program import Edition, Program
from einsum_front.tl_backend.semantics import result_type
from einsum_front.tl_backend.types import Type
from einsum_front.tl_backend.unparse import unparse, unparse_type
from einsum_front.tl_backend.unparse.unsupported import unsupported
from einsum_front.tl_backend.verify import verify

EXPAND = [
    ("expand %0[1 -> 2x8] : memref<f32x32x16x8>", "memref<f32x32x2x8x8>"),
    ("expand %0[1 -> 2x?] : memref<f32x32x16x8>", "memref<f32x32x2x8x8>"),
    ("expand %0[1 -> ?x8] : memref<f32x32x16x8>", "memref<f32x32x2x8x8>"),
    ("expand %0[1 -> 2x?] : memref<f32x32x?x8>", "memref<f32x32x2x?x8>"),
    ("expand %0[1 -> ?x8] : memref<f32x32x?x8>", "memref<f32x32x?x8x8>"),
    ("expand %0[1 -> %1 x ?] : memref<f32x32x?>", "memref<f32x32x?x?>"),
    ("expand %0[1 -> %1 x ?] : memref<f32x32x16>", "memref<f32x32x?x?>"),
    ("expand %0[1 -> %1 x %2] : memref<f32x32x?>", "memref<f32x32x?x?>"),
    ("expand %0[1 -> 4 x %1] : memref<f32x32x?>", "memref<f32x32x4x?>"),
    ("expand %0[0->4x8] : memref<f32x32x7,strided<2,64>>", "memref<f32x4x8x7,strided<2,8,64>>"),
    ("expand %0[0->4x?] : memref<f32x32x7,strided<2,64>>", "memref<f32x4x8x7,strided<2,8,64>>"),
    # three strides are three modes: the last one, 7, stays
    ("expand %0[0->?x4] : memref<f32x?x7,strided<2,?>>", "memref<f32x?x4x7,strided<2,?,?>>"),
    ("expand %0[0->4x?] : memref<f32x?x7,strided<2,?>>", "memref<f32x4x?x7,strided<2,8,?>>"),
]

FUSE = [
    ("fuse %0[1,3] : memref<f32x32x16x8x4x42>", "memref<f32x32x512x42>"),
    # the strides given in the references, 1, 16, …, would let the first two modes overlap
    ("fuse %0[1,3] : memref<f32x32x16x?x4x42,strided<1,32,?,?,?>>", "memref<f32x32x?x42,strided<1,32,?>>"),
    ("fuse %0[1,2] : memref<f32x32x16x2x2,strided<1,48,768,1536>>", "memref<f32x32x32x2,strided<1,48,1536>>"),
    ("fuse %0[0,1] : memref<f32x8x?x32,strided<1,?,?>>", "memref<f32x?x32,strided<1,?>>"),
    ("fuse %0[0,1] : memref<f32x8x16,strided<1,?>>", "memref<f32x128>"),
]

LOAD = [
    ("load %0[] : memref<f32>", "f32"),
    ("load %0[5, %1] : memref<f32x10x?>", "f32"),
    ("load %0[%1] : group<memref<f32x42>>", "memref<f32x42>"),
    ("load %0[%1] : group<memref<f32x42>, offset: ?>", "memref<f32x42>"),
]

SUBVIEW = [
    ("subview %0[4:8,8:4] : memref<f32x32x16>", "memref<f32x8x4,strided<1,32>>"),
    # one mode is left, and its stride is 1
    ("subview %0[2:4, %1] : memref<f32x16x8>", "memref<f32x4>"),
    ("subview %0[2:4, %1:1] : memref<f64x16x8>", "memref<f64x4x1,strided<1,16>>"),
    ("subview %0[%1:4] : memref<f32x16>", "memref<f32x4>"),
    ("subview %0[%2:%2] : memref<f32x16>", "memref<f32x?>"),
    ("subview %0[2:4, %2:%2, 6:7] : memref<f32x16x42x13>", "memref<f32x4x?x7,strided<1,16,672>>"),
    (
        "subview %0[2:4, %2:%2, 6:7] : memref<f32x16x42x13,strided<1,?,?>>",
        "memref<f32x4x?x7,strided<1,?,?>>",
    ),
    ("subview %0[:] : memref<f32x16>", "memref<f32x16>"),
    ("subview %0[:] : memref<f32x?>", "memref<f32x?>"),
    # 16 - 5 = 11, not 13
    ("subview %0[5:?] : memref<f32x16>", "memref<f32x11>"),
    ("subview %0[%2:?] : memref<f32x16>", "memref<f32x?>"),
]

OTHERS = [
    ("alloca -> memref<f32x16x8>", "memref<f32x16x8>"),
    ("arith.add %0, %1 : f32", "f32"),
    ("arith.not %0 : i32", "i32"),
    ("add %0, %1 : f32", "f32"),
    ("neg %0 : f64", "f64"),
    ("cast %0 : i32 -> f64", "f64"),
    ("cmp.lt %0, 16 : i32", "i1"),
    ("group_id", "index"),
    ("group_size", "index"),
    ("size %0[1] : memref<f32x4x?>", "index"),
]

TYPES = [
    ("memref<f32>", "memref<f32>"),
    ("memref<f32x4x8>", "memref<f32x4x8>"),
    ("memref<f32x4x?>", "memref<f32x4x?>"),
    ("memref<f32x5x6x7,strided<1,5,30>>", "memref<f32x5x6x7>"),
    ("group<memref<f32x16x16>>", "group<memref<f32x16x16>>"),
    ("group<memref<f32x16x16>, offset: 0>", "group<memref<f32x16x16>>"),
    ("group<memref<f32x16x16>, offset: 21>", "group<memref<f32x16x16>, offset: 21>"),
]

SAMPLE = """
func @fused_kernel(%alpha: f32,
                     %A: group<memref<f32x16x8>>,
                     %B: memref<f32x8x8>,
                     %C: memref<f32x8x16>,
                     %D: memref<f32x16x16x?>) {
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

IF = """
func @f(%0: i32) {
  %1 = cmp.lt %0, 16 : i32
  %x = if %1 -> (i32) {
      yield %0 : i32
  } else {
      yield 16 : i32
  }
}
"""


EXAMPLES = EXPAND + FUSE + LOAD + SUBVIEW + OTHERS
TEXTS = [text for text, _ in EXAMPLES]

REFUSED = [
    ("fuse %0[0,1] : memref<f32x8x16,strided<1,10>>", "E0445", "modes 0 and 1 of `%0` cannot be fused"),
    # against their own rule 1 <= S_1, S_(i-1) s_(i-1) <= S_i
    (
        "fuse %0[1,3] : memref<f32x32x16x?x4x42,strided<1,16,?,?,?>>",
        "E0432",
        "stride 16 of mode 1 is too small",
    ),
]
"""What the references call illegal, and what is illegal by their rules."""


def read(text: str) -> Program:
    return parse(Source("reference.tl", text))


def read_example(text: str) -> Program:
    """The instruction in a function that has its operands: `%0` of the type behind the colon, `%1` and `%2` numbers."""
    operand = text.partition(" : ")[2].split(" -> ")[0] or "i32"
    number = operand if text.startswith(("arith", "add")) else "index"
    return read(f"func @f(%0: {operand}, %1: {number}, %2: index) {{\n  %r = {text}\n}}\n")


def read_type(text: str) -> Type:
    return read(f"func @f(%x: {text}) {{}}").functions[0].arguments[0].type


@pytest.mark.parametrize(("text", "type_"), EXAMPLES)
def test_an_example_is_legal_and_returns_the_type_of_the_reference(text: str, type_: str) -> None:
    program = read_example(text)
    assert verify(program) == ()
    (instruction,) = program.functions[0].body
    assert isinstance(instruction, tl.ValueInstruction)
    assert result_type(instruction) == read_type(type_)


@pytest.mark.parametrize("text", TEXTS)
def test_an_example_is_printed_and_read_again(text: str) -> None:
    program = read_example(text)
    editions = [
        edition for edition in Edition if not edition.is_dialect and not unsupported(program.functions, edition)
    ]
    assert {Edition.E2024, Edition.TINYTC_0_3} <= set(editions)
    for edition in editions:
        assert read(unparse(program, edition)) == program


@pytest.mark.parametrize(("text", "code", "message"), REFUSED)
def test_what_is_illegal_is_refused_for_its_reason(text: str, code: str, message: str) -> None:
    (found, *_) = verify(read_example(text))
    assert (found.code, found.message) == (code, message)
    assert {diagnostic.code for diagnostic in verify(read_example(text))} == {code}


@pytest.mark.parametrize(("text", "printed"), TYPES)
def test_a_type_is_printed_in_its_canonical_schedule(text: str, printed: str) -> None:
    assert unparse_type(read_type(text)) == printed
    assert read_type(printed) == read_type(text)


def test_the_packed_layout_is_the_default() -> None:
    assert read_type("memref<f32x5x6x7>") == read_type("memref<f32x5x6x7,strided<1,5,30>>")


@pytest.mark.parametrize("edition", [each for each in Edition if not each.is_dialect])
def test_the_sample_is_printed_and_read_again(edition: Edition) -> None:
    program = read(SAMPLE)
    assert verify(program) == ()
    assert read(unparse(program, edition)) == program


def test_the_sample_says_what_its_comments_say() -> None:
    _, load, subview, _, *products = read(SAMPLE).functions[0].body
    assert isinstance(load, tl.Load)
    assert isinstance(subview, tl.Subview)
    assert result_type(load) == read_type("memref<f32x16x8>")
    assert result_type(subview) == read_type("memref<f32x16x16>")
    written = [product.target.type for product in products if isinstance(product, tl.Gemm)]
    assert written == [read_type("memref<f32x16x8>"), read_type("memref<f32x16x16>")]


@pytest.mark.parametrize("edition", [each for each in Edition if not each.is_dialect])
def test_the_if_example_is_printed_and_read_again(edition: Edition) -> None:
    program = read(IF)
    assert verify(program) == ()
    assert isinstance(program.functions[0].body[1], tl.If)
    assert read(unparse(program, edition)) == program
