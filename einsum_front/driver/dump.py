"""An observer that writes every level of every kernel into a folder."""

from pathlib import Path

from einsum_front.driver.stages import LevelValue
from einsum_front.driver.texts import artifacts_as_json, level_text
from einsum_front.files import make_directory, replace_text
from einsum_front.options import Level
from einsum_front.runtime.artifact import Artifact


class Dump:
    """Writes `kernel.level` for each kernel and level; the `.yir` and `.tl` can be edited and compiled again.

    Beside the `.cl` stands `kernel.json`, its arguments and its launch for programs. What has that name
    already is replaced: a link is, too, and not what it leads to.
    """

    def __init__(self, directory: Path) -> None:
        make_directory(directory)
        self.directory = directory
        self._stems: dict[str, list[str]] = {}

    def __call__(self, kernel: str, step: Level | str, value: LevelValue) -> None:
        """The observer of `translate`."""
        if isinstance(step, Level):
            self._write(kernel, step.value, level_text(value))
        if isinstance(value, Artifact):
            self._write(kernel, "json", artifacts_as_json((value,)))

    def _write(self, kernel: str, suffix: str, text: str) -> None:
        replace_text(self.directory / f"{self._stem(kernel)}.{suffix}", text)

    def _stem(self, kernel: str) -> str:
        """Kernels whose names differ in case only would be one file on some disks: `k` is followed by `K-2`."""
        alike = self._stems.setdefault(kernel.casefold(), [])
        if kernel not in alike:
            alike.append(kernel)
        number = alike.index(kernel) + 1
        return kernel if number == 1 else f"{kernel}-{number}"
