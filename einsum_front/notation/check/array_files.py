"""The `.npy` and `.npz` files that declarations name."""

import re
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self

from einsum_front.core.diagnostics import CompileError
from einsum_front.notation.check.mistakes import mistake
from einsum_front.notation.check.scope import Scope
from einsum_front.notation.syntax import Attribute, File

if TYPE_CHECKING:
    from einsum_front.array_files import Array, ArrayFile

MADE_BY = re.compile(r"#[^\n]*\bmade by `([^`\n]+)`")
"""A comment that says how the files of a text are made."""


class Files:
    """The files in and below a directory; the last one stays open, since the next array is often of the same file."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        self._path: str | None = None
        self._file: ArrayFile | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._close()

    def array(self, name: str, shape: tuple[int, ...], file: File, fact: Attribute, scope: Scope) -> "Array":
        """The entries of the tensor `name`; raises `CompileError` if the file has none in this shape.

        An array of another shape is never read.
        """
        from einsum_front.array_files import UnreadableError  # noqa: PLC0415 - it loads archives, which few texts name

        path = _path(file, fact, scope)
        try:
            opened = self._open(path)
            if opened.names is not None and name not in opened.names:
                raise _missing_entry(name, path, opened.names, fact)
            found = opened.header(name).shape
            if found != shape:
                message = f"`{path}` has shape {found} for `{name}`, which is declared with shape {shape}"
                raise mistake("E0218", message, (fact.origin, ""))
            return opened.array(name)
        except UnreadableError as error:
            notes = [_how_to_write(name)] if error.is_foreign else []
            if error.is_absent:
                notes += _how_it_is_made(fact)
            label = f"looked for `{self._directory / path}`"
            message = f"cannot read `{path}`: {error.reason}"
            raise mistake("E0218", message, (fact.origin, label), notes=tuple(notes)) from None

    def _open(self, path: str) -> "ArrayFile":
        from einsum_front.array_files import ArrayFile  # noqa: PLC0415 - as above

        if self._file is None or path != self._path:
            self._close()
            self._path, self._file = path, ArrayFile(self._directory / path)
        return self._file

    def _close(self) -> None:
        if self._file is not None:
            self._file.close()
        self._path, self._file = None, None


def _path(file: File, fact: Attribute, scope: Scope) -> str:
    """The path with params in place of `{O}`."""

    def value(match: re.Match[str]) -> str:
        number = scope.numbers.get(match[1])
        if not isinstance(number, Fraction):
            raise mistake("E0218", f"`{{{match[1]}}}` in this path is no param", (fact.origin, ""))
        return str(number)

    return re.sub(r"\{\s*([A-Za-z]\w*)\s*\}", value, file.path)


def _how_it_is_made(fact: Attribute) -> Iterator[str]:
    """A note with the command that a comment of the text names: ``# matrices: made by `make matrices` ``."""
    for span in fact.origin[:1]:
        if made := MADE_BY.search(span.source.text):
            yield f"the text says that its files are made by `{made[1]}`"


def _how_to_write(name: str) -> str:
    return f'other files, text and XML too, become one by Python: `numpy.savez("matrices.npz", {name}=array)`'


def _missing_entry(name: str, path: str, entries: tuple[str, ...], fact: Attribute) -> CompileError:
    listed = ", ".join(f"`{entry}`" for entry in sorted(entries)[:8]) or "nothing"
    more = f" and {len(entries) - 8} more" if len(entries) > 8 else ""
    note = f"its entries are {listed}{more}"
    return mistake("E0218", f"`{path}` has no entry `{name}`", (fact.origin, ""), notes=(note,))
