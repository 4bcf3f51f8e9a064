"""Readers of what a target overwrites."""

from collections.abc import Iterable

from einsum_front.ir.plan.pending import PendingStep, Target
from einsum_front.ir.plan.placement import overlap
from einsum_front.ir.plan.plan import Step
from einsum_front.ir.plan.regions import lengths


def steps_read(steps: Iterable[Step], target: Target) -> bool:
    """True if one of the steps reads an entry of the target's region."""
    written, extents = target.view(), lengths(target.ranges)
    return any(overlap(view, step.space.extents, written, extents) for step in steps for view in step.operands)


def pending_reads(pending: PendingStep, target: Target) -> bool:
    """True if a pending step, once made, reads an entry of the target's region."""
    written, extents = target.view(), lengths(target.ranges)
    own = lengths(pending.ranges)
    return any(overlap(view, own, written, extents) for view in pending.views())


def is_entrywise(pending: PendingStep, target: Target) -> bool:
    """True if the pending step reads an entry of the target for that entry alone."""
    if pending.reduction:
        return False
    replaced = target.placement.view(target.indices, target.region(pending))
    whole, extents = target.view(), lengths(target.ranges)
    own = lengths(pending.ranges)
    return all(view == replaced for view in pending.views() if overlap(view, own, whole, extents))
