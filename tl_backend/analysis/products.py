"""The products of a function that does nothing else: each with the loops around it and where its operands are."""

from collections.abc import Callable, Mapping
from dataclasses import field
from typing import Generic, TypeVar

from einsum_front.core.dataclass import dataclass
from einsum_front.tl_backend import instructions as tl
from einsum_front.tl_backend.access import Accesses, Affine, whole
from einsum_front.tl_backend.program import Function
from einsum_front.tl_backend.semantics import Axis, AxisMap, index_maps, letters_of, result_type, sizes
from einsum_front.tl_backend.types import MemrefType

# -- the one form of a product, whatever is known of its operands ------------------------------------------------------
#     target := alpha * sum over the reduction axes of the product of the factors + beta * target
#
# `product_form` makes it of an instruction, with the operands as they are written. What else is asked of a product is
# derived from that by `Product.seen`: where its operands are in C (`schedules.lowering.product`), which positions of
# their memory they have (`schedules.positions.product`), and which indices of loops walk them (`analysis.products`).

View = TypeVar("View")
Other = TypeVar("Other")


@dataclass(frozen=True, slots=True)
class Factor(Generic[View]):
    """A view, and the axis that each of its modes runs along."""

    view: View
    axes: AxisMap


@dataclass(frozen=True, slots=True)
class Product(Generic[View]):
    """A product of factors, added up over the axes that the target does not have.

    `letters` are the indices of the notation.
    """

    target: Factor[View]
    factors: tuple[Factor[View], ...]
    alpha: tl.TypedScalar
    beta: tl.TypedScalar
    is_atomic: bool = False
    letters: Mapping[Axis, str] = field(default_factory=dict, compare=False, repr=False)

    @property
    def operands(self) -> tuple[Factor[View], ...]:
        """The factors, then the target."""
        return *self.factors, self.target

    @property
    def is_sum(self) -> bool:
        """True if there is something to sum over."""
        return any(Axis.K in factor.axes for factor in self.factors)

    def seen(self, view: Callable[[Factor[View]], Other]) -> "Product[Other]":
        """The same with other views of its operands."""
        *factors, target = (Factor(view(each), each.axes) for each in self.operands)
        return Product(target, tuple(factors), self.alpha, self.beta, self.is_atomic, self.letters)


def product_form(instruction: tl.Collective) -> Product[tl.TypedMemref]:
    """The form of an instruction, with its operands as they are written."""
    maps = index_maps(instruction)
    return Product(
        Factor(instruction.target, maps.target),
        tuple(map(Factor, instruction.inputs, maps.inputs)),
        instruction.alpha,
        instruction.beta,
        instruction.atomic,
        letters_of(instruction),
    )


class NoContractionError(Exception):
    """The function is not one contraction; the message says why, as the end of a sentence."""


Multiplication = tl.Gemm | tl.Gemv | tl.Ger
"""Instructions with two factors."""


@dataclass(frozen=True, slots=True)
class Walked:
    """An operand of a product: for every mode of its root where it starts and which indices walk it."""

    root: tl.Local
    type: MemrefType
    starts: tuple[Affine, ...]
    walks: tuple[tuple[str, ...], ...]

    @property
    def loops(self) -> tuple[tuple[str, ...], ...]:
        """Of the indices that walk each mode, the variables of loops."""
        return tuple(tuple(name for name in walks if not name.startswith(".")) for walks in self.walks)

    @property
    def letters(self) -> tuple[tuple[str, ...], ...]:
        """Of the indices that walk each mode, those of the instruction."""
        return tuple(tuple(name for name in walks if name.startswith(".")) for walks in self.walks)


@dataclass(frozen=True, slots=True)
class ProductNest:
    """`target := alpha left right + beta target` for every iteration of the loops, whose variables are indices.

    `ranges` has the positions of every index: the variables of loops, and `.m`, `.n`, `.k` of the instruction, which
    are the letters of the axes with a dot, because a variable may be called `m`.
    """

    instruction: Multiplication
    ranges: Mapping[str, range]
    product: Product[Walked]

    @property
    def target(self) -> Walked:
        """What is written."""
        return self.product.target.view

    @property
    def accesses(self) -> tuple[Walked, ...]:
        """All operands: left, right, target."""
        return tuple(each.view for each in self.product.operands)


@dataclass(frozen=True, slots=True)
class Found:
    """Contents of a function: instructions that run once, and products."""

    once: tuple[tl.ValueInstruction, ...]
    products: tuple[ProductNest, ...]


def find_products(function: Function) -> Found:
    """The products of a function; raises `NoContractionError` if anything else has an effect."""
    finder = _Finder()
    for argument in function.arguments:
        if isinstance(argument.type, MemrefType):
            finder.accesses.memrefs[argument.name.name] = whole(argument.name.name, argument.type)
    finder.region(function.body, {})
    return Found(tuple(finder.once), tuple(finder.products))


@dataclass(slots=True)
class _Finder:
    """Where memrefs are, sums that are known, and what was found so far."""

    accesses: Accesses = field(default_factory=Accesses)
    once: list[tl.ValueInstruction] = field(default_factory=list)
    products: list[ProductNest] = field(default_factory=list)

    def region(self, region: tl.Region, loops: Mapping[str, range]) -> None:
        """Take in the instructions of a region inside the loops."""
        for instruction in region:
            self._instruction(instruction, loops)

    def _instruction(self, instruction: tl.Instruction, loops: Mapping[str, range]) -> None:
        match instruction:
            case tl.Gemm() | tl.Gemv() | tl.Ger():
                self.products.append(self._product(instruction, loops))
            case tl.For():
                self.region(instruction.body, {**loops, instruction.variable.name: _range(instruction)})
            case (
                tl.ArithBinary() | tl.ArithUnary() | tl.Cast() | tl.Compare() | tl.Expand() | tl.Fuse() | tl.GroupId()
                | tl.GroupSize() | tl.Load() | tl.MathCall() | tl.Size() | tl.Subview()
            ):  # fmt: skip
                self._value(instruction, loops)
            case tl.Barrier() | tl.LifetimeStop():
                pass
            case tl.Alloca():
                raise NoContractionError("there are temporaries")
            case tl.Collective() | tl.Foreach() | tl.If() | tl.Store() | tl.Yield():
                raise NoContractionError("it does more than multiply matrices")

    def _value(self, instruction: tl.ValueInstruction, loops: Mapping[str, range]) -> None:
        if not loops:
            self.once.append(instruction)
        match instruction:
            case tl.Fuse() | tl.Subview() if instruction.operand.name in self.accesses.memrefs:
                self.accesses.note(instruction)
            case tl.ArithBinary():
                self.accesses.note(instruction)
            case tl.Expand() | tl.Load() if not loops:
                type_ = result_type(instruction)
                if isinstance(type_, MemrefType):
                    self.accesses.memrefs[instruction.result.name] = whole(instruction.result.name, type_)

    def _product(self, instruction: Multiplication, loops: Mapping[str, range]) -> ProductNest:
        ranges = dict(loops)
        for axis, size in sizes(instruction).items():
            if size is None:
                raise NoContractionError("a size is known only at run time")
            ranges[f".{axis.letter}"] = range(size)
        return ProductNest(instruction, ranges, product_form(instruction).seen(lambda each: self._access(each, loops)))

    def _access(self, factor: Factor[tl.TypedMemref], loops: Mapping[str, range]) -> Walked:
        """The operand, of which each mode is walked by an axis, seen from its root."""
        name = factor.view.value.name
        access = self.accesses.memrefs.get(name)
        if access is None:
            raise NoContractionError(f"`%{name}` is made in a loop")
        walks = [_walks(start, loops) for start in access.starts]
        for axis, mode in zip(factor.axes, access.modes, strict=True):
            walks[mode.of].append(f".{axis.letter}")
        starts = (
            Affine(start.constant, tuple((name, factor) for name, factor in start.terms if name not in loops))
            for start in access.starts
        )
        return Walked(tl.Local(access.buffer), access.type, tuple(starts), tuple(map(tuple, walks)))


def _walks(start: Affine, loops: Mapping[str, range]) -> list[str]:
    """The loops that walk a mode."""
    if any(factor != 1 for name, factor in start.terms if name in loops):
        raise NoContractionError("a loop leaves out positions")
    return [name for name in start.names if name in loops]


def _range(loop: tl.For) -> range:
    bounds = loop.start, loop.stop, loop.step
    constants = tuple(bound.value for bound in bounds if isinstance(bound, tl.IntegerConstant))
    if len(constants) < len(bounds):
        raise NoContractionError("the bounds of a loop are known only at run time")
    start, stop, step = constants
    if step != 1:
        raise NoContractionError("a loop leaves out positions")
    return range(start, max(start, stop))
