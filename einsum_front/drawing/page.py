"""Everything in its place on one page: blocks in columns, one statement below the other, kernels below each other."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TypeVar

from einsum_front.core.dataclass import dataclass
from einsum_front.drawing.layout import Engine, Layout, Point, Size
from einsum_front.drawing.measure import LINE, lines_of, text_width
from einsum_front.ir import Block, Diagram, DrawnKind, Sheet, legend

MARGIN, COLUMN_GAP, BLOCK_GAP, DIAGRAM_GAP = 20, 28, 22, 8
"""Pixels around the page, between columns, between blocks and between diagrams."""

A3 = (1587.0, 1123.0)
"""The page in pixels, across."""

BLOCK_PADDING = 10

MOST_COLUMNS = 6

LEAST_WIDTH = 560.0
"""Of a page, for the legend."""

SWATCH, ENTRY_GAP = 22, 20
"""Pixels of the legend for a colour, and between two entries."""


P = TypeVar("P", "PlacedDiagram", "PlacedBlock")
B = TypeVar("B", "PlacedBlock", "PlacedSheet")


@dataclass(frozen=True, slots=True)
class PlacedDiagram:
    """A diagram with its left upper corner, behind its caption."""

    diagram: Diagram
    layout: Layout
    corner: Point

    def moved(self, right: float, down: float) -> "PlacedDiagram":
        """The same somewhere else."""
        return replace(self, corner=_shifted(self.corner, right, down))


@dataclass(frozen=True, slots=True)
class PlacedBlock:
    """A statement in its frame."""

    number: int
    title: tuple[str, ...]
    notes: tuple[str, ...]
    diagrams: tuple[PlacedDiagram, ...]
    corner: Point
    size: Size

    def moved(self, right: float, down: float) -> "PlacedBlock":
        """The same somewhere else."""
        return replace(self, corner=_shifted(self.corner, right, down), diagrams=_all_moved(self.diagrams, right, down))


@dataclass(frozen=True, slots=True)
class PlacedSheet:
    """A kernel: the place of its title, and its blocks."""

    title: str
    notes: tuple[str, ...]
    blocks: tuple[PlacedBlock, ...]
    corner: Point
    size: Size

    def moved(self, right: float, down: float) -> "PlacedSheet":
        """The same somewhere else."""
        return replace(self, corner=_shifted(self.corner, right, down), blocks=_all_moved(self.blocks, right, down))


@dataclass(frozen=True, slots=True)
class Page:
    """All kernels; the legend has rows of kinds of nodes with their left ends, at the lower end."""

    sheets: tuple[PlacedSheet, ...]
    legend: tuple[tuple[tuple[DrawnKind, float], ...], ...]
    size: Size


def _shifted(corner: Point, right: float, down: float) -> Point:
    return corner[0] + right, corner[1] + down


def _all_moved(parts: Iterable[P], right: float, down: float) -> tuple[P, ...]:
    return tuple(part.moved(right, down) for part in parts)


def arranged(sheets: Sequence[Sheet], place: Engine) -> Page:
    """The page of all sheets: the columns are as many as make it most like a page of A3."""
    measured = [[_measured(block, place) for block in sheet.blocks] for sheet in sheets]
    own = [
        min(_tried(sheet, blocks), key=lambda each: _pages(each.size))
        for sheet, blocks in zip(sheets, measured, strict=True)
    ]
    tries = [_columns(own, columns, (MARGIN, MARGIN)) for columns in range(1, MOST_COLUMNS + 1)]
    placed, (width, height) = min(tries, key=lambda each: _pages(each[1]))
    kinds = legend(sheets)
    rows = _legend_rows(kinds, max(width, LEAST_WIDTH))
    total = max(width, LEAST_WIDTH) + 2 * MARGIN, height + 3 * MARGIN + len(rows) * LINE
    return Page(placed, tuple(rows), total)


def _pages(size: Size) -> float:
    """How many times as wide or as high as a page of A3 something is."""
    return max(size[0] / A3[0], size[1] / A3[1])


def _tried(sheet: Sheet, blocks: Sequence[PlacedBlock]) -> Iterator[PlacedSheet]:
    """A kernel with its blocks in one column, in two, …"""
    notes = tuple(line for note in sheet.notes for line in lines_of(note))
    head = (1 + len(notes)) * LINE + DIAGRAM_GAP
    for columns in range(1, MOST_COLUMNS + 1):
        inner, (width, height) = _columns(blocks, columns, (0.0, head))
        widest = max(width, *map(text_width, (sheet.title, *notes)))
        yield PlacedSheet(sheet.title, notes, inner, (0.0, 0.0), (widest, head + height))


def _legend_rows(kinds: Iterable[DrawnKind], width: float) -> list[tuple[tuple[DrawnKind, float], ...]]:
    """The kinds with their left ends, in rows of a width at most."""
    rows: list[list[tuple[DrawnKind, float]]] = []
    left = width
    for kind in kinds:
        needed = SWATCH + text_width(kind.value) + ENTRY_GAP
        if left + needed - ENTRY_GAP > width:
            rows.append([])
            left = 0.0
        rows[-1].append((kind, left))
        left += needed
    return list(map(tuple, rows))


def _measured(block: Block, place: Engine) -> PlacedBlock:
    """A block with its diagrams below each other, at the origin."""
    title = lines_of(block.title)
    notes = tuple(line for note in block.notes for line in lines_of(note))
    top: float = BLOCK_PADDING + (len(title) + len(notes)) * LINE
    width = max(map(text_width, (*(f"{block.number}  {line}" for line in title), *notes)))
    placed = []
    for diagram in block.diagrams:
        layout = place(diagram)
        top += DIAGRAM_GAP + (LINE if diagram.caption else 0)
        placed.append(PlacedDiagram(diagram, layout, (BLOCK_PADDING, top)))
        width = max(width, layout.size[0], text_width(diagram.caption))
        top += layout.size[1]
    size = width + 2 * BLOCK_PADDING, top + BLOCK_PADDING
    return PlacedBlock(block.number, title, notes, tuple(placed), (0.0, 0.0), size)


def _columns(parts: Sequence[B], columns: int, corner: Point) -> tuple[tuple[B, ...], Size]:
    """Parts from top to bottom, then in the next column: as low as so many columns allow; and the size of it all."""
    heights = [part.size[1] + BLOCK_GAP for part in parts]
    low, high = max(heights, default=0.0), sum(heights)
    while high - low > 1:
        middle = (low + high) / 2
        low, high = (low, middle) if len(_split(heights, middle)) <= columns else (middle, high)
    left, found, lowest = 0.0, [], 0.0
    for numbers in _split(heights, high):
        top = 0.0
        for number in numbers:
            found.append(parts[number].moved(corner[0] + left, corner[1] + top))
            top += heights[number]
        lowest = max(lowest, top)
        left += max(parts[number].size[0] for number in numbers) + COLUMN_GAP
    return tuple(found), (max(0.0, left - COLUMN_GAP), max(0.0, lowest - BLOCK_GAP))


def _split(heights: Iterable[float], most: float) -> list[list[int]]:
    """The numbers of consecutive blocks that fill columns of a height."""
    columns: list[list[int]] = []
    filled = most + 1
    for number, height in enumerate(heights):
        if filled + height > most:
            columns.append([])
            filled = 0
        columns[-1].append(number)
        filled += height
    return columns
