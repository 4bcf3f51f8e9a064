"""Which steps compute what is batch-invariant, so that a work-item runs them once."""

from collections.abc import Iterator, Sequence

from einsum_front.core.dataclass import dataclass
from einsum_front.tl_backend import instructions as tl
from einsum_front.tl_backend.program import Function
from einsum_front.tl_backend.schedules.batch_simd.merge import Step
from einsum_front.tl_backend.schedules.batch_simd.steps import everything
from einsum_front.tl_backend.schedules.positions.facts import Facts
from einsum_front.tl_backend.schedules.positions.product import ProductSum
from einsum_front.tl_backend.traverse import operands, results
from einsum_front.tl_backend.types import ScalarType


@dataclass(frozen=True, slots=True)
class Hoisted:
    """Steps that run once, the others, and the scalars and bases that are complete before all of them."""

    once: tuple[Step, ...]
    others: tuple[Step, ...]
    given: frozenset[str]

    @property
    def early(self) -> frozenset[str]:
        """The scalars and bases that are complete before the others."""
        return self.given.union(*(_completed(step) for step in self.once))

    def in_order(self) -> Iterator[tuple[Step, frozenset[str]]]:
        """The steps that run once, each with the scalars and bases that are complete before it: none of its own."""
        complete = self.given
        for step in self.once:
            yield step, complete - step.writes
            complete |= _completed(step)


def hoist(function: Function, steps: Sequence[Step], facts: Facts) -> Hoisted:
    """All uniform steps run once, unless a temporary is written again after elements have used it."""
    given = {argument.name.name for argument in function.arguments if isinstance(argument.type, ScalarType)}
    given |= {name for name, storage in facts.storages.items() if storage.is_argument and storage.is_uniform}
    uniform = _find_uniform(steps, facts)
    if not _are_independent(steps, uniform, facts):
        return Hoisted((), tuple(steps), frozenset(given))
    once = tuple(step for step, is_uniform in zip(steps, uniform, strict=True) if is_uniform)
    others = tuple(step for step, is_uniform in zip(steps, uniform, strict=True) if not is_uniform)
    return Hoisted(once, others, frozenset(given))


def _completed(step: Step) -> frozenset[str]:
    """Buffers that a step completes."""
    return step.writes.union(result.name for result in _made(step))


def _find_uniform(steps: Sequence[Step], facts: Facts) -> list[bool]:
    """Whether each step neither uses nor makes what differs from lane to lane, or what comes from a step that does."""
    late = set(facts.sharing.scalars)
    uniform = []
    for step in steps:
        is_uniform = all(facts.storages[base].is_uniform for base in step.touches)
        is_uniform = is_uniform and not any(used.name in late for used in (*_used(step), *_made(step)))
        late |= set() if is_uniform else {result.name for result in _made(step)}
        uniform.append(is_uniform)
    return uniform


def _used(step: Step) -> list[tl.Local]:
    """The scalars that a step uses, and other values."""
    if isinstance(step.action, ProductSum):
        return list(step.action.coefficients)
    used = (operand for instruction in everything(step.action) for operand in operands(instruction))
    return [operand for operand in used if isinstance(operand, tl.Local)]


def _made(step: Step) -> list[tl.Local]:
    """The scalars that a step makes, in its regions too."""
    if isinstance(step.action, ProductSum):
        return []
    return [result for instruction in everything(step.action) for result in results(instruction)]


def _are_independent(steps: Sequence[Step], uniform: Sequence[bool], facts: Facts) -> bool:
    """True if every temporary that is batch-invariant is complete before a step of elements uses it."""
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
