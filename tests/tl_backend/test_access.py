"""Accesses against what NumPy makes of the same views: every entry, and the memory that views have in common."""

from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest

from einsum_front.core.diagnostics import Source
from einsum_front.tl_backend import instructions as tl
from einsum_front.tl_backend.access import Access, Accesses, Affine, find_accesses, named, whole
from einsum_front.tl_backend.parse import parse
from einsum_front.tl_backend.passes.insert_barriers import insert_barriers
from einsum_front.tl_backend.semantics import result_type
from einsum_front.tl_backend.types import MemrefType, ScalarType
from einsum_front.tl_backend.unparse import unparse
from einsum_front.tl_backend.verify import verify

SHAPE = (4, 6, 5)
AT = {"i": 1, "j": 2}
"""The values of names while NumPy looks."""


def positions(access: Access) -> np.ndarray:
    """The positions in the buffer that the access says, where the names have their values."""
    offset = access.offset()
    assert offset is not None
    start = offset.constant + sum(AT[name] * factor for name, factor in offset.terms)
    found = np.array(start)
    for size, stride in zip(access.shape, access.strides, strict=True):
        assert size is not None
        assert stride is not None
        found = found[..., None] + np.arange(size) * stride
    return found


def in_box(access: Access) -> set[int]:
    ranges = [
        range(each.start, size if each.stop is None else each.stop)
        for each, size in zip(access.area.box, SHAPE, strict=True)
    ]
    numbers = np.arange(np.prod(SHAPE)).reshape(SHAPE, order="F")
    return set(numbers[np.ix_(*ranges)].ravel().tolist())


class Views:
    """A chain of random views, in the language and in NumPy."""

    def __init__(self, seed: int) -> None:
        self.random = np.random.default_rng(seed)
        self.type = MemrefType.packed(ScalarType.F64, SHAPE)
        self.access = whole("A", self.type)
        self.array = np.arange(np.prod(SHAPE)).reshape(SHAPE, order="F")

    def step(self) -> None:
        kind = self.random.choice(["subview", "subview", "fuse", "expand"])
        mode = int(self.random.integers(0, max(1, self.array.ndim - 1)))
        if kind == "fuse" and mode + 1 < self.array.ndim and self._lie_close(mode):
            shape = self.array.shape
            self._note(tl.Fuse(tl.Local("v"), tl.Local("u"), mode, mode + 1, self.type))
            self.array = self.array.reshape((*shape[:mode], -1, *shape[mode + 2 :]), order="F")
        elif kind == "expand" and self.array.ndim and self.array.shape[mode] % 2 == 0:
            shape = self.array.shape
            self._note(tl.Expand(tl.Local("v"), tl.Local("u"), mode, (tl.IntegerConstant(2), None), self.type))
            self.array = self.array.reshape((*shape[:mode], 2, -1, *shape[mode + 1 :]), order="F")
        elif kind == "subview":
            picks, keys = zip(*map(self._pick, self.array.shape), strict=True) if self.array.ndim else ((), ())
            self._note(tl.Subview(tl.Local("v"), tl.Local("u"), picks, self.type))
            self.array = self.array[keys]

    def _note(self, view: tl.Subview | tl.Fuse | tl.Expand) -> None:
        self.access = self.access.view(view, {})
        new = result_type(view)
        assert isinstance(new, MemrefType)
        self.type = replace(new, shape=self.access.shape)

    def _lie_close(self, mode: int) -> bool:
        first, second = self.access.strides[mode : mode + 2]
        return first is not None and self.array.shape[mode] * first == second

    def _pick(self, size: int) -> tuple[tl.Position | tl.Slice, int | slice]:
        start, operand = self._start(size)
        match self.random.integers(0, 4):
            case 0:
                return tl.Position(operand), start
            case 1:
                return tl.Slice(tl.IntegerConstant(0), None), slice(None)
            case _:
                count = int(self.random.integers(1, size - start + 1))
                return tl.Slice(operand, tl.IntegerConstant(count)), slice(start, start + count)

    def _start(self, size: int) -> tuple[int, tl.IndexOperand]:
        names = [name for name, value in AT.items() if value < size]
        if names and self.random.integers(0, 3) == 0:
            name = str(self.random.choice(names))
            return AT[name], tl.Local(name)
        start = int(self.random.integers(0, size))
        return start, tl.IntegerConstant(start)


def chains(number: int) -> list[Views]:
    made = [Views(seed) for seed in range(number)]
    for views in made:
        for _ in range(4):
            views.step()
    return made


def test_every_entry_is_where_numpy_has_it() -> None:
    for views in chains(300):
        np.testing.assert_array_equal(positions(views.access), views.array)


def test_a_box_holds_all_that_a_view_touches_and_nothing_else_if_it_is_exact() -> None:
    for views in chains(300):
        touched = set(np.ravel(views.array).tolist())
        assert touched <= in_box(views.access)
        assert touched == in_box(views.access) or not views.access.area.is_exact


def test_what_two_views_say_of_each_other_is_so() -> None:
    made = chains(80)
    answers = set()
    for one, other in combinations(made, 2):
        meet = bool(np.intersect1d(one.array, other.array).size)
        may, must = one.access.area.may_overlap(other.access.area), one.access.area.must_overlap(other.access.area)
        assert may or not meet
        assert meet or not must
        answers.add((may, must))
    assert answers == {(False, False), (True, False), (True, True)}


def test_sums_and_multiples_of_indices_are_known() -> None:
    accesses = Accesses()
    for name, operator, left, right in (
        ("twice", tl.BinaryOperator.MUL, tl.Local("i"), tl.IntegerConstant(2)),
        ("next", tl.BinaryOperator.ADD, tl.Local("twice"), tl.IntegerConstant(3)),
        ("less", tl.BinaryOperator.SUB, tl.Local("next"), tl.Local("i")),
        ("square", tl.BinaryOperator.MUL, tl.Local("i"), tl.Local("i")),
        ("more", tl.BinaryOperator.ADD, tl.Local("square"), tl.Local("i")),
    ):
        accesses.note(tl.ArithBinary(tl.Local(name), operator, left, right, ScalarType.INDEX))
    assert accesses.values["next"] == Affine(3, (("i", 2),))
    assert accesses.values["less"] == named("i") + Affine(3)
    assert "square" not in accesses.values
    assert accesses.values["more"] == named("i") + named("square")


BEHIND = """
func @f(%A: memref<f32x32>, %i: index) work_group_size(8, 1) {
  %v = subview %A[%i:8] : memref<f32x32>
  %w = subview %v[2:4] : memref<f32x8>
  %x = subview %A[WHERE:4] : memref<f32x32>
  %t = alloca -> memref<f32x4>
  axpby.n 1.0, %x, 0.0, %w : f32, memref<f32x4>, f32, memref<f32x4>
  axpby.n 1.0, %x, 0.0, %t : f32, memref<f32x4>, f32, memref<f32x4>
}
"""


@pytest.mark.parametrize("where", [0, 2, 4, 16])
def test_a_part_of_a_slice_whose_start_is_unknown_may_be_anywhere(where: int) -> None:
    """It may share memory with any part, and with none for certain."""
    program = parse(Source("part.tl", BEHIND.replace("WHERE", str(where))))
    assert verify(program) == ()
    (function,) = program.functions
    accesses = find_accesses(function)
    assert accesses.memrefs["w"].starts == (named("i") + Affine(2),)
    with_barriers = insert_barriers(function)
    assert unparse(replace(program, functions=(with_barriers,))).count("barrier") == 1
