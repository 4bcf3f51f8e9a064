"""Nodes of loops: a program of products over boxes of points, with what each loop is bound to.

    loops    = "loops" name "{" { tensor } { node } "}"
    tensor   = "tensor" name ":" type [ "in" type ] size { "x" size } "strides" integer { "," integer }
               [ "batch" ( integer | "fastest" ) ] [ "temporary" | "literals" ] [ "streamed" "above" integer ]
               [ "nonzeros" runs ] [ "values" numbers ]
    node     = loop | stage | product | apply | prefetch
    loop     = "for" axis "in" extent [ binding ] [ "where" name ] "{" { node } "}"
    extent   = integer | "elements" [ "/" integer ]
    binding  = "unrolled" | "vector"
    stage    = "stage" name "fill" fill "write" write "{" { node } "}"
    fill     = "load" | "zero" | "nothing"
    write    = "nothing" | "set" | "add"
    product  = access ( "=" | "+=" ) factor { "*" factor }
    factor   = access | number | "%" name
    apply    = access "=" ( call | "{" { name "=" call } operand "}" )
    call     = function "(" operand { "," operand } ")"
    operand  = factor | name
    access   = name "[" index { "," index } [ ";" index ] "]"
    index    = affine in the axes: "4*k_o + k_i + 2"
    prefetch = "prefetch" name "distance" integer "lines" integer ":" integer [ "over" axis ]

An access names the position in each mode; behind the semicolon stands the element of the batch for an argument of
which each element has its own, and the lane for a temporary that has one for each lane. `docs/loops.md` says what each
node means and what it must not be; `verify` checks that.
"""

from collections.abc import Callable, Iterator
from dataclasses import field, replace
from enum import Enum
from functools import cached_property
from math import prod
from typing import ClassVar

from einsum_front.core.dataclass import dataclass
from einsum_front.core.diagnostics import Origin
from einsum_front.core.functions import Function
from einsum_front.core.runs import Runs
from einsum_front.tl_backend.access import Affine
from einsum_front.tl_backend.types import ScalarType

ARITHMETIC = frozenset((Function.ADD, Function.SUB, Function.MUL, Function.DIV))


class Binding(Enum):
    """What the points of a loop become: iterations, code for each, or lanes of a vector."""

    SEQUENTIAL = ""
    UNROLLED = "unrolled"
    VECTOR = "vector"


class Fill(Enum):
    """What is in the registers of a stage at first."""

    LOAD = "load"
    ZERO = "zero"
    NOTHING = "nothing"


class Write(Enum):
    """What happens to memory at the end of a stage: nothing, the entries written replace it, or are added to it."""

    NOTHING = "nothing"
    SET = "set"
    ADD = "add"


@dataclass(frozen=True, slots=True)
class Elements:
    """The extent of the loop over the batch: the number of elements over `block`, without those that fill no block.

    The elements that remain run after the others, one by one.
    """

    block: int = 1


@dataclass(frozen=True)
class Tensor:
    """Memory by shape and strides, in entries; `batch` is the distance from element to element if each has its own.

    It is 0 where only the launch knows the distance, None for what all elements share and for temporaries, of which
    each element has its own in any case. With `is_fastest` the elements are neighbours: `batch` is 1, and the strides
    count rows of elements, whose length only the launch knows. `nonzeros` are the entries that may differ from zero,
    and `values` all others than zero where the numbers are known, both by packed column-major position. With
    `is_literal` numbers are written into the code where that is unrolled. Stores go past the caches where all elements
    together have more than `streamed` MiB. All is computed in the type `element`; numbers are converted where they are
    read and written if `memory` is another one.
    """

    name: str
    element: ScalarType
    shape: tuple[int, ...]
    strides: tuple[int, ...]
    batch: int | None = None
    is_fastest: bool = False
    is_temporary: bool = False
    is_literal: bool = False
    nonzeros: Runs | None = None
    values: tuple[tuple[int, float], ...] | None = None
    streamed: int | None = None
    memory: ScalarType | None = None

    @property
    def bytes(self) -> int:
        """Of an entry."""
        return (self.memory or self.element).size

    @property
    def size(self) -> int:
        """The number of entries."""
        return prod(self.shape)

    @property
    def span(self) -> int:
        """Entries from the first to the last in memory, both included."""
        return 1 + sum((size - 1) * stride for size, stride in zip(self.shape, self.strides, strict=True))

    def offset(self, index: tuple[Affine, ...]) -> Affine:
        """The distance of an entry from the first, in entries, or in rows where the batch is fastest."""
        return sum((each.times(stride) for each, stride in zip(index, self.strides, strict=True)), Affine())

    def position(self, index: tuple[Affine, ...]) -> Affine:
        """The packed column-major position of an entry."""
        total, stride = Affine(), 1
        for each, size in zip(index, self.shape, strict=True):
            total, stride = total + each.times(stride), stride * size
        return total

    @cached_property
    def known_nonzeros(self) -> frozenset[int] | None:
        """Positions that may differ from zero; None if any may."""
        if self.nonzeros is None:
            return None
        return frozenset(each for start, stop in self.nonzeros for each in range(start, stop))

    @cached_property
    def known_values(self) -> dict[int, float] | None:
        """The numbers other than zero by position, if they are known."""
        return None if self.values is None else dict(self.values)


@dataclass(frozen=True, slots=True)
class Access:
    """An entry of a tensor; `element` is the one of the batch, or the lane, if the tensor has several."""

    tensor: str
    index: tuple[Affine, ...]
    element: Affine | None = None

    @property
    def affine(self) -> tuple[Affine, ...]:
        """All indices, that of the element last."""
        return self.index if self.element is None else (*self.index, self.element)

    @property
    def names(self) -> frozenset[str]:
        """The axes that the entry depends on, whichever element it is of."""
        return frozenset(name for each in self.index for name in each.names)

    def uses(self, axis: str) -> bool:
        """True if the place depends on the axis."""
        return any(axis in each.names for each in self.affine)


@dataclass(frozen=True, slots=True)
class Number:
    """A factor that is known."""

    value: float


@dataclass(frozen=True, slots=True)
class Scalar:
    """A factor that is a scalar argument."""

    name: str


Factor = Access | Number | Scalar


@dataclass(frozen=True, slots=True)
class Product:
    """The target is set to the product of the factors, or grows by it, at each point of the loops around."""

    target: Access
    adds: bool
    factors: tuple[Factor, ...]
    origin: Origin = field(default=(), compare=False, repr=False)

    @property
    def accesses(self) -> tuple[Access, ...]:
        """The target, then the factors that are memory."""
        return (self.target, *(each for each in self.factors if isinstance(each, Access)))

    def uses(self, axis: str) -> bool:
        """True if an access depends on the axis."""
        return any(each.uses(axis) for each in self.accesses)


@dataclass(frozen=True, slots=True)
class Result:
    """What a call of the same `Apply` before has computed."""

    name: str


Operand = Factor | Result


FUNCTIONS = tuple(each for each in Function if each.is_instruction or each in ARITHMETIC)
"""The functions that a call may have: others are written with them."""

VALUE = "value"
"""The name of the result where there is one call: the text has none for it."""


@dataclass(frozen=True, slots=True)
class Call:
    """A function of numbers, and the name of its result."""

    name: str
    function: Function
    operands: tuple[Operand, ...]


@dataclass(frozen=True, slots=True)
class Apply:
    """The target is set to a function of entries at each point of the loops around: `calls` one after the other."""

    target: Access
    calls: tuple[Call, ...]
    value: Operand
    origin: Origin = field(default=(), compare=False, repr=False)
    adds: ClassVar[bool] = False

    @property
    def accesses(self) -> tuple[Access, ...]:
        """The target, then the operands that are memory."""
        operands = (*(each for call in self.calls for each in call.operands), self.value)
        return (self.target, *(each for each in operands if isinstance(each, Access)))

    def uses(self, axis: str) -> bool:
        """True if an access depends on the axis."""
        return any(each.uses(axis) for each in self.accesses)


Update = Product | Apply
"""What writes an entry."""


@dataclass(frozen=True, slots=True)
class Loop:
    """The nodes for each point of an axis; those at which the tensor `where` is known to be zero are left out."""

    axis: str
    extent: int | Elements
    body: "Nodes"
    binding: Binding = Binding.SEQUENTIAL
    where: str | None = None


@dataclass(frozen=True, slots=True)
class Stage:
    """Inside, the entries that are used of a tensor live in registers."""

    tensor: str
    fill: Fill
    write: Write
    body: "Nodes"


@dataclass(frozen=True, slots=True)
class Prefetch:
    """Asks for cache lines of the elements `distance` blocks ahead: those from `first` on, below `stop`.

    Inside of the loop `axis` each iteration asks for its share of them, and some may ask for more than there are.
    """

    tensor: str
    distance: int
    first: int
    stop: int
    axis: str | None = None


Node = Loop | Stage | Product | Apply | Prefetch
Nodes = tuple[Node, ...]


@dataclass(frozen=True)
class Loops:
    """A kernel: its tensors, and what is done with them."""

    name: str
    tensors: tuple[Tensor, ...]
    body: Nodes

    @cached_property
    def by_name(self) -> dict[str, Tensor]:
        """The tensors."""
        return {each.name: each for each in self.tensors}

    @property
    def batch(self) -> Loop | None:
        """The loop over the elements, the first one of several."""
        return next(self.batches, None)

    @property
    def batches(self) -> Iterator[Loop]:
        """The loops over the elements: one around all others, or several inside of others."""
        loops = (node for node, _ in walk(self.body) if isinstance(node, Loop))
        return (each for each in loops if isinstance(each.extent, Elements))


# -- walks and rewrites ------------------------------------------------------------------------------------------------


def inner(node: Node) -> Nodes:
    """The nodes inside of a node."""
    match node:
        case Loop(body=body) | Stage(body=body):
            return body
        case Product() | Apply() | Prefetch():
            return ()


def walk(nodes: Nodes, around: Nodes = ()) -> Iterator[tuple[Node, Nodes]]:
    """All nodes in the order of the text, each with those around it, the outermost first."""
    for node in nodes:
        yield node, around
        yield from walk(inner(node), (*around, node))


def is_unrolled(node: Node) -> bool:
    """True if nothing of the node is a loop in the code."""
    if isinstance(node, Update):
        return True
    if not isinstance(node, Loop) or node.binding is Binding.SEQUENTIAL:
        return False
    return all(map(is_unrolled, node.body))


def updates(nodes: Nodes) -> Iterator[Update]:
    """All products and functions of entries."""
    return (node for node, _ in walk(nodes) if isinstance(node, Update))


def points(nodes: Nodes) -> Iterator[tuple[Update, int]]:
    """The same, each with how often it is done for an element."""
    for node, around in walk(nodes):
        if isinstance(node, Update):
            extents = (each.extent for each in around if isinstance(each, Loop))
            yield node, prod(extent for extent in extents if isinstance(extent, int))


def rewrite(nodes: Nodes, change: Callable[[Node], Nodes | None]) -> Nodes:
    """From the outside: what `change` gives for a node stands there and is not entered; None: it goes on inside."""
    result: list[Node] = []
    for node in nodes:
        new = change(node)
        if new is not None:
            result += new
        elif isinstance(node, Loop | Stage):
            result.append(replace(node, body=rewrite(node.body, change)))
        else:
            result.append(node)
    return tuple(result)


def axes_of(nodes: Nodes) -> tuple[str, ...]:
    """The axes of all loops, in the order of the text."""
    return tuple(node.axis for node, _ in walk(nodes) if isinstance(node, Loop))
