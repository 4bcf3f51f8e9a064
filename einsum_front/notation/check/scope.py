"""Names of a text and what they stand for at one place of it."""

from collections.abc import Mapping
from dataclasses import field, replace
from fractions import Fraction
from typing import TYPE_CHECKING

from einsum_front.core.dataclass import dataclass
from einsum_front.core.diagnostics import CompilerBug
from einsum_front.core.extent import Polynomial, Size
from einsum_front.core.storage import ElementType
from einsum_front.notation import checked, syntax

if TYPE_CHECKING:
    from einsum_front.tc.nodes import Definition

Value = Fraction | Polynomial
"""An exact number, or one of sizes that the launch supplies."""


@dataclass(frozen=True, slots=True)
class TensorFamily:
    """A declared tensor and its members; one that is no family has the single member `()`."""

    declaration: syntax.Tensor
    extents: tuple[int, ...]
    members: Mapping[tuple[int, ...], checked.Tensor]


@dataclass(frozen=True, slots=True)
class ScalarFamily:
    """A declared scalar and its members; one that is no family has the single member `()`."""

    declaration: syntax.Scalar
    extents: tuple[int, ...]
    members: Mapping[tuple[int, ...], checked.Scalar]


@dataclass(frozen=True, slots=True)
class Scope:
    """All declarations, and the numbers that the names of enclosing ranges stand for.

    `kinds` says of every declared name in words what it is; `broken` are names whose declaration has a mistake: what
    uses them is not looked at. `sizes` are those that the launch supplies, with what is known of them. `definitions`
    are operations of texts in tc, of which some are missing if one `has_broken_text`. `complex_names` are those of
    complex tensors and scalars, by their arguments.
    """

    element_type: ElementType
    numbers: Mapping[str, Value] = field(default_factory=dict)
    tensors: Mapping[str, TensorFamily] = field(default_factory=dict)
    scalars: Mapping[str, ScalarFamily] = field(default_factory=dict)
    variables: Mapping[str, int] = field(default_factory=dict)
    kinds: Mapping[str, str] = field(default_factory=dict)
    broken: frozenset[str] = frozenset()
    sizes: Mapping[str, Size] = field(default_factory=dict)
    definitions: "Mapping[str, Definition]" = field(default_factory=dict)
    has_broken_text: bool = False
    complex_names: frozenset[str] = frozenset()

    def names(self) -> tuple[str, ...]:
        """Everything that an expression may name, in the order of declaration."""
        return (*self.numbers, *self.scalars, *self.tensors, *self.variables)

    def with_variable(self, name: str, value: int) -> "Scope":
        """The scope inside a range, for one of its numbers."""
        return replace(self, variables={**self.variables, name: value})

    def number(self, name: str) -> Value | None:
        """The number that a name stands for; None if it is no param, size or variable."""
        return Fraction(self.variables[name]) if name in self.variables else self.numbers.get(name)

    def family_of(self, name: str) -> tuple[TensorFamily, checked.Tensor]:
        """The tensor with this argument name, and the declaration that it is a member of."""
        for family in self.tensors.values():
            for tensor in family.members.values():
                if tensor.name == name:
                    return family, tensor
        raise CompilerBug(f"no tensor `{name}` in scope")
