"""What a nest of loops waits for memory."""

from collections.abc import Sequence

from einsum_front.core.machines import ZEN4
from einsum_front.ir.plan import gemm
from einsum_front.ir.plan.gemm import NOTHING, Fetched, Loop


def fetched(nest: Sequence[Loop]) -> Fetched:
    return gemm.fetched(tuple(nest), ZEN4.memory)


def matrix(columns: int, distance: int, times: int = 1) -> list[Loop]:
    """A matrix of 128 rows of 8 bytes whose columns are so many bytes apart, read so often."""
    return [Loop(128, (8,)), Loop(columns, (distance,)), Loop(times, (None,))]


def test_what_is_small_is_near() -> None:
    assert fetched(matrix(16, 1024, times=100)) == NOTHING
    assert fetched([]) == NOTHING


def test_what_does_not_stay_near_is_fetched_again() -> None:
    once, again = (fetched(matrix(1024, 1024, times)) for times in (1, 10))
    assert once.lines == 128 * 8 * 1024 / 64
    assert 9 * once.lines < again.lines <= 10 * once.lines
    assert 9 * once.pages < again.pages <= 10 * once.pages


def test_distances_of_a_power_of_two_leave_few_sets() -> None:
    """A column of 16 lines stays near as often as it is read again, unless all the columns have the same sets."""
    packed, padded = (fetched(matrix(16, distance, times=10)) for distance in (4096, 4096 + 1024))
    assert padded.lines < packed.lines


def test_blocks_of_a_loop_have_the_sets_of_the_whole() -> None:
    """16 columns that are 2 KiB apart have two sets of 8 lines, also if three blocks of 6 columns are read."""
    columns = [Loop(6, (2048,)), Loop(16, (128,)), Loop(16, (2048,), block=6), Loop(10, (None,))]
    assert fetched(columns).lines == 16 * 16
