"""The notation as it is written: names unresolved, families not unrolled, summation implied.

    program      = { item }
    item         = "use" STRING
                 | "param" NAME "=" number
                 | "real" NAME
                 | "integer" NAME
                 | "size" NAME [ ">=" number ] [ "<=" number ] [ "~" number ]
                 | ("tensor" | "temp") NAME [ members ] "[" [ number { "," number } ] "]" { attribute }
                 | "scalar" NAME [ members ] [ NAME ]
                 | "kernel" NAME [ "{" range { "," range } "}" ] "{" { statement } "}"
    members      = "{" number { "," number } "}"
    attribute    = NAME [ STRING | "<" number { "," number } ">" | "[" [ place { "," place } ] "]" ]
    place        = "(" [ number { "," number } ] ")"
    range        = NAME "in" number ":" number
    statement    = reference ("=" | "+=" | "-=") expression
                 | "for" range "{" { statement } "}"
    reference    = NAME [ members ] [ "[" position { "," position } "]" ] [ "@" entry ]
    position     = NAME [ "=" number ":" number ] | number
    entry        = NAME "[" [ position { "," position } ] "]"
    expression   = sum of products of factors with signs, as in Python, without comparisons
    factor       = NUMBER | NUMBER "j" | reference | ones | "(" expression ")" | "-" factor | factor "**" factor
                 | "sum" "{" range "}" "(" expression ")" | call
    call         = NAME [ members ] "(" argument { "," argument } ")"
    argument     = expression [ ("<" | "<=" | ">" | ">=" | "==" | "!=") expression ]
    ones         = "1" "[" [ position { "," position } ] "]"
    number       = an expression of NUMBERs, plain NAMEs and, as a position or a member, one entry alone

`grammar.lark` spells the same for the parser.
"""

from dataclasses import field
from enum import Enum

from einsum_front.core.dataclass import dataclass
from einsum_front.core.diagnostics import Origin

# -- expressions -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Literal:
    """A number as it is spelled, without a sign: `2`, `0.5`, `1e-3`."""

    text: str
    origin: Origin = field(default=(), compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Imaginary:
    """A number times the imaginary unit, as Python spells it: `2j`; `text` is the number, without a sign."""

    text: str
    origin: Origin = field(default=(), compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Range:
    """`start:stop`, the end excluded."""

    start: "Expression"
    stop: "Expression"
    origin: Origin = field(default=(), compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class RunningIndex:
    """A mode that an index runs through; `within` narrows it to a slice."""

    name: str
    within: Range | None = None
    origin: Origin = field(default=(), compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class FixedIndex:
    """A mode held at one position. A bare name is an index, so the number that it stands for is written `(n)`."""

    position: "Expression"
    origin: Origin = field(default=(), compare=False, repr=False)


Position = RunningIndex | FixedIndex


def is_entry(expression: "Expression") -> bool:
    """True for an entry of a tensor, which stands as a position or a member for the integer that it is."""
    return isinstance(expression, Reference) and expression.positions is not None


@dataclass(frozen=True, slots=True)
class Reference:
    """A name in an expression: a tensor if it has positions (`t[]` has none, but brackets), else a number or scalar.

    A position or a member that is a reference with positions is an entry of an integer tensor. `element` is the entry
    behind `@`, which says of which element of the batch the tensor is.
    """

    name: str
    members: tuple["Expression", ...] = ()
    positions: tuple[Position, ...] | None = None
    origin: Origin = field(default=(), compare=False, repr=False)
    element: "Reference | None" = None


@dataclass(frozen=True, slots=True)
class Ones:
    """`1[i,j]`: one at every position of these indices, whose extents are said elsewhere in the statement."""

    positions: tuple[Position, ...]
    origin: Origin = field(default=(), compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Negation:
    """`-operand`."""

    operand: "Expression"
    origin: Origin = field(default=(), compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Power:
    """`base ** exponent`."""

    base: "Expression"
    exponent: "Expression"
    origin: Origin = field(default=(), compare=False, repr=False)


class FactorOperator(Enum):
    """How a factor joins the product of those before it."""

    MUL = "*"
    DIV = "/"


class TermOperator(Enum):
    """How a term joins the sum of those before it."""

    ADD = "+"
    SUB = "-"


@dataclass(frozen=True, slots=True)
class Product:
    """Two or more factors: `first` and, each with its operator, the `rest`."""

    first: "Expression"
    rest: tuple[tuple[FactorOperator, "Expression"], ...]
    origin: Origin = field(default=(), compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Sum:
    """Two or more terms: `first` and, each with its operator, the `rest`."""

    first: "Expression"
    rest: tuple[tuple[TermOperator, "Expression"], ...]
    origin: Origin = field(default=(), compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class NamedRange:
    """`name in start:stop`: the name stands for one number of the range after the other."""

    name: str
    range: Range
    origin: Origin = field(default=(), compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class RangeSum:
    """`sum{d in 0:3}(body)`: the terms for each number of a range, added."""

    variable: NamedRange
    body: "Expression"
    origin: Origin = field(default=(), compare=False, repr=False)


class Comparison(Enum):
    """What is asked of two numbers."""

    LT = "<"
    LE = "<="
    GT = ">"
    GE = ">="
    EQ = "=="
    NE = "!="


@dataclass(frozen=True, slots=True)
class Condition:
    """`left comparison right`, the first argument of `where`."""

    left: "Expression"
    comparison: Comparison
    right: "Expression"
    origin: Origin = field(default=(), compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Call:
    """`max{k}(a, b)`: a function of entries; `over` are the indices of `max` and `min` as they are written."""

    function: str
    over: tuple["Expression", ...]
    arguments: tuple["Expression | Condition", ...]
    origin: Origin = field(default=(), compare=False, repr=False)


Expression = Literal | Imaginary | Reference | Ones | Negation | Power | Product | Sum | RangeSum | Call


def operands(call: Call) -> tuple[Expression, ...]:
    """The expressions of a call in the order of the text, both sides of a condition among them."""
    found: list[Expression] = []
    for argument in call.arguments:
        found += (argument.left, argument.right) if isinstance(argument, Condition) else (argument,)
    return tuple(found)


# -- statements --------------------------------------------------------------------------------------------------------


class AssignmentOperator(Enum):
    """Effect on the left-hand side, once the right-hand side is known."""

    SET = "="
    ADD = "+="
    SUB = "-="


@dataclass(frozen=True, slots=True)
class Assignment:
    """`target operator value`."""

    target: Reference
    operator: AssignmentOperator
    value: Expression
    origin: Origin = field(default=(), compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Loop:
    """`for n in 1:O { … }`, unrolled when compiling."""

    variable: NamedRange
    body: tuple["Statement", ...]
    origin: Origin = field(default=(), compare=False, repr=False)


Statement = Assignment | Loop

# -- declarations ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Parameter:
    """`param name = value`."""

    name: str
    value: Expression
    origin: Origin = field(default=(), compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Computed:
    """`real f64`, `integer i32`: the kind of numbers that the program computes with, and their type."""

    kind: str
    element_type: str
    origin: Origin = field(default=(), compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Size:
    """`size name >= 4 <= 64 ~ 56`: a number known only at the launch, its bounds, and its hint."""

    name: str
    least: "Expression | None" = None
    most: "Expression | None" = None
    hint: "Expression | None" = None
    origin: Origin = field(default=(), compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class File:
    """A quoted path after an attribute, as spelled between the quotes."""

    path: str


@dataclass(frozen=True, slots=True)
class Numbers:
    """`<1, 64>` after an attribute."""

    values: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Places:
    """`[(0,1), (2,0)]` after an attribute: positions of single entries."""

    places: tuple["Place", ...]


@dataclass(frozen=True, slots=True)
class Place:
    """`(0,1)`: one number a mode."""

    position: tuple[Expression, ...]
    origin: Origin = field(default=(), compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Attribute:
    """A word after a tensor's shape, with its argument."""

    name: str
    argument: File | Numbers | Places | None = None
    origin: Origin = field(default=(), compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Tensor:
    """`tensor name{members}[shape] attributes`, or `temp …`; `origin` is the name's place."""

    name: str
    members: tuple[Expression, ...]
    shape: tuple[Expression, ...]
    attributes: tuple[Attribute, ...] = ()
    is_temporary: bool = False
    origin: Origin = field(default=(), compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Scalar:
    """`scalar name{members} element_type`, without a type that of the program; `origin` is the name's place."""

    name: str
    members: tuple[Expression, ...] = ()
    element_type: str = ""
    origin: Origin = field(default=(), compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Kernel:
    """`kernel name{ranges} { statements }`; `origin` is the name's place."""

    name: str
    family: tuple[NamedRange, ...]
    statements: tuple[Statement, ...]
    origin: Origin = field(default=(), compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Use:
    """`use "ops.tc"`: the operations that a text defines; `path` is as spelled between the quotes."""

    path: str
    origin: Origin = field(default=(), compare=False, repr=False)


Item = Use | Parameter | Computed | Size | Tensor | Scalar | Kernel


@dataclass(frozen=True, slots=True)
class Program:
    """A whole text, in its order."""

    items: tuple[Item, ...]
