"""The contraction graph's nodes: what is computed, as values that depend on values.

    graph       = { node }                        edges lead from a node to the nodes that it reads
    node        = leaf                            a tensor as it is before the kernel
                | slice                           a part of a value: fixed positions, ranges, diagonals
                | embedding                       a value as a part of a larger one that is zero elsewhere
                | gather { source } { integers }  entries of tensors at the places that integers say
                | contraction { operand }         the product of all operands, summed over the reduction indices
                | sum { operand }                 a term is broadcast over the indices that it lacks
                | scaling operand                 a coefficient times the operand
                | elementwise { operand }         a function of the operands' entries; a term is broadcast as in a sum
                | reduction operand               the largest or smallest entry over the reduction indices
                | scalar-term                     a coefficient that stands where a tensor could
                | assignment value [ previous ]   the tensor after a statement

A node knows its own iteration space and one index map per operand, so it can be read without its neighbours: names of
indices mean something inside one node only, and the modes of its result are its parallel indices in order. Equal values
are one node.

Assignments make versions: what reads a tensor after a statement depends on the assignment, what reads it before on the
leaf or on an earlier assignment. An assignment that leaves entries as they are depends on the version before as well.
"""

from dataclasses import field

from einsum_front.core.coefficient import Coefficient, scalars_of
from einsum_front.core.dataclass import dataclass
from einsum_front.core.diagnostics import Origin
from einsum_front.core.extent import Extent
from einsum_front.core.functions import Function
from einsum_front.ir.index import IndexMap, IterationSpace
from einsum_front.ir.tensor import Tensor


@dataclass(frozen=True, slots=True)
class Leaf:
    """A tensor as it is before the kernel; a temporary tensor is zero then."""

    tensor: Tensor
    origin: Origin = field(default=(), compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Along:
    """A mode walked by an index, from position `offset` on."""

    index: str
    offset: int = 0


@dataclass(frozen=True, slots=True)
class At:
    """A mode held at one position."""

    position: int


Part = Along | At


@dataclass(frozen=True, slots=True)
class Slice:
    """The entries of the operand that `parts` name, one part a mode; an index in two modes takes the diagonal."""

    space: IterationSpace
    parts: tuple[Part, ...]
    origin: Origin = field(default=(), compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Embedding:
    """A value of this shape that is the operand from the positions `offsets` on, and zero elsewhere.

    The space has an index for each mode of the operand, in order: the opposite of a slice.
    """

    space: IterationSpace
    offsets: tuple[int, ...]
    shape: tuple[Extent, ...]
    origin: Origin = field(default=(), compare=False, repr=False)

    @property
    def parts(self) -> tuple[Part, ...]:
        """The part of the result that the operand becomes."""
        return tuple(Along(name, offset) for name, offset in zip(self.space.result_map, self.offsets, strict=False))


@dataclass(frozen=True, slots=True)
class Entry:
    """The integer that says a place: an entry of the operand of this number, which has integers."""

    operand: int
    parts: tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class Gather:
    """Entries of a tensor where integers say; 0 where one of them is negative.

    The first `sources` operands are the tensor, or the family of which `member` chooses one; the others have the
    integers. A mode is walked by an index, all of it, held at a position, or at the place that an entry says.
    `element` says of which element of the batch the tensor is; without it, it is one's own. All operands are leaves.
    """

    space: IterationSpace
    sources: int
    parts: tuple[Part | Entry, ...]
    element: Entry | None = None
    member: Entry | None = None
    origin: Origin = field(default=(), compare=False, repr=False)

    @property
    def entries(self) -> tuple[Entry, ...]:
        """The integers: of the modes, the element and the member."""
        of_modes = [part for part in self.parts if isinstance(part, Entry)]
        return (*of_modes, *(each for each in (self.element, self.member) if each is not None))


@dataclass(frozen=True, slots=True)
class Contraction:
    """The product of the operands over the whole space, summed over the reduction indices; one map per operand."""

    space: IterationSpace
    maps: tuple[IndexMap, ...]
    origin: Origin = field(default=(), compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Sum:
    """The sum of the operands; one map per operand, which may lack indices of the space."""

    space: IterationSpace
    maps: tuple[IndexMap, ...]
    origin: Origin = field(default=(), compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Elementwise:
    """The function of the operands, entry by entry; one map per operand, which may lack indices of the space."""

    space: IterationSpace
    function: Function
    maps: tuple[IndexMap, ...]
    origin: Origin = field(default=(), compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Reduction:
    """The largest or the smallest entry (`function` is `MAX` or `MIN`) over the reduction indices of one operand."""

    space: IterationSpace
    function: Function
    maps: tuple[IndexMap, ...]
    origin: Origin = field(default=(), compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Scaling:
    """`coefficient` times the operand, whose modes are the parallel indices in order."""

    space: IterationSpace
    coefficient: Coefficient
    origin: Origin = field(default=(), compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class ScalarTerm:
    """A coefficient as a value of rank 0."""

    value: Coefficient
    origin: Origin = field(default=(), compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Assignment:
    """`tensor[parts] := value[map]`; the value is broadcast over indices that its map lacks.

    The space has the indices of the parts; the result is the whole tensor.
    """

    tensor: Tensor
    space: IterationSpace
    parts: tuple[Part, ...]
    map: IndexMap
    origin: Origin = field(default=(), compare=False, repr=False)


Node = (
    Leaf | Slice | Embedding | Gather | Contraction | Sum | Elementwise | Reduction | Scaling | ScalarTerm | Assignment
)

VALUE = 0
"""Position of the operand of an assignment that is assigned."""

PREVIOUS = 1
"""Position of the operand of an assignment whose other entries survive."""


def result_shape(node: Node) -> tuple[Extent, ...]:
    """The extents of the modes of a node's result."""
    match node:
        case Leaf(tensor=tensor) | Assignment(tensor=tensor):
            return tensor.shape
        case Slice(space=space) | Contraction(space=space) | Sum(space=space) | Scaling(space=space):
            return space.result_shape
        case Elementwise(space=space) | Reduction(space=space) | Gather(space=space):
            return space.result_shape
        case Embedding(shape=shape):
            return shape
        case ScalarTerm():
            return ()


def scalars(node: Node) -> tuple[str, ...]:
    """The scalar arguments that a node names."""
    match node:
        case Scaling(coefficient=coefficient) | ScalarTerm(value=coefficient):
            return scalars_of(coefficient)
        case (
            Leaf()
            | Slice()
            | Embedding()
            | Gather()
            | Contraction()
            | Sum()
            | Elementwise()
            | Reduction()
            | Assignment()
        ):
            return ()


def covers(parts: tuple[Part, ...], space: IterationSpace, shape: tuple[Extent, ...]) -> bool:
    """True if the parts name every entry of a tensor of this shape."""
    walked = [part.index for part in parts if isinstance(part, Along)]
    if len(set(walked)) < len(walked):
        return False
    return all(
        space.extents[part.index] == size if isinstance(part, Along) else size == 1
        for part, size in zip(parts, shape, strict=True)
    )


def is_part(first: int, extent: Extent, size: Extent) -> bool:
    """True if a mode of a size has so many positions from the first one on; of a dynamic mode there is no other part
    than all of it."""
    if isinstance(extent, int) and isinstance(size, int):
        return 0 <= first < first + extent <= size
    return first == 0 and extent == size
