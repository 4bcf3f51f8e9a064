"""A contraction that is too much for one work-group, step by step: its temporaries become arrays.

Where an index string has no batch, one work-group computes all of its steps, one after the other. So that more cores
have work, each step of the plan becomes an index string of its own, whose kernel finds a batch or cuts its result into
tiles.

    ij,jk,kl->il        tmp0 = ij,jk->ik        D = ik,kl->il

So does a path that the caller gives.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from string import ascii_letters

from einsum_front import ir
from einsum_front.core.extent import hint

Positions = tuple[tuple[int, ...], ...]
"""A path: which operands each product takes, by their places among what is left; the product goes to the end."""


@dataclass(frozen=True, slots=True)
class Part:
    """An array by name, and where it is held: a position for a mode, or the whole of it."""

    name: str
    key: tuple[int | slice, ...]


@dataclass(frozen=True, slots=True)
class StringStep:
    """`target = einsum(subscripts, *operands)`; `dead` are temporaries that nobody needs after it."""

    subscripts: str
    operands: tuple[Part, ...]
    target: str
    dead: tuple[str, ...]


def string_steps(plan: ir.Plan, least: int) -> tuple[StringStep, ...]:
    """The steps of the plan of an index string without a batch as index strings.

    None if one step is all there is, or the plan has less than `least` operations.
    """
    if len(plan.steps) == 1 or hint(plan.cost.operations) < least or not all(_is_plain(step) for step in plan.steps):
        return ()
    return tuple(_string_step(number, step, plan) for number, step in enumerate(plan.steps))


def steps_of_path(
    terms: Sequence[tuple[str, ...]], output: tuple[str, ...], names: Sequence[str], result: str, path: Positions
) -> tuple[StringStep, ...]:
    """The products of a path as index strings, `result` the target of the last one.

    `terms` are the names of the indices of each operand, `output` those of the result, `names` the operands. A product
    keeps the indices that the result or what is left has.
    """
    letters = dict(zip(dict.fromkeys(name for term in terms for name in term), ascii_letters, strict=False))
    left = list(zip(names, terms, strict=True))
    steps = []
    for number, places in enumerate(path):
        taken = [left[place] for place in places]
        left = [each for place, each in enumerate(left) if place not in places]
        needed = {*output, *(name for _, term in left for name in term)}
        found = dict.fromkeys(name for _, term in taken for name in term)
        is_last = number == len(path) - 1
        kept = output if is_last else tuple(name for name in found if name in needed)
        target = result if is_last else f"product{number}"
        written = ",".join("".join(letters[name] for name in term) for _, term in taken)
        operands = tuple(Part(name, (slice(None),) * len(term)) for name, term in taken)
        dead = tuple(name for name, _ in taken if name.startswith("product"))
        steps.append(StringStep(f"{written}->{''.join(letters[name] for name in kept)}", operands, target, dead))
        left.append((target, kept))
    return tuple(steps)


def path_of(names: Sequence[str], plan: ir.Plan) -> Positions:
    """The products of the plan of an index string with these operands; without products, one step takes all of them."""
    left = list(names)
    path: list[tuple[int, ...]] = []
    for one, other, result in _pairs(plan):
        places = sorted((left.index(one), left.index(other)))
        path.append(tuple(places))
        left = [name for place, name in enumerate(left) if place not in places] + [result]
    return tuple(path) or (tuple(range(len(left))),)


def _pairs(plan: ir.Plan) -> tuple[tuple[str, str, str], ...]:
    """The products of the plan of an index string: the operands and temporaries that are multiplied, and the result.

    What is only summed before keeps the name that it had.
    """
    known: dict[str, str] = {}
    found = []
    for step in (*(() if plan.prologue is None else plan.prologue.steps), *plan.steps):
        names = [known.get(view.buffer, view.buffer) for view in step.operands]
        if len(names) == 1:
            known[step.target.buffer] = names[0]
        else:
            found.append((names[0], names[1], step.target.buffer))
    return tuple(found)


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
