"""Which entries of which memory each memref is, when all sizes are known and indices count loops.

A *base* is the memory of an `alloca`, or of an argument: of one element if the argument is one for each element of the
batch. An entry of a memref lies `offset + sum of index * stride` positions behind the first entry of its base.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import product

from einsum_front.tl_backend.instructions import (
    Alloca,
    ArithBinary,
    ArithUnary,
    Barrier,
    BinaryOperator,
    Cast,
    Collective,
    Compare,
    Expand,
    For,
    Foreach,
    Fuse,
    GroupId,
    GroupSize,
    If,
    IndexOperand,
    Instruction,
    IntegerConstant,
    LifetimeStop,
    Load,
    Local,
    Operand,
    Position,
    Region,
    Size,
    Slice,
    Store,
    Subview,
    Yield,
)
from einsum_front.tl_backend.program import Function
from einsum_front.tl_backend.result_types import expand_type, fuse_type
from einsum_front.tl_backend.types import Extent, GroupType, MemrefType, ScalarType


class UnsuitableError(Exception):
    """The function cannot be run with an element in each lane; the text says why."""


Terms = tuple[tuple[str, int], ...]
"""Loop variables, each with its factor."""


@dataclass(frozen=True, slots=True)
class Affine:
    """`constant` plus a multiple of each of some loop variables."""

    constant: int
    terms: Terms = ()

    def __add__(self, other: "Affine") -> "Affine":
        """The sum."""
        factors = dict(self.terms)
        for variable, factor in other.terms:
            factors[variable] = factors.get(variable, 0) + factor
        terms = tuple((variable, factor) for variable, factor in factors.items() if factor)
        return Affine(self.constant + other.constant, terms)

    def times(self, factor: int) -> "Affine":
        """The product with a number."""
        terms = tuple((variable, each * factor) for variable, each in self.terms if factor)
        return Affine(self.constant * factor, terms)


@dataclass(frozen=True, slots=True)
class Place:
    """Where the entries of a memref are in the memory of its base."""

    base: str
    offset: Affine
    shape: tuple[int, ...]
    strides: tuple[int, ...]

    def at(self, indices: tuple[Affine, ...]) -> Affine:
        """The position of an entry in the base."""
        position = self.offset
        for index, stride in zip(indices, self.strides, strict=True):
            position += index.times(stride)
        return position


@dataclass(frozen=True, slots=True)
class Places:
    """What the names of a function stand for.

    `memrefs` has a place for every memref of one element, `indices` the values of type `index`, `loops` the range of
    every loop variable. `batch_modes` says for the arguments that are one for each element which of their modes counts
    the elements (None for a group).
    """

    memrefs: dict[str, Place] = field(default_factory=dict)
    indices: dict[str, Affine] = field(default_factory=dict)
    loops: dict[str, range] = field(default_factory=dict)
    batch_modes: dict[str, int | None] = field(default_factory=dict)
    batches: dict[str, MemrefType | GroupType] = field(default_factory=dict)
    group_ids: set[str] = field(default_factory=set)

    def index(self, operand: Operand) -> Affine:
        """An index in terms of loop variables."""
        match operand:
            case IntegerConstant(value=value):
                return Affine(value)
            case Local(name=name) if name in self.indices:
                return self.indices[name]
            case Local(name=name) if name in self.group_ids:
                raise UnsuitableError(f"`%{name}`, the number of the work-group, is used for more than taking elements")
            case _:
                raise UnsuitableError("an index is not known when compiling")

    def place(self, operand: Local) -> Place:
        """Where a memref is."""
        if operand.name not in self.memrefs:
            raise UnsuitableError(f"`%{operand.name}` has sizes that are known only at run time")
        return self.memrefs[operand.name]

    def values(self, affine: Affine) -> Iterator[int]:
        """Every value that it takes while the loops run."""
        for point in product(*(self.loops[variable] for variable, _ in affine.terms)):
            steps = zip(point, affine.terms, strict=True)
            yield affine.constant + sum(value * factor for value, (_, factor) in steps)


def find_places(function: Function) -> Places:
    """The places of all memrefs; raises `UnsuitableError` where one depends on more than loops."""
    places = Places()
    for argument in function.arguments:
        name = argument.name.name
        match argument.type:
            case MemrefType() as memref if None not in memref.shape and not _is_taken_apart(name, function):
                places.memrefs[name] = _whole(name, memref)
            case MemrefType() | GroupType() as batch:
                places.batches[name] = batch
            case ScalarType():
                pass
    _region(function.body, places)
    return places


def _is_taken_apart(name: str, function: Function) -> bool:
    """Whether a memref of known sizes has a mode for the batch."""
    group_ids = {each.result for each in function.body if isinstance(each, GroupId)}
    return any(
        isinstance(each, Subview)
        and each.operand.name == name
        and any(isinstance(part, Position) and part.index in group_ids for part in each.slices)
        for each in function.body
    )


def _whole(base: str, memref: MemrefType) -> Place:
    return Place(base, Affine(0), _known(memref.shape, base), _known(memref.strides, base))


def _known(extents: tuple[Extent, ...], name: str) -> tuple[int, ...]:
    known = tuple(extent for extent in extents if extent is not None)
    if len(known) < len(extents):
        raise UnsuitableError(f"`%{name}` has sizes or strides that are known only at run time")
    return known


def _region(region: Region, places: Places) -> None:
    for instruction in region:
        _instruction(instruction, places)


def _instruction(instruction: Instruction, places: Places) -> None:
    match instruction:
        case Alloca(result=result, type=memref):
            places.memrefs[result.name] = _whole(result.name, memref)
        case GroupId(result=result):
            places.group_ids.add(result.name)
        case Subview(result=result):
            places.memrefs[result.name] = _subview(instruction, places)
        case Fuse(result=result, operand=operand, first=first, last=last):
            places.memrefs[result.name] = _view(result, operand, lambda type_: fuse_type(type_, first, last), places)
        case Expand(result=result, operand=operand, mode=mode, shape=shape):
            places.memrefs[result.name] = _view(result, operand, lambda type_: expand_type(type_, mode, shape), places)
        case Load(result=result, type=GroupType()):
            places.memrefs[result.name] = _item(instruction, places)
        case Size(result=result, operand=operand, mode=mode):
            places.indices[result.name] = Affine(places.place(operand).shape[mode])
        case ArithBinary(type=type_) if type_ is ScalarType.INDEX:
            _arithmetic(instruction, places)
        case For(variable=variable, start=start, stop=stop, step=step, body=body):
            _loop(variable, (start, stop, step), body, places)
        case Foreach(variable=variable, start=start, stop=stop, body=body):
            _loop(variable, (start, stop, IntegerConstant(1)), body, places)
        case If(then=then, otherwise=otherwise):
            _region(then, places)
            _region(otherwise or (), places)
        case (
            ArithBinary() | ArithUnary() | Cast() | Compare() | GroupSize() | Load() | Collective() | Store() | Yield()
            | Barrier() | LifetimeStop()
        ):  # fmt: skip
            pass


def _arithmetic(instruction: ArithBinary, places: Places) -> None:
    """Sums, differences and multiples stay known; what else an index is made of, no memref may depend on."""
    if any(isinstance(operand, Local) and operand.name not in places.indices for operand in _operands(instruction)):
        return
    left, right = map(places.index, _operands(instruction))
    match instruction.operator:
        case BinaryOperator.ADD:
            places.indices[instruction.result.name] = left + right
        case BinaryOperator.SUB:
            places.indices[instruction.result.name] = left + right.times(-1)
        case BinaryOperator.MUL if not right.terms:
            places.indices[instruction.result.name] = left.times(right.constant)
        case BinaryOperator.MUL if not left.terms:
            places.indices[instruction.result.name] = right.times(left.constant)
        case _:
            pass


def _operands(instruction: ArithBinary) -> tuple[Operand, Operand]:
    return instruction.left, instruction.right


def _loop(variable: Local, bounds: tuple[Operand, Operand, Operand], body: Region, places: Places) -> None:
    known = [places.index(bound) for bound in bounds]
    if any(bound.terms for bound in known):
        raise UnsuitableError(f"the bounds of the loop over `%{variable.name}` are not constant")
    places.loops[variable.name] = range(*(bound.constant for bound in known))
    places.indices[variable.name] = Affine(0, ((variable.name, 1),))
    _region(body, places)


# -- views -------------------------------------------------------------------------------------------------------------


def _view(result: Local, operand: Local, retype: Callable[[MemrefType], MemrefType], places: Places) -> Place:
    """The same entries, with other modes."""
    place = places.place(operand)
    retyped = retype(MemrefType(ScalarType.F64, place.shape, place.strides))
    return Place(place.base, place.offset, _known(retyped.shape, result.name), _known(retyped.strides, result.name))


def _subview(instruction: Subview, places: Places) -> Place:
    name = instruction.operand.name
    if name not in places.batches:
        return _sliced(places.place(instruction.operand), instruction.slices, places)
    mode = _batch_mode(name, instruction, places)
    places.batch_modes[name] = mode
    slices = (*instruction.slices[:mode], *instruction.slices[mode + 1 :])
    return _sliced(_whole(name, element_type(places.batches[name], mode)), slices, places)


def element_type(batch: MemrefType | GroupType, batch_mode: int | None) -> MemrefType:
    """The memref of one element of the batch."""
    if isinstance(batch, GroupType):
        return batch.memref
    shape, strides = (
        tuple(extent for mode, extent in enumerate(of) if mode != batch_mode) for of in (batch.shape, batch.strides)
    )
    return MemrefType(batch.element, shape, strides)


def _batch_mode(name: str, instruction: Subview, places: Places) -> int:
    """The mode that stands at the number of the work-group: one, and always the same."""
    modes = [mode for mode, part in enumerate(instruction.slices) if _is_group_id(part, places)]
    if len(modes) != 1 or places.batch_modes.get(name, modes[0]) != modes[0]:
        raise UnsuitableError(f"`%{name}` is not taken apart by the number of the work-group alone")
    return modes[0]


def _is_group_id(part: Position | Slice, places: Places) -> bool:
    return isinstance(part, Position) and isinstance(part.index, Local) and part.index.name in places.group_ids


def _sliced(place: Place, slices: tuple[Position | Slice, ...], places: Places) -> Place:
    starts = tuple(places.index(part.index if isinstance(part, Position) else part.offset) for part in slices)
    kept = [
        (_size(part, start, size, places), stride)
        for part, start, size, stride in zip(slices, starts, place.shape, place.strides, strict=True)
        if isinstance(part, Slice)
    ]
    return Place(place.base, place.at(starts), tuple(size for size, _ in kept), tuple(stride for _, stride in kept))


def _size(part: Slice, start: Affine, size: int, places: Places) -> int:
    """A slice to the end of its mode has a size of its own only if it starts at a known position."""
    wanted = places.index(part.size) if part.size is not None else Affine(size) + start.times(-1)
    if wanted.terms:
        raise UnsuitableError("the size of a slice changes from iteration to iteration")
    return wanted.constant


def _item(instruction: Load, places: Places) -> Place:
    """The memref of a group that belongs to the element."""
    name, group = instruction.operand.name, places.batches[instruction.operand.name]
    index: IndexOperand = instruction.indices[0]
    if not (isinstance(index, Local) and index.name in places.group_ids) or not isinstance(group, GroupType):
        raise UnsuitableError(f"`%{name}` is not taken apart by the number of the work-group alone")
    places.batch_modes[name] = None
    return _whole(name, group.memref)
