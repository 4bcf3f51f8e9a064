"""What is added after all work-groups where integers say."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from einsum_front.core.dataclass import dataclass
from einsum_front.core.extent import evaluated
from einsum_front.core.scattered import Scatter, add
from einsum_front.tl_backend.analysis.open_temporaries import sizes_shown
from einsum_front.tl_backend.program import Function, Sizes
from einsum_front.tl_backend.scalars import DTYPES
from einsum_front.tl_backend.sums import sums_of
from einsum_front.tl_backend.types import MemrefType

Array = NDArray[Any]


@dataclass(frozen=True, slots=True)
class Scattering:
    """The `arguments` of a function, those that belong to the launch among them."""

    function: Function
    scatters: tuple[Scatter, ...]
    arguments: Mapping[str, object]

    @staticmethod
    def of(function: Function, arguments: Mapping[str, object], groups: int) -> "Scattering":
        """Zeros for what is added; what is wrong with the arguments, `bind` says."""
        scatters = sums_of(function)
        if not scatters:
            return Scattering(function, (), arguments)
        types = {each.name.name: each.type for each in function.arguments}
        sizes = sizes_shown(function, arguments)
        own = {each.source: _zeros(function, each.source, types[each.source], groups, sizes) for each in scatters}
        return Scattering(function, scatters, {**arguments, **own})

    def add(self) -> None:
        """Adds what all work-groups have left."""
        for scatter in self.scatters:
            arrays = {name: self._elements(name) for name in scatter.tensors}
            add(scatter, np.asarray(self._elements(scatter.source)), arrays)

    def _elements(self, name: str) -> object:
        """The array with the elements in front."""
        array, mode = self.arguments[name], self.function.batch_modes.get(name)
        return array if mode is None else np.moveaxis(np.asarray(array), mode, 0)


def _zeros(function: Function, name: str, type_: object, groups: int, sizes: Mapping[str, int]) -> Array:
    if not isinstance(type_, MemrefType):
        return np.zeros(0)  # which `bind` refuses
    mode = function.batch_modes.get(name)
    extents = next((each.extents for each in function.facts if isinstance(each, Sizes) and each.argument == name), ())
    named = list(extents)
    if named and mode is not None:
        named.insert(mode, None)
    shape = [
        groups if number == mode else size if size is not None else _evaluated(named, number, sizes)
        for number, size in enumerate(type_.shape)
    ]
    return np.zeros(shape, DTYPES[type_.element], order="F")


def _evaluated(named: Sequence[Any], number: int, sizes: Mapping[str, int]) -> int:
    size = evaluated(named[number], sizes) if number < len(named) and named[number] is not None else 0
    return size if isinstance(size, int) else 0
