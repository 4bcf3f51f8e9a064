"""A text that grows by lines and remembers which of its characters stand for which node."""

from dataclasses import dataclass, field

from einsum_front.core.diagnostics import Origin

LINE_WIDTH = 120
INDENT = "  "


@dataclass(frozen=True, slots=True)
class Written:
    """The characters `start` (included) to `end` (excluded) of the printed text, and where their node came from."""

    start: int
    end: int
    origin: Origin


@dataclass(slots=True)
class Writer:
    """Collects lines; `depth` is the number of regions around the next one."""

    lines: list[str] = field(default_factory=list)
    written: list[Written] = field(default_factory=list)
    depth: int = 0
    length: int = 0

    def line(self, text: str) -> None:
        """Adds a line; one that is too wide goes on before its types."""
        indent = INDENT * self.depth
        if len(indent) + len(text) > LINE_WIDTH:
            text = text.replace(" : ", f"\n{indent}{INDENT * 2}: ", 1)
        self.lines.append(f"{indent}{text}\n")
        self.length += len(self.lines[-1])

    def node(self, start: int, origin: Origin) -> None:
        """Notes that the text from `start` to the end of the last line is the node that came from `origin`."""
        self.written.append(Written(start, self.length - 1, origin))

    @property
    def next_start(self) -> int:
        """Where the text of the next line will start."""
        return self.length + len(INDENT) * self.depth

    def text(self) -> str:
        """Everything."""
        return "".join(self.lines)
