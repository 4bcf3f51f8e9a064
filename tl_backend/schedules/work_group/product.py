"""The one form of all collective instructions:

    result[row, column] := alpha * sum over depth of the factors + beta * result[row, column]

where a loop may be missing, and each factor is a view whose modes run with some of the loops.
"""

from dataclasses import dataclass
from enum import Enum

from einsum_front.diagnostics import CompilerBug
from einsum_front.tl_backend.instructions import (
    Axpby,
    CollectiveInstruction,
    Gemm,
    Gemv,
    Ger,
    HadamardProduct,
    Sum,
    Transpose,
    TypedScalar,
)
from einsum_front.tl_backend.kernel.tree import Expression, Integer
from einsum_front.tl_backend.kernel.types import Scalar
from einsum_front.tl_backend.opencl.scalar import wrapping_type
from einsum_front.tl_backend.opencl.view import View
from einsum_front.tl_backend.schedules.work_group.context import Context


class Loop(Enum):
    """A loop of a collective instruction; the value is the name of its variable."""

    ROW = "i"
    COLUMN = "j"
    DEPTH = "k"


MATRIX = (Loop.ROW, Loop.COLUMN)
VECTOR = (Loop.ROW,)


@dataclass(frozen=True, slots=True)
class Factor:
    """A view, and the loop that each of its modes runs with."""

    view: View
    loops: tuple[Loop, ...]


@dataclass(frozen=True, slots=True)
class Product:
    """A collective instruction as loops over a product of factors."""

    result: Factor
    factors: tuple[Factor, ...]
    alpha: TypedScalar
    beta: TypedScalar
    is_atomic: bool

    @property
    def is_sum(self) -> bool:
        """Whether there is something to sum over."""
        return any(Loop.DEPTH in factor.loops for factor in self.factors)

    def extent(self, loop: Loop) -> Expression:
        """The size of the modes that run with the loop; a constant if one of them has one."""
        sizes = [
            size
            for factor in (self.result, *self.factors)
            for mode, size in zip(factor.loops, factor.view.shape, strict=True)
            if mode is loop
        ]
        return next((size for size in sizes if isinstance(size, Integer)), sizes[0])

    @property
    def views(self) -> tuple[View, ...]:
        """The views of the result and of the factors."""
        return self.result.view, *(factor.view for factor in self.factors)

    @property
    def type(self) -> Scalar:
        """The C type to compute in: of f32 and f64 the wider one; integers are not mixed."""
        return wrapping_type(max((view.element for view in self.views), key=lambda element: element.bits))


def product(instruction: CollectiveInstruction, context: Context) -> Product:
    """The instruction in the one form."""
    factors: tuple[Factor, ...]
    match instruction:
        case Axpby(alpha=alpha, a=a, beta=beta, b=b):
            loops = _loops(context.view(b.value))
            factors = (Factor(context.view(a.value), _transposed(loops, instruction.transpose)),)
            result = Factor(context.view(b.value), loops)
        case Sum(alpha=alpha, a=a, beta=beta, b=b):
            result = Factor(context.view(b.value), _loops(context.view(b.value)))
            loops = (*result.loops, Loop.DEPTH)
            factors = (Factor(context.view(a.value), _transposed(loops, instruction.transpose)),)
        case (
            Gemm(alpha=alpha, beta=beta, c=c)
            | Gemv(alpha=alpha, beta=beta, c=c)
            | Ger(alpha=alpha, beta=beta, c=c)
            | HadamardProduct(alpha=alpha, beta=beta, c=c)
        ):
            result = Factor(context.view(c.value), _loops(context.view(c.value)))
            views = context.view(instruction.a.value), context.view(instruction.b.value)
            factors = tuple(map(Factor, views, _factor_loops(instruction)))
    return Product(result, factors, alpha, beta, instruction.atomic)


def _factor_loops(instruction: Gemm | Gemv | Ger | HadamardProduct) -> tuple[tuple[Loop, ...], tuple[Loop, ...]]:
    match instruction:
        case Gemm(transpose_a=transpose_a, transpose_b=transpose_b):
            return (
                _transposed((Loop.ROW, Loop.DEPTH), transpose_a),
                _transposed((Loop.DEPTH, Loop.COLUMN), transpose_b),
            )
        case Gemv(transpose=transpose):
            return _transposed((Loop.ROW, Loop.DEPTH), transpose), (Loop.DEPTH,)
        case Ger():
            return (Loop.ROW,), (Loop.COLUMN,)
        case HadamardProduct():
            return VECTOR, VECTOR


def _loops(view: View) -> tuple[Loop, ...]:
    """The loops over the result."""
    if len(view.shape) > len(MATRIX):
        raise CompilerBug("the result of a collective instruction is neither a matrix nor a vector nor a scalar")
    return MATRIX[: len(view.shape)]


def _transposed(loops: tuple[Loop, ...], transpose: Transpose) -> tuple[Loop, ...]:
    return loops[::-1] if transpose is Transpose.T else loops
