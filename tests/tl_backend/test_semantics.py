"""The table of collective instructions against what each of them means, written down once more entry by entry."""

import re
from collections.abc import Callable, Iterator
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from einsum_front.tl_backend import instructions as tl
from einsum_front.tl_backend.interpret import interpret
from einsum_front.tl_backend.program import Argument, Function
from einsum_front.tl_backend.semantics import (
    FORMS,
    Axis,
    IndexMaps,
    allowed_ranks,
    index_maps,
    is_elementwise,
    memrefs,
    mode_uses,
    reads,
    sizes,
    writes,
)
from einsum_front.tl_backend.types import MemrefType, ScalarType
from einsum_front.tl_backend.unparse.instructions import mnemonic

Array = np.ndarray[Any, np.dtype[Any]]
N, T = tl.Transpose
MANUAL = Path(__file__).parents[2] / "docs" / "tensor_language.md"

EXTENTS = {Axis.M: 3, Axis.N: 4, Axis.K: 5}
TRANSPOSES: dict[type[tl.Collective], int] = {
    tl.Axpby: 1,
    tl.Gemm: 2,
    tl.Gemv: 1,
    tl.Ger: 0,
    tl.HadamardProduct: 0,
    tl.Sum: 1,
}
"""How many of the inputs each instruction can transpose."""

Case = tuple[type[tl.Collective], IndexMaps, tuple[tl.Transpose, ...]]
CASES: list[Case] = [
    (kind, form, transposes)
    for kind, forms in FORMS.items()
    for form in forms.values()
    for transposes in product((N, T), repeat=TRANSPOSES[kind])
]


def name_of(case: Case) -> str:
    kind, form, transposes = case
    return ".".join((kind.__name__, form.subscripts, *(each.value for each in transposes)))


each_case = pytest.mark.parametrize("case", CASES, ids=map(name_of, CASES))


def instruction_of(case: Case, alpha: float = 2.0, beta: float = 3.0) -> tl.Collective:
    kind, form, transposes = case
    ways = [*transposes, *[N] * (len(form.inputs) - len(transposes))]
    shapes = [tuple(EXTENTS[axis] for axis in map_) for map_ in form.inputs]
    inputs = tuple(
        memref(name, shape[::-1] if way is T else shape) for name, shape, way in zip("AB", shapes, ways, strict=False)
    )
    target = memref("C", tuple(EXTENTS[axis] for axis in form.target))
    return kind(transposes, False, factor(alpha), inputs, factor(beta), target)


def memref(name: str, shape: tuple[int, ...]) -> tl.TypedMemref:
    return tl.TypedMemref(tl.Local(name), MemrefType.packed(ScalarType.F64, shape))


def factor(number: float) -> tl.TypedScalar:
    return tl.TypedScalar(tl.FloatConstant(number), ScalarType.F64)


def static_shape(memref_: MemrefType) -> tuple[int, ...]:
    """The shape of a memref without dynamic extents."""
    return tuple(size for size in memref_.shape if size is not None)


def entries(kind: type[tl.Collective], inputs: list[Array], shape: tuple[int, ...]) -> Iterator[float]:
    """What alpha is multiplied with, for each entry of the target in C order; `inputs` are transposed already."""
    a, b = inputs[0], inputs[-1]
    meanings: dict[type[tl.Collective], Callable[..., Any]] = {
        tl.Axpby: lambda *at: a[at],
        tl.Gemm: lambda i, j: sum(a[i, k] * b[k, j] for k in range(a.shape[1])),
        tl.Gemv: lambda i: sum(a[i, k] * b[k] for k in range(a.shape[1])),
        tl.Ger: lambda i, j: a[i] * b[j],
        tl.HadamardProduct: lambda i: a[i] * b[i],
        tl.Sum: lambda *at: sum(a[(*at, k)] for k in range(a.shape[-1])),
    }
    return (meanings[kind](*at) for at in np.ndindex(*shape))


@each_case
def test_the_interpreter_does_what_each_instruction_means(case: Case) -> None:
    kind, _, transposes = case
    instruction, random = instruction_of(case), np.random.default_rng(5)
    operands = memrefs(instruction)
    arrays = [np.array(random.integers(-9, 10, static_shape(each.type)).astype(float), order="F") for each in operands]
    *inputs, before = (array.copy() for array in arrays)
    for number, way in enumerate(transposes):
        inputs[number] = inputs[number].T if way is T else inputs[number]
    expected = np.array(list(entries(kind, inputs, before.shape)), float).reshape(before.shape)
    arguments = tuple(Argument(each.value, each.type) for each in operands)
    given = {each.value.name: array for each, array in zip(operands, arrays, strict=True)}
    interpret(Function("f", arguments, (instruction,)), given, 1)
    np.testing.assert_array_equal(given["C"], 2 * expected + 3 * before)


@each_case
def test_axes_are_parallel_or_summed_over_and_have_one_size(case: Case) -> None:
    instruction = instruction_of(case)
    maps, uses = index_maps(instruction), mode_uses(instruction)
    assert set(maps.target).isdisjoint(maps.reduction)
    assert set(uses) == {*maps.target, *maps.reduction}
    assert sizes(instruction) == {axis: EXTENTS[axis] for axis in uses}
    found = [(use.number, use.mode) for each in uses.values() for use in each]
    assert sorted(found) == [
        (n, mode) for n, each in enumerate(memrefs(instruction)) for mode in range(each.type.order)
    ]


@each_case
def test_ranks_are_those_of_some_form(case: Case) -> None:
    instruction = instruction_of(case)
    assert all(memref.type.order in allowed for memref, allowed in allowed_ranks(instruction))


@each_case
def test_a_target_is_read_unless_beta_is_zero(case: Case) -> None:
    inputs = tuple(memref.value for memref in instruction_of(case).inputs)
    assert reads(instruction_of(case, beta=0.0)) == inputs
    assert reads(instruction_of(case)) == (*inputs, tl.Local("C"))
    assert writes(instruction_of(case)) == (tl.Local("C"),)


def test_only_what_works_entry_by_entry_may_write_what_it_reads() -> None:
    assert {name_of(case) for case in CASES if is_elementwise(instruction_of(case))} == {
        *("Axpby.->.n", "Axpby.->.t", "Axpby.m->m.n", "Axpby.m->m.t", "Axpby.mn->mn.n"),
        "HadamardProduct.m,m->m",
    }


def test_every_collective_instruction_has_a_row() -> None:
    classes = [each for each in vars(tl).values() if isinstance(each, type)]
    assert {each for each in classes if issubclass(each, tl.Collective)} == {tl.Collective, *FORMS}


def test_the_manual_shows_the_table() -> None:
    words = {mnemonic(instruction_of(case)): case[0] for case in CASES}
    rows = re.findall(r"^\| `(\w+)` \| (.*?) \| (.*?) \| (.*?) \|$", MANUAL.read_text(encoding="utf-8"), re.MULTILINE)
    shown = {words[word]: cells for word, *cells in rows if word in words}
    assert set(shown) == set(FORMS)
    for kind, (forms, parallel, reduction) in shown.items():
        assert re.findall(r"`([^`]+)`", forms) == [form.subscripts for form in FORMS[kind].values()]
        assert set(re.findall(r"[mnk]", parallel)) == {x.letter for form in FORMS[kind].values() for x in form.target}
        summed = {x.letter for form in FORMS[kind].values() for x in form.reduction}
        assert set(re.findall(r"\b[mnk]\b", reduction)) == summed
