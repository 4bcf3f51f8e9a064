"""An observer that writes every level of every kernel into a folder."""

from pathlib import Path

from einsum_front.driver import LevelValue
from einsum_front.driver.texts import artifacts_as_json, level_text
from einsum_front.files import make_directory, write_text
from einsum_front.options import Level
from runtime.artifact import Artifact


class Dump:
    """Writes `kernel.level` for each kernel and level; the `.yir` and `.tl` can be edited and compiled again.

    Beside the `.cl` stands `kernel.json`, its arguments and its launch for programs.
    """

    def __init__(self, directory: Path) -> None:
        make_directory(directory)
        self.directory = directory

    def __call__(self, kernel: str, step: Level | str, value: LevelValue) -> None:
        """The observer of `translate`."""
        if isinstance(step, Level):
            write_text(self.directory / f"{kernel}.{step.value}", level_text(value))
        if isinstance(value, Artifact):
            write_text(self.directory / f"{kernel}.json", artifacts_as_json((value,)))
