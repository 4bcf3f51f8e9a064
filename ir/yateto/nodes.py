"""The YATeTo immediate language: types, instructions, functions.

    program      = { function }
    function     = { fact } "define" global "(" [ local ":" type { "," local ":" type } ] ")" region
    fact         = ";!" "modes" local { integer }
                 | ";!" "nonzeros" local { integer [ ":" integer ] }
                 | ";!" "values" local { [ integer ":" ] floating-or-integer }
                 | ";!" "indices" local { number | "_" }                                               (ours)
                 | ";!" "scattered" local words                                                       (ours)
                 | ";!" "limit" name integer ":" [ integer ] [ integer ]
                 | ";!" "prologue" global                                                             (ours)
    type         = scalar-type | memref-type | group-type
    scalar-type  = ("i" | "u") ("8" | "16" | "32" | "64") | "f32" | "f64" | "f16" | "bf16" | "bool"
    memref-type  = "memref<" scalar-type { "x" number } [ "," "strided<" [ number { "," number } ] ">" ] ">"
    group-type   = "group<" memref-type "," ("distance<" number ">" | "pointers" | "after<" integer ">" (ours)) ">"
    number       = integer | "[" sum of products of names and integers "]"                               (ours)
    region       = "{" { instruction } "}"
    instruction  = local "=" "alloca" ":" memref-type
                 | local "=" "get_work_item" local [ "," integer-type local ] ":" group-type
                 | local "=" "subview" local "[" [ part { "," part } ] "]" ":" memref-type "to" memref-type
                 | "axpby" map1 α "," local "," β "," local ":" memref-type "to" memref-type
                 | "log" map2-with-modifiers α "," local "," local "," β "," local ":" memref "," memref "to" memref
                 | "product" map2 α "," local "," local "," β "," local ":" memref "," memref "to" memref
                 | "sum" map1 α "," local "," β "," local ":" memref-type "to" memref-type
                 | "for" integer-type local "=" integer "to" number region
                 | "barrier" | "lifetime_stop" local
                 | "broadcast" map1 α "," local "," β "," local ":" memref-type "to" memref-type       (ours)
                 | "fill" α "," β "," local ":" memref-type                                           (ours)
                 | local "=" "arith" operator operand "," operand ":" scalar-type                     (ours)
                 | "elementwise" [ ".max" | ".min" ] map-n α "," { local "," } β "," local [ payload ]
                   ":" [ memref { "," memref } ] "to" memref                                          (ours)
                 | ("gather" | "scatter") "{" [ place { "," place } ] [ "@" entry ] [ "of" entry ] "to" indices "}"
                   { local "," } local ":" { (memref | group) "," } memref "to" memref                (ours)
    place        = letter | integer | entry                  entry = local "[" [ indices ] "]"
    payload      = "{" { "$" integer "=" function argument { "," argument } } "}"
    argument     = "$" integer | α                              function = those of `core.functions`
    map1         = "{" indices "to" indices "}"              indices = letter { letter } | "_"
    map-n        = "{" [ indices { "," indices } ] "to" indices "}"
    map2         = "{" indices "," indices "to" indices "}"
    map2-with-modifiers: an index may also be looped over, "[" letter "]", or be one mode made of neighbouring modes,
                   "(" letter { letter } ")"
    part         = integer-type local | integer | [ integer ] ":" [ number ]
    α, β         = floating-constant | integer | local

Factors of integers and of `bool` are integers (ours), and so is all arithmetic on them: it wraps around, and sums of
`bool` are "or", products "and". Memory may be of another type than the one that is computed with, of `bf16` and `f16`
too (ours): `axpby` with α = 1 and β = 0 makes numbers of one type of those of another, but no integers of real numbers.
An index of a map is a name of any length here; the printer gives letters.
"""

from collections.abc import Iterable
from dataclasses import field
from enum import Enum

from einsum_front.core.dataclass import dataclass
from einsum_front.core.diagnostics import Origin
from einsum_front.core.extent import Extent
from einsum_front.core.facts import Indices as Places
from einsum_front.core.facts import Limit, Modes, Nonzeros, Values
from einsum_front.core.functions import Function as EntryFunction
from einsum_front.core.payload import Payload
from einsum_front.core.scattered import Scatter
from einsum_front.core.storage import ElementType


def packed_strides(shape: Iterable[Extent]) -> tuple[Extent, ...]:
    """The strides of the packed dense column-major layout, in elements."""
    strides: list[Extent] = []
    stride: Extent = 1
    for size in shape:
        strides.append(stride)
        stride = stride * size
    return tuple(strides)


@dataclass(frozen=True, slots=True)
class MemrefType:
    """A tensor in memory; `strides` are in elements and are always given, the packed ones too.

    Extents of sizes without limits (`core.extent`) stand here and wherever the grammar has a `number`.
    """

    element: ElementType
    shape: tuple[Extent, ...]
    strides: tuple[Extent, ...]

    @staticmethod
    def packed(element: ElementType, shape: tuple[Extent, ...]) -> "MemrefType":
        """The memref with the packed dense layout."""
        return MemrefType(element, shape, packed_strides(shape))

    @property
    def order(self) -> int:
        """Number of modes."""
        return len(self.shape)

    @property
    def is_packed(self) -> bool:
        """True if the layout is the packed dense one, which is not printed."""
        return self.strides == packed_strides(self.shape)


@dataclass(frozen=True, slots=True)
class Distance:
    """The items of a group stand in one memory region, `elements` apart."""

    elements: Extent


@dataclass(frozen=True, slots=True)
class Pointers:
    """Each item of a group stands behind its own pointer."""


@dataclass(frozen=True, slots=True)
class After:
    """The items of a group lie among their modes, after the fastest `modes` of them: after none, they are fastest."""

    modes: int


Layout = Distance | Pointers | After


@dataclass(frozen=True, slots=True)
class GroupType:
    """A batch of memrefs."""

    memref: MemrefType
    layout: Layout


Type = ElementType | MemrefType | GroupType


# -- operands and maps -------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Local:
    """The value `%name`."""

    name: str
    origin: Origin = field(default=(), compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Constant:
    """A finite double (`1.0`), or an integer (`1`) as α and β of integers."""

    value: float
    origin: Origin = field(default=(), compare=False, repr=False)


Scalar = Local | Constant


@dataclass(frozen=True, slots=True)
class Operand:
    """A memref operand with the type written for it; `origin` is the place of the type."""

    value: Local
    type: MemrefType
    origin: Origin = field(default=(), compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Plain:
    """An index that is part of the matrix product."""

    name: str


@dataclass(frozen=True, slots=True)
class Looped:
    """`[x]`: an index that is looped over outside the matrix product."""

    name: str


@dataclass(frozen=True, slots=True)
class Fused:
    """`(xy)`: neighbouring modes seen as one; the first is the fastest."""

    names: tuple[str, ...]


MapEntry = Plain | Looped | Fused
Indices = tuple[str, ...]


def flat_indices(entries: tuple[MapEntry, ...]) -> Indices:
    """The indices of an operand of `log` without the modifiers, one a mode."""
    names: list[str] = []
    for entry in entries:
        match entry:
            case Plain(name=name) | Looped(name=name):
                names.append(name)
            case Fused(names=group):
                names.extend(group)
    return tuple(names)


@dataclass(frozen=True, slots=True)
class UnaryMap:
    """`{source to target}`."""

    source: Indices
    target: Indices
    origin: Origin = field(default=(), compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class BinaryMap:
    """`{left, right to target}`."""

    left: Indices
    right: Indices
    target: Indices
    origin: Origin = field(default=(), compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class LogMap:
    """`{left, right to target}` with modifiers."""

    left: tuple[MapEntry, ...]
    right: tuple[MapEntry, ...]
    target: tuple[MapEntry, ...]
    origin: Origin = field(default=(), compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class ElementwiseMap:
    """`{source, … to target}`."""

    sources: tuple[Indices, ...]
    target: Indices
    origin: Origin = field(default=(), compare=False, repr=False)


# -- instructions ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Alloca:
    """Temporary memory, freed at the end of the region."""

    result: Local
    type: MemrefType
    origin: Origin = field(default=(), compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class GetWorkItem:
    """This work item's memref of a group, moved by `offset` elements (an integer scalar) if given."""

    result: Local
    group: Local
    offset: Local | None
    offset_type: ElementType | None
    type: GroupType
    origin: Origin = field(default=(), compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Position:
    """One position of a mode, which the view loses; a value has an integer type."""

    index: int | Local
    type: ElementType | None = None


@dataclass(frozen=True, slots=True)
class Slice:
    """The positions [start, stop) of a mode; None is the first or the end of the mode."""

    start: int | None
    stop: Extent | None


@dataclass(frozen=True, slots=True)
class Subview:
    """A view on a part of a tensor; strides stay as they are."""

    result: Local
    operand: Local
    parts: tuple[Position | Slice, ...]
    from_type: MemrefType
    to_type: MemrefType
    origin: Origin = field(default=(), compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Axpby:
    """`B[target] := alpha A[source] + beta B[target]`: a permutation of modes."""

    map: UnaryMap
    alpha: Scalar
    a: Operand
    beta: Scalar
    b: Operand
    origin: Origin = field(default=(), compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Log:
    """`C[target] := alpha sum A[left] B[right] + beta C[target]`: loops over a matrix product."""

    map: LogMap
    alpha: Scalar
    a: Operand
    b: Operand
    beta: Scalar
    c: Operand
    origin: Origin = field(default=(), compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Product:
    """`C[target] := alpha A[left] B[right] + beta C[target]`; the target has all indices of both."""

    map: BinaryMap
    alpha: Scalar
    a: Operand
    b: Operand
    beta: Scalar
    c: Operand
    origin: Origin = field(default=(), compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Sum:
    """`B[target] := alpha sum A[source] + beta B[target]` over the indices that the target lacks."""

    map: UnaryMap
    alpha: Scalar
    a: Operand
    beta: Scalar
    b: Operand
    origin: Origin = field(default=(), compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Broadcast:
    """`B[target] := alpha A[source] + beta B[target]`; the source may lack indices of the target.

    A letter that stands several times in one operand takes its diagonal; other entries of the target stay as they are.
    Ours.
    """

    map: UnaryMap
    alpha: Scalar
    a: Operand
    beta: Scalar
    b: Operand
    origin: Origin = field(default=(), compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Fill:
    """`B := alpha + beta B`, entry by entry. Ours."""

    alpha: Scalar
    beta: Scalar
    b: Operand
    origin: Origin = field(default=(), compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Elementwise:
    """`C[target] := alpha payload(operands) + beta C[target]`, entry by entry; operands may lack indices of the target.

    With a combiner, `MAX` or `MIN`, it is the largest or smallest payload over the indices that the target lacks. Ours.
    """

    map: ElementwiseMap
    combiner: EntryFunction | None
    payload: Payload[Scalar]
    alpha: Scalar
    operands: tuple[Operand, ...]
    beta: Scalar
    c: Operand
    origin: Origin = field(default=(), compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Entry:
    """`%node[i]`: the integer of a memref for each value of these indices, which says a place."""

    integers: Operand
    indices: Indices


@dataclass(frozen=True, slots=True)
class Source:
    """A tensor that is read where integers say, or a group of which one work item's is; `origin` is the place of the
    type."""

    value: Local
    type: MemrefType | GroupType
    origin: Origin = field(default=(), compare=False, repr=False)

    @property
    def memref(self) -> MemrefType:
        """What one work item has."""
        return self.type.memref if isinstance(self.type, GroupType) else self.type


@dataclass(frozen=True, slots=True)
class GatherMap:
    """`{%node[i], q @ %next[f] of %side[f] to iqf}`: a place for each mode of the sources."""

    places: tuple[str | int | Entry, ...]
    element: Entry | None
    member: Entry | None
    target: Indices
    origin: Origin = field(default=(), compare=False, repr=False)

    @property
    def entries(self) -> tuple[Entry, ...]:
        """The integers: of the modes, the element and the member."""
        of_modes = [place for place in self.places if isinstance(place, Entry)]
        return (*of_modes, *(each for each in (self.element, self.member) if each is not None))


@dataclass(frozen=True, slots=True)
class Gather:
    """`C[target] := source[places]`, of the source that `member` says, 0 where one of the integers is negative. Ours.

    Sources are memrefs, or with an `element` groups, of which the item of this number is read.
    If it `adds`, it is the transpose, `scatter`: `source[places] += C[target]`, atomically, where all are there.
    """

    map: GatherMap
    sources: tuple[Source, ...]
    c: Operand
    adds: bool = False
    origin: Origin = field(default=(), compare=False, repr=False)


class ArithOperator(Enum):
    """Arithmetic on scalars."""

    ADD = "add"
    SUB = "sub"
    MUL = "mul"
    DIV = "div"


@dataclass(frozen=True, slots=True)
class Arith:
    """`result := left operator right` for scalars of one floating type. Ours."""

    result: Local
    operator: ArithOperator
    left: Scalar
    right: Scalar
    type: ElementType
    origin: Origin = field(default=(), compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class For:
    """Runs the region for `variable` = start, …, stop - 1."""

    variable: Local
    type: ElementType
    start: int
    stop: Extent
    body: "Region"
    origin: Origin = field(default=(), compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Barrier:
    """Work-items wait for each other and see each other's writes."""

    origin: Origin = field(default=(), compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class LifetimeStop:
    """Ends the life of the result of an `alloca`."""

    operand: Local
    origin: Origin = field(default=(), compare=False, repr=False)


Instruction = (
    Alloca
    | GetWorkItem
    | Subview
    | Axpby
    | Log
    | Product
    | Sum
    | Broadcast
    | Fill
    | Elementwise
    | Gather
    | Arith
    | For
    | Barrier
    | LifetimeStop
)
Region = tuple[Instruction, ...]


# -- functions ---------------------------------------------------------------------------------------------------------


Fact = Modes | Nonzeros | Values | Places | Scatter


@dataclass(frozen=True, slots=True)
class Argument:
    """An argument of a function with its type."""

    name: Local
    type: Type
    origin: Origin = field(default=(), compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Function:
    """A kernel, run once for each work item of its groups.

    Its prologue runs once before: what it writes is memory of its own, zero until then, which arguments of the same
    names have.
    """

    name: str
    arguments: tuple[Argument, ...]
    body: Region
    facts: tuple[Fact, ...] = ()
    limits: tuple[Limit, ...] = ()
    prologue: "Function | None" = None
    origin: Origin = field(default=(), compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Program:
    """The functions of a file, in the order of the text; prologues are parts of theirs."""

    functions: tuple[Function, ...]
