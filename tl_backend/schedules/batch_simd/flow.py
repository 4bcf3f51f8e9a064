"""Loads of a block of elements before its steps, and stores behind them.

An argument is loaded as far as it is read before it is written, and stored behind the last step that uses it. All loads
come first: they wait for memory together. An argument that a single product adds to, and that nothing else uses, is not
loaded: what is in memory is added when the sums are stored.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet

import numpy as np

from einsum_front.core.dataclass import dataclass
from einsum_front.core.runs import Mask
from einsum_front.tl_backend import instructions as tl
from einsum_front.tl_backend.schedules.batch_simd.steps import Step, Users, everything, users_of
from einsum_front.tl_backend.schedules.batch_simd.transfer import bridged
from einsum_front.tl_backend.schedules.positions.facts import Facts
from einsum_front.tl_backend.schedules.positions.product import Positions, ProductSum, product_of
from einsum_front.tl_backend.schedules.positions.zeros import stored_mask, summands


@dataclass(frozen=True, slots=True)
class Flow:
    """The traffic of one argument: what is loaded, and what is stored behind step `last`.

    `beta` times what is in memory is added to what is stored. Where nothing is to be added, at the positions in `idle`,
    a negative zero is, which changes no number: that makes whole vectors of what is stored.
    """

    base: str
    needed: Mask
    last: int
    written: Mask
    idle: Mask
    beta: tl.TypedScalar


def find_flows(steps: Sequence[Step], facts: Facts, width: int) -> tuple[Flow, ...]:
    """The traffic of every argument that is one for each element, in the order of the arguments."""
    bases = [name for name, storage in facts.storages.items() if storage.is_argument and not storage.is_uniform]
    uses = [_uses(step, step.touches.intersection(bases), facts) for step in steps]
    users = users_of(steps)
    return tuple(_flow(base, steps, uses, users, facts, width) for base in bases if base in users)


def added_once(base: str, steps: Sequence[Step], users: Users) -> ProductSum | None:
    """The one product that adds to the argument, if nothing else uses it; `users` are those of the steps."""
    numbers = users.get(base, ())
    action = steps[numbers[0]].action if len(numbers) == 1 else None
    return action if isinstance(action, ProductSum) and not (action.beta.is_number(0) or base in action.read) else None


def _flow(
    base: str, steps: Sequence[Step], uses: Sequence[Mapping[str, "_Use"]], users: Users, facts: Facts, width: int
) -> Flow:
    needed = np.zeros_like(facts.patterns[base])
    defined, written = needed.copy(), needed.copy()
    for use in (uses[number][base] for number in users[base]):
        needed |= use.read & ~defined
        written |= use.written
        defined |= use.written
    beta = tl.TypedScalar(tl.FloatConstant(0.0), facts.storages[base].element)
    sums = added_once(base, steps, users)
    if sums is not None:
        needed, beta = np.zeros_like(needed), sums.beta
    idle = np.zeros_like(needed)
    if beta.is_number(1):
        idle = bridged(written, facts.patterns[base], width) & ~written
    return Flow(base, needed, users[base][-1], written | idle, idle, beta)


def without_zeros(steps: Iterable[Step], facts: Facts) -> frozenset[str]:
    """Arguments that each element has its own of, and whose declared zeros are never used.

    Only products use them, and products leave zeros out. Vectors that are loaded may have them, in lanes that nobody
    uses. Other instructions compute with zeros.
    """
    used = frozenset[str]().union(*(step.touches for step in steps if not isinstance(step.action, ProductSum)))
    own = {name for name, each in facts.storages.items() if each.is_argument and not each.is_uniform}
    return frozenset(own - used)


@dataclass(frozen=True, slots=True)
class _Use:
    """Reads and writes of a step in a base; what it may write or not, it reads."""

    read: Mask
    written: Mask


def _uses(step: Step, bases: AbstractSet[str], facts: Facts) -> Mapping[str, _Use]:
    """How a step uses each of these bases."""
    if isinstance(step.action, ProductSum):
        return _product_uses(step.action, bases, facts) if bases else {}
    return {base: _instruction_use(step, step.action, base, facts) for base in bases}


def _instruction_use(step: Step, action: tl.Instruction, base: str, facts: Facts) -> _Use:
    touched = np.zeros_like(facts.patterns[base])
    for instruction in everything(action):
        for positions in _positions(instruction, base, facts):
            touched[positions] = True
    touched &= facts.patterns[base]
    no_prefetch = np.zeros_like(touched)
    read = no_prefetch if isinstance(action, tl.Store) else touched
    return _Use(read, touched if base in step.writes else no_prefetch)


def _product_uses(product: ProductSum, bases: AbstractSet[str], facts: Facts) -> Mapping[str, _Use]:
    patterns = facts.patterns
    uses = {base: _Use(np.zeros_like(patterns[base]), np.zeros_like(patterns[base])) for base in bases}
    for term in product.terms:
        mask = summands(term, patterns)
        for factor in (factor for factor in term.factors if factor.base in bases):
            positions = np.broadcast_to(factor.positions(term.shape), term.shape)
            uses[factor.base].read[positions[mask]] = True
    if product.target.base in bases:
        use = uses[product.target.base]
        use.written[product.target_positions[stored_mask(product, patterns)]] = True
        if not product.beta.is_number(0):
            use.read[use.written] = True
    return uses


def _positions(instruction: tl.Instruction, base: str, facts: Facts) -> Iterator[Positions]:
    """All positions of the base that an instruction may touch, wherever its loops are."""
    places = facts.places
    if isinstance(instruction, tl.Load | tl.Store):
        memref = instruction.operand if isinstance(instruction, tl.Load) else instruction.target
        place = places.memrefs.get(memref.name)
        if place is not None and place.base == base:
            values = places.values(place.at(tuple(map(places.index, instruction.indices))))
            yield np.array(list(values), np.int64)
    elif isinstance(instruction, tl.Collective):
        product = product_of(instruction, places)
        for factor, shape in (
            *((factor, term.shape) for term in product.terms for factor in term.factors),
            (product.target, (product.rows, product.columns, 1)),
        ):
            if factor.base == base:
                moved = factor.positions(shape) - factor.offset.constant
                yield from (moved + offset for offset in places.values(factor.offset))
