"""Texts as they are written: every operation alike, names of values not looked up yet, aliases not either."""

from collections.abc import Mapping
from dataclasses import field, replace

from einsum_front.core.dataclass import dataclass
from einsum_front.core.diagnostics import Span
from einsum_front.core.parsing import Placed
from einsum_front.mlir import nodes as mlir


@dataclass(frozen=True, slots=True)
class Integer:
    """An integer, of a type or none."""

    value: int
    type: mlir.Type | None = None


@dataclass(frozen=True, slots=True)
class Floating:
    """A real number, of a type or none."""

    value: float
    type: mlir.Type | None = None


@dataclass(frozen=True, slots=True)
class Text:
    """A string."""

    value: str


@dataclass(frozen=True, slots=True)
class Symbol:
    """The name of a function."""

    name: str


@dataclass(frozen=True, slots=True)
class Opaque:
    """An attribute of a dialect: `#linalg.iterator_type<parallel>`."""

    name: str
    argument: str


@dataclass(frozen=True, slots=True)
class Alias:
    """`#map`, which stands for an attribute that the text defines."""

    name: str


@dataclass(frozen=True, slots=True)
class Unit:
    """An attribute that is only there."""


@dataclass(frozen=True, slots=True)
class Array:
    """A list of attributes."""

    entries: tuple["Attribute", ...]


@dataclass(frozen=True, slots=True)
class Numbers:
    """`array<i64: 1, 2>`."""

    values: tuple[int | float, ...]


@dataclass(frozen=True, slots=True)
class Dense:
    """The entries of a tensor, row by row; one for all that are the same. Complex ones are two numbers each."""

    values: tuple[int | float, ...] | int | float
    shape: tuple[int, ...]
    type: mlir.Type


@dataclass(frozen=True, slots=True)
class Resource:
    """The entries of a tensor, which stand at the end of the text under a name."""

    name: str
    type: mlir.Type


@dataclass(frozen=True, slots=True)
class FunctionType:
    """The types of operands and results."""

    inputs: tuple[Placed[mlir.Type], ...]
    results: tuple[Placed[mlir.Type], ...]


@dataclass(frozen=True, slots=True)
class TypeAttribute:
    """A type as an attribute."""

    type: mlir.Type | FunctionType


AttributeValue = (
    Integer
    | Floating
    | Text
    | Symbol
    | Opaque
    | Alias
    | Unit
    | Array
    | Numbers
    | Dense
    | Resource
    | TypeAttribute
    | mlir.AffineMap
    | bool
    | dict[str, Placed[object]]
)
Attribute = Placed[AttributeValue]
Dictionary = Mapping[str, Attribute]


@dataclass(frozen=True, slots=True)
class Use:
    """The name of a value where it is used, and its type if it is written there."""

    name: str
    span: Span
    type: Placed[mlir.Type] | None = None


@dataclass(frozen=True, slots=True)
class Definition:
    """The name of a value where it is defined; `count` are the values that it stands for."""

    name: str
    span: Span
    count: int = 1


@dataclass(frozen=True, slots=True)
class Argument:
    """An argument of a function or a block."""

    name: str
    type: mlir.Type
    span: Span
    attributes: "Dictionary" = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Region:
    """A block with its arguments."""

    arguments: tuple[Argument, ...]
    statements: tuple["Raw", ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Raw:
    """An operation as it is written; what its form leaves out is None."""

    name: Placed[str]
    span: Span
    operands: tuple[Use, ...] = ()
    attributes: Dictionary = field(default_factory=dict)
    regions: tuple[Region, ...] = ()
    result_types: tuple[Placed[mlir.Type], ...] | None = None
    results: tuple[Definition, ...] = ()
    location: str = ""

    def with_operands(self, *operands: Use) -> "Raw":
        """The same on other operands."""
        return replace(self, operands=operands)


RESOURCES = "{-#"
"""What stands before the names of resources among the aliases of a text."""


@dataclass(frozen=True, slots=True)
class Document:
    """A whole text: its operations, and what its aliases stand for."""

    statements: tuple[Raw, ...]
    aliases: Mapping[str, Attribute | str]
