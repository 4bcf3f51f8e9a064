"""Texts, places in them, and spans."""

import pytest

from einsum_front.core.diagnostics import Source, Span

TEXT = "first\nsecond line\r\n\nlast"
SOURCE = Source("a.tl", TEXT)


@pytest.mark.parametrize(
    ("offset", "place"),
    [(0, (1, 1)), (4, (1, 5)), (5, (1, 6)), (6, (2, 1)), (19, (3, 1)), (20, (4, 1)), (24, (4, 5))],
)
def test_places_are_counted_from_one(offset: int, place: tuple[int, int]) -> None:
    assert SOURCE.position(offset) == place


def test_lines_come_without_their_ends() -> None:
    assert [SOURCE.line(number) for number in range(1, SOURCE.line_count + 1)] == ["first", "second line", "", "last"]


def test_an_empty_text_has_one_line() -> None:
    empty = Source("empty.tl", "")
    assert (empty.line_count, empty.line(1), empty.position(0)) == (1, "", (1, 1))


def test_a_span_reaches_over_both() -> None:
    first, last = Span(SOURCE, 0, 5), Span(SOURCE, 13, 17)
    assert first.to(last) == last.to(first) == Span(SOURCE, 0, 17)
    assert (first.text, last.text) == ("first", "line")
