"""The `.npy` and `.npz` files that declarations name."""

import re
from contextlib import ExitStack
from fractions import Fraction
from pathlib import Path
from types import TracebackType
from typing import Self
from zipfile import BadZipFile

import numpy as np
from numpy.lib.npyio import NpzFile
from numpy.typing import NDArray

from diagnostics import CompileError
from einsum_front.check.mistakes import mistake
from einsum_front.check.scope import Scope
from einsum_front.syntax import Attribute, File

Array = NDArray[np.generic]


class Files:
    """The files in and below a directory; one with many arrays is opened once and closed behind the last of them."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        self._opened: dict[str, NpzFile | Array] = {}
        self._closing = ExitStack()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._closing.close()

    def array(self, name: str, shape: tuple[int, ...], file: File, fact: Attribute, scope: Scope) -> Array:
        """The entries of the tensor `name`; raises `CompileError` if the file has none in this shape."""
        path = _path(file, fact, scope)
        array = self._load(name, path, fact)
        if array.dtype.kind not in "biuf":
            label = f"its type is {array.dtype}"
            raise mistake("E0218", f"`{path}` holds no numbers for `{name}`", (fact.origin, label))
        if array.shape != shape:
            message = f"`{path}` has shape {array.shape} for `{name}`, which is declared with shape {shape}"
            raise mistake("E0218", message, (fact.origin, ""))
        return array

    def _load(self, name: str, path: str, fact: Attribute) -> Array:
        place = self._directory / path
        try:
            opened = self._open(path, place)
            if not isinstance(opened, NpzFile):
                return opened
            if name in opened.files:
                return np.asarray(opened[name])
            raise _missing_entry(name, path, opened.files, fact)
        except OSError as error:
            reason, notes = (error.strerror or "it cannot be read").lower(), []
        except (ValueError, EOFError, BadZipFile):
            reason, notes = "it is neither a .npy nor a .npz file of numbers", [_how_to_write(name)]
        label = f"looked for `{place}`"
        raise mistake("E0218", f"cannot read `{path}`: {reason}", (fact.origin, label), notes=tuple(notes))

    def _open(self, path: str, place: Path) -> NpzFile | Array:
        if path not in self._opened:
            loaded = np.load(place, allow_pickle=False)
            self._opened[path] = self._closing.enter_context(loaded) if isinstance(loaded, NpzFile) else loaded
        return self._opened[path]


def _path(file: File, fact: Attribute, scope: Scope) -> str:
    """The path with params in place of `{O}`."""

    def value(match: re.Match[str]) -> str:
        number = scope.numbers.get(match[1])
        if not isinstance(number, Fraction):
            raise mistake("E0218", f"`{{{match[1]}}}` in this path is no param", (fact.origin, ""))
        return str(number)

    return re.sub(r"\{\s*([A-Za-z]\w*)\s*\}", value, file.path)


def _how_to_write(name: str) -> str:
    return f'other files, text and XML too, become one by Python: `numpy.savez("matrices.npz", {name}=array)`'


def _missing_entry(name: str, path: str, entries: list[str], fact: Attribute) -> CompileError:
    listed = ", ".join(f"`{entry}`" for entry in sorted(entries)[:8]) or "nothing"
    more = f" and {len(entries) - 8} more" if len(entries) > 8 else ""
    note = f"its entries are {listed}{more}"
    return mistake("E0218", f"`{path}` has no entry `{name}`", (fact.origin, ""), notes=(note,))
