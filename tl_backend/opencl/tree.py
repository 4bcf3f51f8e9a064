"""OpenCL C as a tree: what the lowering builds and `unparse` alone turns into text.

    file        = { comment } { extension } { typedef } { table } { function }
    typedef     = "typedef" vector vector "_u" alignment ";"
    table       = "constant" scalar name "[" integer "]" "=" "{" numbers "}" ";"
    function    = [ "kernel" ] [ attribute ] "void" name "(" { parameter } ")" block
    parameter   = type name
    type        = scalar | vector | pointer
    vector      = scalar integer [ "_u" ]
    pointer     = [ space ] [ "const" ] [ "volatile" ] (scalar | vector) "*" [ "restrict" ]
    statement   = declaration | array | assignment | call ";" | if | for | do-while | block | section
    declaration = type name [ "=" expression ]
    array       = [ space ] (scalar | vector) name "[" integer "]" [ alignment ]
    assignment  = expression [ operator ] "=" expression
    for         = [ pragma ] "for" "(" scalar name "=" expr ";" name "<" expr ";" name "+=" expr ")" block
    pragma      = "#pragma unroll" [ "1" ] | "#pragma clang loop vectorize(disable)"
    section     = comment { statement }
    expression  = name | integer | floating | unary | binary | conditional | cast | call | subscript | tuple | lanes
    tuple       = "(" vector ")" "(" { expression } ")"
    lanes       = expression ".s" digits

Only what generated kernels need: functions return nothing, every loop counts or runs until a condition fails.
"""

from dataclasses import dataclass, field
from enum import Enum, auto

from einsum_front.diagnostics import Origin


class Scalar(Enum):
    """An arithmetic type of OpenCL C; the value is its spelling."""

    BOOL = "bool"
    CHAR = "char"
    UCHAR = "uchar"
    SHORT = "short"
    USHORT = "ushort"
    INT = "int"
    UINT = "uint"
    LONG = "long"
    ULONG = "ulong"
    FLOAT = "float"
    DOUBLE = "double"

    @property
    def is_floating(self) -> bool:
        """Whether the type is float or double."""
        return self in (Scalar.FLOAT, Scalar.DOUBLE)


class AddressSpace(Enum):
    """Where a pointer points to; the value is its spelling, empty for private memory."""

    GLOBAL = "global"
    LOCAL = "local"
    PRIVATE = ""


@dataclass(frozen=True, slots=True)
class Vector:
    """`width` (2, 4, 8 or 16) scalars in one register; in memory it may start at any of them if it `is_unaligned`."""

    element: Scalar
    width: int
    is_unaligned: bool = False


@dataclass(frozen=True, slots=True)
class Pointer:
    """A pointer to scalars or vectors; `is_restrict` promises that nothing else points to what it writes."""

    target: Scalar | Vector
    space: AddressSpace
    is_const: bool = False
    is_volatile: bool = False
    is_restrict: bool = False


Type = Scalar | Vector | Pointer


# -- expressions -------------------------------------------------------------------------------------------------------


class UnaryOperator(Enum):
    """An operator in front of its operand."""

    NEGATE = auto()
    COMPLEMENT = auto()
    NOT = auto()
    ADDRESS = auto()
    DEREFERENCE = auto()


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


@dataclass(frozen=True, slots=True)
class Name:
    """A variable, a parameter or a constant that the language predefines."""

    text: str


@dataclass(frozen=True, slots=True)
class Integer:
    """An integer constant of a type of at least 32 bits; in a narrower type it is an `int` that fits."""

    value: int
    type: Scalar = Scalar.INT


@dataclass(frozen=True, slots=True)
class Floating:
    """A finite number of type float or double, printed exactly."""

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
    """`condition ? then : otherwise`."""

    condition: "Expression"
    then: "Expression"
    otherwise: "Expression"


@dataclass(frozen=True, slots=True)
class Cast:
    """`(type) operand`."""

    type: Type
    operand: "Expression"


@dataclass(frozen=True, slots=True)
class Call:
    """A call of a function of the file or of OpenCL C."""

    function: str
    arguments: tuple["Expression", ...] = ()


@dataclass(frozen=True, slots=True)
class Subscript:
    """`base[index]`."""

    base: "Expression"
    index: "Expression"


@dataclass(frozen=True, slots=True)
class Tuple:
    """The vector made of scalars and shorter vectors, one after the other."""

    type: Vector
    parts: tuple["Expression", ...]


@dataclass(frozen=True, slots=True)
class Lanes:
    """Some lanes of a vector: one as a scalar, several (2, 4, 8 or 16) as a vector."""

    operand: "Expression"
    lanes: tuple[int, ...]


Expression = Name | Integer | Floating | Unary | Binary | Conditional | Cast | Call | Subscript | Tuple | Lanes


# -- statements --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Declare:
    """A variable, with its first value if it has one."""

    type: Type
    name: str
    value: Expression | None = None


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
    """`target = value`, or `target operator= value`."""

    target: Expression
    value: Expression
    operator: BinaryOperator | None = None


@dataclass(frozen=True, slots=True)
class Evaluate:
    """A call for its effect."""

    call: Call


@dataclass(frozen=True, slots=True)
class If:
    """Both branches are blocks; an empty `otherwise` is not printed."""

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
    """Counts `variable` from `start` below `stop` by `step`; `is_scalar` asks for no vectors of its iterations."""

    type: Scalar
    variable: str
    start: Expression
    stop: Expression
    step: Expression
    body: "Statements"
    unroll: Unroll = Unroll.AS_THE_COMPILER_LIKES
    is_scalar: bool = False


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


Statement = Declare | DeclareArray | Assign | Evaluate | If | For | DoWhile | Block | Section
Statements = tuple[Statement, ...]


# -- files -------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of a function."""

    type: Type
    name: str


@dataclass(frozen=True, slots=True)
class Function:
    """A function without a result; with `work_group_size`, a kernel for exactly this size.

    With `instructions`, it is compiled with these beside the usual ones, and stays apart from its callers.
    """

    name: str
    parameters: tuple[Parameter, ...]
    body: Statements
    work_group_size: tuple[int, int, int] | None = None
    instructions: str | None = None


@dataclass(frozen=True, slots=True)
class Table:
    """Numbers that all functions of the file may read; those of type float or double are finite and printed exactly."""

    element: Scalar
    name: str
    values: tuple[int, ...] | tuple[float, ...]


@dataclass(frozen=True, slots=True)
class File:
    """The extensions that the functions need, in the order of the text, and the functions, callees first.

    `comment` stands above everything; `unaligned` are the vectors that need a name for being so.
    """

    extensions: tuple[str, ...]
    functions: tuple[Function, ...]
    comment: tuple[str, ...] = ()
    unaligned: tuple[Vector, ...] = ()
    tables: tuple[Table, ...] = ()
