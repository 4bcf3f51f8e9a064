"""A function that is one contraction of complex numbers, as the pass over parts writes it.

    axpby -1.0, %b[1], 0.0, %turned[0]        turned := i b
    axpby 1.0, %b[0], 0.0, %turned[1]
    gemm 1.0, %b, %a[0], 0.0, %c              c := re(a) b
    gemm 1.0, %turned, %a[1], 1.0, %c           + im(a) turned

Parts lie side by side, so each product is one of real numbers. Together they are a single one whose first depth runs
over the parts of `a`, if the entries of `turned` are made where they are read (`Contraction.turn`).
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from operator import attrgetter
from typing import Literal

import numpy as np
import numpy.typing as npt

from einsum_front.tl_backend import instructions as tl
from einsum_front.tl_backend.access import Access, Accesses, Affine, buffers
from einsum_front.tl_backend.analysis.contraction import Contraction, Index, Operand, find_contraction
from einsum_front.tl_backend.analysis.products import NoContractionError, product_form
from einsum_front.tl_backend.program import Argument, Function
from einsum_front.tl_backend.rewrite import with_regions
from einsum_front.tl_backend.semantics import Axis, sizes
from einsum_front.tl_backend.traverse import results, walked

MOST_ENTRIES = 1 << 22
"""Entries of a temporary that are followed one by one."""

Offsets = npt.NDArray[np.int64]
Sign = Literal[-1, 1]

Letter = Axis | str
"""An axis of an instruction, the variable of a loop, or an index."""


def find_complex_contraction(function: Function) -> tuple[Function, Contraction]:
    """The contraction of complex numbers that the function is, and the function without its temporary.

    Raises `NoContractionError` if it is none.
    """
    temporaries = [each for each in function.get(walked) if isinstance(each, tl.Alloca)]
    if len(temporaries) != 1:
        raise NoContractionError("it is no product of two complex tensors")
    (temporary,) = temporaries
    views = {name for name, buffer in buffers(function).items() if buffer == temporary.result.name}
    _check_order(function, views)
    without = _with_products_of(function, lambda read: not read & views, views)
    plain = find_contraction(without)
    with_argument = replace(function, arguments=(*function.arguments, Argument(temporary.result, temporary.type)))
    turned = find_contraction(_with_products_of(with_argument, lambda read: bool(read & views)))
    if plain.shared or turned.shared or not turned.product.beta.is_number(1):
        raise NoContractionError("its products are not those of complex numbers")
    made = _Copies(function, temporary, plain.operands[0].starts, plain.operands[0].root.name)
    turn: Sign = 1 if _turn(plain, turned, made) == _sign(plain.product.alpha, turned.product.alpha) else -1
    part = Index("part", 2, 0, _distance(plain, turned), 0)
    return without, replace(plain, depths=(part, *plain.depths), turn=turn)


def _check_order(function: Function, views: Collection[str]) -> None:
    """The temporary is filled before products alone read it, and these come after the one that sets the target."""
    order: list[str] = []
    for each in function.get(walked):
        if isinstance(each, tl.Load) and each.operand.name in views:
            raise NoContractionError("it does more than multiply complex numbers")
        if isinstance(each, tl.Collective):
            reads = any(factor.value.name in views for factor in each.inputs)
            order.append("fill" if each.target.value.name in views else "turned" if reads else "plain")
    first = order.index("turned") if "turned" in order else 0
    if "plain" not in order[:first] or "fill" in order[first:]:
        raise NoContractionError("its products are not those of complex numbers")


def _with_products_of(function: Function, wanted: Callable[[set[str]], bool], hidden: Collection[str] = ()) -> Function:
    """The function with those products only whose factors are wanted, without temporaries and hidden views of them."""

    def kept(region: tl.Region) -> tl.Region:
        return tuple(with_regions(each, kept) for each in region if stays(each))

    def stays(instruction: tl.Instruction) -> bool:
        if isinstance(instruction, tl.Axpby | tl.Alloca | tl.LifetimeStop):
            return False
        if isinstance(instruction, tl.Collective):
            return wanted({each.value.name for each in instruction.inputs})
        return not any(each.name in hidden for each in results(instruction))

    return replace(function, body=kept(function.body))


# -- the temporary -----------------------------------------------------------------------------------------------------


class _Copies:
    """Where each entry of the temporary comes from: its offset in the root that it is a copy of, and its sign."""

    def __init__(self, function: Function, temporary: tl.Alloca, starts: tuple[Affine, ...], root: str) -> None:
        shape = [extent or MOST_ENTRIES + 1 for extent in temporary.type.shape]
        if (entries := int(np.prod(shape))) > MOST_ENTRIES:
            raise NoContractionError("a temporary is too large")
        self._root, self._name, self._terms = root, temporary.result.name, tuple(each.terms for each in starts)
        self.offsets: Offsets = np.full(entries, -1)
        self.signs: Offsets = np.zeros(entries, np.int64)
        self._region(function.body, {}, Accesses.of_arguments(function))

    def _region(self, region: tl.Region, loops: Mapping[str, int], accesses: Accesses) -> None:
        for instruction in region:
            accesses.note(instruction)
            match instruction:
                case tl.For(start=tl.IntegerConstant(0), stop=tl.IntegerConstant(stop), step=tl.IntegerConstant(1)):
                    self._region(instruction.body, {**loops, instruction.variable.name: stop}, accesses)
                case tl.Axpby():
                    self._copy(instruction, loops, accesses)
                case tl.For() | tl.Foreach() | tl.If() | tl.Store():
                    raise NoContractionError("it does more than multiply complex numbers")
                case _:  # open: values are noted, products are looked at by themselves
                    pass

    def _copy(self, copy: tl.Axpby, loops: Mapping[str, int], accesses: Accesses) -> None:
        form = product_form(copy)
        target, source = (accesses.memrefs[each.view.value.name] for each in (form.target, form.factors[0]))
        sign = next((sign for sign in (1, -1) if form.alpha.is_number(sign)), 0)
        if (
            target.buffer != self._name
            or source.buffer != self._root
            or not sign
            or not form.beta.is_number(0)
            or copy.atomic
        ):
            raise NoContractionError("it does more than multiply complex numbers")
        if tuple(_others(start, loops) for start in source.starts) != tuple(map(frozenset, self._terms)):
            raise NoContractionError("a temporary is a copy of another element")
        extents = {axis: size or 0 for axis, size in sizes(copy).items()} | dict(loops)
        to, of = (
            _offsets(extents, *_linear(access, axes, loops))
            for access, axes in ((target, form.target.axes), (source, form.factors[0].axes))
        )
        self.offsets[to], self.signs[to] = of, sign


def _others(start: Affine, loops: Mapping[str, int]) -> frozenset[tuple[str, int]]:
    return frozenset(each for each in start.terms if each[0] not in loops)


def _linear(access: Access, axes: Iterable[Axis], loops: Mapping[str, int]) -> tuple[int, dict[Letter, int]]:
    """The offset in the buffer: a number, and the stride of each axis and loop."""
    letters: tuple[Letter, ...] = (*axes, *loops)
    first, strides = 0, dict.fromkeys(letters, 0)
    for axis, stride in zip(axes, access.strides, strict=True):
        strides[axis] += _known(stride)
    for start, stride in zip(access.starts, access.type.strides, strict=True):
        first += start.constant * _known(stride) if start.constant else 0
        for name, factor in start.terms:
            if name in loops:
                strides[name] += factor * _known(stride)
    return first, strides


def _known(stride: int | None) -> int:
    if stride is None:
        raise NoContractionError("a stride is known only at run time")
    return stride


def _offsets(extents: Mapping[Letter, int], first: int, strides: Mapping[Letter, int]) -> Offsets:
    """The offsets of all positions, along the letters in order."""
    found: Offsets = np.full((), first)
    for letter, extent in extents.items():
        found = found[..., None] + strides.get(letter, 0) * np.arange(extent)
    return found


# -- the two products --------------------------------------------------------------------------------------------------


def _turn(plain: Contraction, turned: Contraction, made: _Copies) -> Sign:
    """1 if the left factor of `turned` is the imaginary unit times that of `plain`, -1 if it is that with its sign.

    Raises `NoContractionError` if it is neither, or if anything else is not the same.
    """
    rows, depths = _Positions(plain.rows), _Positions(plain.depths)
    its_rows, its_depths = _Positions(turned.rows), _Positions(turned.depths)
    pairs = (rows, its_rows), (depths, its_depths), (_Positions(plain.columns), _Positions(turned.columns))
    if not all(mine.are_elsewhere_as(its) for mine, its in pairs):
        raise NoContractionError("its products have several kinds of indices")
    if not rows.are_parts:
        raise NoContractionError("parts are not side by side")
    of = _start(plain.operands[0]) + rows.left[:, None] + depths.left
    copies = _start(turned.operands[0]) + its_rows.left[:, None] + its_depths.left
    part = (np.arange(len(rows.left)) % 2)[:, None]
    if copies.min() < 0 or copies.max() >= made.offsets.size or (made.offsets[copies] != of + 1 - 2 * part).any():
        raise NoContractionError("a temporary is not the imaginary unit times a factor")
    signs = made.signs[copies] * (2 * part - 1)
    if abs(signs.sum()) != signs.size:
        raise NoContractionError("a temporary is not the imaginary unit times a factor")
    return 1 if signs.flat[0] > 0 else -1


class _Positions:
    """The offsets of all positions of some indices, in the order of the target, or of the right factor."""

    def __init__(self, indices: Sequence[Index]) -> None:
        self._indices = sorted(indices, key=lambda each: (each.target, each.right), reverse=True)
        extents: dict[Letter, int] = {each.name: each.extent for each in self._indices}
        self.left, self._right, self._target = (
            _offsets(extents, 0, {each.name: stride(each) for each in self._indices}).ravel()
            for stride in (attrgetter("left"), attrgetter("right"), attrgetter("target"))
        )

    @property
    def are_parts(self) -> bool:
        """True if the fastest of them walks real and imaginary parts, which are neighbours in left and target."""
        last = self._indices[-1] if self._indices else Index("", 1, 0, 0, 0)
        return last.left == last.target == 1 and last.extent % 2 == 0

    def are_elsewhere_as(self, other: "_Positions") -> bool:
        """True if they are where the others are, but for the left factor."""
        return np.array_equal(self._right, other._right) and np.array_equal(self._target, other._target)


def _start(operand: Operand) -> int:
    """The offset of the first entry in the root, but for what depends on names."""
    starts = zip(operand.starts, operand.type.strides, strict=True)
    return sum(start.constant * _known(stride) for start, stride in starts if start.constant)


def _distance(plain: Contraction, turned: Contraction) -> int:
    """From the entries of the right factor that one product takes to those of the other one."""
    (_, one, target), (_, other, its_target) = plain.operands, turned.operands
    if (one.root, target) != (other.root, its_target):
        raise NoContractionError("its products have several operands")
    if [each.terms for each in one.starts] != [each.terms for each in other.starts]:
        raise NoContractionError("its products are not those of complex numbers")
    pairs = zip(one.starts, other.starts, one.type.strides, strict=True)
    moved = [(after.constant - before.constant) * _known(stride) for before, after, stride in pairs if before != after]
    if sum(moved) <= 0:
        raise NoContractionError("its products are not those of complex numbers")
    return sum(moved)


def _sign(one: tl.TypedScalar, other: tl.TypedScalar) -> Sign:
    """1 if the coefficients are the same, -1 if one is the other with its sign."""
    if one == other:
        return 1
    numbers = [each.value.value for each in (one, other) if isinstance(each.value, tl.FloatConstant)]
    if len(numbers) == 2 and numbers[0] == -numbers[1]:
        return -1
    raise NoContractionError("its products have several coefficients")
