"""Drawings as values: what is drawn and what it is connected with, without any place on paper.

    sheet   = title { note } { block }        a kernel, or several that differ in numbers only
    block   = title { note } { diagram }      a statement
    diagram = caption { node } { edge }       a tensor network, or the tree of an order

What differs in numbers only is folded: `K_0`, `K_1` and `K_2` become `K_0..2`, `K_1`, `K_3` and `K_4` `K_1,3..4`.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from enum import Enum
from itertools import pairwise
from typing import TypeVar

from einsum_front.core.dataclass import dataclass

NUMBER = re.compile(r"(\d+)")

FEW = 4
"""So many of what is alike are named."""

MOST_RUNS = 6
"""Runs of members that a name lists: `K_0,2..4` has two."""

T = TypeVar("T")


class DrawnKind(Enum):
    """What a node stands for: it decides shape and colour."""

    TENSOR = "a tensor"
    PER_ELEMENT = "one for each element"
    SHARED = "the same for all elements"
    COMPUTED = "computed before"
    SUMMED = "an index that is summed"
    FREE = "an index of the result"
    PRODUCT = "a product of two: a temporary"
    RESULT = "the last product"

    @property
    def is_index(self) -> bool:
        """True for the ends and the middles of the lines of a network."""
        return self in (DrawnKind.SUMMED, DrawnKind.FREE)


@dataclass(frozen=True, slots=True)
class DrawnNode:
    """A box, or the label of a line if it is an index; the lines are its text."""

    lines: tuple[str, ...]
    kind: DrawnKind


@dataclass(frozen=True, slots=True)
class Diagram:
    """Nodes, and edges (from, to) between their numbers; there is no circle. Arrows are drawn for orders only."""

    caption: str
    nodes: tuple[DrawnNode, ...]
    edges: tuple[tuple[int, int], ...]
    has_arrows: bool = False


@dataclass(frozen=True, slots=True)
class Block:
    """The diagrams of a statement; `number` is that of the first one, counted from 1."""

    number: int
    title: str
    notes: tuple[str, ...]
    diagrams: tuple[Diagram, ...]


@dataclass(frozen=True, slots=True)
class Sheet:
    """The statements of a kernel."""

    title: str
    notes: tuple[str, ...]
    blocks: tuple[Block, ...]


def folded_sheets(sheets: Iterable[Sheet]) -> tuple[Sheet, ...]:
    """One sheet for all kernels that differ in numbers only: the members of a family."""
    return _folded(sheets, _sheet_signature, _merged_sheets)


def folded_blocks(blocks: Iterable[Block]) -> tuple[Block, ...]:
    """One block for all statements that differ in numbers only: a loop that was written out."""
    return _folded(blocks, _block_signature, _merged_blocks)


def folded_diagrams(diagrams: Iterable[Sequence[Diagram]]) -> tuple[tuple[Diagram, ...], ...]:
    """The network and the order of a term once for all terms that differ in numbers only: a sum over members."""
    return _folded(map(tuple, diagrams), lambda several: tuple(map(_diagram_signature, several)), _merged_terms)


def merged_text(texts: Sequence[str]) -> str:
    """Texts that differ in numbers only as one: `K_0..2` or `K_1,3..4` for members, `756..900` for quantities.

    Members of families are all named; of a quantity there is the least and the largest.
    """
    parts = list(zip(*(NUMBER.split(text) for text in texts), strict=True))
    before = ("", *(words[0] for words in parts))
    return "".join(
        _merged_part(words, is_member=left.endswith(("_", "{"))) for left, words in zip(before, parts, strict=False)
    )


def _merged_part(parts: tuple[str, ...], *, is_member: bool) -> str:
    if len(set(parts)) == 1:
        return parts[0]
    numbers = sorted(set(map(int, parts)))
    if not is_member:
        return f"{numbers[0]}..{numbers[-1]}"
    breaks = [i for i in range(1, len(numbers)) if numbers[i] != numbers[i - 1] + 1]
    runs = [numbers[start:stop] for start, stop in pairwise((0, *breaks, len(numbers)))]
    words = [str(run[0]) if len(run) == 1 else f"{run[0]}..{run[-1]}" for run in runs]
    if len(words) > MOST_RUNS:
        words = [*words[: MOST_RUNS - 1], f"… {numbers[-1]}"]
    return ",".join(words)


# -- folding -----------------------------------------------------------------------------------------------------------


def _folded(values: Iterable[T], signature: Callable[[T], object], merged: Callable[[list[T]], T]) -> tuple[T, ...]:
    groups: dict[object, list[T]] = {}
    for value in values:
        groups.setdefault(signature(value), []).append(value)
    return tuple(group[0] if len(group) == 1 else merged(group) for group in groups.values())


def _without_numbers(text: str) -> str:
    return NUMBER.sub("0", text)


def _diagram_signature(diagram: Diagram) -> object:
    nodes = tuple((node.kind, *map(_without_numbers, node.lines)) for node in diagram.nodes)
    return _without_numbers(diagram.caption), nodes, diagram.edges, diagram.has_arrows


def _block_signature(block: Block) -> object:
    texts = tuple(map(_without_numbers, (block.title, *block.notes)))
    return texts, tuple(map(_diagram_signature, block.diagrams))


def _sheet_signature(sheet: Sheet) -> object:
    texts = tuple(map(_without_numbers, (sheet.title, *sheet.notes)))
    return texts, tuple(map(_block_signature, sheet.blocks))


def _merged_terms(terms: list[tuple[Diagram, ...]]) -> tuple[Diagram, ...]:
    first, *others = (_merged_diagrams(each) for each in zip(*terms, strict=True))
    return (replace(first, caption=f"{first.caption}{', ' if first.caption else ''}{len(terms)} terms alike"), *others)


def _merged_diagrams(diagrams: Sequence[Diagram]) -> Diagram:
    nodes = (
        replace(several[0], lines=tuple(map(merged_text, zip(*(node.lines for node in several), strict=True))))
        for several in zip(*(diagram.nodes for diagram in diagrams), strict=True)
    )
    return replace(diagrams[0], caption=merged_text([diagram.caption for diagram in diagrams]), nodes=tuple(nodes))


def _merged_blocks(blocks: list[Block]) -> Block:
    numbers = [str(block.number) for block in blocks]
    merged = _merged_members(blocks)
    return replace(merged, notes=(f"{len(blocks)} statements alike: {_listed(numbers)}", *merged.notes))


def _listed(names: Sequence[str]) -> str:
    """The first of many, and the last."""
    shown = ", ".join(names[:FEW])
    return shown if len(names) <= FEW else f"{shown}, … {names[-1]}"


def _merged_members(blocks: Sequence[Block]) -> Block:
    return replace(
        blocks[0],
        title=merged_text([block.title for block in blocks]),
        notes=_merged_notes([block.notes for block in blocks]),
        diagrams=tuple(_merged_diagrams(each) for each in zip(*(block.diagrams for block in blocks), strict=True)),
    )


def _merged_notes(notes: Sequence[tuple[str, ...]]) -> tuple[str, ...]:
    return tuple(merged_text(each) for each in zip(*notes, strict=True))


def _merged_sheets(sheets: list[Sheet]) -> Sheet:
    merged = replace(
        sheets[0],
        title=merged_text([sheet.title for sheet in sheets]),
        notes=_merged_notes([sheet.notes for sheet in sheets]),
        blocks=tuple(_merged_members(each) for each in zip(*(sheet.blocks for sheet in sheets), strict=True)),
    )
    return replace(
        merged, notes=(f"{len(sheets)} kernels alike: {_listed([each.title for each in sheets])}", *merged.notes)
    )
