"""The steps of a plan as index strings, and its products as a path: what needs the planner's values."""

from collections.abc import Sequence
from string import ascii_letters

from einsum_front import ir
from einsum_front.core.extent import hint
from einsum_front.index_string.steps import Part, Positions, StringStep


def string_steps(plan: ir.Plan, least: int) -> tuple[StringStep, ...]:
    """The steps of the plan of an index string without a batch as index strings.

    None if one step is all there is, or the plan has less than `least` operations.
    """
    if len(plan.steps) == 1 or hint(plan.cost.operations) < least or not all(_is_plain(step) for step in plan.steps):
        return ()
    return tuple(_string_step(number, step, plan) for number, step in enumerate(plan.steps))


def path_of(names: Sequence[str], products: Sequence[tuple[str, str, str]]) -> Positions:
    """The products of the plan of an index string with these operands; without products, one step takes all of them."""
    left = list(names)
    path: list[tuple[int, ...]] = []
    for one, other, result in products:
        places = sorted((left.index(one), left.index(other)))
        path.append(tuple(places))
        left = [name for place, name in enumerate(left) if place not in places] + [result]
    return tuple(path) or (tuple(range(len(left))),)


def _is_plain(step: ir.Step) -> bool:
    """True if the step computes all of its target, and nothing else than products and sums."""
    parts = (part for view in (*step.operands, step.target) for part in view.parts)
    is_whole = all(isinstance(part, ir.At) or part.offset == 0 for part in parts)
    return is_whole and step.alpha == ir.ONE and ir.is_zero(step.beta) and bool(step.operands)


def _string_step(number: int, step: ir.Step, plan: ir.Plan) -> StringStep:
    letters = dict(zip((index.name for index in step.space.indices), ascii_letters, strict=False))
    *terms, result = ("".join(letters[name] for name in view.indices) for view in (*step.operands, step.target))
    operands = tuple(Part(view.buffer, tuple(map(_key, view.parts))) for view in step.operands)
    dead = tuple(buffer.tensor.name for buffer in plan.buffers if buffer.is_temporary and buffer.last == number)
    return StringStep(f"{','.join(terms)}->{result}", operands, step.target.buffer, dead)


def _key(part: ir.Part) -> int | slice:
    return part.position if isinstance(part, ir.At) else slice(None)
