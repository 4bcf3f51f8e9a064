"""An observer that writes every level of every kernel into a folder."""

from pathlib import Path

from einsum_front.core.diagnostics import Source
from einsum_front.driver.made_from import MadeFrom, of_notation, read_header
from einsum_front.driver.stages import LevelValue
from einsum_front.driver.texts import artifacts_as_json, level_text, suffix_of
from einsum_front.files import make_directory, replace_text
from einsum_front.notation import syntax
from einsum_front.options import Level, Options
from einsum_front.runtime.artifact import Artifact

PASSES = "passes"
"""The end of the name of a folder with what the passes over a kernel made."""

MARKS = {Level.YIR: ";", Level.TL: ";", Level.CL: "//"}
"""What comments begin with in the texts that can be edited."""


class Dump:
    """Writes `kernel.level` for each kernel and level; the `.yir` and `.tl` can be edited and compiled again.

    These say where their lines came from, and they and the `.cl` which notation they were `made_from`. Beside the `.cl`
    stands `kernel.json`, its arguments and its launch for programs. With `has_passes`, the folder `kernel.passes` has
    what each pass made, in their order. What has that name already is replaced: a link is, too, and not what it leads
    to.
    """

    def __init__(self, directory: Path, made_from: MadeFrom | None = None, *, has_passes: bool = False) -> None:
        make_directory(directory)
        self.directory = directory
        self._made_from = made_from
        self._has_passes = has_passes
        self._stems: dict[str, list[str]] = {}
        self._passes: dict[str, int] = {}

    def __call__(self, kernel: str, step: Level | str, value: LevelValue) -> None:
        """The observer of `translate`."""
        if isinstance(step, Level):
            self._write(f"{self._stem(kernel)}.{step.value}", self._header(kernel, step) + _text(value))
        elif self._has_passes:
            self._write_pass(kernel, step, value)
        if isinstance(value, Artifact):
            self._write(f"{self._stem(kernel)}.json", artifacts_as_json((value,)))

    def _header(self, kernel: str, level: Level) -> str:
        if self._made_from is None or level not in MARKS:
            return ""
        return self._made_from.header(self.directory, self._made_from.kernel or kernel, MARKS[level])

    def _write_pass(self, kernel: str, step: str, value: LevelValue) -> None:
        stem = self._stem(kernel)
        folder = f"{stem}.{PASSES}"
        make_directory(self.directory / folder)
        number = self._passes[stem] = self._passes.get(stem, 0) + 1
        self._write(f"{folder}/{number:02}-{step}.{suffix_of(value)}", _text(value))

    def _write(self, name: str, text: str) -> None:
        replace_text(self.directory / name, text)

    def _stem(self, kernel: str) -> str:
        """Kernels whose names differ in case only would be one file on some disks: `k` is followed by `K-2`."""
        alike = self._stems.setdefault(kernel.casefold(), [])
        if kernel not in alike:
            alike.append(kernel)
        number = alike.index(kernel) + 1
        return kernel if number == 1 else f"{kernel}-{number}"


def start_dump(
    directory: Path, text: syntax.Program | Source | None, options: Options, *, has_passes: bool = False
) -> Dump:
    """The observer for what is made from a text: a notation, or a text that may say its notation."""
    make_directory(directory)
    match text:
        case syntax.Program():
            return Dump(directory, of_notation(text, options, directory), has_passes=has_passes)
        case Source():
            return Dump(directory, read_header(text), has_passes=has_passes)
        case None:
            return Dump(directory, has_passes=has_passes)


def _text(value: LevelValue) -> str:
    return level_text(value, tells_origins=True)
