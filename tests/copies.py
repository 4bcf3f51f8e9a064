"""Copies that launches make of NumPy arrays before a kernel runs."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

import numpy as np
from numpy.typing import NDArray

from einsum_front.runtime.arrays.storage import Fit, fitted
from einsum_front.runtime.artifact import ArrayParameter

Array = NDArray[np.generic]


class Copies:
    """The arguments that were copied, each as often as it was, and the bytes of each copy."""

    def __init__(self) -> None:
        self.names: list[str] = []
        self.nbytes: list[int] = []

    def fitted(self, parameter: ArrayParameter, array: NDArray[Any], how: Fit) -> NDArray[Any]:
        """In the place of the function of this name."""
        found = fitted(parameter, array, how)
        if found is not array:
            self.names.append(parameter.name)
            self.nbytes.append(found.nbytes)
        return found


@contextmanager
def counted() -> Iterator[Copies]:
    """Counts what is copied meanwhile."""
    copies = Copies()
    with (
        patch("einsum_front.runtime.arrays.batch.fitted", copies.fitted),
        patch("einsum_front.runtime.arrays.groups.fitted", copies.fitted),
    ):
        yield copies
