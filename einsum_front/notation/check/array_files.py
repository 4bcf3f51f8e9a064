"""The `.npy` and `.npz` files that declarations name."""

import re
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray

from einsum_front.core.diagnostics import CompileError, CompilerBug
from einsum_front.core.limits import LARGEST_FOLLOWED
from einsum_front.core.numbers import dtype_of, fits, in_parts, number_in
from einsum_front.core.runs import TooManyCellsError
from einsum_front.core.storage import ElementType
from einsum_front.core.words import counted
from einsum_front.core.zero_pattern import Pattern
from einsum_front.notation.check.mistakes import gather, mistake
from einsum_front.notation.check.numbers import integer, known, rounded
from einsum_front.notation.check.scope import Scope
from einsum_front.notation.syntax import Attribute, Expression, File, Numbers, Place, Places

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


# -- static facts about the entries of a tensor ------------------------------------------------------------------------
# `nonzeros` and `values`, from files and from lists.


def nonzeros(name: str, shape: tuple[int, ...], fact: Attribute, scope: Scope, files: Files) -> Pattern:
    """Which entries of the tensor `name` may differ from zero."""
    match fact.argument:
        case Places(places):
            found = gather(lambda place: _position(place, shape, scope), places)
            try:
                return Pattern.of_positions(shape, found)
            except TooManyCellsError as error:
                message = f"the positions cut `{name}` into {error.cells} parts, more than {LARGEST_FOLLOWED}"
                raise mistake("E0218", message, (fact.origin, "")) from None
        case File() as file:
            return Pattern.of_array(files.array(name, shape, file, fact, scope))
        case Numbers() | None:
            raise CompilerBug(f"`{fact.name}` without a file or a list")


def values(
    name: str, shape: tuple[int, ...], fact: Attribute, scope: Scope, files: Files, *, is_complex: bool
) -> NDArray[Any]:
    """All entries of the tensor `name`, complex ones if it is; integers in the type that is computed with, else f64."""
    match fact.argument:
        case Numbers(listed):
            return _listed(listed, shape, fact, scope)
        case File() as file:
            array = files.array(name, shape, file, fact, scope)
            if array.dtype.kind == "c" and not is_complex:
                message = f"the values of `{name}` are complex, and it is a real tensor"
                note = "`complex` after its shape makes it complex"
                raise mistake("E0240", message, (fact.origin, ""), notes=(note,))
            if not _fit(array, scope.element_type):
                kind = "integers of" if scope.element_type.is_integer else "finite in"
                message = f"the values of `{name}` are not all {kind} {scope.element_type.value}"
                raise mistake("E0218", message, (fact.origin, ""))
            return array.astype(np.complex128 if is_complex else _known_type(scope))
        case Places() | None:
            raise CompilerBug(f"`{fact.name}` without a file or a list")


def _known_type(scope: Scope) -> np.dtype[Any]:
    return dtype_of(scope.element_type if scope.element_type.is_integer else ElementType.F64)


def _fit(array: NDArray[Any], element_type: ElementType) -> bool:
    """True if the numbers are finite in the type, or are some of its integers."""
    if not element_type.is_integer:
        parts = in_parts(array)
        with np.errstate(over="ignore"):
            return bool(np.isfinite(parts.astype(np.float32 if element_type is ElementType.F32 else np.float64)).all())
    return all(fits(number, element_type) for number in np.unique(array).tolist())


def _listed(listed: tuple[Expression, ...], shape: tuple[int, ...], fact: Attribute, scope: Scope) -> NDArray[Any]:
    """Values in column-major order: the first mode fastest."""
    entries = int(np.prod(shape))
    if len(listed) != entries:
        message = f"{counted(len(listed), 'value')} for {counted(entries, 'entry', 'entries')}"
        raise mistake("E0218", message, (fact.origin, "all entries, the first mode fastest"))
    numbers = gather(lambda value: rounded(known(value, scope, "a value"), value.origin, scope.element_type), listed)
    wrapped = [number_in(number, _known_type(scope)) for number in numbers]
    return np.array(wrapped).reshape(shape, order="F")


def _position(place: Place, shape: tuple[int, ...], scope: Scope) -> tuple[int, ...]:
    position = gather(lambda part: integer(part, scope, "a position"), place.position)
    if len(position) != len(shape):
        numbers, modes = counted(len(position), "number"), counted(len(shape), "mode")
        message = f"this place has {numbers}, but the tensor has {modes}"
        raise mistake("E0218", message, (place.origin, ""))
    for mode, (number, extent) in enumerate(zip(position, shape, strict=True)):
        if not 0 <= number < extent:
            message = f"position {number} is outside of mode {mode}, which runs from 0 to {extent - 1}"
            raise mistake("E0206", message, (place.origin, ""))
    return position
