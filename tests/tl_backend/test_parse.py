"""Every spelling of both editions reads as the node that it stands for, and every node knows its place."""

import pytest

from einsum_front.core.diagnostics import CompileError, Origin, Source
from einsum_front.core.facts import Modes, Nonzeros, Values
from einsum_front.tl_backend import instructions as tl
from einsum_front.tl_backend.parse import parse
from einsum_front.tl_backend.program import Batched, Fact, Function, Prefetched
from einsum_front.tl_backend.types import GroupType, MemrefType, ScalarType, Type

F32 = ScalarType.F32
VECTOR = MemrefType.packed(F32, (4,))
MATRIX = MemrefType.packed(F32, (4, 4))
ONE = tl.TypedScalar(tl.FloatConstant(1.0), F32)


def read_function(text: str) -> Function:
    (function,) = parse(Source("t.tl", text)).functions
    return function


def read(text: str) -> tl.Instruction:
    (instruction,) = read_function(f"func @f() {{\n  {text}\n}}").body
    return instruction


def read_type(text: str) -> Type:
    return read_function(f"func @f(%x: {text}) {{}}").arguments[0].type


def text_of(origin: Origin) -> str:
    (span,) = origin
    return span.text


# -- scalars and constants ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["bool", "i1", "u1"])
def test_truth_values_have_three_spellings(text: str) -> None:
    assert read_type(text) is ScalarType.BOOL


@pytest.mark.parametrize("type_", ScalarType)
def test_a_scalar_type_reads_as_its_name(type_: ScalarType) -> None:
    assert read_type(type_.value) is type_


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("0", 0),
        ("+7", 7),
        ("-7", -7),
        ("007", 7),
        ("-" + "0" * 5000 + "7", -7),
        ("true", 1),
        ("false", 0),
        ("9223372036854775807", 2**63 - 1),
        ("-9223372036854775807", -(2**63) + 1),
    ],
)
def test_integer_constants(text: str, value: int) -> None:
    assert read(f"%x = arith.neg {text} : i64") == tl.ArithUnary(
        tl.Local("x"), tl.UnaryOperator.NEG, tl.IntegerConstant(value), ScalarType.I64
    )


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1.0", 1.0),
        ("-1.5", -1.5),
        ("+.5", 0.5),
        ("5.", 5.0),
        ("1e3", 1000.0),
        ("1.5E-3", 0.0015),
        ("5.e+1", 50.0),
        ("0x1.8", 1.5),
        ("0x.8p1", 1.0),
        ("-0x1p-2", -0.25),
        ("0xA.p0", 10.0),
        ("0XfP1", 30.0),
        ("1e-400", 0.0),
        ("0.1", 0.1),
        ("0x1.999999999999ap-4", 0.1),
    ],
)
def test_floating_constants_follow_strtod(text: str, value: float) -> None:
    assert read(f"%x = arith.neg {text} : f64") == tl.ArithUnary(
        tl.Local("x"), tl.UnaryOperator.NEG, tl.FloatConstant(value), ScalarType.F64
    )


@pytest.mark.parametrize("name", ["0", "42", "a", "Q_1", "x"])
def test_names_are_numbers_or_words(name: str) -> None:
    assert read(f"%{name} = arith.neg %{name} : f32") == tl.ArithUnary(
        tl.Local(name), tl.UnaryOperator.NEG, tl.Local(name), F32
    )


# -- types -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "type_"),
    [
        ("memref<f32>", MemrefType(F32, (), ())),
        ("memref<f32x4x?>", MemrefType(F32, (4, None), (1, 4))),
        ("memref< f32 x 4 x ? >", MemrefType(F32, (4, None), (1, 4))),
        ("memref<f32x?x4>", MemrefType(F32, (None, 4), (1, None))),
        ("memref<f32x32x?x8>", MemrefType(F32, (32, None, 8), (1, 32, None))),
        ("memref<f64x4x4,strided<1,?>>", MemrefType(ScalarType.F64, (4, 4), (1, None))),
        ("memref<f64,strided<>>", MemrefType(ScalarType.F64, (), ())),
        ("memref<i32x0x3>", MemrefType(ScalarType.I32, (0, 3), (1, 0))),
        ("group<memref<f32x4>>", GroupType(VECTOR)),
        ("group<memref<f32x4>, offset: 3>", GroupType(VECTOR, 3)),
        ("group<memref<f32x4>,offset:?>", GroupType(VECTOR, None)),
    ],
)
def test_memory_types(text: str, type_: Type) -> None:
    assert read_type(text) == type_


@pytest.mark.parametrize(
    "text",
    [
        "memref<index>",
        "memref<boolx2>",
        "memref<f32x4x?x8>",
        "memref<u64x4x8,strided<2,?>>",
        "group<memref<i8x?,strided<1>>>",
        "memref<f64x99999999999999999x8>",
    ],
)
def test_blanks_and_comments_in_a_type_change_nothing(text: str) -> None:
    spread = text.replace("<", " < ").replace("x", " x ").replace(",", "; a comment\n,").replace("inde x ", "index")
    assert read_type(spread) == read_type(text)


@pytest.mark.parametrize("layout", ["strided<1>", "strided <1>"])
def test_a_layout_that_does_not_fit_is_found_in_either_spelling(layout: str) -> None:
    with pytest.raises(CompileError) as error:
        read_type(f"memref<f32x4x4,{layout}>")
    (diagnostic,) = error.value.diagnostics
    assert diagnostic.message == "a layout of 1 stride for a tensor of 2 modes"
    assert text_of((diagnostic.labels[0].span,)) == layout


# -- instructions ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["add", "sub", "mul", "div", "rem"])
@pytest.mark.parametrize("prefix", ["", "arith.", "arith ."])
def test_arithmetic_is_read_in_both_spellings(name: str, prefix: str) -> None:
    assert read(f"%x = {prefix}{name} %a, 2 : i32") == tl.ArithBinary(
        tl.Local("x"), tl.BinaryOperator(name), tl.Local("a"), tl.IntegerConstant(2), ScalarType.I32
    )


@pytest.mark.parametrize("name", ["shl", "shr", "and", "or", "xor"])
def test_bit_operators(name: str) -> None:
    assert read(f"%x = arith.{name} %a, %b : i8") == tl.ArithBinary(
        tl.Local("x"), tl.BinaryOperator(name), tl.Local("a"), tl.Local("b"), ScalarType.I8
    )


@pytest.mark.parametrize("text", ["neg %a : f32", "arith.neg %a : f32"])
def test_negation_is_read_in_both_spellings(text: str) -> None:
    assert read(f"%x = {text}") == tl.ArithUnary(tl.Local("x"), tl.UnaryOperator.NEG, tl.Local("a"), F32)


@pytest.mark.parametrize("comma", ["", ","])
@pytest.mark.parametrize("atomic", ["", ".atomic"])
class TestCollectives:
    """The comma after the flags is in the grammar of the references and not in their sample."""

    update = "%a, 1.0, %b : f32, memref<f32x4>, f32, memref<f32x4>"
    product = "%a, %b, 1.0, %c : f32, memref<f32x4>, memref<f32x4>, f32, memref<f32x4>"
    a, b, c = (tl.TypedMemref(tl.Local(name), VECTOR) for name in "abc")

    def test_axpby(self, comma: str, atomic: str) -> None:
        expected = tl.Axpby((tl.Transpose.T,), bool(atomic), ONE, (self.a,), ONE, self.b)
        assert read(f"axpby.t{atomic}{comma} 1.0, {self.update}") == expected

    def test_sum(self, comma: str, atomic: str) -> None:
        expected = tl.Sum((tl.Transpose.N,), bool(atomic), ONE, (self.a,), ONE, self.b)
        assert read(f"sum.n{atomic}{comma} 1.0, {self.update}") == expected

    def test_gemm(self, comma: str, atomic: str) -> None:
        expected = tl.Gemm((tl.Transpose.N, tl.Transpose.T), bool(atomic), ONE, (self.a, self.b), ONE, self.c)
        assert read(f"gemm.n.t{atomic}{comma} 1.0, {self.product}") == expected

    @pytest.mark.parametrize("name", ["gemv", "gemm"])
    def test_gemv_also_under_the_name_that_its_grammar_rule_gives_it(self, comma: str, atomic: str, name: str) -> None:
        expected = tl.Gemv((tl.Transpose.T,), bool(atomic), ONE, (self.a, self.b), ONE, self.c)
        assert read(f"{name}.t{atomic}{comma} 1.0, {self.product}") == expected

    def test_ger(self, comma: str, atomic: str) -> None:
        expected = tl.Ger((), bool(atomic), ONE, (self.a, self.b), ONE, self.c)
        assert read(f"ger{atomic}{comma} 1.0, {self.product}") == expected

    @pytest.mark.parametrize("name", ["hadamard_product", "hadamard"])
    def test_hadamard_product(self, comma: str, atomic: str, name: str) -> None:
        expected = tl.HadamardProduct((), bool(atomic), ONE, (self.a, self.b), ONE, self.c)
        assert read(f"{name}{atomic}{comma} 1.0, {self.product}") == expected


def test_factors_may_be_integers_and_values() -> None:
    instruction = read("axpby.n -1, %a, %beta, %b : i32, memref<i32>, i32, memref<i32>")
    assert isinstance(instruction, tl.Axpby)
    assert instruction.alpha == tl.TypedScalar(tl.IntegerConstant(-1), ScalarType.I32)
    assert instruction.beta == tl.TypedScalar(tl.Local("beta"), ScalarType.I32)


def test_slices() -> None:
    zero, whole = tl.IntegerConstant(0), None
    assert read("%x = subview %a[:, 0:?, 2:4, %i:%n, %i:?, 5, %i] : memref<f32x4x4x4x4x4x4x4>") == tl.Subview(
        tl.Local("x"),
        tl.Local("a"),
        (
            tl.Slice(zero, whole),
            tl.Slice(zero, whole),
            tl.Slice(tl.IntegerConstant(2), tl.IntegerConstant(4)),
            tl.Slice(tl.Local("i"), tl.Local("n")),
            tl.Slice(tl.Local("i"), whole),
            tl.Position(tl.IntegerConstant(5)),
            tl.Position(tl.Local("i")),
        ),
        MemrefType.packed(F32, (4,) * 7),
    )


def test_the_subview_and_the_load_of_a_scalar_have_empty_brackets() -> None:
    scalar = MemrefType.packed(F32, ())
    assert read("%x = subview %a[] : memref<f32>") == tl.Subview(tl.Local("x"), tl.Local("a"), (), scalar)
    assert read("%x = load %a[] : memref<f32>") == tl.Load(tl.Local("x"), tl.Local("a"), (), scalar)


@pytest.mark.parametrize("text", ["1->%n x 0x8x?", "1 -> %n x 0 x 8 x ?", "+1->%n x0x8x?"])
def test_expand_shapes_may_touch(text: str) -> None:
    shape = (tl.Local("n"), tl.IntegerConstant(0), tl.IntegerConstant(8), None)
    assert read(f"%x = expand %a[{text}] : memref<f32x4x4>") == tl.Expand(
        tl.Local("x"), tl.Local("a"), 1, shape, MATRIX
    )


def test_a_loop_counts_in_steps_of_one_of_type_index() -> None:
    zero, ten, one = tl.IntegerConstant(0), tl.IntegerConstant(10), tl.IntegerConstant(1)
    assert read("for %i = 0, 10 {}") == tl.For(tl.Local("i"), zero, ten, one, ScalarType.INDEX, ())
    assert read("for %i = 0, 10, 1 : index {}") == tl.For(tl.Local("i"), zero, ten, one, ScalarType.INDEX, ())
    assert read("for %i = %a, %b, %c : i32 {}") == tl.For(
        tl.Local("i"), tl.Local("a"), tl.Local("b"), tl.Local("c"), ScalarType.I32, ()
    )
    assert read("foreach %i = 0, %n {}") == tl.Foreach(tl.Local("i"), zero, tl.Local("n"), ScalarType.INDEX, ())
    assert read("foreach %i = 0, 10 : u8 {}") == tl.Foreach(tl.Local("i"), zero, ten, ScalarType.U8, ())


def test_if_with_and_without_results() -> None:
    one = tl.IntegerConstant(1)
    assert read("if true {}") == tl.If((), one, (), (), None)
    assert read("if %c {} else {}") == tl.If((), tl.Local("c"), (), (), ())
    assert read("%x, %y = if %c -> (i32, f32) { yield %a, 1.0 : i32, f32 } else { yield 1, %b : i32, f32 }") == tl.If(
        (tl.Local("x"), tl.Local("y")),
        tl.Local("c"),
        (ScalarType.I32, F32),
        (tl.Yield((tl.Local("a"), tl.FloatConstant(1.0)), (ScalarType.I32, F32)),),
        (tl.Yield((one, tl.Local("b")), (ScalarType.I32, F32)),),
    )


def test_yield_of_nothing() -> None:
    assert read("yield :") == tl.Yield((), ())


# -- functions ---------------------------------------------------------------------------------------------------------


def test_a_file_may_have_no_functions_or_many() -> None:
    assert parse(Source("t.tl", " ; nothing\n")).functions == ()
    assert [function.name for function in parse(Source("t.tl", "func @a() {} func @7() {}")).functions] == ["a", "7"]


@pytest.mark.parametrize(
    "attributes", ["work_group_size(16, 2) subgroup_size(8)", "subgroup_size( 8 )work_group_size( 16,2 )"]
)
def test_attributes_come_in_any_order(attributes: str) -> None:
    function = read_function(f"func @f(%x: f32) {attributes} {{}}")
    assert (function.work_group_size, function.subgroup_size) == ((16, 2), 8)


def test_attributes_are_optional() -> None:
    function = read_function("func @f() {}")
    assert (function.work_group_size, function.subgroup_size) == (None, None)


def test_white_space_and_comments_separate_tokens() -> None:
    spread = read_function(
        "func;\n@f ( ; (\n %x\n:f32)\r\n{\t%y =arith .neg;}\n%x:f32}"  # brackets in comments are no brackets
    )
    assert spread == read_function("func @f(%x: f32) { %y = arith.neg %x : f32 }")


# -- facts -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("lines", "facts"),
    [
        ([";! batched %Q"], (Batched("Q"),)),
        (["  ;!batched\t%Q ; one for each element"], (Batched("Q"),)),
        ([";! prefetched %Q"], (Prefetched("Q"),)),
        ([";! modes %Q 1 0"], (Modes("Q", (1, 0)),)),
        ([";! nonzeros %Q 0:5 7 9:12"], (Nonzeros("Q", ((0, 5), (7, 8), (9, 12))),)),
        ([";! nonzeros %Q"], (Nonzeros("Q", ()),)),
        ([";! nonzeros %Q 0:5", "; more:", "", ";! nonzeros %Q 7"], (Nonzeros("Q", ((0, 5), (7, 8))),)),
        ([";! nonzeros %Q 0", ";! nonzeros %P 1"], (Nonzeros("Q", ((0, 1),)), Nonzeros("P", ((1, 2),)))),
        ([";! values %Q 1 -.5 7:2. 0x1.8p1"], (Values("Q", ((0, 1.0), (1, -0.5), (7, 2.0), (8, 3.0))),)),
        ([";! values %Q"], (Values("Q", ()),)),
        ([";! values %Q 5:1", "; more:", ";! values %Q 2 9:3"], (Values("Q", ((5, 1.0), (6, 2.0), (9, 3.0))),)),
        ([";! values %Q 5:1", ";! values %P 2"], (Values("Q", ((5, 1.0),)), Values("P", ((0, 2.0),)))),
        ([";! batched %Q", ";! modes %Q 0"], (Batched("Q"), Modes("Q", (0,)))),
        (["; batched %Q", ";! batchedness", ";! unheard of", ";!"], ()),
    ],
)
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_facts_stand_above_the_function(lines: list[str], facts: tuple[Fact, ...], newline: str) -> None:
    before = [";! batched %P", "func @before() {", "}"]
    program = parse(Source("t.tl", newline.join([*before, *lines, "func @f() {}"])))
    assert program.functions[1].facts == facts
    assert program.functions[0].facts == (Batched("P"),)


def test_a_fact_on_the_line_of_another_function_is_not_above_this_one() -> None:
    program = parse(Source("t.tl", ";! batched %Q\nfunc @f() {} func @g() {}"))
    assert [function.facts for function in program.functions] == [(Batched("Q"),), ()]


def test_a_fact_knows_its_place() -> None:
    function = read_function(";! nonzeros %Q 0:5 ; seven follows\n;! nonzeros %Q 7\nfunc @f() {}")
    assert [span.text for span in function.facts[0].origin] == ["nonzeros %Q 0:5", "nonzeros %Q 7"]


# -- places ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "%a = alloca -> memref<f32x4>",
        "%a = arith.add %b, 1.0 : f32",
        "%a = neg %b : f32",
        "%a = cast %b : f32 -> f64",
        "%a = cmp.eq %b, 1 : i32",
        "%a = expand %b[0->2x2] : memref<f32x4>",
        "%a = fuse %b[0,1] : memref<f32x2x2>",
        "%a = group_id",
        "%a = group_size",
        "%a = load %b[%i] : group<memref<f32x4>, offset: ?>",
        "%a = size %b[0] : memref<f32x4>",
        "%a = subview %b[:] : memref<f32x4>",
        "axpby.n 1.0, %a, 1.0, %b : f32, memref<f32x4>, f32, memref<f32x4>",
        "ger 1.0, %a, %a, 1.0, %b : f32, memref<f32x4>, memref<f32x4>, f32, memref<f32x4x4>",
        "store %a, %b[%i] : memref<f32x4>",
        "if %a { barrier }",
        "%x = if %a -> (i32) { yield 1 : i32 } else { yield 2 : i32 }",
        "for %i = 0, 4 { barrier }",
        "foreach %i = 0, 4 { }",
        "yield %a : i32",
        "yield :",
        "barrier",
        "lifetime_stop %a",
    ],
)
def test_the_origin_of_an_instruction_is_its_whole_text(text: str) -> None:
    assert text_of(read(text).origin) == text


def test_operands_and_types_know_their_places() -> None:
    instruction = read("axpby.n -1.0, %a, %beta, %b : f32, memref<f32x4>, f32, memref<f32x4,strided<2>>")
    assert isinstance(instruction, tl.Axpby)
    typed: list[tl.TypedScalar | tl.TypedMemref] = [instruction.alpha, *instruction.inputs]
    typed += [instruction.beta, instruction.target]
    assert [text_of(operand.value.origin) for operand in typed] == ["-1.0", "%a", "%beta", "%b"]
    types = ["f32", "memref<f32x4>", "f32", "memref<f32x4,strided<2>>"]
    assert [text_of(operand.origin) for operand in typed] == types


def test_functions_and_arguments_know_their_places() -> None:
    source = Source("t.tl", "; a comment\nfunc @f(%a : f32, %b: memref<f32x4>) {\n  barrier\n} ; the end")
    (function,) = parse(source).functions
    assert text_of(function.origin) == "func @f(%a : f32, %b: memref<f32x4>) {\n  barrier\n}"
    assert [text_of(argument.origin) for argument in function.arguments] == ["%a : f32", "%b: memref<f32x4>"]
    assert [text_of(argument.name.origin) for argument in function.arguments] == ["%a", "%b"]
    assert function.origin[0].source is source
