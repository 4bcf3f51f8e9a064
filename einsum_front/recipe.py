"""What kernels are compiled from, as far as their pickles need it."""

from typing import Protocol

from einsum_front.core.diagnostics import Source
from einsum_front.driver import Stages
from einsum_front.index_string.keywords import Build
from einsum_front.runtime import Device


class Recipe(Protocol):
    """A program and how it is compiled; pickles are what `__reduce__` returns."""

    @property
    def build(self) -> Build | None:
        """When kernels are built, None where their sizes decide."""

    def pickled_kernel(
        self, translation: Stages, device: Device | None, changed: tuple[bool, Source | None] | None
    ) -> tuple[object, ...]:
        """A kernel; `changed` are its `tells_copies` and `edited` if it is not as the program has it."""

    def pickled_program(self, translations: tuple[Stages, ...], device: Device | None) -> tuple[object, ...]:
        """All kernels."""


def pickled_by(recipe: Recipe | None) -> Recipe:
    """The recipe; kernels of the command line have none, and raise TypeError."""
    if recipe is None:
        raise TypeError("kernels are pickled that `einsum_front.compile` has made")
    return recipe
