"""Which entries of which memory each memref is, when all sizes are known and indices count loops.

A *base* is the memory of an `alloca`, or of an argument: of one element if the argument is one for each element of the
batch. An entry of a memref lies `offset + sum of index * stride` positions behind the first entry of its base.
"""

from collections.abc import Iterator
from dataclasses import field
from itertools import product

from einsum_front.core.dataclass import dataclass
from einsum_front.tl_backend import instructions as tl
from einsum_front.tl_backend.access import Accesses, Affine, value_of
from einsum_front.tl_backend.program import Function
from einsum_front.tl_backend.types import Extent, GroupType, MemrefType, ScalarType


class UnsuitableError(Exception):
    """The function cannot be run with an element in each lane; the text says why."""


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
    """Meanings of the names of a function.

    `memrefs` has a place for every memref of one element, `loops` the range of every loop variable. `batch_modes` says
    for the arguments that are one for each element which of their modes counts the elements (None for a group).
    """

    accesses: Accesses
    memrefs: dict[str, Place] = field(default_factory=dict)
    loops: dict[str, range] = field(default_factory=dict)
    batch_modes: dict[str, int | None] = field(default_factory=dict)
    batches: dict[str, MemrefType | GroupType] = field(default_factory=dict)
    group_ids: set[str] = field(default_factory=set)

    def index(self, operand: tl.Operand) -> Affine:
        """An index in terms of loop variables."""
        return self.known(value_of(operand, self.accesses.values))

    def known(self, position: Affine) -> Affine:
        """The position, which depends on nothing but loop variables."""
        unknown = [name for name in position.names if name not in self.loops]
        taken = next((name for name in unknown if name in self.group_ids), None)
        if taken is not None:
            raise UnsuitableError(f"`%{taken}`, the number of the work-group, is used for more than taking elements")
        if unknown:
            raise UnsuitableError("an index is not known when compiling")
        return position

    def place(self, operand: tl.Local) -> Place:
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
    places = Places(Accesses.of_arguments(function))
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
    """True if a memref of known sizes has a mode for the batch."""
    group_ids = {each.result for each in function.body if isinstance(each, tl.GroupId)}
    return any(
        isinstance(each, tl.Subview)
        and each.operand.name == name
        and any(isinstance(part, tl.Position) and part.index in group_ids for part in each.slices)
        for each in function.body
    )


def _whole(base: str, memref: MemrefType) -> Place:
    return Place(base, Affine(0), _known(memref.shape, base), _known(memref.strides, base))


def _known(extents: tuple[Extent, ...], name: str) -> tuple[int, ...]:
    known = tuple(extent for extent in extents if extent is not None)
    if len(known) < len(extents):
        raise UnsuitableError(f"`%{name}` has sizes or strides that are known only at run time")
    return known


def _region(region: tl.Region, places: Places) -> None:
    for instruction in region:
        _instruction(instruction, places)


def _instruction(instruction: tl.Instruction, places: Places) -> None:
    if isinstance(instruction, tl.Size):
        places.place(instruction.operand)
    places.accesses.note(instruction)
    match instruction:
        case tl.Alloca(result=result, type=memref):
            places.memrefs[result.name] = _whole(result.name, memref)
        case tl.GroupId(result=result):
            places.group_ids.add(result.name)
        case tl.Subview(result=result, operand=operand):
            if operand.name in places.batches:
                mode = places.batch_modes[operand.name] = _batch_mode(operand.name, instruction, places)
                _whole(operand.name, element_type(places.batches[operand.name], mode))
            places.memrefs[result.name] = _place(result, instruction, places)
        case tl.Fuse(result=result, operand=operand) | tl.Expand(result=result, operand=operand):
            places.place(operand)
            places.memrefs[result.name] = _place(result, instruction, places)
        case tl.Load(result=result, type=GroupType()):
            places.memrefs[result.name] = _item(instruction, places)
        case tl.For(variable=variable, start=start, stop=stop, step=step, body=body):
            _loop(variable, (start, stop, step), body, places)
        case tl.Foreach(variable=variable, start=start, stop=stop, body=body):
            _loop(variable, (start, stop, tl.IntegerConstant(1)), body, places)
        case tl.If(then=then, otherwise=otherwise):
            _region(then, places)
            _region(otherwise or (), places)
        case (
            tl.ArithBinary() | tl.ArithUnary() | tl.Cast() | tl.Compare() | tl.GroupSize() | tl.Load() | tl.Size()
            | tl.Collective() | tl.Store() | tl.MathCall() | tl.Yield() | tl.Barrier() | tl.LifetimeStop()
        ):  # fmt: skip
            pass


def _loop(
    variable: tl.Local, bounds: tuple[tl.Operand, tl.Operand, tl.Operand], body: tl.Region, places: Places
) -> None:
    known = [places.index(bound) for bound in bounds]
    if any(bound.terms for bound in known):
        raise UnsuitableError(f"the bounds of the loop over `%{variable.name}` are not constant")
    places.loops[variable.name] = range(*(bound.constant for bound in known))
    _region(body, places)


# -- views -------------------------------------------------------------------------------------------------------------


def _place(result: tl.Local, view: tl.Subview | tl.Fuse | tl.Expand, places: Places) -> Place:
    """Where a view is in the memory of one element."""
    access = places.accesses.memrefs[result.name]
    if isinstance(view, tl.Subview):
        for part in view.slices:
            if not _is_group_id(part, places):
                places.index(part.index if isinstance(part, tl.Position) else part.offset)
            if isinstance(part, tl.Slice) and part.size is not None:
                _check_size(places.index(part.size))
        if None in access.shape:
            raise UnsuitableError("the size of a slice changes from iteration to iteration")
    offset = access.offset(without=places.batch_modes.get(access.buffer))
    if offset is None:
        raise UnsuitableError(f"`%{result.name}` has sizes or strides that are known only at run time")
    shape, strides = _known(access.shape, result.name), _known(access.strides, result.name)
    return Place(access.buffer, places.known(offset), shape, strides)


def _check_size(size: Affine) -> None:
    if size.terms:
        raise UnsuitableError("the size of a slice changes from iteration to iteration")


def element_type(batch: MemrefType | GroupType, batch_mode: int | None) -> MemrefType:
    """The memref of one element of the batch."""
    if isinstance(batch, GroupType):
        return batch.memref
    shape, strides = (
        tuple(extent for mode, extent in enumerate(of) if mode != batch_mode) for of in (batch.shape, batch.strides)
    )
    return MemrefType(batch.element, shape, strides)


def _batch_mode(name: str, instruction: tl.Subview, places: Places) -> int:
    """The mode that stands at the number of the work-group: one, and always the same."""
    modes = [mode for mode, part in enumerate(instruction.slices) if _is_group_id(part, places)]
    if len(modes) != 1 or places.batch_modes.get(name, modes[0]) != modes[0]:
        raise UnsuitableError(f"`%{name}` is not indexed by the group id alone")
    return modes[0]


def _is_group_id(part: tl.Position | tl.Slice, places: Places) -> bool:
    return isinstance(part, tl.Position) and isinstance(part.index, tl.Local) and part.index.name in places.group_ids


def _item(instruction: tl.Load, places: Places) -> Place:
    """The memref of a group that belongs to the element."""
    name, group = instruction.operand.name, places.batches[instruction.operand.name]
    index: tl.IndexOperand = instruction.indices[0]
    if not (isinstance(index, tl.Local) and index.name in places.group_ids) or not isinstance(group, GroupType):
        raise UnsuitableError(f"`%{name}` is not indexed by the group id alone")
    places.batch_modes[name] = None
    return _whole(name, group.memref)
