"""Every rule of the YATeTo language has a program that breaks it and the words that its author reads.

A file of `tests/errors/yir` is a program; the comments from the first `; error[` on are what is said about it.
"""

import re
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given

from einsum_front.core.diagnostics import CompileError, Diagnostic, Source, render_all
from einsum_front.core.diagnostics.codes import TITLES
from einsum_front.core.storage import ElementType
from einsum_front.ir.yateto import nodes as yir
from einsum_front.ir.yateto.parse import parse
from einsum_front.ir.yateto.verify import check, verify
from tests.ir.yateto.strategies import functions

FILES = sorted((Path(__file__).parents[2] / "errors" / "yir").glob("*.yir"))


def split(path: Path) -> tuple[Source, str]:
    """The program of a file, and the words that are expected."""
    program, mark, words = path.read_text(encoding="utf-8").partition("\n; error[")
    expected = re.sub("^; ?", "", mark.strip("\n") + words, flags=re.MULTILINE)
    return Source(path.name, program + "\n"), expected.rstrip("\n")


def mistakes(source: Source) -> tuple[Diagnostic, ...]:
    try:
        program = parse(source)
    except CompileError as error:
        return error.diagnostics
    return verify(program)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_says_what_is_wrong(path: Path) -> None:
    source, expected = split(path)
    assert render_all(mistakes(source)) == expected


def test_every_rule_is_broken_by_a_file() -> None:
    rules = {code for code in TITLES if "E0455" <= code < "E0498"} | {"E0111"}
    broken = {code for path in FILES for code in re.findall(r"error\[(E\d+)\]", split(path)[1])}
    assert broken == rules


@given(functions())
def test_generated_programs_keep_all_rules(function: yir.Function) -> None:
    assert verify(yir.Program((function,))) == ()


SAMPLE = """
define @fused_kernel(%A: group<memref<f32x16x8>,pointers>,
                     %B: memref<f32x8x8>,
                     %C: memref<f32x8x16>,
                     %D: group<memref<f32x16x16>,distance<256>>) {
  %0 = get_work_item %A : group<memref<f32x16x8>,pointers>
  %1 = get_work_item %D : group<memref<f32x16x16>,distance<256>>
  %tmp0 = alloca : memref<f32x16x8>
  log {ik, kj to ij} 1.0, %0, %B, 0.0, %tmp0
     : memref<f32x16x8>, memref<f32x8x8> to memref<f32x16x8>
  log {ik, kj to ij} 5.0, %tmp0, %C, 1.0, %1
     : memref<f32x16x8>, memref<f32x8x16> to memref<f32x16x16>
}
"""


def test_the_corrected_sample_of_the_draft_keeps_all_rules() -> None:
    check(parse(Source("sample.yir", SAMPLE)))


LOG = """
define @f(%A: memref<f64x4x3x5>, %B: memref<f64x5x2x6>, %C: memref<f64x4x2x6x3>) {{
  log {map} 1.0, %A, %B, 0.0, %C : memref<f64x4x3x5>, memref<f64x5x2x6> to memref<f64x4x2x6x3>
}}
"""


@pytest.mark.parametrize(
    "map_", ["{i[k]m, m(jn) to i(jn)[k]}", "{i[k]m, m[j]n to i[j]n[k]}", "{[i][k]m, m(jn) to [i](jn)[k]}"]
)
def test_legal_markings_of_the_example_of_the_draft(map_: str) -> None:
    check(parse(Source("log.yir", LOG.format(map=map_))))


def test_proposed_markings_are_legal() -> None:
    (found,) = mistakes(Source("log.yir", LOG.format(map="{ikm, mjn to ijnk}")))
    proposals = [help_.split("`")[1] for help_ in found.helps]
    assert proposals == ["{i[k]m, m(jn) to i(jn)[k]}", "{i[k]m, m[j]n to i[j]n[k]}"]
    for map_ in proposals:
        check(parse(Source("log.yir", LOG.format(map=map_))))


DISJOINT_VIEWS = """
define @f(%A: memref<f64x4x4>, %o: i32) {
  %0 = subview %A[:, 0] : memref<f64x4x4> to memref<f64x4>
  %1 = subview %A[:, 1] : memref<f64x4x4> to memref<f64x4>
  axpby {i to i} 1.0, %0, %1 : memref<f64x4> to memref<f64x4>
  %2 = subview %A[:, i32 %o] : memref<f64x4x4> to memref<f64x4>
  axpby {i to i} 1.0, %0, %2 : memref<f64x4> to memref<f64x4>
  axpby {i to i} 2.0, %1, 1.0, %1 : memref<f64x4> to memref<f64x4>
  product {i, i to i} 2.0, %1, %1, 1.0, %1 : memref<f64x4>, memref<f64x4> to memref<f64x4>
}
"""


def test_views_that_may_be_disjoint_and_entrywise_updates_in_place_are_legal() -> None:
    check(parse(Source("views.yir", DISJOINT_VIEWS)))


# -- programs without a text -------------------------------------------------------------------------------------------


def built(*instructions: yir.Instruction, **arguments: yir.Type) -> yir.Program:
    listed = tuple(yir.Argument(yir.Local(name), type_) for name, type_ in arguments.items())
    return yir.Program((yir.Function("f", listed, instructions),))


def test_a_built_program_is_described_without_places() -> None:
    memref = yir.MemrefType.packed(ElementType.F64, (4,))
    zero = yir.Constant(0.0)
    program = built(yir.Fill(zero, zero, yir.Operand(yir.Local("B"), memref)), A=memref)
    assert render_all(verify(program)) == "error[E0465]: `%B` is not defined"


def test_a_map_has_at_most_52_indices() -> None:
    memref = yir.MemrefType.packed(ElementType.F64, (1,) * 53)
    names = tuple(f"index{number}" for number in range(53))
    axpby = yir.Axpby(
        yir.UnaryMap(names, names),
        yir.Constant(1.0),
        yir.Operand(yir.Local("A"), memref),
        yir.Constant(0.0),
        yir.Operand(yir.Local("B"), memref),
    )
    (found,) = verify(built(axpby, A=memref, B=memref))
    assert (found.code, found.message) == ("E0476", "a map of 53 indices")
    short = replace(axpby, map=yir.UnaryMap(names[:52], names[:52]))
    (found,) = verify(built(short, A=memref, B=yir.MemrefType.packed(ElementType.F64, (1,) * 52)))
    assert found.code == "E0470"


def test_check_raises_all_mistakes_at_once_in_the_order_of_the_text() -> None:
    program = parse(Source("x.yir", "define @f(%A: memref<f64x0>) {\n  lifetime_stop %B\n}\ndefine @f() {\n}\n"))
    with pytest.raises(CompileError) as caught:
        check(program)
    assert [diagnostic.code for diagnostic in caught.value.diagnostics] == ["E0469", "E0465", "E0466"]
