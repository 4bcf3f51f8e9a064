"""Text and syntax say the same."""

import re
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from string import ascii_letters

import pytest
from hypothesis import given
from hypothesis import strategies as st

from einsum_front.core.diagnostics import CompileError, Source, render_all
from einsum_front.notation import syntax
from einsum_front.notation.parse import parse, parse_positions
from einsum_front.notation.unparse import placed, unparse
from tests.einsum_front.strategies import programs

WORDS = {"use", "param", "real", "integer", "size", "tensor", "temp", "scalar", "kernel", "for", "in", "sum"}

names = st.from_regex(r"[A-Za-z][A-Za-z0-9_]{0,3}", fullmatch=True).filter(lambda name: name not in WORDS)
literals = st.one_of(
    st.integers(0, 2**63 - 1).map(str),
    st.floats(0, 1e300, allow_subnormal=False).map(repr),
    st.sampled_from(("2.", ".5", "1E+3")),
).map(syntax.Literal)


def small(elements: st.SearchStrategy[object], smallest: int = 0) -> st.SearchStrategy[tuple[object, ...]]:
    return st.lists(elements, min_size=smallest, max_size=3).map(tuple)


def formulas(atoms: st.SearchStrategy[syntax.Expression]) -> st.SearchStrategy[syntax.Expression]:
    """Sums, products, powers and signs of atoms."""
    return st.recursive(
        atoms,
        lambda parts: st.one_of(
            st.builds(syntax.Negation, parts),
            st.builds(syntax.Power, parts, parts),
            st.builds(syntax.Product, parts, small(st.tuples(st.sampled_from(syntax.FactorOperator), parts), 1)),
            st.builds(syntax.Sum, parts, small(st.tuples(st.sampled_from(syntax.TermOperator), parts), 1)),
        ),
        max_leaves=5,
    )


numbers = formulas(st.one_of(literals, st.builds(syntax.Reference, names)))
ranges = st.builds(syntax.Range, numbers, numbers)
named_ranges = st.builds(syntax.NamedRange, names, ranges)
positions = st.one_of(
    st.builds(syntax.RunningIndex, names, st.one_of(st.none(), ranges)), st.builds(syntax.FixedIndex, numbers)
)
references = st.builds(syntax.Reference, names, small(numbers), st.one_of(st.none(), small(positions)))
ones = st.builds(syntax.Ones, small(positions))
atoms = st.one_of(literals, references, ones)
expressions = formulas(st.one_of(atoms, st.builds(syntax.RangeSum, named_ranges, formulas(atoms))))
assignments = st.builds(syntax.Assignment, references, st.sampled_from(syntax.AssignmentOperator), expressions)
loops = st.builds(syntax.Loop, named_ranges, small(assignments))
statements = st.one_of(assignments, loops, st.builds(syntax.Loop, named_ranges, small(loops)))
listed = st.builds(syntax.Place, small(numbers))
arguments = st.one_of(
    st.none(),
    st.builds(syntax.File, st.text(ascii_letters + " #{}/.", max_size=8)),
    st.builds(syntax.Numbers, small(numbers, 1)),
    st.builds(syntax.Places, small(listed)),
)
attributes = st.builds(syntax.Attribute, names, arguments)
items = st.one_of(
    st.builds(syntax.Parameter, names, numbers),
    st.builds(syntax.Computed, st.sampled_from(["real", "integer"]), names),
    st.builds(syntax.Size, names),
    st.builds(syntax.Tensor, names, small(numbers), small(numbers), small(attributes), st.booleans()),
    st.builds(syntax.Scalar, names, small(numbers)),
    st.builds(syntax.Kernel, names, small(named_ranges), small(statements)),
)
trees = st.lists(items, min_size=1, max_size=3).map(lambda parts: syntax.Program(tuple(parts)))


@given(trees)
def test_what_is_printed_is_read_back(program: syntax.Program) -> None:
    assert parse(Source("printed.ein", unparse(program))) == program


@given(trees)
def test_places_are_those_of_the_text(program: syntax.Program) -> None:
    source, told = placed(program, "printed.ein")
    assert source == Source("printed.ein", unparse(program))
    assert told == program
    assert list(places_in(told)) == list(places_in(parse(source)))


def places_in(node: object) -> Iterator[object]:
    """Each node with its origin, in the order of fields."""
    if isinstance(node, tuple):
        for each in node:
            yield from places_in(each)
    elif is_dataclass(node):
        yield type(node), getattr(node, "origin", None)
        for each in fields(node):
            if each.name != "origin":
                yield from places_in(getattr(node, each.name))


def test_what_no_text_can_say() -> None:
    """Numbers and depths have limits when a text is read; they hold for a program that never was one."""
    number: syntax.Expression = syntax.Literal(str(2**64))
    deep: syntax.Expression = syntax.Reference("a")
    for _ in range(33):
        deep = syntax.Power(deep, syntax.Literal("2"))
    for value, code in ((number, "E0104"), (deep, "E0110")):
        program = syntax.Program((syntax.Parameter("n", value),))
        with pytest.raises(CompileError, match=code) as found:
            placed(program, "printed.ein")
        with pytest.raises(CompileError, match=code) as said:
            parse(Source("printed.ein", unparse(program)))
        assert str(found.value) == str(said.value)


@given(programs())
def test_what_is_read_is_printed_and_read_back(text: str) -> None:
    program = parse(Source("random.ein", text))
    assert parse(Source("printed.ein", unparse(program))) == program


SAMPLE = """\
param B = O * (O + 1) / 6
real f32
size n
tensor kDivM{3}[B,B] constant nonzeros "order{O}.npz"
tensor W[2,4] strided<1,2> nonzeros [(0,1), (1,0)]
temp t[]
scalar power{O}

kernel flux{i in 0:4, j in 0:i} {
    Q[k=0:20,(i),3] += -2.0 * dt**2 / 2 * (A[k,l] - B{i,j + 1}[l,k]) * sum{d in 0:3}(x[row,])
    for n in 1:O {
        t[] -= t[] / (2 / dt)
        T[k,row] = 1[row,] * x[k]
    }
}
"""


def test_the_printed_schedule() -> None:
    assert unparse(parse(Source("sample.ein", SAMPLE))) == SAMPLE


def test_every_node_has_its_place() -> None:
    program = parse(Source("sample.ein", SAMPLE))
    kernel = program.items[-1]
    assert isinstance(kernel, syntax.Kernel)
    assignment = kernel.statements[0]
    assert isinstance(assignment, syntax.Assignment)
    assert isinstance(assignment.value, syntax.Product)
    assert assignment.target.origin[0].text == "Q[k=0:20,(i),3]"
    assert [position.origin[0].text for position in assignment.target.positions or ()] == ["k=0:20", "(i)", "3"]
    assert [factor.origin[0].text for _, factor in assignment.value.rest] == [
        "dt**2",
        "2",
        "A[k,l] - B{i,j + 1}[l,k]",
        "sum{d in 0:3}(x[row,])",
    ]


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("A[kp]", "A[k,p]"),
        ("A[k,p,]", "A[k,p]"),
        ("A[ k , p ] # comment", "A[k,p]"),
        ("A[k=0:2]", "A[k=(0):2]"),
        ("(A[i] * B[i])", "A[i]*B[i]"),
        ("((A[i])) + ((B[i] + C[i]))", "A[i] + (B[i] + C[i])"),
    ],
)
def test_spellings_of_the_same(text: str, same: str) -> None:
    assert statement(text) == statement(same)


@pytest.mark.parametrize(
    ("text", "other"),
    [
        ("A[kp]", "A[kp,]"),
        ("A[n]", "A[(n)]"),
        ("A[i] - (B[i] - C[i])", "A[i] - B[i] - C[i]"),
        ("-dt**2", "(-dt)**2"),
        ("2**3**2", "(2**3)**2"),
        ("t[]", "t"),
    ],
)
def test_spellings_of_different_things(text: str, other: str) -> None:
    assert statement(text) != statement(other)


def statement(text: str) -> syntax.Item:
    return parse(Source("t.ein", f"kernel f {{ R[] = {text}\n}}")).items[0]


def test_index_list_alone() -> None:
    assert parse_positions(Source("list", "[k=0:2,p]")) == (
        syntax.RunningIndex("k", syntax.Range(syntax.Literal("0"), syntax.Literal("2"))),
        syntax.RunningIndex("p"),
    )


@given(st.integers(0, len(SAMPLE)), st.integers(0, 20), st.text('[](){}<>,:=+-*/"# \nkn09.e_\0', max_size=3))
def test_a_damaged_text_is_read_or_refused(start: int, length: int, replacement: str) -> None:
    damaged = Source("damaged.ein", SAMPLE[:start] + replacement + SAMPLE[start + length :])
    assert re.match(r"error\[E0[12]..\]: |\n?(param|real|size|tensor|temp|scalar|kernel) ", read_again(damaged))


def read_again(source: Source) -> str:
    """What the text says, or what is wrong with it; anything but a CompileError fails the test."""
    try:
        return unparse(parse(source))
    except CompileError as error:
        return render_all(error.diagnostics)
