"""A contraction that is too much for one kernel, step by step: its temporaries become arrays.

The temporaries of a kernel lie in the memory of a work-group. Where an index string has no batch, one work-group does
all of the work and its temporaries are as large as intermediate results of `numpy.einsum`; so each step of the plan
becomes an index string of its own, whose kernel finds a batch or cuts its result into tiles.

    ij,jk,kl->il        tmp0 = ij,jk->ik        D = ik,kl->il

A sum over everything in a single step is computed in parts first:

    ij,ij->             partial = ij,ij->i      C = i->
"""

from collections.abc import Iterator
from dataclasses import dataclass
from string import ascii_letters

from einsum_front.driver import plan_program
from einsum_front.einsum_string import EinsumProgram
from einsum_front.options import Options
from ir.coefficient import ONE, is_zero
from ir.contraction.nodes import Along, At
from ir.plan.plan import Plan, Step, View

BATCH = "batch of the string"
"""Stands for the batch index among the indices of a step; no index of a plan has this name."""


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


PARTIAL = "partial sums"
"""The temporary of a sum in parts; no tensor has this name."""


def string_steps(meaning: EinsumProgram, least: int = 0) -> tuple[StringStep, ...]:
    """The steps of the plan of an index string as index strings.

    None if one step is all there is, or the plan has less than `least` operations.
    """
    plan = _plan(meaning)
    if len(plan.steps) == 1 or plan.cost.operations < least or not all(_is_plain(step) for step in plan.steps):
        return ()
    batched = _batched(plan, meaning)
    return tuple(_string_step(number, step, plan, batched) for number, step in enumerate(plan.steps))


def partial_sums(meaning: EinsumProgram) -> tuple[StringStep, ...]:
    """A sum of products in two steps: over all indices but one, and over this one, which leads the most operands.

    None if the plan is no single step, or sums nothing.
    """
    plan = _plan(meaning)
    step, batched = plan.steps[0], _batched(plan, meaning)
    if len(plan.steps) > 1 or len(step.operands) == 1 or not step.space.reduction or not _is_plain(step):
        return ()
    firsts = [view.indices[0] for view in step.operands if view.indices]
    last = max(step.space.reduction, key=lambda index: firsts.count(index.name)).name
    letters = _letters(step)
    *terms, result = _terms(step, letters, batched)
    partial = result + letters[last]
    operands = tuple(_part(view, batched) for view in step.operands)
    return (
        StringStep(f"{','.join(terms)}->{partial}", operands, PARTIAL, ()),
        StringStep(f"{partial}->{result}", (Part(PARTIAL, ()),), step.target.buffer, (PARTIAL,)),
    )


def _plan(meaning: EinsumProgram) -> Plan:
    (planned,) = plan_program(meaning.program, Options())
    return planned.plan


def _is_plain(step: Step) -> bool:
    """Whether the step computes all of its target, and nothing else than products and sums."""
    parts = (part for view in (*step.operands, step.target) for part in view.parts)
    is_whole = all(isinstance(part, At) or part.offset == 0 for part in parts)
    return is_whole and step.alpha == ONE and is_zero(step.beta) and bool(step.operands)


def _batched(plan: Plan, meaning: EinsumProgram) -> frozenset[str]:
    """The buffers that have the batch index of the string: batched operands, and all that is computed from them."""
    if not meaning.has_batch_index:
        return frozenset()
    batched = {argument.name for argument in meaning.operands if argument.is_batched}
    for step in plan.steps:
        if any(view.buffer in batched for view in step.operands):
            batched.add(step.target.buffer)
    return frozenset(batched)


def _string_step(number: int, step: Step, plan: Plan, batched: frozenset[str]) -> StringStep:
    *terms, result = _terms(step, _letters(step), batched)
    operands = tuple(_part(view, batched) for view in step.operands)
    dead = tuple(buffer.tensor.name for buffer in plan.buffers if buffer.is_temporary and buffer.last == number)
    return StringStep(f"{','.join(terms)}->{result}", operands, step.target.buffer, dead)


def _letters(step: Step) -> dict[str, str]:
    return dict(zip((BATCH, *(index.name for index in step.space.indices)), ascii_letters, strict=False))


def _terms(step: Step, letters: dict[str, str], batched: frozenset[str]) -> list[str]:
    """The terms of the operands and of the result."""
    return [_term(view, letters, batched) for view in (*step.operands, step.target)]


def _term(view: View, letters: dict[str, str], batched: frozenset[str]) -> str:
    leading = letters[BATCH] if view.buffer in batched else ""
    return leading + "".join(letters[part.index] for part in view.parts if isinstance(part, Along))


def _part(view: View, batched: frozenset[str]) -> Part:
    return Part(view.buffer, tuple(_key(view, batched)))


def _key(view: View, batched: frozenset[str]) -> Iterator[int | slice]:
    if view.buffer in batched:
        yield slice(None)
    yield from (part.position if isinstance(part, At) else slice(None) for part in view.parts)
