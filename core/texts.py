"""Texts as they come: from files, or as bytes of the standard input."""

from difflib import get_close_matches
from pathlib import Path

from einsum_front.core.diagnostics import CompileError, Diagnostic, Source
from einsum_front.core.limits import LARGEST_TEXT


def read_source(path: str | Path) -> Source:
    """The text of a file under the name that the user gave it."""
    try:
        with Path(path).open("rb") as file:  # a device may have no end
            return decoded(file.read(LARGEST_TEXT + 1), str(path), f"`{path}`")
    except OSError as error:
        reason = (error.strerror or "it cannot be read").lower()
        notes = _near(Path(path)) if isinstance(error, FileNotFoundError) else ()
        raise CompileError([Diagnostic("E0105", f"cannot read `{path}`: {reason}", notes=notes)]) from None


def _near(missing: Path) -> tuple[str, ...]:
    """A note with the file of that folder and kind whose name resembles that of a missing one."""
    try:
        others = [each.name for each in missing.parent.glob(f"*{missing.suffix}") if each.is_file()]
    except (OSError, ValueError):  # a folder that cannot be listed, a suffix that is no pattern
        return ()
    near = get_close_matches(missing.name, others, n=1, cutoff=0.75)
    return tuple(f"there is `{missing.with_name(name)}`" for name in near)


def decoded(given: bytes, name: str, what: str) -> Source:
    """The text that bytes spell in UTF-8, with line ends of every kind; `what` they are is for the error."""
    if len(given) > LARGEST_TEXT:
        raise CompileError([Diagnostic("E0105", f"cannot read {what}: it has more than {LARGEST_TEXT} bytes")])
    try:
        text = given.decode("utf-8").removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        line = given.count(b"\n", 0, error.start) + 1
        message = f"{what} is not text in UTF-8: byte {given[error.start]:#04x} in line {line}"
        raise CompileError([Diagnostic("E0106", message)]) from None
    return Source(name, text.replace("\r\n", "\n").replace("\r", "\n"))
