"""Texts: what is read, what is printed, and that the two are inverse."""

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from einsum_front.core.diagnostics import CompilerBug, Source, Span
from einsum_front.core.facts import Modes, Nonzeros, Values
from einsum_front.core.storage import ElementType
from einsum_front.ir.yateto import nodes as yir
from einsum_front.ir.yateto.letters import with_letters
from einsum_front.ir.yateto.parse import parse
from einsum_front.ir.yateto.unparse import unparse
from tests.ir.yateto.strategies import functions


def read(text: str) -> yir.Program:
    return parse(Source("test.yir", text))


def body(line: str) -> yir.Instruction:
    (function,) = read(f"define @f() {{ {line} }}").functions
    return function.body[0]


@given(functions())
def test_printing_and_reading_are_inverse(function: yir.Function) -> None:
    program = yir.Program((function,))
    assert read(unparse(program)) == program


@given(functions(), st.randoms())
def test_indices_with_long_names_get_letters(function: yir.Function, random: Random) -> None:
    program = yir.Program((renamed(function, random),))
    assert read(unparse(program)) == with_letters(program)
    assert with_letters(with_letters(program)) == with_letters(program)


def renamed(function: yir.Function, random: Random) -> yir.Function:
    """Some indices of `log` and `axpby` get names of more than a letter."""
    loop = function.body[-1]
    assert isinstance(loop, yir.For)
    suffix = random.choice(["", "1", "_long"])

    def entry(entry_: yir.MapEntry) -> yir.MapEntry:
        match entry_:
            case yir.Plain(name=name):
                return yir.Plain(name + suffix)
            case yir.Looped(name=name):
                return yir.Looped(name + suffix)
            case yir.Fused(names=names):
                return yir.Fused(tuple(name + suffix for name in names))

    def instruction(old: yir.Instruction) -> yir.Instruction:
        match old:
            case yir.Log(map=map_):
                left, right, target = (tuple(map(entry, side)) for side in (map_.left, map_.right, map_.target))
                return replace(old, map=yir.LogMap(left, right, target))
            case yir.Axpby(map=map_):
                first, second = (tuple(name + suffix for name in side) for side in (map_.source, map_.target))
                return replace(old, map=yir.UnaryMap(first, second))
            case _:
                return old

    new_loop = replace(loop, body=tuple(map(instruction, loop.body)))
    return yir.Function(function.name, function.arguments, (*function.body[:-1], new_loop))


def test_letters_are_the_first_of_the_name_where_free() -> None:
    vector = yir.MemrefType.packed(ElementType.F64, (1, 1, 1))
    operand = yir.Operand(yir.Local("A"), vector)
    names = ("row", "r", "column")
    axpby = yir.Axpby(yir.UnaryMap(names, names), yir.Constant(1.0), operand, yir.Constant(0.0), operand)
    function = yir.Function("f", (yir.Argument(yir.Local("A"), vector),), (axpby,))
    assert "axpby {arc to arc} 1.0, %A, 0.0, %A" in unparse(yir.Program((function,)))


def test_more_than_52_indices_have_no_letters() -> None:
    memref = yir.MemrefType.packed(ElementType.F64, (1,) * 53)
    names = tuple(f"index{number}" for number in range(53))
    operand = yir.Operand(yir.Local("A"), memref)
    axpby = yir.Axpby(yir.UnaryMap(names, names), yir.Constant(1.0), operand, yir.Constant(0.0), operand)
    with pytest.raises(CompilerBug, match="more than 52 indices"):
        unparse(yir.Program((yir.Function("f", (), (axpby,)),)))


PRINTED = """\
;! modes %K 1 0
;! nonzeros %K 0:5 7
define @f(%K: memref<f64x4x4>,
          %Q: group<memref<f64x4x9,strided<1,8>>,distance<72>>,
          %P: group<memref<f64>,pointers>,
          %o: i64,
          %x: f64) {
  %0 = get_work_item %Q : group<memref<f64x4x9,strided<1,8>>,distance<72>>
  %1 = get_work_item %P, i64 %o : group<memref<f64>,pointers>
  %t = alloca : memref<f64x4x9>
  log {ik, kj to ij} %x, %K, %0, 0.0, %t
      : memref<f64x4x4>, memref<f64x4x9,strided<1,8>> to memref<f64x4x9>
  axpby {ij to ij} -0.5, %t, 1.0, %0
      : memref<f64x4x9> to memref<f64x4x9,strided<1,8>>
  for i32 %i = 0 to 4 {
    %v = subview %0[i32 %i, 1:] : memref<f64x4x9,strided<1,8>> to memref<f64x8,strided<8>>
    sum {j to _} 1.0, %v, 1.0, %1
        : memref<f64x8,strided<8>> to memref<f64>
  }
  %y = arith.mul %x, 1e-05 : f64
  fill %y, 0.0, %t : memref<f64x4x9>
  broadcast {_ to ij} 1.0, %1, 1.0, %t
      : memref<f64> to memref<f64x4x9>
  product {ij, _ to ij} 1.0, %t, %1, 0.0, %0
      : memref<f64x4x9>, memref<f64> to memref<f64x4x9,strided<1,8>>
  barrier
  lifetime_stop %t
}
"""


def test_the_printed_schedule() -> None:
    assert unparse(read(PRINTED)) == PRINTED


def test_several_functions_are_separated_by_an_empty_line() -> None:
    assert unparse(read("define @f() {} define @g() {}")) == "define @f() {\n}\n\ndefine @g() {\n}\n"


def test_facts_may_go_on_in_the_next_line_and_other_comments_are_comments() -> None:
    text = ";! nonzeros %K 0:2 ; a comment\n;! nonzeros %K 4\n;! mood good\n; modes\n;! modes %K 0\ndefine @f() {}"
    (function,) = read(text).functions
    assert function.facts == (Nonzeros("K", ((0, 2), (4, 5))), Modes("K", (0,)))


@given(st.lists(st.integers(0, 3000), unique=True, max_size=200))
def test_long_lists_of_nonzeros_go_on_in_further_lines(positions: list[int]) -> None:
    runs = tuple((position, position + 1) for position in sorted(positions))
    program = yir.Program((yir.Function("f", (), (), (Nonzeros("K", runs),)),))
    text = unparse(program)
    assert max(map(len, text.splitlines())) <= 120
    assert read(text) == program


def test_values_have_positions_where_zeros_are_left_out() -> None:
    text = ";! values %K 1 -.5 7:2. 0x1.8p1 ; a comment\n;! values %K 1e-7 20:1\ndefine @f() {}"
    program = read(text)
    entries = ((0, 1.0), (1, -0.5), (7, 2.0), (8, 3.0), (9, 1e-7), (20, 1.0))
    assert program.functions[0].facts == (Values("K", entries),)
    assert unparse(program) == ";! values %K 1 -0.5 7:2.0 3.0 1e-07 20:1\ndefine @f() {\n}\n"


FINITE = st.floats(allow_nan=False, allow_infinity=False)


@given(st.dictionaries(st.integers(0, 300), FINITE | st.just(1.0), max_size=100))
def test_long_lists_of_values_go_on_in_further_lines_and_are_exact(entries: dict[int, float]) -> None:
    program = yir.Program((yir.Function("f", (), (), (Values("K", tuple(sorted(entries.items()))),)),))
    text = unparse(program)
    assert max(map(len, text.splitlines())) <= 120
    assert read(text) == program


TYPES = ": memref<f64x4x4> to memref<f64x4x4>"


@pytest.mark.parametrize(
    "line",
    [
        f"axpby {{ji to ij}}, 2.0, %A, 0.0, %B {TYPES}",
        f"axpby {{ji to ij}} 2.0, %A, %B {TYPES}",
        f"axpby {{ji to ij}}, 2., %A, %B {TYPES}",
        f"axpby {{ ji to ij }} +2e0, %A, 0x0.0p0, %B {TYPES}",
        f"axpby {{j i to i j}} 0x1p1, %A, .0, %B ; comment\n {TYPES}",
        "axpby {ji to ij} 2.0, %A, 0.0, %B : memref<f64x4x4,strided<1,4>> to memref < f64 x 4 x 4 >",
    ],
)
def test_spellings_of_the_same_instruction(line: str) -> None:
    assert body(line) == body(f"axpby {{ji to ij}} 2.0, %A, 0.0, %B {TYPES}")


def test_indices_may_be_called_t_and_o() -> None:
    axpby = body(f"axpby {{to to ot}} 1.0, %A, %B {TYPES}")
    assert isinstance(axpby, yir.Axpby)
    assert axpby.map == yir.UnaryMap(("t", "o"), ("o", "t"))
    types = "memref<f64>, memref<f64> to memref<f64>"
    log = body(f"log {{[k]to, (to)[k] to [k](to)}} 1.0, %A, %B, 0.0, %C : {types}")
    assert isinstance(log, yir.Log)
    left = (yir.Looped("k"), yir.Plain("t"), yir.Plain("o"))
    assert log.map == yir.LogMap(
        left, (yir.Fused(("t", "o")), yir.Looped("k")), (yir.Looped("k"), yir.Fused(("t", "o")))
    )


def test_nodes_know_their_place() -> None:
    source = Source("test.yir", f"define @f() {{\n  axpby {{ji to ij}} 2.0, %A, 0.5, %B {TYPES}\n}}\n")
    axpby = parse(source).functions[0].body[0]
    assert isinstance(axpby, yir.Axpby)
    (span,) = axpby.origin
    assert span == Span(source, 16, len(source.text) - 3)
    places: list[yir.UnaryMap | yir.Scalar | yir.Operand] = [axpby.map, axpby.alpha, axpby.a.value, axpby.a]
    places += [axpby.beta, axpby.b.value, axpby.b]
    texts = [place.origin[0].text for place in places]
    assert texts == ["{ji to ij}", "2.0", "%A", "memref<f64x4x4>", "0.5", "%B", "memref<f64x4x4>"]
