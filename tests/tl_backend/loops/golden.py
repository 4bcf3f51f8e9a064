"""Files with what is said of them in comments at their end, from a first mark on."""

from collections.abc import Callable
from pathlib import Path

from einsum_front.core.diagnostics import Source

MARK = "\n# "


def split(path: Path) -> tuple[Source, str]:
    """The text of a file, and what is expected of it."""
    text, _, words = path.read_text(encoding="utf-8").partition(MARK)
    lines = [line.removeprefix("#").removeprefix(" ") for line in words.splitlines()]
    return Source(path.name, f"{text}\n"), "\n".join(lines)


def write(paths: list[Path], found: Callable[[Source], str]) -> None:
    """Writes what is true now behind each text."""
    for path in paths:
        source, _ = split(path)
        lines = "".join(f"# {line}".rstrip() + "\n" for line in found(source).splitlines())
        path.write_text(f"{source.text.rstrip()}\n\n{lines}", encoding="utf-8")
