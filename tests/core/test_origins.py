"""Where lines came from, in comments: read back as it was printed, and never part of what a program is."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from einsum_front.core.diagnostics import CompileError, Origin, Source, Span
from einsum_front.core.origins import Origins, UnreadSource, origin_text
from einsum_front.core.writer import Writer, origins_of_lines
from einsum_front.ir.yateto import nodes as yateto
from einsum_front.ir.yateto.letters import with_letters
from einsum_front.ir.yateto.parse import parse as parse_yateto
from einsum_front.ir.yateto.traverse import instructions as yateto_instructions
from einsum_front.ir.yateto.unparse import unparse_with_origins as unparse_yateto
from einsum_front.tl_backend import walk
from einsum_front.tl_backend.parse import parse
from einsum_front.tl_backend.program import Edition, Function, Program
from einsum_front.tl_backend.unparse import unparse, unparse_with_origins
from tests.ir.yateto.strategies import programs as yateto_programs
from tests.profiles import share
from tests.tl_backend.node_strategies import programs

NOTATION = Source("wave.ein", "tensor Q[4]\nkernel k {\n  Q[i] = 2*Q[i]\n}\n")
NAMES = ["wave.ein", "my notation.ein", 'quo"te.ein', "a;b", "C:\\x\\wave.ein", "<einsum>", "%x", "a:1:2-3"]


def place(first: tuple[int, int], end: tuple[int, int], source: Source = NOTATION) -> Span:
    start, stop = source.offset(*first), source.offset(*end)
    assert start is not None
    assert stop is not None
    return Span(source, start, stop)


@pytest.mark.parametrize(
    ("span", "words"),
    [
        (place((3, 3), (3, 16)), "wave.ein:3:3-15"),
        (place((2, 8), (2, 9)), "wave.ein:2:8-8"),
        (place((2, 8), (4, 2)), "wave.ein:2:8-4:1"),
        (place((1, 1), (1, 1)), "wave.ein:1:1-0"),
    ],
)
def test_a_place_is_a_line_and_columns_of_which_the_last_is_included(span: Span, words: str) -> None:
    assert origin_text((span,)) == f";! from {words}"
    assert Origins(Source("t", f"x ;! from {words}"), {"wave.ein": NOTATION}).at(0) == (span,)


@pytest.mark.parametrize("name", NAMES)
def test_any_name_is_read_back(name: str) -> None:
    span = place((3, 3), (3, 16), Source(name, NOTATION.text))
    read = Origins(Source("t", f"x {origin_text((span,))}"), {name: span.source})
    assert not read.mistakes
    assert read.at(0) == (span,)


@pytest.mark.parametrize("text", [None, "tensor Q[4]", "tensor Q[4]\n\nshort\n"])
def test_a_text_that_is_not_at_hand_or_has_changed_leaves_its_places(text: str | None) -> None:
    known = {} if text is None else {"wave.ein": Source("wave.ein", text)}
    (span,) = Origins(Source("t", "x ;! from wave.ein:3:3-15"), known).at(0)
    assert isinstance(span.source, UnreadSource)
    assert span.source.position(span.start) == (3, 3)
    assert span.text == ""
    assert origin_text((span,)) == ";! from wave.ein:3:3-15"


def test_huge_numbers_are_places_that_are_not_there() -> None:
    words = "x ;! from wave.ein:999999999:999999999-999999999"
    (span,) = Origins(Source("t", words), {"wave.ein": NOTATION}).at(0)
    assert f"x {origin_text((span,))}" == words


def test_of_several_texts_the_last_is_named() -> None:
    """An edited text has its own place first; when it is dumped again, it still names the notation."""
    edited = Source("edited.tl", "barrier")
    assert origin_text((Span(edited, 0, 7), place((3, 3), (3, 16)))) == ";! from wave.ein:3:3-15"


def test_only_comments_are_read_and_only_whole_words() -> None:
    text = "x ; see ;! from wave.ein:1:1-1\ny ;! fromage wave.ein:1:1-1\n"
    read = Origins(Source("t", text), {})
    assert not read.mistakes
    assert [read.at(0), read.at(text.index("y"))] == [(), ()]


def test_facts_may_stand_between_a_function_and_its_origin() -> None:
    text = ";! from wave.ein:2:8-8\n;! batched %Q\nfunc @k(%Q: memref<f64x4x?>) {\n}\n"
    (function,) = parse(Source("t.tl", text), {"wave.ein": NOTATION}).functions
    assert [span.text for span in function.origin[1:]] == ["k"]
    assert function.facts


NUMBERS = Source("numbers.ein", "".join(f"{number}\n" for number in range(1, 100)))


def _number(line: int) -> Origin:
    return (place((line, 1), (line, 2), NUMBERS),)


def _tensor_language(program: Program) -> Program:
    """The program with an origin of its own for each argument and instruction of a function."""

    def function(given: Function) -> Function:
        arguments = (replace(each, origin=_number(line)) for line, each in enumerate(given.arguments, start=10))
        body = tuple(replace(each, origin=_number(line)) for line, each in enumerate(given.body, start=40))
        prologue = None if given.prologue is None else function(given.prologue)
        return replace(given, arguments=tuple(arguments), body=body, prologue=prologue, origin=_number(1))

    return Program(tuple(map(function, program.functions)))


@pytest.mark.generated
@share(0.3)
@given(st.data())
def test_the_tensor_language_is_read_with_its_origins_and_is_the_same_without(data: st.DataObject) -> None:
    edition = data.draw(st.sampled_from([Edition.E2023, Edition.E2024]))
    program = _tensor_language(data.draw(programs(edition)))
    text, _ = unparse_with_origins(program, edition, tells_origins=True)
    found = parse(Source("t.tl", text), {NUMBERS.name: NUMBERS})
    assert found == program
    for before, after in zip(program.functions, found.functions, strict=True):
        assert [each.origin for each in before.arguments] == [each.origin[1:] for each in after.arguments]
        assert [each.origin for each in before.body] == [each.origin[1:] for each in after.body]
        assert before.origin == after.origin[1:]
    assert unparse(found, edition) == unparse(program, edition)


@pytest.mark.generated
@share(0.3)
@given(yateto_programs())
def test_the_yateto_language_is_read_with_its_origins_and_is_the_same_without(program: yateto.Program) -> None:
    origin = (place((3, 3), (3, 16)),)
    functions = tuple(
        replace(
            each,
            origin=origin,
            arguments=tuple(replace(argument, origin=origin) for argument in each.arguments),
            body=tuple(replace(instruction, origin=origin) for instruction in each.body),
        )
        for each in with_letters(program).functions
    )
    text, _ = unparse_yateto(yateto.Program(functions), tells_origins=True)
    found = parse_yateto(Source("t.yir", text), {"wave.ein": NOTATION})
    assert found == yateto.Program(functions)
    for function in found.functions:
        nodes = (function, *function.arguments, *function.body)
        assert all(node.origin[1:] == origin for node in nodes)


def test_every_instruction_of_a_loop_has_the_origin_of_its_own_line() -> None:
    loop = "{\n  for %i = 0, 4 {  ;! from wave.ein:3:3-15\n    barrier  ;! from wave.ein:2:8-8\n    barrier\n  }\n}\n"
    (function,) = parse(Source("t.tl", f"func @k() {loop}"), {"wave.ein": NOTATION}).functions
    expected = [["Q[i] = 2*Q[i]"], ["k"], []]
    assert [[span.text for span in each.origin[1:]] for each in walk(function.body)] == expected
    loop = loop.replace("%i = 0, 4", "i64 %i = 0 to 4")
    (other,) = parse_yateto(Source("t.yir", f"define @k() {loop}"), {"wave.ein": NOTATION}).functions
    assert [[span.text for span in each.origin[1:]] for each in yateto_instructions(other.body)] == expected


def test_lines_have_the_origin_of_the_innermost_node() -> None:
    writer = Writer()
    outer, inner = (place((3, 3), (3, 16)),), (place((2, 8), (2, 9)),)
    start = writer.next_start
    writer.line("for {")
    writer.depth += 1
    writer.leaf("barrier", inner)
    writer.depth -= 1
    writer.line("}")
    writer.node(start, outer)
    assert list(origins_of_lines(writer.text(), tuple(writer.written))) == [outer, inner, outer]


def test_a_planted_mistake_is_said_with_its_place() -> None:
    with pytest.raises(CompileError) as error:
        parse(Source("t.tl", "func @f() {\n  barrier  ;! from wave.ein:x\n}\n"))
    assert [each.code for each in error.value.diagnostics] == ["E0111"]
