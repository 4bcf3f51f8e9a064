"""Which steps compute what is the same for all elements, so that a work-item runs them once."""

from collections.abc import Sequence
from dataclasses import dataclass

from tl_backend.opencl.lanes.context import Facts
from tl_backend.opencl.lanes.merge import Step
from tl_backend.opencl.lanes.product import Product
from tl_backend.opencl.lanes.steps import everything
from tl_backend.program import Function
from tl_backend.traverse import results
from tl_backend.types import ScalarType


@dataclass(frozen=True, slots=True)
class Hoisted:
    """Steps that run once, the others, and the scalars and bases that are complete before the others."""

    once: tuple[Step, ...]
    others: tuple[Step, ...]
    early: frozenset[str]


def hoist(function: Function, steps: Sequence[Step], facts: Facts) -> Hoisted:
    """All uniform steps run once, unless a temporary is written again after elements have used it."""
    early = {argument.name.name for argument in function.arguments if isinstance(argument.type, ScalarType)}
    early |= {name for name, storage in facts.storages.items() if storage.is_argument and storage.is_uniform}
    uniform = [_is_uniform(step, facts) for step in steps]
    if not _are_independent(steps, uniform, facts):
        return Hoisted((), tuple(steps), frozenset(early))
    once = tuple(step for step, is_uniform in zip(steps, uniform, strict=True) if is_uniform)
    others = tuple(step for step, is_uniform in zip(steps, uniform, strict=True) if not is_uniform)
    early |= {name for name, storage in facts.storages.items() if storage.is_uniform}
    early |= {result.name for step in once if not isinstance(step.action, Product) for result in results(step.action)}
    return Hoisted(once, others, frozenset(early))


def _is_uniform(step: Step, facts: Facts) -> bool:
    """Whether the step makes nothing that differs from lane to lane."""
    if any(not facts.storages[base].is_uniform for base in step.touches):
        return False
    if isinstance(step.action, Product):
        return not any(each.name in facts.sharing.scalars for each in step.action.coefficients)
    made = [result for instruction in everything(step.action) for result in results(instruction)]
    return not any(result.name in facts.sharing.scalars for result in made)


def _are_independent(steps: Sequence[Step], uniform: Sequence[bool], facts: Facts) -> bool:
    """Whether every temporary that is the same for all elements is complete before a step of elements uses it."""
    used: set[str] = set()
    for step, is_uniform in zip(steps, uniform, strict=True):
        temporaries = {base for base in step.touches if facts.storages[base].is_uniform}
        if not is_uniform:
            used |= temporaries
            if any(facts.storages[base].is_uniform for base in step.writes):
                return False
        elif step.writes & used:
            return False
    return True
