"""Constants that lie in memory in a narrower type than they are computed with: the prologue widens them.

define @f_widened(%w: memref<bf16x8x9>, %w_wide: memref<f32x8x9>) {
  axpby {ij to ij} 1.0, %w, 0.0, %w_wide : memref<bf16x8x9> to memref<f32x8x9>
}
"""

from collections.abc import Sequence
from dataclasses import replace

from einsum_front.core.dataclass import dataclass
from einsum_front.core.diagnostics import Origin
from einsum_front.ir.plan.plan import Plan
from einsum_front.ir.yateto import nodes as yir


@dataclass(frozen=True, slots=True)
class Widening:
    """A constant in a narrow type, and the memory for it in the type that is computed with."""

    narrow: yir.Argument
    widened: yir.Argument
    copy: yir.Axpby
    facts: list[yir.Fact]


def with_widenings(prologue: yir.Function | None, wide: Sequence[Widening], plan: Plan) -> yir.Function | None:
    """The prologue with what widens constants, or one for that alone."""
    if not wide:
        return prologue
    before = yir.Function(f"{plan.name}_widened", (), (), (), (), None, plan.origin) if prologue is None else prologue
    known = {argument.name for argument in before.arguments}
    missing = [each for each in wide if each.narrow.name not in known]
    return replace(
        before,
        arguments=(*before.arguments, *(each.narrow for each in missing), *(each.widened for each in wide)),
        body=(*before.body, *(each.copy for each in wide)),
        facts=(*before.facts, *(fact for each in missing for fact in each.facts)),
    )


def copied(source: yir.Operand, target: yir.Operand, origin: Origin) -> yir.Axpby:
    """The numbers in the type of the target."""
    indices = tuple(f"i{mode}" for mode in range(len(target.type.shape)))
    number = int if target.type.element.is_integer else float
    one, zero = yir.Constant(number(1)), yir.Constant(number(0))
    return yir.Axpby(yir.UnaryMap(indices, indices), one, source, zero, target, origin)
