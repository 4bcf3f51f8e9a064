"""The passes in their order, and how they are run."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial

from einsum_front.tl_backend.passes.choose_work_group import WorkGroupLimits, choose_work_group
from einsum_front.tl_backend.passes.fold_constants import fold_constants
from einsum_front.tl_backend.passes.hoist_invariants import hoist_invariants
from einsum_front.tl_backend.passes.insert_barriers import insert_barriers
from einsum_front.tl_backend.passes.insert_lifetime_stop import insert_lifetime_stop
from einsum_front.tl_backend.passes.make_names_unique import make_names_unique
from einsum_front.tl_backend.passes.remove_dead_code import remove_dead_code
from einsum_front.tl_backend.passes.simplify_views import simplify_views
from einsum_front.tl_backend.passes.spill_temporaries import spill_temporaries
from einsum_front.tl_backend.passes.split_long_sums import split_long_sums
from einsum_front.tl_backend.passes.stage_operands import stage_operands
from einsum_front.tl_backend.passes.state_nonzeros import state_nonzeros
from einsum_front.tl_backend.program import Edition, Function

Pass = tuple[str, Callable[[Function], Function]]
"""A name and a function: same meaning in, same meaning out."""

Observer = Callable[[str, Function], None]
"""Sees the name of a pass and what it returned: to verify, print, or measure."""


def never(_function: Function) -> bool:
    """For targets without tiles."""
    return False


def passes(limits: WorkGroupLimits, is_tiled: Callable[[Function], bool] = never) -> tuple[Pass, ...]:
    """From a function without mistakes to one that is ready for OpenCL C on a device with these limits.

    The first one is what all others rely on. Functions that will be cut into tiles keep their long sums.
    """
    return (
        ("make_names_unique", make_names_unique),
        ("simplify_views", simplify_views),
        ("fold_constants", fold_constants),
        ("hoist_invariants", hoist_invariants),
        ("remove_dead_code", remove_dead_code),
        ("split_long_sums", partial(split_long_sums, is_cpu=limits.is_cpu, is_tiled=is_tiled)),
        ("choose_work_group", partial(choose_work_group, limits=limits)),
        (
            "spill_temporaries",
            partial(
                spill_temporaries,
                local_memory=limits.most_local_memory or limits.local_memory,
                private_memory=limits.private_memory,
            ),
        ),
        (
            "stage_operands",
            partial(
                stage_operands,
                local_memory=limits.local_memory,
                shared=limits.shared,
                has_panels=limits.has_panels,
            ),
        ),
        ("state_nonzeros", state_nonzeros),
        ("insert_lifetime_stop", insert_lifetime_stop),
        ("insert_barriers", insert_barriers),
    )


def passes_of_edition(edition: Edition) -> tuple[Pass, ...]:
    """Passes of a function before it is printed in the edition: none for those of the references.

    Released compilers take a name for one value of a function only.
    """
    if not edition.is_released:
        return ()
    from einsum_front.tl_backend.passes.avoid_released_faults import avoid_released_faults  # noqa: PLC0415 - for two editions

    return ("make_names_unique", make_names_unique), ("avoid_released_faults", avoid_released_faults)


def selected(steps: tuple[Pass, ...], names: tuple[str, ...]) -> tuple[Pass, ...]:
    """The passes of these names in this order, behind the first of all, which they rely on; none for no names."""
    if not names:
        return ()
    first, *_ = steps
    return first, *((name, dict(steps)[name]) for name in names if name != first[0])


def run(function: Function, steps: Iterable[Pass], observers: Iterable[Observer] = ()) -> Function:
    """The function behind the last pass, its prologue too; each observer is called after each pass."""
    watching = tuple(observers)
    for name, step in steps:
        before = function.prologue
        prologue = None if before is None else step(before)
        function = step(function)
        function = function if prologue is before else replace(function, prologue=prologue)
        for observe in watching:
            observe(name, function)
    return function
