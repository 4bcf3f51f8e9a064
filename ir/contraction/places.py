"""Where integers say that something is read or added: positions of a front end as parts of the graph."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from einsum_front.core.dataclass import dataclass
from einsum_front.core.diagnostics import Origin
from einsum_front.core.extent import Extent
from einsum_front.core.scattered import Said, Walked
from einsum_front.core.storage import ElementType, Storage
from einsum_front.ir.contraction import nodes as cg
from einsum_front.ir.contraction.graph import Graph
from einsum_front.ir.contraction.positions import Entry, Position
from einsum_front.ir.contraction.values import Value, column_major, extents_of, mistake, nested
from einsum_front.ir.index import Index, IterationSpace
from einsum_front.ir.tensor import Tensor

Accessed = Callable[[str, Sequence[Position]], tuple[IterationSpace, tuple[cg.Part, ...]]]
"""The indices of an access to a tensor, and the part of each of its modes."""


@dataclass(frozen=True, slots=True)
class Placed:
    """The parts of a tensor's modes, and the tensors of the integers that some are; entries count these from `first`.

    The indices that walk the tensor itself come before those that walk integers.
    """

    space: IterationSpace
    parts: tuple[cg.Part | cg.Entry, ...]
    element: cg.Entry | None
    member: cg.Entry | None
    integers: tuple[str, ...]
    first: int

    def places(self) -> tuple[Walked | int | Said, ...]:
        """The parts with the names of tensors."""
        return tuple(self.said(part) if isinstance(part, cg.Entry) else _place(part) for part in self.parts)

    def said(self, entry: cg.Entry) -> Said:
        """The entry with the name of its tensor."""
        return Said(self.integers[entry.operand - self.first], tuple(map(_place, entry.parts)))


def placed(
    access: Accessed,
    tensors: Mapping[str, Tensor],
    name: str,
    positions: Sequence[Position | Entry],
    saying: tuple[Entry | None, Entry | None],
    first: int,
    origin: Origin,
) -> Placed:
    """The places of a tensor of this name; `saying` are the entries that say an element and a member."""
    found: list[Index] = []
    integers: list[str] = []

    def entry(said: Entry) -> cg.Entry:
        space, parts = access(said.tensor, said.positions)
        stored = tensors[said.tensor]
        if not (stored.memory or stored.element_type).says_places:
            raise mistake("E0150", f"`{said.tensor}` lies in no memory of `i32` or `i64`", origin)
        found.extend(space.parallel)
        integers.append(said.tensor)
        return cg.Entry(first + len(integers) - 1, parts)

    said = {f"(place {mode})" for mode, each in enumerate(positions) if isinstance(each, Entry)}
    plain = [f"(place {mode})" if isinstance(each, Entry) else each for mode, each in enumerate(positions)]
    space, own = access(name, plain)
    found.extend(index for index in space.parallel if index.name not in said)
    parts = tuple(entry(each) if isinstance(each, Entry) else part for each, part in zip(positions, own, strict=True))
    element, member = (None if each is None else entry(each) for each in saying)
    extents = extents_of(found, origin)
    space = IterationSpace(tuple(Index(*each) for each in extents.items()))
    return Placed(space, parts, element, member, tuple(integers), first)


def check_added(target: Tensor, found: Placed, value: Value, origin: Origin, *, is_atomic: bool) -> None:
    """Raises `CompileError` if a value cannot be added to a tensor at places that integers say."""
    missing = [index.name for index in value.indices if index.name not in found.space.extents]
    if missing:
        message = f"the value has index `{missing[0]}`, which `{target.name}` is not added to along"
        raise mistake("E0153", message, origin)
    if not found.integers or target.storage not in (Storage.BATCHED, Storage.CONSTANT):
        raise mistake("E0154", f"`{target.name}` is no argument to which integers say where to add", origin)
    if target.values is not None or target.nonzeros is not None:
        raise mistake("E0154", f"`{target.name}` has entries that are known", origin)
    if target.memory is not None and (is_atomic or target.memory.is_integer):
        raise mistake("E0154", f"`{target.name}` is stored in another type", origin)


def parts_of(name: str, element_type: ElementType, shape: tuple[Extent, ...], origin: Origin) -> Tensor:
    """The tensor of what each element adds, which belongs to the kernel."""
    strides = column_major(shape, Storage.BATCHED)
    tensor = Tensor(name, element_type, Storage.BATCHED, shape, strides, origin=origin)
    return replace(tensor, strides=nested(tensor))


def check_alone(graph: Graph) -> None:
    """Raises `CompileError` (E0247) if a tensor that is added to where integers say is for something else, too."""
    for scatter in graph.scatters:
        key = graph.leaves[scatter.target]
        if graph.users(key) or scatter.target in graph.versions:
            message = f"`{scatter.target}` is added to where integers say, and read or assigned"
            raise mistake("E0247", message, scatter.origin)


def _place(part: cg.Part) -> Walked | int:
    return part.position if isinstance(part, cg.At) else Walked(part.index, part.offset)
