"""The instructions of the tensor language: the whole language on a few screens.

    region       = "{" { instruction } "}"
    instruction  = local "=" value-instruction | [ local { "," local } "=" ] if | collective | loop | other
    value-instr. = { alloca-fact } "alloca" [".global" [ local { "," local } ]] "->" memref-type
                 | "arith" binary-operator operand "," operand ":" scalar-type
                 | "arith" unary-operator operand ":" scalar-type
                 | "cast" operand ":" scalar-type "->" scalar-type
                 | "cmp" condition operand "," operand ":" scalar-type
                 | "expand" local "[" integer "->" extent { "x" extent } "]" ":" memref-type
                 | "fuse" local "[" integer "," integer "]" ":" memref-type
                 | "group_id" | "group_size"
                 | "load" local "[" [ operand { "," operand } ] "]" ":" (memref-type | group-type)
                 | "math" "." function operand { "," operand } ":" scalar-type                     (ours)
                 | "size" local "[" integer "]" ":" memref-type
                 | "subview" local "[" [ slice { "," slice } ] "]" ":" memref-type
    if           = "if" operand [ "->" "(" [ scalar-types ] ")" ] region [ "else" region ]
    loop         = "for" local "=" operand "," operand [ "," operand ] [ ":" integer-type ] region
                 | "foreach" local "=" operand "," operand [ ":" integer-type ] region
    collective   = "axpby" op [".atomic"] α "," A "," β "," B ":" types
                 | "gemm" op op [".atomic"] α "," A "," B "," β "," C ":" types
                 | "gemv" op [".atomic"] α "," A "," b "," β "," c ":" types
                 | "ger" [".atomic"] α "," a "," b "," β "," C ":" types
                 | "hadamard_product" [".atomic"] α "," a "," b "," β "," c ":" types
                 | "sum" op [".atomic"] α "," A "," β "," B ":" types
    other        = "store" local "," local "[" [ operand { "," operand } ] "]" ":" memref-type
                 | "yield" [ operand { "," operand } ] ":" [ scalar-types ]
                 | "barrier" | "lifetime_stop" local
    slice        = operand [ ":" (operand | "?") ] | ":"
    op           = ".n" | ".t"
    alloca-fact  = ";!" "nonzeros" local { integer [ ":" integer ] }        a comment line above the instruction

No name hides one in sight; regions that are not inside each other may use the same names. Every node carries its
origin, the spans of text that it stands for, which never changes what the node is.
"""

from dataclasses import field
from enum import Enum

from einsum_front.core.dataclass import dataclass
from einsum_front.core.diagnostics import Origin
from einsum_front.core.functions import Function
from einsum_front.core.runs import Runs
from einsum_front.tl_backend.types import GroupType, MemrefType, ScalarType


@dataclass(frozen=True, slots=True)
class Local:
    """The value `%name`."""

    name: str
    origin: Origin = field(default=(), compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class IntegerConstant:
    """An integer in [-2^63 + 1, 2^63 - 1]; `true` and `false` are 1 and 0."""

    value: int
    origin: Origin = field(default=(), compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class FloatConstant:
    """A finite double."""

    value: float
    origin: Origin = field(default=(), compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class ComplexConstant:
    """Two finite doubles, `[1.0, -2.0]`."""

    value: complex
    origin: Origin = field(default=(), compare=False, repr=False)


Constant = IntegerConstant | FloatConstant | ComplexConstant
Operand = Local | IntegerConstant | FloatConstant | ComplexConstant
IndexOperand = Local | IntegerConstant


@dataclass(frozen=True, slots=True)
class TypedScalar:
    """A scalar operand with the type written for it; `origin` is the place of the type."""

    value: Operand
    type: ScalarType
    origin: Origin = field(default=(), compare=False, repr=False)

    def is_number(self, number: int) -> bool:
        """True if it is this number in the text."""
        return not isinstance(self.value, Local) and self.value.value == number


@dataclass(frozen=True, slots=True)
class TypedMemref:
    """A memref operand with the type written for it; `origin` is the place of the type."""

    value: Local
    type: MemrefType
    origin: Origin = field(default=(), compare=False, repr=False)


class Transpose(Enum):
    """Operation on a matrix operand before use."""

    N = "n"
    T = "t"


class BinaryOperator(Enum):
    """Arithmetic on two scalars of one type."""

    ADD = "add"
    SUB = "sub"
    MUL = "mul"
    DIV = "div"
    REM = "rem"
    SHL = "shl"
    SHR = "shr"
    AND = "and"
    OR = "or"
    XOR = "xor"


class UnaryOperator(Enum):
    """Arithmetic on one scalar; the last three are of complex numbers, and two of them return real ones."""

    NEG = "neg"
    NOT = "not"
    CONJ = "conj"
    IM = "im"
    RE = "re"


FUNCTIONS = tuple(function for function in Function if function.is_instruction)
"""The functions of `math`; the others are written with them."""


class Condition(Enum):
    """A comparison."""

    EQ = "eq"
    NE = "ne"
    GT = "gt"
    GE = "ge"
    LT = "lt"
    LE = "le"


# -- values ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Alloca:
    """Temporary memory, shared by the work-group, freed at the end of the region.

    It lies near the work-items, or in the global memory of the device if `is_global`. `nonzeros` are the entries that
    may differ from zero, as half-open runs of packed column-major positions; None: nothing is known. `sizes` are those
    of the dynamic modes, in their order: there are some in global memory only.
    """

    result: Local
    type: MemrefType
    origin: Origin = field(default=(), compare=False, repr=False)
    is_global: bool = False
    nonzeros: Runs | None = None
    sizes: tuple[Local, ...] = ()


@dataclass(frozen=True, slots=True)
class ArithBinary:
    """`result := left operator right`, all of one type."""

    result: Local
    operator: BinaryOperator
    left: Operand
    right: Operand
    type: ScalarType
    origin: Origin = field(default=(), compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class ArithUnary:
    """`result := operator operand`, of one type."""

    result: Local
    operator: UnaryOperator
    operand: Operand
    type: ScalarType
    origin: Origin = field(default=(), compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Cast:
    """The operand in another scalar type, converted as in C."""

    result: Local
    operand: Operand
    from_type: ScalarType
    to_type: ScalarType
    origin: Origin = field(default=(), compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Compare:
    """`result := left condition right`, a boolean; `type` is the operands' type."""

    result: Local
    condition: Condition
    left: Operand
    right: Operand
    type: ScalarType
    origin: Origin = field(default=(), compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Expand:
    """A view with mode `mode` split into the modes of `shape`; None is a size that is inferred (`?`)."""

    result: Local
    operand: Local
    mode: int
    shape: tuple[IndexOperand | None, ...]
    type: MemrefType
    origin: Origin = field(default=(), compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Fuse:
    """A view with the modes `first` to `last` (included) seen as one."""

    result: Local
    operand: Local
    first: int
    last: int
    type: MemrefType
    origin: Origin = field(default=(), compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class GroupId:
    """The number of the work-group, of type `index`."""

    result: Local
    origin: Origin = field(default=(), compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class GroupSize:
    """The number of work-groups of the launch, of type `index`."""

    result: Local
    origin: Origin = field(default=(), compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Load:
    """The element of a memref, or the memref of a group, at the indices."""

    result: Local
    operand: Local
    indices: tuple[IndexOperand, ...]
    type: MemrefType | GroupType
    origin: Origin = field(default=(), compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class MathCall:
    """`result := function(operands)`, all of one floating type; `function` is one of `FUNCTIONS`. Ours."""

    result: Local
    function: Function
    operands: tuple[Operand, ...]
    type: ScalarType
    origin: Origin = field(default=(), compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Size:
    """The size of a mode, of type `index`."""

    result: Local
    operand: Local
    mode: int
    type: MemrefType
    origin: Origin = field(default=(), compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Position:
    """One position of a mode: the view loses the mode."""

    index: IndexOperand


@dataclass(frozen=True, slots=True)
class Slice:
    """The `size` positions of a mode from `offset` on; a size of None (`?`) reaches to the end of the mode."""

    offset: IndexOperand
    size: IndexOperand | None


@dataclass(frozen=True, slots=True)
class Subview:
    """A view on a part of a tensor; strides stay as they are."""

    result: Local
    operand: Local
    slices: tuple[Position | Slice, ...]
    type: MemrefType
    origin: Origin = field(default=(), compare=False, repr=False)


# -- collective instructions -------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Collective:
    """`target := alpha * product of the inputs + beta * target`, done by all work-items of the group together.

    `transposes` are of the first inputs, in their order. What the product is, `tl_backend.semantics` says of each
    of the subclasses. `letters` are the indices of the notation that walk the modes of the inputs and of the target,
    several with `_` between them, or nothing if they are not known; like the origin, they change no meaning.
    """

    transposes: tuple[Transpose, ...]
    atomic: bool
    alpha: TypedScalar
    inputs: tuple[TypedMemref, ...]
    beta: TypedScalar
    target: TypedMemref
    origin: Origin = field(default=(), compare=False, repr=False)
    letters: tuple[tuple[str, ...], ...] = field(default=(), compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Axpby(Collective):
    """`B := alpha op(A) + beta B` for vectors, matrices and memrefs of rank 0."""


@dataclass(frozen=True, slots=True)
class Gemm(Collective):
    """`C := alpha op_a(A) op_b(B) + beta C` for matrices."""


@dataclass(frozen=True, slots=True)
class Gemv(Collective):
    """`c := alpha op(A) b + beta c` for a matrix and vectors."""


@dataclass(frozen=True, slots=True)
class Ger(Collective):
    """`C := alpha a b^T + beta C` for vectors and a matrix."""


@dataclass(frozen=True, slots=True)
class HadamardProduct(Collective):
    """`c_i := alpha a_i b_i + beta c_i` for vectors."""


@dataclass(frozen=True, slots=True)
class Sum(Collective):
    """`B := alpha op(A) 1 + beta B`: the row sums of a matrix, or the sum of a vector into a memref of rank 0."""


# -- control and memory ------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Store:
    """Writes a scalar to a memref at the indices."""

    value: Local
    target: Local
    indices: tuple[IndexOperand, ...]
    type: MemrefType
    origin: Origin = field(default=(), compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class If:
    """Both regions are mixed regions; with results, each ends with a `yield` of the `types`."""

    results: tuple[Local, ...]
    condition: IndexOperand
    types: tuple[ScalarType, ...]
    then: "Region"
    otherwise: "Region | None"
    origin: Origin = field(default=(), compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class For:
    """Runs the region for `variable` = start, start + step, … below `stop`, one after the other."""

    variable: Local
    start: IndexOperand
    stop: IndexOperand
    step: IndexOperand
    type: ScalarType
    body: "Region"
    origin: Origin = field(default=(), compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Foreach:
    """Runs the spmd region for `variable` in [start, stop), in any order, spread over the work-items."""

    variable: Local
    start: IndexOperand
    stop: IndexOperand
    type: ScalarType
    body: "Region"
    origin: Origin = field(default=(), compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Yield:
    """The results of the enclosing `if`."""

    values: tuple[Operand, ...]
    types: tuple[ScalarType, ...]
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


ValueInstruction = (
    Alloca
    | ArithBinary
    | ArithUnary
    | Cast
    | Compare
    | Expand
    | Fuse
    | GroupId
    | GroupSize
    | Load
    | MathCall
    | Size
    | Subview
)
RegionInstruction = If | For | Foreach
Instruction = ValueInstruction | Collective | RegionInstruction | Store | Yield | Barrier | LifetimeStop
Region = tuple[Instruction, ...]
