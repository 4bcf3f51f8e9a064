"""A function that is one contraction of two tensors, however its loops and products are written.

    for %e = 0, 16 {                                        target[m, n, e] :=
      gemm … 1.0, %a[0], %b[0, e], 0.0, %c[e]                 sum over k, b: a[k, n, b] b[k, m, b, e]
      for %b = 1, 16 {
        gemm … 1.0, %a[b], %b[b, e], 1.0, %c[e]
      }
    }

Loops and the letters of the product are indices of the same kind. The first share of a sum often stands alone, since
beta belongs to it; together the shares must make every product once.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from math import prod
from typing import Literal

from einsum_front.core.dataclass import dataclass
from einsum_front.tl_backend import instructions as tl
from einsum_front.tl_backend.access import Affine, buffers
from einsum_front.tl_backend.analysis.products import (
    Factor,
    Found,
    NoContractionError,
    Product,
    ProductNest,
    Walked,
    find_products,
)
from einsum_front.tl_backend.program import Function
from einsum_front.tl_backend.semantics import Axis
from einsum_front.tl_backend.types import MemrefType, ScalarType


@dataclass(frozen=True, slots=True)
class Index:
    """An index of a contraction: its number of positions and its stride in each operand, 0 where it does not occur."""

    name: str
    extent: int
    left: int
    right: int
    target: int


@dataclass(frozen=True, slots=True)
class Operand:
    """A memref, and the position in each of its modes where the contraction starts."""

    root: tl.Local
    type: MemrefType
    starts: tuple[Affine, ...]


@dataclass(frozen=True, slots=True)
class Contraction:
    """`target := alpha sum(left right) + beta target` over boxes of indices, each without an order.

    `columns` are in right and target, `shared` in all three, `rows` are the others of the target, and `depths` are not
    in the target.
    `once` are the values that it needs; `products` are what it was written as. `product` is all of them as one product
    of matrices, whose letters are the names of several indices each.
    """

    once: tuple[tl.ValueInstruction, ...]
    products: tuple[ProductNest, ...]
    product: Product[Operand]
    rows: tuple[Index, ...]
    columns: tuple[Index, ...]
    depths: tuple[Index, ...]
    shared: tuple[Index, ...]
    turn: Literal[-1, 0, 1] = 0
    """Not 0 for complex numbers, whose parts are neighbours along the first row of left and target.

    The first depth then is 2 and walks the parts of the right factor. At its first position the left factor is itself;
    at its second one it is `turn` times the imaginary unit times itself.
    """

    @property
    def operands(self) -> tuple[Operand, ...]:
        """Left, right and target."""
        return tuple(each.view for each in self.product.operands)

    def letters(self, indices: Sequence[Index]) -> str:
        """The indices as the notation calls them, with `_` between several; nothing if one of them is not known."""
        return _letters(indices, self.products[0].product.letters)

    @property
    def element(self) -> ScalarType:
        """The type of all entries."""
        return self.product.target.view.type.element

    @property
    def multiplications(self) -> int:
        """How many there are."""
        return prod(map(size, (self.rows, self.columns, self.depths, self.shared)))


def size(indices: Sequence[Index]) -> int:
    """Positions in the box of the indices."""
    return prod(index.extent for index in indices)


def find_contraction(function: Function) -> Contraction:
    """The contraction that the function is; raises `NoContractionError` if it is none."""
    found = find_products(function)
    if not found.products:
        raise NoContractionError("it multiplies no matrices")
    *_, whole = found.products
    boxes = [_box(product, whole) for product in found.products]
    ranges = _union(boxes, whole)
    _check_coefficients(found.products)
    _check_memory(function, found.once, whole)
    return _contraction(found, ranges)


# -- the shares of the sum ---------------------------------------------------------------------------------------------

Box = Mapping[str, range]
"""The positions of every index."""


def _box(product: ProductNest, whole: ProductNest) -> Box:
    """The positions of each index of the whole that the product has; the same indices must walk the same modes."""
    box: dict[str, range] = {}
    for mine, its in zip(product.accesses, whole.accesses, strict=True):
        if mine.root.name != its.root.name or mine.letters != its.letters:
            raise NoContractionError("it has products of several kinds")
        for mode, loops in enumerate(its.loops):
            for name, positions in _positions(mine, its, mode, product.ranges, loops):
                if box.setdefault(name, positions) != positions:
                    raise NoContractionError("a sum is not over a box of indices")
    letters = (name for name in whole.ranges if name.startswith("."))
    return box | {name: product.ranges[name] for name in letters}


def _positions(
    mine: Walked, its: Walked, mode: int, ranges: Mapping[str, range], loops: tuple[str, ...]
) -> Iterator[tuple[str, range]]:
    """The positions of the loop that walks the mode: those of the product's own loop, or one."""
    start, other = mine.starts[mode], its.starts[mode]
    if len(loops) > 1 or len(mine.loops[mode]) > len(loops) or Affine(0, start.terms) != Affine(0, other.terms):
        raise NoContractionError("it has products of several kinds")
    if not loops or mine.loops[mode]:
        if start != other:
            raise NoContractionError("it has products of several kinds")
        yield from ((name, ranges[own]) for name, own in zip(loops, mine.loops[mode], strict=True))
    else:
        position = start.constant - other.constant
        yield loops[0], range(position, position + 1)


def _union(boxes: Sequence[Box], whole: ProductNest) -> Box:
    """The box that the boxes make up without overlapping, all of them with all positions of the target."""
    if any(box.keys() != whole.ranges.keys() for box in boxes):
        raise NoContractionError("a loop does the same again and again")
    union = {name: _hull([box[name] for box in boxes]) for name in whole.ranges}
    of_target = {name for walks in whole.target.walks for name in walks}
    is_disjoint = all(any(_are_disjoint(a[name], b[name]) for name in union) for a, b in combinations(boxes, 2))
    is_full = sum(_volume(box) for box in boxes) == _volume(union) > 0
    if not is_disjoint or not is_full or any(box[name] != union[name] for box in boxes for name in of_target):
        raise NoContractionError("a sum is not over a box of indices")
    return union


def _hull(ranges: Sequence[range]) -> range:
    return range(min(each.start for each in ranges), max(each.stop for each in ranges))


def _are_disjoint(a: range, b: range) -> bool:
    return a.stop <= b.start or b.stop <= a.start


def _volume(box: Box) -> int:
    return prod(map(len, box.values()))


# -- what else must hold -----------------------------------------------------------------------------------------------


def _check_coefficients(products: Sequence[ProductNest]) -> None:
    """One alpha for all, and the first share alone has a beta."""
    first, *others = (product.instruction for product in products)
    if first.atomic or any(other.atomic for other in others):
        raise NoContractionError("it updates memory atomically")
    if any(other.alpha != first.alpha or not other.beta.is_number(1) for other in others):
        raise NoContractionError("its products have several coefficients")


def _check_memory(function: Function, once: Sequence[tl.ValueInstruction], whole: ProductNest) -> None:
    """All of one floating type; nothing that is read may be written, and what is used must be known before."""
    if len({access.type.element for access in whole.accesses}) > 1 or not whole.target.type.element.is_floating:
        raise NoContractionError("it does not compute with one floating-point type")
    base = buffers(function)
    loaded = [each.operand for each in once if isinstance(each, tl.Load) and isinstance(each.type, MemrefType)]
    if base[whole.target.root.name] in {
        base[each.name] for each in (*(factor.view.root for factor in whole.product.factors), *loaded)
    }:
        raise NoContractionError("it reads what it writes")
    known = {argument.name.name for argument in function.arguments} | {each.result.name for each in once}
    used = {name for access in whole.accesses for start in access.starts for name in start.names}
    coefficients = (whole.instruction.alpha.value, whole.instruction.beta.value)
    used |= {each.name for each in coefficients if isinstance(each, tl.Local)}
    if not used <= known:
        raise NoContractionError("it depends on values that are computed in a loop")


# -- the contraction ---------------------------------------------------------------------------------------------------


def _contraction(found: Found, ranges: Box) -> Contraction:
    """The factor with the fastest index of the target is the left one, so that rows are neighbours in memory."""
    first, *_, whole = found.products[0], found.products[-1]
    left, right, target = (_Walk.of(access, ranges) for access in whole.accesses)
    fastest = min(target.strides, key=target.strides.__getitem__, default=None)
    if fastest is not None and fastest not in left.strides:
        left, right = right, left
    indices = tuple(
        Index(name, len(positions), *(walk.strides.get(name, 0) for walk in (left, right, target)))
        for name, positions in ranges.items()
        if len(positions) > 1
    )
    is_in = {index: (index.name in left.strides, index.name in right.strides) for index in indices}
    written = [index for index in indices if index.name in target.strides]
    rows = tuple(index for index in written if not is_in[index][1])
    columns = tuple(index for index in written if is_in[index] == (False, True))
    depths = tuple(index for index in indices if index not in written)
    letters = first.product.letters
    product = Product(
        Factor(target.operand, (Axis.M, Axis.N)),
        (Factor(left.operand, (Axis.M, Axis.K)), Factor(right.operand, (Axis.K, Axis.N))),
        first.instruction.alpha,
        first.instruction.beta,
        letters={
            axis: _letters(each, letters) for axis, each in zip(Axis, (rows, columns, depths), strict=True) if each
        },
    )
    shared = tuple(index for index in written if is_in[index] == (True, True))
    return Contraction(found.once, found.products, product, rows, columns, depths, shared)


def _letters(indices: Sequence[Index], letters: Mapping[Axis, str]) -> str:
    """The indices as the notation calls them, with `_` between several; nothing if one of them is not known."""
    known = {f".{axis.letter}": letter for axis, letter in letters.items()}
    names = [known.get(each.name, each.name) for each in indices]
    return "" if any(name.startswith(".") for name in names) else "_".join(names)


@dataclass(frozen=True, slots=True)
class _Walk:
    """An operand, and the stride of each index in it."""

    operand: Operand
    strides: Mapping[str, int]

    @staticmethod
    def of(access: Walked, ranges: Box) -> "_Walk":
        """The operand where all indices are at their first positions."""
        strides: dict[str, int] = {}
        starts = []
        for mode, (start, walks) in enumerate(zip(access.starts, access.walks, strict=True)):
            stride = access.type.strides[mode]
            if walks and stride is None:
                raise NoContractionError("a stride is known only at run time")
            for name in walks:
                strides[name] = strides.get(name, 0) + (stride or 0)
            first = sum(ranges[name].start for name in walks)
            starts.append(start + Affine(first))
        return _Walk(Operand(access.root, access.type, tuple(starts)), strides)
