"""A formula as a program of the notation means what the formula means: generated ones, of integers, so exactly."""

import tempfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from einsum_front.core.diagnostics import CompileError
from einsum_front.notation.check import check
from einsum_front.notation.interpret import interpret
from einsum_front.notation.parse import parse_file
from einsum_front.yateto import Generator, Tensor, useArchitectureIdentifiedBy
from einsum_front.yateto.deduction import unsummed
from einsum_front.yateto.evaluation import values_of
from einsum_front.yateto.formula import Add, Assign, Node, entries_of
from tests.profiles import share

SIZES = {"i": 2, "j": 3, "k": 2, "m": 3}


@st.composite
def entries(draw: DrawFn) -> Node:
    """Entries of a tensor with values, of which some are zero, and maybe a slice of a longer one."""
    letters = draw(st.lists(st.sampled_from(list(SIZES)), unique=True, max_size=3))
    more = tuple(draw(st.sampled_from((0, 0, 2))) for _ in letters)
    shape = tuple(SIZES[letter] + added for letter, added in zip(letters, more, strict=True))
    seed = draw(st.integers(0, 1))
    values = np.random.default_rng(seed).integers(-2, 3, shape).astype(np.float64)
    values[(0,) * len(shape)] = 3.0  # an entry at least
    name = "".join(["T", *letters, "_", *map(str, more), "_", str(seed)])
    node: Node = Tensor(name, shape, np.asarray(values))["".join(letters)]
    for letter, added in zip(letters, more, strict=True):
        if added:
            start = draw(st.integers(0, added))
            node = node.subslice(letter, start, start + SIZES[letter])
    return node


def combined(inner: SearchStrategy[Node]) -> SearchStrategy[Node]:
    """Products, sums, differences and scaled formulas; what a script may not write is tried again."""

    def applied(given: tuple[str, Node, Node]) -> Node | None:
        operator, left, right = given
        try:
            match operator:
                case "*":
                    return left * right
                case "+":
                    return left + right
                case "-":
                    return left - right
                case _:
                    return -2.0 * left
        except CompileError:  # two scalars in one product
            return None

    found = st.tuples(st.sampled_from("***+-s"), inner, inner).map(applied)
    return found.filter(lambda node: node is not None)  # type: ignore[return-value] # mypy does not know what is left


FORMULAS = st.recursive(entries(), combined, max_leaves=6)


@st.composite
def assignments(draw: DrawFn) -> Assign:
    """A formula assigned to all indices that it does not sum, and to some more, in any order."""
    value = draw(FORMULAS)
    more = draw(st.lists(st.sampled_from(list(SIZES)), unique=True, max_size=1))
    letters = draw(st.permutations(list(dict.fromkeys([*unsummed(value), *more]))))
    return Tensor("result", tuple(SIZES[letter] for letter in letters))["".join(letters)] <= value


@pytest.mark.generated
@share(1.0)
@given(assignments())
def test_a_program_means_what_its_script_means(statement: Assign) -> None:
    try:
        expected = values_of(statement.value, statement.target.indices, np.float64)
    except CompileError:
        assume(condition=False)  # an index that one factor alone has, in a sum inside of a product
    generator = Generator(useArchitectureIdentifiedBy("dhsw"))
    generator.add("kernel", [statement])
    with tempfile.TemporaryDirectory() as folder:
        generator.generate(folder)
        program = check(parse_file(Path(folder) / "kernel.ein"), directory=Path(folder))
    used = {e.tensor.name(): e.tensor for e in entries_of(statement.value) if isinstance(e.tensor, Tensor)}
    known = {name: tensor.values_as_ndarray() for name, tensor in used.items()}
    arrays = {name: array for name, array in known.items() if array is not None}
    result = np.full((1, *statement.target.shape()), np.nan)
    interpret(program.kernels[0], program, {**arrays, "result": result})
    assert np.array_equal(result[0], expected)


@pytest.mark.generated
@share(1.0)
@given(FORMULAS, FORMULAS, FORMULAS)
def test_operators_leave_their_operands_as_they_are(left: Node, right: Node, other: Node) -> None:
    before = shown(left), shown(right)
    operations: tuple[Callable[[], Node], ...] = (
        lambda: left * right,
        lambda: left + right,
        lambda: left - right,
        lambda: Add() + left + other,
    )
    for operate in operations:
        try:
            operate()
        except CompileError:  # two scalars in one product
            continue
    assert (shown(left), shown(right)) == before


def shown(node: Node) -> str:
    return f"{node}({', '.join(map(shown, node))})"
