"""Interpreter of functions by the loops that a recipe makes: as `interpret`, with the batch as the last mode."""

from collections.abc import Mapping
from math import prod
from typing import Any

import numpy as np

from einsum_front.tl_backend.loops.interpret import interpret
from einsum_front.tl_backend.loops.lanes import Lanes, lanes_of
from einsum_front.tl_backend.loops.nodes import Elements, points, updates
from einsum_front.tl_backend.schedules.by_recipe import LoopsPlan
from einsum_front.tl_backend.schedules.choice import Scheduled

MOST_POINTS = 300_000
"""Products of a run at most: each is a step of Python."""


def has_loops(scheduled: Scheduled) -> bool:
    """True if a recipe says how the function runs."""
    return isinstance(scheduled.plan, LoopsPlan)


def elements_of_a_block(scheduled: Scheduled) -> int:
    """How many elements the loops take together: a block runs other code than what is left."""
    batch = scheduled.plan.loops.batch if isinstance(scheduled.plan, LoopsPlan) else None
    return batch.extent.block if batch is not None and isinstance(batch.extent, Elements) else 1


def interpret_loops(scheduled: Scheduled, arguments: Mapping[str, object], groups: int) -> bool:
    """Runs the loops of a function that has some, on `groups` elements; False if they would run for too long.

    Results are in place.
    """
    plan = scheduled.plan
    if not isinstance(plan, LoopsPlan):
        return False
    if groups * sum(times for _, times in points(plan.loops.body)) > MOST_POINTS:
        return False
    views: dict[str, Any] = dict(arguments)
    for name, mode in scheduled.function.batch_modes.items():
        views[name] = np.moveaxis(np.asarray(views[name]), mode, 0)
    lanes = lanes_of(scheduled.function)
    if not lanes.are_columns:
        interpret(plan.loops, views, groups)
        return True
    for group in range(groups):
        _run_columns(plan, lanes, {n: v[group] if n in scheduled.function.batch_modes else v for n, v in views.items()})
    return True


def _run_columns(plan: LoopsPlan, lanes: Lanes, views: Mapping[str, Any]) -> None:
    """The loops on the columns of an element: copies with the columns as first axis, which are written back."""
    moved, count = dict(views), 1
    for name in lanes.modes.keys() & views.keys():
        array, modes = views[name], len(lanes.modes[name])
        count = prod(array.shape[:modes])
        moved[name] = np.array(array.reshape((count, *array.shape[modes:]), order="F"))
    interpret(plan.loops, moved, count)
    for name in {each.target.tensor for each in updates(plan.loops.body)} & views.keys():
        views[name][...] = moved[name].reshape(views[name].shape, order="F")
