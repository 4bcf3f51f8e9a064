"""A text that grows by lines and remembers which of its characters stand for which node."""

from collections.abc import Iterator
from dataclasses import field
from itertools import pairwise

from einsum_front.core.dataclass import dataclass
from einsum_front.core.diagnostics import Origin
from einsum_front.core.origins import origin_text

LINE_WIDTH = 120
INDENT = "  "
GAP = "  "
"""Between a line and the comment that says where it came from."""


@dataclass(frozen=True, slots=True)
class Written:
    """The characters `start` (included) to `end` (excluded) of the printed text, and where their node came from."""

    start: int
    end: int
    origin: Origin


@dataclass(slots=True)
class Writer:
    """Collects lines; `depth` is the number of regions around the next one.

    With `tells_origins`, nodes that have an origin get a comment that says so. Lines that are wider than `width` go on
    before their types, in the next line.
    """

    tells_origins: bool = False
    width: float = LINE_WIDTH
    lines: list[str] = field(default_factory=list)
    written: list[Written] = field(default_factory=list)
    depth: int = 0
    length: int = 0

    def line(self, text: str, origin: Origin = ()) -> None:
        """Adds a line; one that goes on in others has the comment behind its first."""
        indent = INDENT * self.depth
        if len(indent) + len(text) > self.width:
            text = text.replace(" : ", f"\n{indent}{INDENT * 2}: ", 1)
        if self.tells_origins and origin:
            first, newline, rest = text.partition("\n")
            text = f"{first}{GAP}{origin_text(origin)}{newline}{rest}"
        self.lines.append(f"{indent}{text}\n")
        self.length += len(self.lines[-1])

    def comment(self, origin: Origin) -> None:
        """Adds a line that says where what stands below came from, if that is to be told."""
        if self.tells_origins and origin:
            self.line(origin_text(origin))

    def node(self, start: int, origin: Origin) -> None:
        """Notes that the text from `start` to the end of the last line is the node that came from `origin`."""
        self.written.append(Written(start, self.length - 1, origin))

    def leaf(self, text: str, origin: Origin) -> None:
        """Adds a node that is one line."""
        start = self.next_start
        self.line(text, origin)
        self.node(start, origin)

    @property
    def next_start(self) -> int:
        """Where the text of the next line will start."""
        return self.length + len(INDENT) * self.depth

    def text(self) -> str:
        """Everything."""
        return "".join(self.lines)


def origins_of_lines(text: str, written: tuple[Written, ...]) -> Iterator[Origin]:
    """The origin of each line: that of the innermost node whose first or last line it is, or which it continues."""
    starts = [0]
    for line in text.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    inner = sorted(written, key=lambda each: each.end - each.start)
    for start, end in pairwise(starts):
        yield next((each.origin for each in inner if each.start < end and start < each.end), ())
