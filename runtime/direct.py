"""Calls with nothing left to check, copy or compile: memory of the host as it lies, one launch, and its end.

What decides how arrays come to a kernel is found out by the first call of its kind (`calls`). A call like it takes as
long as the device, but for some microseconds.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from einsum_front.core.diagnostics import Diagnostic
from einsum_front.runtime.arguments import Arguments
from einsum_front.runtime.artifact import Artifact, ScalarParameter
from einsum_front.runtime.scalars import check_scalar
from einsum_front.runtime.signature import arguments_of, counts_elements
from einsum_front.runtime.values import HostArray, ScalarValue


@dataclass(frozen=True, slots=True)
class DirectArray:
    """An array among the arguments of a kernel: its name and position, and the axes from the slowest to the fastest.

    `row` is None if that is the order of the array, or if there are gaps between its entries.
    """

    name: str
    position: int
    is_written: bool
    row: tuple[int, ...] | None


@dataclass(frozen=True, slots=True)
class DirectArguments:
    """The arguments of a kernel by position: arrays and scalars are set in each call, the numbers of shapes are not."""

    arrays: tuple[DirectArray, ...]
    scalars: tuple[tuple[int, ScalarParameter], ...]
    numbers: tuple[tuple[int, np.int64], ...]


class Direct(ABC):
    """Launches of a kernel for arrays of certain shapes and strides."""

    __slots__ = ("arguments",)

    def __init__(self, arguments: DirectArguments) -> None:
        self.arguments = arguments

    def call(self, given: Mapping[str, object]) -> bool:
        """`run` for arguments by name that look like those of the first call.

        False as well if something is wrong that a look does not tell: numbers, and memory that arrays share.
        """
        own = self.arguments
        arrays = [cast("NDArray[Any]", given[each.name]) for each in own.arrays]
        for place, each in enumerate(own.arrays):
            if each.is_written:
                for other, array in enumerate(arrays):
                    if other != place and np.may_share_memory(arrays[place], array):
                        return False
        scalars = []
        for _, parameter in own.scalars:
            scalar = check_scalar(parameter, given[parameter.name])
            if isinstance(scalar, Diagnostic):
                return False
            scalars.append(scalar.value)
        return self.run(arrays, scalars)

    @abstractmethod
    def run(self, arrays: Sequence[NDArray[Any]], scalars: Sequence[np.generic] = ()) -> bool:
        """Runs the kernel and waits; False if the device does not start it: then nothing has changed.

        Arrays and scalars are in the order of the parameters. Raises CompileError (E0608) if the device fails.
        """


def direct_arguments(artifact: Artifact, arguments: Arguments) -> DirectArguments | None:
    """The arguments of calls like this one; None if something has to be copied or computed before."""
    if artifact.prologue is not None or artifact.scratch or not arguments.groups:
        return None
    arrays: list[DirectArray] = []
    scalars: list[tuple[int, ScalarParameter]] = []
    numbers: list[tuple[int, np.int64]] = []
    position = 0
    for value in arguments.values:
        if isinstance(value, HostArray) and value.fit.is_in_place:
            row = value.fit.row
            is_in_order = row == tuple(range(len(row or ())))
            name, is_written = value.parameter.name, value.parameter.is_written
            arrays.append(DirectArray(name, position, is_written, None if is_in_order else row))
            numbers += [(position + 1 + place, np.int64(each)) for place, each in enumerate(value.fit.numbers)]
        elif isinstance(value, ScalarValue):
            scalars.append((position, value.parameter))
        else:
            return None
        position += len(list(arguments_of(value.parameter)))
    if counts_elements(artifact):
        numbers.append((position, np.int64(arguments.groups)))
    return DirectArguments(tuple(arrays), tuple(scalars), tuple(numbers))
