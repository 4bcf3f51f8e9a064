"""The plan of a kernel: steps on views of buffers, in order, with what they cost and what was rejected.

    plan   = { buffer } { step } { decision }
    buffer = tensor, first and last step that use it
    step   = target "=" alpha * product { operand } + beta * target      over an iteration space
           | target "=" alpha * payload { operand } + beta * target      max or min over the reduction indices
           | target "=" gather                                           entries of arguments where integers say
           | scatter target                                              added to entries of an argument, atomically
    view   = buffer { index + offset | position }                        one part for each mode of the buffer

A step has no operand (fill), one (copy, broadcast, sum), two (product with or without reduction), or a payload for any
number of them. Its space is cut to the box that holds the entries that matter; offsets of views lead there.
"""

from dataclasses import field
from enum import Enum

from einsum_front.core.coefficient import Coefficient
from einsum_front.core.dataclass import dataclass
from einsum_front.core.diagnostics import Origin
from einsum_front.core.extent import Extent, Size, sizes_in
from einsum_front.core.functions import Function
from einsum_front.core.machine import Machine
from einsum_front.core.payload import Payload
from einsum_front.core.scattered import Scatter
from einsum_front.core.storage import Storage
from einsum_front.ir.contraction import nodes as cg
from einsum_front.ir.contraction.graph import Rewriting
from einsum_front.ir.index import IndexMap, IterationSpace
from einsum_front.ir.plan.order import Order, Ranking
from einsum_front.ir.plan.subsets import Problem
from einsum_front.ir.tensor import Scalar, Tensor

# -- costs of a step: operations on nonzero entries, operations on boxes, bytes ----------------------------------------


@dataclass(frozen=True, slots=True)
class Cost:
    """`operations` are on entries that are not zero: a product followed by a sum over P combinations of positions that
    leaves R entries takes 2 P - R, a sum of terms as many as entries meet others, a scaling one an entry unless the
    factor is 1 or -1, a copy none. `executed` are those on the boxes around the entries, which a dense kernel does.
    `read` and `written` are bytes of the boxes.
    """

    operations: Extent = 0
    executed: Extent = 0
    read: Extent = 0
    written: Extent = 0

    @property
    def bytes(self) -> Extent:
        """Bytes that are moved, read and written ones together."""
        return self.read + self.written

    def __add__(self, other: "Cost") -> "Cost":
        return Cost(
            self.operations + other.operations,
            self.executed + other.executed,
            self.read + other.read,
            self.written + other.written,
        )


EntryPayload = Payload[Coefficient]
"""What a step does with one entry of each operand."""


@dataclass(frozen=True, slots=True)
class View:
    """A part of a buffer; parts stand in the mode order of the tensor, whatever its order in memory."""

    buffer: str
    parts: tuple[cg.Part, ...]

    @property
    def indices(self) -> IndexMap:
        """The indices of the modes that are not held at a position."""
        return tuple(part.index for part in self.parts if isinstance(part, cg.Along))

    @property
    def has_diagonal(self) -> bool:
        """True if an index walks two modes at once."""
        return len(set(self.indices)) < len(self.indices)


@dataclass(frozen=True, slots=True)
class Gathering:
    """Entries of the argument `sources[0]`, or of the source that `member` says, where integers say.

    `places` are those of its modes: an index that walks all of it, a position, or the integer that says one. `element`
    says the element of the batch. Views are of one integer for each value of their indices.
    If it `adds`, the target of the step is what is added there, atomically.
    """

    sources: tuple[str, ...]
    places: tuple[str | int | View, ...]
    element: View | None = None
    member: View | None = None
    adds: bool = False

    @property
    def integers(self) -> tuple[View, ...]:
        """The integers: of the modes, the element and the member."""
        of_modes = [place for place in self.places if isinstance(place, View)]
        return (*of_modes, *(each for each in (self.element, self.member) if each is not None))

    @property
    def buffers(self) -> tuple[str, ...]:
        """What is read."""
        return (*self.sources, *(view.buffer for view in self.integers))


class StepKind(Enum):
    """Kind of a step, by its operands and indices; the value is the instruction of the YATeTo language."""

    LOG = "log"
    PRODUCT = "product"
    SUM = "sum"
    AXPBY = "axpby"
    BROADCAST = "broadcast"
    FILL = "fill"
    ELEMENTWISE = "elementwise"
    GATHER = "gather"
    SCATTER = "scatter"


@dataclass(frozen=True, slots=True)
class Step:
    """`target := alpha * product of operands, summed over the reduction indices + beta * target`.

    With a payload, that takes the place of the product, and `combiner`, max or min, that of the sum.
    A step with a `gathering` has no operands: that is what the target becomes.
    `origin` is the expression that the step computes, `statement` the statement that it is for.
    """

    space: IterationSpace
    operands: tuple[View, ...]
    target: View
    alpha: Coefficient
    beta: Coefficient
    cost: Cost
    payload: EntryPayload | None = None
    combiner: Function | None = None
    origin: Origin = field(default=(), compare=False, repr=False)
    statement: Origin = field(default=(), compare=False, repr=False)
    gathering: Gathering | None = None

    @property
    def buffers(self) -> tuple[str, ...]:
        """What it uses, the target last."""
        gathered = () if self.gathering is None else self.gathering.buffers
        return (*gathered, *(view.buffer for view in self.operands), self.target.buffer)

    @property
    def kind(self) -> StepKind:
        """The instruction that does the step."""
        if self.gathering is not None:
            return StepKind.SCATTER if self.gathering.adds else StepKind.GATHER
        if self.payload is not None:
            return StepKind.ELEMENTWISE
        match self.operands:
            case ():
                return StepKind.FILL
            case (source,):
                if self.space.reduction:
                    return StepKind.SUM
                same = sorted(source.indices) == sorted(self.target.indices)
                return StepKind.AXPBY if same and not source.has_diagonal else StepKind.BROADCAST
            case _:  # open: two operands or more
                return StepKind.LOG if self.space.reduction else StepKind.PRODUCT


@dataclass(frozen=True, slots=True)
class Buffer:
    """A tensor in memory with the numbers of the first and the last step that use it (None: no step does)."""

    tensor: Tensor
    first: int | None
    last: int | None

    @property
    def bytes(self) -> Extent:
        """The memory that it takes; a temporary takes what its extents can be at most."""
        return self.tensor.footprint * self.tensor.element_type.size

    @property
    def is_temporary(self) -> bool:
        """True if the memory belongs to the kernel."""
        return self.tensor.storage is Storage.TEMPORARY


@dataclass(frozen=True, slots=True)
class Decision:
    """The order of a contraction: names of the factors, and the best orders, of which the first was taken.

    `node` is the key of the contraction in the graph; `problem` is what was asked, so that other orders can be priced.
    """

    factors: tuple[str, ...]
    ranking: Ranking
    node: int
    problem: Problem = field(compare=False, repr=False)
    origin: Origin = field(default=(), compare=False, repr=False)

    @property
    def taken(self) -> Order:
        """The order that is the best."""
        return self.ranking.orders[0]

    @property
    def rejected(self) -> tuple[Order, ...]:
        """The next best ones."""
        return self.ranking.orders[1:]

    @property
    def is_exact(self) -> bool:
        """True if no order is better, because all were compared."""
        return self.ranking.parts == len(self.factors)


@dataclass(frozen=True, slots=True)
class Plan:
    """Steps of a kernel; arguments are the first buffers, in the order of the text.

    Layouts, copies and loops over matrix products are those that take `machine` the least time. `rewritings` of the
    graph came before, and save `saved` operations. `prologue` is what is done once before all elements; what it writes
    is memory of the launch, and those of its buffers that are buffers here are only read.
    """

    name: str
    scalars: tuple[Scalar, ...]
    buffers: tuple[Buffer, ...]
    steps: tuple[Step, ...]
    decisions: tuple[Decision, ...]
    machine: Machine
    rewritings: tuple[Rewriting, ...] = ()
    saved: Extent = 0
    prologue: "Plan | None" = None
    origin: Origin = field(default=(), compare=False, repr=False)
    fusions: tuple[str, ...] = ()
    """Functions that are done together, and what is not, in words."""
    scatters: tuple[Scatter, ...] = ()
    """What is added after all elements, in their order, where integers say."""

    @property
    def cost(self) -> Cost:
        """The cost of all steps."""
        return sum((step.cost for step in self.steps), Cost())

    @property
    def sizes(self) -> tuple[Size, ...]:
        """The sizes that its extents depend on."""
        return tuple(sizes_in(extent for buffer in self.buffers for extent in buffer.tensor.shape).values())

    @property
    def tensors(self) -> dict[str, Tensor]:
        """The buffers' tensors by name."""
        return {buffer.tensor.name: buffer.tensor for buffer in self.buffers}
