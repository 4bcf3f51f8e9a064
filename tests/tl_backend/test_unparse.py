"""What is printed reads as what it was, in each edition; what an edition has no words for is refused."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from einsum_front.core.diagnostics import CompileError, CompilerBug, Source, render_all
from einsum_front.core.facts import Nonzeros, Values
from einsum_front.tl_backend import instructions as tl
from einsum_front.tl_backend.parse import parse
from einsum_front.tl_backend.program import Edition, Function, Program
from einsum_front.tl_backend.types import ScalarType
from einsum_front.tl_backend.unparse import (
    unparse,
    unparse_function,
    unparse_instruction,
    unparse_type,
    unparse_with_origins,
)
from tests.profiles import share
from tests.tl_backend.node_strategies import programs, regions

SPELLINGS = tuple(edition for edition in Edition if not edition.is_dialect)
E2023, E2024, TINYTC_0_2, TINYTC_0_3 = SPELLINGS


def read(text: str) -> Program:
    return parse(Source("t.tl", text))


def printed(body: str, edition: Edition) -> list[str]:
    """The lines of the body, printed in the edition."""
    return [line.strip() for line in unparse(read(f"func @f() {{ {body} }}"), edition).splitlines()[1:-1]]


@pytest.mark.generated
@pytest.mark.parametrize("edition", SPELLINGS)
@share(0.25)
@given(st.data())
def test_what_is_printed_reads_as_what_it_was(edition: Edition, data: st.DataObject) -> None:
    program = data.draw(programs(edition))
    assert read(unparse(program, edition)) == program


@pytest.mark.generated
@share(0.5)
@given(st.one_of([regions(edition) for edition in SPELLINGS]))
def test_an_instruction_alone_is_printed_in_words_of_some_edition(region: tl.Region) -> None:
    text = "\n".join(unparse_instruction(instruction) for instruction in region)
    assert read(f"func @f() {{\n{text}\n}}").functions[0].body == region


# -- the table of editions ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("body", "lines"),
    [
        (
            "%x = arith.add %a, 1.0 : f32 %y = neg %x : f32",
            {
                E2023: ["%x = add %a, 1.0 : f32", "%y = neg %x : f32"],
                E2024: ["%x = arith.add %a, 1.0 : f32", "%y = arith.neg %x : f32"],
                TINYTC_0_2: ["%x = add %a, 1.0 : f32", "%y = neg %x : f32"],
                TINYTC_0_3: ["%x = arith.add %a, 1.0 : f32", "%y = arith.neg %x : f32"],
            },
        ),
        (
            "%x = cast %a : bool -> i32",
            {
                E2023: ["%x = cast %a : bool -> i32"],
                E2024: ["%x = cast %a : i1 -> i32"],
                TINYTC_0_2: ["%x = cast %a : bool -> i32"],
                TINYTC_0_3: ["%x = cast %a : i1 -> i32"],
            },
        ),
        (
            "hadamard 1.0, %a, %b, 0.0, %c : f32, memref<f32x4>, memref<f32x4>, f32, memref<f32x4>",
            {
                edition: [f"{word} 1.0, %a, %b, 0.0, %c : f32, memref<f32x4>, memref<f32x4>, f32, memref<f32x4>"]
                for edition, word in {
                    E2023: "hadamard_product",
                    E2024: "hadamard_product",
                    TINYTC_0_2: "hadamard",
                    TINYTC_0_3: "hadamard",
                }.items()
            },
        ),
        (
            "barrier lifetime_stop %a",
            {
                E2023: ["barrier", "lifetime_stop %a"],
                E2024: ["barrier", "lifetime_stop %a"],
                TINYTC_0_2: [],
                TINYTC_0_3: [],
            },
        ),
    ],
)
def test_each_edition_has_its_spelling(body: str, lines: dict[Edition, list[str]]) -> None:
    assert {edition: printed(body, edition) for edition in SPELLINGS} == lines


@pytest.mark.parametrize(
    ("body", "editions", "thing"),
    [
        ("%x = arith.shl %a, 1 : i32", {E2024, TINYTC_0_3}, "`arith.shl`"),
        ("%x = arith.not %a : i32", {E2024, TINYTC_0_3}, "`arith.not`"),
        ("%x = arith.add %a, 1 : u32", {E2023, TINYTC_0_2}, "unsigned integers such as `u32`"),
        ("%x = load %a[0] : memref<u8x4>", {E2023, TINYTC_0_2}, "unsigned integers such as `u8`"),
        ("%x = load %a[0] : group<memref<f32>, offset: ?>", {E2024, TINYTC_0_3}, "offset of a group"),
        (
            "axpby.n 1, %a, %b, %c : i32, memref<i32>, i32, memref<i32>",
            {TINYTC_0_2, TINYTC_0_3},
            "integer constants for α and β",
        ),
    ],
)
def test_what_an_edition_has_no_words_for_is_refused(body: str, editions: set[Edition], thing: str) -> None:
    for edition in SPELLINGS:
        program = read(f"func @f() {{ {body} }}")
        if edition in editions:
            assert read(unparse(program, edition)) == program
        else:
            with pytest.raises(CompileError) as error:
                unparse(program, edition)
            (diagnostic,) = error.value.diagnostics
            assert diagnostic.message == f"edition {edition.value} has no {thing}"
            assert diagnostic.labels[0].span.text == body


def test_everything_that_is_missing_is_said_once_and_in_place() -> None:
    program = read("func @f(%a: u8) {\n  %x = arith.add %a, 1 : u8\n  %y = cast %x : u8 -> u16\n}")
    with pytest.raises(CompileError) as error:
        unparse(program, E2024)
    assert render_all(error.value.diagnostics) == (
        "error[E0408]: edition 2024 has no unsigned integers such as `u8`\n"
        " --> t.tl:1:9\n"
        "  |\n"
        "1 | func @f(%a: u8) {\n"
        "  |         ^^^^^^\n"
        "\n"
        "error[E0408]: edition 2024 has no unsigned integers such as `u16`\n"
        " --> t.tl:3:3\n"
        "  |\n"
        "3 |   %y = cast %x : u8 -> u16\n"
        "  |   ^^^^^^^^^^^^^^^^^^^^^^^^\n"
        "  |\n"
        "  = help: edition 2023 has words for all of this"
    )


def test_no_edition_is_proposed_where_none_would_do() -> None:
    program = read("func @f(%a: u8) { %x = arith.shl %a, 1 : u8 }")
    for edition in Edition:
        with pytest.raises(CompileError) as error:
            unparse(program, edition)
        assert [diagnostic.helps for diagnostic in error.value.diagnostics] == [()]


def test_a_program_that_nobody_wrote_is_refused_by_its_words() -> None:
    instruction = tl.ArithUnary(tl.Local("x"), tl.UnaryOperator.NOT, tl.Local("a"), ScalarType.I32)
    with pytest.raises(CompileError) as error:
        unparse_function(Function("f", (), (instruction,)), E2023)
    assert render_all(error.value.diagnostics) == (
        "error[E0408]: edition 2023 has no `arith.not`\n"
        "  = note: in `%x = arith.not %a : i32`\n"
        "  = help: edition 2024 has words for all of this"
    )


# -- layout ------------------------------------------------------------------------------------------------------------


def test_the_layout_of_a_program() -> None:
    text = """\
;! batched %D
;! modes %A 1 0
func @first(%A: memref<f32x4x4>, %D: memref<f32x4x4x?>) work_group_size(16, 2) subgroup_size(16) {
  %0 = group_id
  for %i = 0, 4 {
    %1 = cmp.lt %i, 2 : index
    if %1 {
      barrier
    } else {
      lifetime_stop %A
    }
  }
  foreach %j = 0, %n : i32 {
  }
}

func @second() {
  %x, %y = if %c -> (i32, f32) {
    yield 1, %a : i32, f32
  } else {
    yield :
  }
}
"""
    assert unparse(read(text)) == text


def test_arguments_that_do_not_fit_on_a_line_stand_below_each_other() -> None:
    name = "a_name_of_some_length"
    arguments = [f"%{name}_{i}: memref<f64x56x56,strided<1,64>>" for i in range(3)]
    text = f"func @f({', '.join(arguments)}) {{\n}}\n"
    expected = f"func @f({arguments[0]},\n        {arguments[1]},\n        {arguments[2]}) {{\n}}\n"
    assert unparse(read(text)) == expected


def test_the_types_of_a_long_instruction_stand_on_a_line_of_their_own() -> None:
    types = "f64, memref<f64x56x56,strided<1,64>>, memref<f64x56x9,strided<1,64>>, f64, memref<f64x56x9,strided<1,64>>"
    text = f"func @f() {{\n  gemm.n.n 1.0, %a, %b, 0.0, %c : {types}\n}}"
    assert unparse(read(text)) == f"func @f() {{\n  gemm.n.n 1.0, %a, %b, 0.0, %c\n      : {types}\n}}\n"


def test_many_nonzeros_stand_on_several_lines() -> None:
    fact = Nonzeros("K", tuple((10 * i, 10 * i + 3) for i in range(50)))
    lines = unparse_function(Function("f", (), (), facts=(fact,))).splitlines()
    assert [len(line) <= 120 for line in lines] == [True] * len(lines)
    assert sum(line.startswith(";! nonzeros %K ") for line in lines) > 3
    assert read("\n".join(lines)).functions[0].facts == (fact,)


def test_values_stand_one_after_the_other_with_positions_where_zeros_are_left_out() -> None:
    fact = Values("K", ((0, 0.1), (1, -2.0), (2, 1e-07), (7, 5e-324), (8, 1.0), (100, -0.5)))
    text = unparse_function(Function("f", (), (), facts=(fact,)))
    assert text == ";! values %K 0.1 -2.0 1e-07 7:5e-324 1.0 100:-0.5\nfunc @f() {\n}\n"


def test_many_values_stand_on_several_lines() -> None:
    fact = Values("K", tuple((2 * (i // 2 * 2) + i % 2, -1 / (i + 3)) for i in range(50)))
    lines = unparse_function(Function("f", (), (), facts=(fact,))).splitlines()
    assert [len(line) <= 120 for line in lines] == [True] * len(lines)
    assert sum(line.startswith(";! values %K ") for line in lines) > 3
    assert read("\n".join(lines)).functions[0].facts == (fact,)


@pytest.mark.parametrize(
    ("value", "text"),
    [(1.0, "1.0"), (-0.5, "-0.5"), (1e22, "1e+22"), (1e-7, "1e-07"), (5e-324, "5e-324"), (0.1, "0.1")],
)
def test_floating_constants_are_exact_and_short(value: float, text: str) -> None:
    instruction = tl.ArithUnary(tl.Local("x"), tl.UnaryOperator.NEG, tl.FloatConstant(value), ScalarType.F64)
    assert unparse_instruction(instruction) == f"%x = arith.neg {text} : f64"


def test_a_number_without_text_is_a_bug() -> None:
    instruction = tl.ArithUnary(tl.Local("x"), tl.UnaryOperator.NEG, tl.FloatConstant(float("nan")), ScalarType.F64)
    with pytest.raises(CompilerBug, match="the floating constant nan has no text"):
        unparse_instruction(instruction)


def test_types_are_printed_in_the_spelling_of_the_edition() -> None:
    program = read("func @f(%a: memref<bool x4x?,strided<2,?>>) {}")
    assert unparse_type(program.functions[0].arguments[0].type) == "memref<i1x4x?,strided<2,?>>"
    assert unparse(program, E2023) == "func @f(%a: memref<boolx4x?,strided<2,?>>) {\n}\n"


def test_every_program_has_a_text_unless_an_edition_is_asked_for() -> None:
    text = """func @f(%a: group<memref<u32x4>, offset: 8>, %n: u32) {
  %0 = arith.shl %n, 2 : u32
  axpby.n 2, %b, 1, %c : u32, memref<u32x4>, u32, memref<u32x4>
}
"""
    program = read(text)
    for edition in Edition:
        with pytest.raises(CompileError):
            unparse(program, edition)
    assert unparse(program) == text


def test_printed_text_knows_where_it_came_from() -> None:
    source = "func @f() { for %i=0,4 { %x=neg %y:f32 } barrier }"
    text, written = unparse_with_origins(read(source))
    assert [(text[part.start : part.end], part.origin[0].text) for part in written] == [
        ("%x = arith.neg %y : f32", "%x=neg %y:f32"),
        ("for %i = 0, 4 {\n    %x = arith.neg %y : f32\n  }", "for %i=0,4 { %x=neg %y:f32 }"),
        ("barrier", "barrier"),
        (text.rstrip("\n"), source),
    ]


@pytest.mark.parametrize("slices", [":", "2", "%n", "1:3", "4:?", "%n:2", "0:%n"])
def test_slices_are_printed_as_short_as_they_are_written(slices: str) -> None:
    body = f"%x = subview %A[{slices}] : memref<f64x8>"
    text = unparse(read(f"func @f(%A: memref<f64x8>, %n: index) {{ {body} }}"), E2024)
    assert f"%A[{slices}]" in text
