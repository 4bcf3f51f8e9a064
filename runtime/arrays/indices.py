"""Integers that a kernel takes for places: all of them are looked at before it runs, for it looks at none."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from einsum_front.core.diagnostics import Diagnostic
from einsum_front.core.extent import Extent, evaluated
from einsum_front.runtime.arrays.known_values import read_back
from einsum_front.runtime.arrays.values import ArrayValue, DeviceArray, HostArray, HostGroup
from einsum_front.runtime.devices.device import Device


def index_mistakes(
    device: Device, arrays: Iterable[ArrayValue], groups: int, sizes: Mapping[str, int]
) -> Iterator[Diagnostic]:
    """Integers that are no places of what they are places of; negative ones are fine."""
    for value in arrays:
        if value.parameter.indices and groups:
            for given in _entries(value, device):
                yield from _outside(value.parameter.name, given, value.parameter.indices, groups, sizes)


def _entries(value: ArrayValue, device: Device) -> Iterator[NDArray[Any]]:
    match value:
        case HostArray():
            yield value.array
        case HostGroup():
            yield from value.members
        case DeviceArray():
            yield read_back(value, device)


def _outside(
    name: str, given: NDArray[Any], bounds: tuple[Extent | None, ...], groups: int, sizes: Mapping[str, int]
) -> Iterator[Diagnostic]:
    largest = given.max(initial=-1)
    for bound in bounds:
        number = groups if bound is None else evaluated(bound, sizes)
        if isinstance(number, int) and largest >= number:
            entry = tuple(map(int, np.argwhere(given >= number)[0]))
            where = f" at {entry}" if entry else ""
            of = "elements in the batch" if bound is None else "places"
            message = f"argument `{name}` is {given[entry]!s}{where}, and there are {number} {of}"
            notes = ("they are counted from 0; a negative number leaves the term out",)
            yield Diagnostic("E0531", message, notes=notes)
            return
