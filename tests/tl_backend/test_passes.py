"""No pass changes what a program means, and every rule holds after every pass."""

import pytest
from hypothesis import given

from einsum_front.tl_backend.passes.choose_work_group import WorkGroupLimits
from einsum_front.tl_backend.passes.make_names_unique import make_names_unique
from einsum_front.tl_backend.passes.state_nonzeros import state_nonzeros
from einsum_front.tl_backend.pipeline import passes, passes_of_edition, run, selected
from einsum_front.tl_backend.program import Edition, Program
from einsum_front.tl_backend.verify import verify
from tests.tl_backend.meaning import assert_same_results, results
from tests.tl_backend.schedules.batch_simd.strategies import lane_cases
from tests.tl_backend.strategies import Case, cases

pytestmark = pytest.mark.generated

PASSES = passes(WorkGroupLimits(is_cpu=False, max_work_group_size=1024))
SAME = "make_names_unique", "hoist_invariants", "remove_dead_code", "insert_lifetime_stop"
"""Passes that give the function itself where they change nothing: analyses of it are kept with it."""
ALL_PASSES = (*PASSES, passes_of_edition(Edition.TINYTC_0_3)[-1])


@given(cases())
def test_every_pass_keeps_the_meaning(case: Case) -> None:
    expected = results(case.function, case)
    for name, step in ALL_PASSES:
        assert_same_results(step(case.function), case, expected, name)


@given(cases())
def test_all_passes_keep_the_meaning(case: Case) -> None:
    assert_same_results(run(case.function, PASSES), case, results(case.function, case), "all")


@given(cases())
def test_a_second_run_changes_nothing(case: Case) -> None:
    for name, step in ALL_PASSES:
        once = step(case.function)
        again = step(once)
        assert again == once, name
        assert again is once or name not in SAME, f"{name}: what is known of the function is lost"


@given(lane_cases(elements=2))
def test_every_pass_keeps_the_nonzeros_right(case: Case) -> None:
    """The interpreter looks at each write, the verifier follows all of them."""
    stated = state_nonzeros(make_names_unique(case.function))
    expected = results(case.function, case)
    for name, step in ALL_PASSES:
        after = step(stated)
        assert verify(Program((after,))) == (), name
        assert_same_results(after, case, expected, name)


def test_passes_are_selected_by_name_behind_the_one_that_they_rely_on() -> None:
    names = tuple(name for name, _ in PASSES)
    assert selected(PASSES, ()) == ()
    assert selected(PASSES, names) == PASSES
    chosen = selected(PASSES, ("fold_constants", "simplify_views", "fold_constants"))
    assert [name for name, _ in chosen] == ["make_names_unique", "fold_constants", "simplify_views", "fold_constants"]
