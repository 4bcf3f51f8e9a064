"""An observer that writes every level of every kernel into a folder."""

from pathlib import Path

from einsum_front.driver import LevelValue
from einsum_front.driver.texts import level_text
from einsum_front.files import make_directory, replace_text
from einsum_front.options import Level


class Dump:
    """Writes `kernel.level` for each kernel and level; the `.yir` and `.tl` can be edited and compiled again.

    What has that name already is replaced: a link is, too, and not what it leads to.
    """

    def __init__(self, directory: Path) -> None:
        make_directory(directory)
        self.directory = directory
        self._stems: dict[str, list[str]] = {}

    def __call__(self, kernel: str, step: Level | str, value: LevelValue) -> None:
        """The observer of `translate`."""
        if isinstance(step, Level):
            replace_text(self.directory / f"{self._stem(kernel)}.{step.value}", level_text(value))

    def _stem(self, kernel: str) -> str:
        """Kernels whose names differ in case only would be one file on some disks: `k` is followed by `K-2`."""
        alike = self._stems.setdefault(kernel.casefold(), [])
        if kernel not in alike:
            alike.append(kernel)
        number = alike.index(kernel) + 1
        return kernel if number == 1 else f"{kernel}-{number}"
