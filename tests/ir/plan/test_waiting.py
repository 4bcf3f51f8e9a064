"""What a nest of loops waits for memory."""

from ir.plan.waiting import Loop, waiting_cycles


def matrix(columns: int, distance: int, times: int = 1) -> list[Loop]:
    """A matrix of 128 rows of 8 bytes whose columns are so many bytes apart, read so often."""
    return [Loop(128, (8,)), Loop(columns, (distance,)), Loop(times, (None,))]


def test_what_is_small_is_near() -> None:
    assert waiting_cycles(matrix(16, 1024, times=100)) == 0
    assert waiting_cycles([]) == 0


def test_what_does_not_stay_near_is_fetched_again() -> None:
    once, again = (waiting_cycles(matrix(1024, 1024, times)) for times in (1, 10))
    assert again == 10 * once


def test_distances_of_a_power_of_two_leave_few_sets() -> None:
    """A column of 16 lines stays near as often as it is read again, unless all the columns have the same sets."""
    packed, padded = (waiting_cycles(matrix(16, distance, times=10)) for distance in (4096, 4096 + 1024))
    assert padded < packed
