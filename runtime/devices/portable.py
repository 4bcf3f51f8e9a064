"""Launches in other processes: as what they were prepared from, without anything of a device."""

from collections.abc import Callable, Mapping
from typing import Any

from einsum_front.runtime.devices.errors import failure
from einsum_front.runtime.devices.opencl import Array

Prepare = Callable[..., Any]
"""`Kernel.prepare` of the kernel, which takes the number of work-groups and the arguments by name."""


class Portable:
    """A prepared launch that can be copied and pickled.

    Its pickle is the kernel with its arguments as they are when all runs have ended: `finish` comes first. Whoever
    loads it has a launch of its own on arrays of its own, which are those of the same pickle, if they are in it. A
    shallow copy is another launch on the same arrays.
    """

    _source: tuple[Prepare, int | None, dict[str, object]] | None = None

    def prepared_by(self, prepare: Prepare, groups: int | None, arguments: Mapping[str, object]) -> None:
        """Keeps what the launch was made from."""
        self._source = prepare, groups, dict(arguments)

    def renumbered(self, numbers: Mapping[str, object]) -> None:
        """Keeps the numbers of scalars from now on."""
        if self._source is not None:
            self._source[2].update(numbers)

    def finish(self) -> None:
        """Waits for all runs and brings the results into the caller's arrays."""
        raise NotImplementedError

    def __copy__(self) -> "Portable":
        prepare, groups, arguments = self._parts_of_a_copy()
        self.finish()
        copied: Portable = prepare(groups, **arguments)
        return copied

    def __reduce__(self) -> tuple[Any, ...]:
        prepare, groups, arguments = self._parts_of_a_copy()
        for name, each in arguments.items():
            members = each if isinstance(each, list | tuple) else (each,)
            if any(isinstance(member, Array) for member in members):
                notes = ("a pickle has nothing of a device: `einsum_front.to_host` makes an array of NumPy",)
                raise failure(
                    "E0503", f"argument `{name}` of the launch lies on a device, and cannot be pickled", notes
                )
        self.finish()
        return _prepared, (prepare, groups, arguments)

    def _parts_of_a_copy(self) -> tuple[Prepare, int | None, dict[str, object]]:
        if self._source is None:
            raise failure("E0502", "this launch was not made by `prepare`, so it cannot be copied")
        return self._source


def _prepared(prepare: Prepare, groups: int | None, arguments: dict[str, object]) -> Any:
    return prepare(groups, **arguments)
