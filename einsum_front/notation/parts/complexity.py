"""Complex numbers in a checked program: which expressions are complex."""

from collections.abc import Iterable

from einsum_front.core.coefficient import Coefficient, scalars_of
from einsum_front.core.functions import SELECTIONS
from einsum_front.notation.checked import (
    Access,
    Apply,
    Component,
    Expression,
    Extremum,
    Gather,
    Part,
    Product,
    Quotient,
    Reduction,
    Scalar,
    ScalarTerm,
    Scaled,
    Sum,
    Tensor,
    parts,
)

Names = frozenset[str]
"""Complex tensors and scalars, by the names of their arguments."""


IMAGINARY_UNIT = "1j"
"""Its name among the scalars of a coefficient, which no text can give to another."""


def complex_names(tensors: Iterable[Tensor], scalars: Iterable[Scalar]) -> Names:
    """The names of those that are complex."""
    return frozenset(each.name for each in tensors if each.is_complex) | {s.name for s in scalars if s.is_complex}


def is_complex(expression: Expression, names: Names) -> bool:
    """True if entries of the expression have an imaginary part."""
    match expression:
        case Access(tensor=tensor):
            return tensor in names
        case ScalarTerm(value=value):
            return is_complex_coefficient(value, names)
        case Scaled(coefficient=coefficient, operand=operand):
            return is_complex_coefficient(coefficient, names) or is_complex(operand, names)
        case Component(part=Part.CONJUGATE, operand=operand) | Reduction(operand=operand):
            return is_complex(operand, names)
        case Apply(function=function, arguments=(_, _, left, right)) if function in SELECTIONS:
            return is_complex(left, names) or is_complex(right, names)
        case Component() | Extremum() | Apply() | Gather():  # what integers choose is real: E0246
            return False
        case Product() | Sum() | Quotient():
            return any(is_complex(part, names) for part in parts(expression))


def is_complex_coefficient(coefficient: Coefficient, names: Names) -> bool:
    """True if a coefficient has an imaginary part."""
    return any(name == IMAGINARY_UNIT or name in names for name in scalars_of(coefficient))
