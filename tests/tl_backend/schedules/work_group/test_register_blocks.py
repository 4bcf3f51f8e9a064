"""The blocks that a product keeps in registers cover its result and fit."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from einsum_front.core.machines import ZEN5
from einsum_front.tl_backend.opencl.target import DEFAULT, Target
from einsum_front.tl_backend.schedules.work_group.register_blocks import Part, RowPart, choose_blocks, split

WIDE = replace(DEFAULT, vector_bytes=64, vector_registers=32)
NARROW = replace(WIDE, machine=ZEN5)
NUMBERS = st.integers(1, 200)


@given(NUMBERS, NUMBERS)
def test_pieces_cover_everything_and_have_nearly_the_same_size(number: int, most: int) -> None:
    parts = split(number, most)
    places = [start for part in parts for start in range(part.start, part.stop, part.size)]
    sizes = [part.size for part in parts for _ in range(part.pieces)]
    assert places == [sum(sizes[:piece]) for piece in range(len(sizes))]
    assert sum(sizes) == number
    assert max(sizes) <= most
    assert max(sizes) - min(sizes) <= 1
    assert len(sizes) == -(-number // most)


@given(
    st.integers(2, 200),
    NUMBERS,
    st.none() | NUMBERS,
    st.sampled_from([DEFAULT, WIDE, NARROW]),
    st.sampled_from([1, 2, 4, 8]),
)
def test_blocks_cover_all_rows_and_fit_into_the_registers(
    vectors: int, columns: int, depth: int | None, target: Target, sharing: int
) -> None:
    parts = choose_blocks(vectors, columns, depth, target, sharing=sharing if columns > 1 else 1)
    assert [part.vectors.stop for part in parts[:-1]] == [part.vectors.start for part in parts[1:]]
    assert (parts[0].vectors.start, parts[-1].vectors.stop) == (0, vectors)
    for part in parts:
        rows, most = part.vectors.size, part.columns
        is_last = sharing > 1 and part.vectors.stop == vectors and columns > 1
        assert part.vectors.pieces == 1 or not is_last
        registers = target.vector_registers if columns <= target.machine.work_group.blocks.narrow else 16
        sums = (rows - 1) * most + -(-most // sharing) if is_last else rows * most
        assert sums + (rows if columns > 1 else 1) + (sharing + 1 if is_last else 1) <= registers
        assert most <= columns


def test_a_vector_is_multiplied_by_whole_columns_unless_they_are_copied() -> None:
    """14 vectors of rows and an entry of the right factor, with a register to spare; of a copy no more than 7."""
    assert choose_blocks(14, 1, 56, DEFAULT) == (RowPart(Part(0, 14, 14), 1),)
    assert choose_blocks(16, 1, 64, DEFAULT) == (RowPart(Part(0, 16, 8), 1),)
    copied = choose_blocks(14, 1, 56, DEFAULT, is_copied=True)
    assert max(part.vectors.size for part in copied) <= DEFAULT.machine.work_group.blocks.most_rows


def test_a_few_columns_are_in_one_block_where_the_machine_says_so() -> None:
    for sharing in (1, 2):
        assert choose_blocks(7, 3, 35, NARROW, sharing=sharing) == (RowPart(Part(0, 7, 7), 3),)
    assert len(choose_blocks(7, 3, 35, WIDE, sharing=2)) == 2
    assert choose_blocks(7, 9, 35, NARROW) == choose_blocks(7, 9, 35, WIDE)
    copied = choose_blocks(7, 3, 35, NARROW, is_copied=True)
    assert copied == choose_blocks(7, 3, 35, WIDE, is_copied=True)


@pytest.mark.parametrize(
    ("vectors", "columns", "blocks"),
    [
        (2, 8, [(Part(0, 2, 2), 4)]),
        (3, 9, [(Part(0, 3, 3), 3)]),
        (5, 20, [(Part(0, 3, 3), 4), (Part(3, 5, 2), 5)]),
        (14, 56, [(Part(0, 12, 3), 4), (Part(12, 14, 2), 6)]),
    ],
)
def test_blocks_for_squares(vectors: int, columns: int, blocks: list[tuple[Part, int]]) -> None:
    assert choose_blocks(vectors, columns, columns, DEFAULT) == tuple(RowPart(*block) for block in blocks)


@pytest.mark.parametrize(
    ("vectors", "columns", "blocks"),
    [
        (2, 9, [(Part(0, 2, 2), 5)]),
        (3, 20, [(Part(0, 3, 3), 4)]),
        (5, 35, [(Part(0, 3, 3), 4), (Part(3, 5, 2), 6)]),
    ],
)
def test_blocks_with_a_vector_that_columns_share(vectors: int, columns: int, blocks: list[tuple[Part, int]]) -> None:
    chosen = choose_blocks(vectors, columns, columns, DEFAULT, sharing=2)
    assert chosen == tuple(RowPart(*block) for block in blocks)
