"""The kernel tree: what schedules make of a function, typed, and free of any language that kernels are written in.

    file        = { comment } { table } { function }
    table       = "constant" scalar name "[" integer "]" "=" "{" numbers "}"
    function    = name [ work-group size ] [ instructions ] [ outlined ] "(" { type name } ")" { statement }
    outlined    = "part" | "routine"
    statement   = declare | array | assign | call | atomic | multiply | barrier | prefetch | fence | if | for | do-while
                | block | section
    declare     = type name [ "=" expression ]
    array       = space (scalar | vector) name "[" integer "]" [ alignment ] [ "zero" ]
    assign      = place [ operator ] "=" expression [ "streamed" ]
    call        = name "(" { expression } ")"
    atomic      = "atomic" update place "," expression [ "," expression ]
    multiply    = "multiply" instruction { place } "+=" { expression } "," expression
    barrier     = "barrier" { space }
    prefetch    = "prefetch" expression "+" expression
    fence       = "fence"
    if          = "if" expression { statement } [ "else" { statement } ]
    for         = "for" scalar name "=" expression "below" expression "by" expression [ hint ] { statement }
    do-while    = "do" { statement } "while" expression
    block       = "{" { statement } "}"
    section     = comment { statement }
    place       = name | subscript | access
    expression  = place | integer | floating | unary | binary | math | conditional | cast | pack | shuffle | lanes
                | "group_id" | "group_count" | "item_id" integer

Functions return nothing, and every loop counts or runs until a condition fails. The types are those of `types`;
`docs/kernel_tree.md` says what each node means and what it must not be, `verify` checks that.
"""

from dataclasses import field
from enum import Enum, auto
from typing import TypeVar

from einsum_front.core.dataclass import dataclass
from einsum_front.core.diagnostics import Origin
from einsum_front.core.functions import Function as EntryFunction
from einsum_front.core.matrices import MatrixInstruction
from einsum_front.core.results import Analysed, Results
from einsum_front.tl_backend.kernel.types import AddressSpace, Pointer, Scalar, Type, Vector

T = TypeVar("T")

# -- expressions -------------------------------------------------------------------------------------------------------


class UnaryOperator(Enum):
    """An operator in front of its operand."""

    NEGATE = auto()
    COMPLEMENT = auto()
    NOT = auto()


class BinaryOperator(Enum):
    """An operator between two operands."""

    MULTIPLY = auto()
    DIVIDE = auto()
    REMAINDER = auto()
    ADD = auto()
    SUBTRACT = auto()
    SHIFT_LEFT = auto()
    SHIFT_RIGHT = auto()
    LESS = auto()
    LESS_EQUAL = auto()
    GREATER = auto()
    GREATER_EQUAL = auto()
    EQUAL = auto()
    NOT_EQUAL = auto()
    BIT_AND = auto()
    BIT_XOR = auto()
    BIT_OR = auto()

    __hash__ = object.__hash__  # that of the name takes longer


@dataclass(frozen=True, slots=True)
class Name:
    """A variable, an array, a parameter or a table."""

    text: str


@dataclass(frozen=True, slots=True)
class Integer:
    """A `bool`, 0 or 1, or an integer of a type of at least 32 bits; a narrower one gets an `i32` that fits."""

    value: int
    type: Scalar = Scalar.I32


@dataclass(frozen=True, slots=True)
class Floating:
    """A finite number of a floating type."""

    value: float
    type: Scalar


@dataclass(frozen=True, slots=True)
class Unary:
    """`operator operand`."""

    operator: UnaryOperator
    operand: "Expression"


@dataclass(frozen=True, slots=True)
class Binary:
    """`left operator right`."""

    operator: BinaryOperator
    left: "Expression"
    right: "Expression"


@dataclass(frozen=True, slots=True)
class Conditional:
    """`then` or `otherwise`, of which only one is computed."""

    condition: "Expression"
    then: "Expression"
    otherwise: "Expression"


class MathFunction(Enum):
    """Two of two numbers of one type, then those of the bits of a floating number or of a vector of them."""

    MINIMUM = auto()
    REMAINDER = auto()  # of floating numbers; it has the sign of the first
    POWER_OF_TWO = auto()
    EXPONENT = auto()
    SIGNIFICAND = auto()


@dataclass(frozen=True, slots=True)
class Math:
    """`function(operands)`; of the functions of entries, one that C has."""

    function: MathFunction | EntryFunction
    operands: tuple["Expression", ...]


@dataclass(frozen=True, slots=True)
class Cast:
    """The operand in another type: numbers converted, a pointer with another target, a `u64` as an address."""

    type: Scalar | Vector | Pointer
    operand: "Expression"


@dataclass(frozen=True, slots=True)
class Subscript:
    """`base[index]`."""

    base: "Expression"
    index: "Expression"


@dataclass(frozen=True, slots=True)
class Access:
    """Entry at an address: the vector that begins there, or a scalar; `pointer` is the type of its address."""

    pointer: Pointer
    address: "Expression"


@dataclass(frozen=True, slots=True)
class Pack:
    """The vector made of scalars and shorter vectors, one after the other; of one scalar, all entries are that."""

    type: Vector
    parts: tuple["Expression", ...]


@dataclass(frozen=True, slots=True)
class Shuffle:
    """The entries of two vectors with these numbers; those of the second count on from those of the first."""

    type: Vector
    first: "Expression"
    second: "Expression"
    lanes: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Lanes:
    """Some entries of a vector: one as a scalar, several (2, 4, 8 or 16) as a vector."""

    operand: "Expression"
    lanes: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class GroupId:
    """The number of the work-group in the launch, an `i64`."""


@dataclass(frozen=True, slots=True)
class GroupCount:
    """How many work-groups the launch has, an `i64`."""


@dataclass(frozen=True, slots=True)
class ItemId:
    """The number of the work-item in its group in the first or the second dimension, an `i64`."""

    dimension: int


Place = Name | Subscript | Access
"""What can be written."""

Expression = (
    Place | Integer | Floating | Unary | Binary | Math | Conditional | Cast | Pack | Shuffle | Lanes
    | GroupId | GroupCount | ItemId
)  # fmt: skip


# -- statements --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Declare:
    """A variable, with its first value if it has one.

    If it `is_held`, compilers must not look through it: what they know of the value would make them compute it anew.
    """

    type: Type
    name: str
    value: Expression | None = None
    is_held: bool = False


@dataclass(frozen=True, slots=True)
class DeclareArray:
    """`count` elements in private or local memory, on a multiple of `alignment` bytes if that is given.

    With `is_zero` private ones are zero from the start.
    """

    element: Scalar | Vector
    name: str
    count: int
    space: AddressSpace
    alignment: int | None = None
    is_zero: bool = False


@dataclass(frozen=True, slots=True)
class Assign:
    """`target = value`, or `target operator= value`; a scalar is assigned to all entries of a vector.

    If it `is_streamed`, a vector goes past the caches, to a multiple of its size.
    """

    target: Place
    value: Expression
    operator: BinaryOperator | None = None
    is_streamed: bool = False


@dataclass(frozen=True, slots=True)
class Call:
    """Runs a function of the file that is defined earlier."""

    function: str
    arguments: tuple[Expression, ...] = ()


class Update(Enum):
    """How the old value of an entry enters the new one; `beta` of 0 leaves out the old value, which may be NaN."""

    STORE = "store"
    ADD = "add"
    SCALE_ADD = "scale_add"


@dataclass(frozen=True, slots=True)
class AtomicUpdate:
    """`entry = value`, `entry += value` or `entry = beta * entry + value` that no other work-item comes between.

    The entry is of type `memory` in `space`, value, `beta` and arithmetic are of type `compute`; only `SCALE_ADD` has a
    `beta`.
    """

    update: Update
    entry: Place
    value: Expression
    beta: Expression | None
    memory: Scalar
    compute: Scalar
    space: AddressSpace


@dataclass(frozen=True, slots=True)
class MatrixMultiplyAdd:
    """`sums += left right` by an instruction, which says which entries of the matrices a work-item has."""

    instruction: MatrixInstruction
    sums: tuple[Place, ...]
    left: tuple[Expression, ...]
    right: Expression


@dataclass(frozen=True, slots=True)
class Barrier:
    """All work-items of the group have come here, and see what the others have written to these spaces."""

    spaces: tuple[AddressSpace, ...]


@dataclass(frozen=True, slots=True)
class Prefetch:
    """Asks for the cache line that lies so many bytes behind the address, which may be outside of all buffers."""

    address: Expression
    offset: Expression


@dataclass(frozen=True, slots=True)
class Fence:
    """Others see what went past the caches before they see what is written from here on."""


@dataclass(frozen=True, slots=True)
class If:
    """Each branch is a scope."""

    condition: Expression
    then: "Statements"
    otherwise: "Statements" = ()


class Unroll(Enum):
    """How often the body of a loop is to be written out."""

    AS_THE_COMPILER_LIKES = auto()
    FULLY = auto()
    NEVER = auto()


@dataclass(frozen=True, slots=True)
class For:
    """Counts `variable` from `start` below `stop` by `step`; `is_scalar` asks for no vectors of its iterations.

    `over` are the indices of the notation that it runs over, or other words for people; it changes no meaning.
    """

    type: Scalar
    variable: str
    start: Expression
    stop: Expression
    step: Expression
    body: "Statements"
    unroll: Unroll = Unroll.AS_THE_COMPILER_LIKES
    is_scalar: bool = False
    over: str = field(default="", compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class DoWhile:
    """Runs the body, again as long as the condition holds."""

    body: "Statements"
    condition: Expression


@dataclass(frozen=True, slots=True)
class Block:
    """A scope."""

    body: "Statements"


@dataclass(frozen=True, slots=True)
class Section:
    """The statements that one instruction of the tensor language became, under a comment that names it."""

    comment: tuple[str, ...]
    body: "Statements"
    origin: Origin = field(default=(), compare=False, repr=False)


Statement = (
    Declare | DeclareArray | Assign | Call | AtomicUpdate | MatrixMultiplyAdd | Barrier | Prefetch | Fence | If | For
    | DoWhile | Block | Section
)  # fmt: skip
Statements = tuple[Statement, ...]


# -- files -------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of a function."""

    type: Type
    name: str


class Outlined(Enum):
    """Functions that no compiler puts back into their callers: a part of a longer one, or a routine.

    A routine needs nothing of its file, so all kernels of a text may call the same one.
    """

    PART = "part"
    ROUTINE = "routine"


@dataclass(frozen=True, slots=True)
class Function(Analysed):
    """A function without a result; with `work_group_size`, a kernel for exactly this size.

    With `instructions`, it is compiled with these beside the usual ones, and is outlined whatever `outlined` says.
    """

    name: str
    parameters: tuple[Parameter, ...]
    body: Statements
    work_group_size: tuple[int, int, int] | None = None
    instructions: str | None = None
    outlined: Outlined | None = None
    _results: Results = field(default_factory=Results, init=False, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Table:
    """Numbers that all functions of the file may read; those of a floating type are finite."""

    element: Scalar
    name: str
    values: tuple[int, ...] | tuple[float, ...]


@dataclass(frozen=True, slots=True)
class File:
    """The tables and functions, callees first; `comment` stands above everything."""

    functions: tuple[Function, ...]
    comment: tuple[str, ...] = ()
    tables: tuple[Table, ...] = ()
