"""How large things are on paper, in pixels of 1/96 inch, and lines that are broken where they are too long."""

from textwrap import wrap

from einsum_front.ir import DrawnNode

FONT = 12
"""Height of the letters."""

LETTER = 0.602 * FONT
"""Width of a letter: those of the usual fonts with letters of one width have this ratio."""

LINE = 16
"""From one line of text to the next."""

NODE_PADDING, INDEX_PADDING = 8, 5

WIDEST_TITLE, MOST_TITLE_LINES = 64, 8
"""Letters in a line of a formula, and lines of it."""


def node_size(node: DrawnNode) -> tuple[float, float]:
    """Width and height of a node."""
    padding = INDEX_PADDING if node.kind.is_index else NODE_PADDING
    letters = max(len(line) for line in node.lines)
    return letters * LETTER + 2 * padding, len(node.lines) * LINE + (4 if node.kind.is_index else 6)


def text_width(text: str) -> float:
    """The width of a line."""
    return len(text) * LETTER


def lines_of(text: str) -> tuple[str, ...]:
    """A formula in lines; one that is very long ends in dots."""
    lines = wrap(text, WIDEST_TITLE, subsequent_indent="  ", break_on_hyphens=False) or [""]
    if len(lines) <= MOST_TITLE_LINES:
        return tuple(lines)
    return (*lines[: MOST_TITLE_LINES - 1], f"{lines[MOST_TITLE_LINES - 1][: WIDEST_TITLE - 2]} …")
