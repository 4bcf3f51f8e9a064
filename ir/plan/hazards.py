"""What reads what a target overwrites."""

from collections.abc import Iterable

from einsum_front.ir.plan.draft import Draft, Target
from einsum_front.ir.plan.placement import overlap
from einsum_front.ir.plan.plan import Step
from einsum_front.ir.plan.regions import lengths


def steps_read(steps: Iterable[Step], target: Target) -> bool:
    """Whether one of the steps reads an entry of the target's region."""
    written, extents = target.view(), lengths(target.ranges)
    return any(overlap(view, step.space.extents, written, extents) for step in steps for view in step.operands)


def draft_reads(draft: Draft, target: Target) -> bool:
    """Whether the step that a draft becomes reads an entry of the target's region."""
    written, extents = target.view(), lengths(target.ranges)
    own = lengths(draft.ranges)
    return any(overlap(view, own, written, extents) for view in draft.views())


def is_entrywise(draft: Draft, target: Target) -> bool:
    """Whether the draft reads an entry of the target for that entry alone."""
    if draft.reduction:
        return False
    replaced = target.placement.view(target.indices, target.region(draft))
    whole, extents = target.view(), lengths(target.ranges)
    own = lengths(draft.ranges)
    return all(view == replaced for view in draft.views() if overlap(view, own, whole, extents))
