"""What a kernel asks of the device that it runs on: the two kinds of devices, OpenCL's and `c`, answer to this."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any, Protocol

import numpy as np

from einsum_front.core.dataclass import dataclass
from einsum_front.core.diagnostics import Diagnostic
from einsum_front.runtime.arrays.arguments import Arguments
from einsum_front.runtime.arrays.scalars import check_scalar
from einsum_front.runtime.arrays.signature import arguments_of, counts_elements
from einsum_front.runtime.arrays.storage import ArrayValue, HostArray, ScalarValue
from einsum_front.runtime.artifact import Artifact, ScalarParameter
from einsum_front.runtime.devices.errors import failure
from einsum_front.runtime.devices.opencl import Array

# -- launches in other processes ---------------------------------------------------------------------------------------
# As what they were prepared from, without anything of a device.

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


# -- calls with nothing left to check, copy or compile -----------------------------------------------------------------
# Memory as it lies, one launch, and its end. What decides how arrays come to a kernel is found out by the first call
# of its kind (`launch`). A call like it takes as long as the device, but for some microseconds.


@dataclass(frozen=True, slots=True)
class DirectArray(ABC):
    """An array among the arguments of a kernel: its name, and the position of its memory."""

    name: str
    position: int
    is_written: bool

    @abstractmethod
    def is_apart(self, array: Any, other: Any) -> bool:
        """True if two arrays like this one share no memory."""


@dataclass(frozen=True, slots=True)
class OnHost(DirectArray):
    """An array of NumPy: the axes from the slowest to the fastest.

    `row` is None if that is the order of the array, or if there are gaps between its entries.
    """

    row: tuple[int, ...] | None

    def is_apart(self, array: Any, other: Any) -> bool:
        """True if the extents of two arrays in memory do not meet."""
        return not np.may_share_memory(array, other)


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
        arrays = [given[each.name] for each in own.arrays]
        for place, each in enumerate(own.arrays):
            if each.is_written:
                for other, array in enumerate(arrays):
                    if other != place and not each.is_apart(arrays[place], array):
                        return False
        scalars = []
        for _, parameter in own.scalars:
            scalar = check_scalar(parameter, given[parameter.name])
            if isinstance(scalar, Diagnostic):
                return False
            scalars.append(scalar.value)
        return self.run(arrays, scalars)

    @abstractmethod
    def run(self, arrays: Sequence[Any], scalars: Sequence[np.generic] = ()) -> bool:
        """Runs the kernel and waits; False if the arrays cannot be used, or the driver does not start it.

        Then nothing has changed. Arrays and scalars are in the order of the parameters. Raises CompileError (E0608) if
        the device fails.
        """

    def start(self, arrays: Sequence[Any]) -> bool:
        """`run`, which need not wait if results stay on a device: what uses them there comes later in their queue."""
        return self.run(arrays)


def on_host(value: HostArray, position: int) -> OnHost:
    """An array of NumPy that the kernel finds where it is."""
    row = value.fit.row
    walked = [axis for axis in row or () if value.array.shape[axis] > 1]  # others may stand anywhere
    is_in_order = row is not None and walked == sorted(walked)
    return OnHost(value.parameter.name, position, value.parameter.is_written, None if is_in_order else row)


def direct_arguments(
    artifact: Artifact,
    arguments: Arguments,
    array_of: Callable[[ArrayValue, int], tuple[DirectArray, Sequence[int]] | None],
) -> DirectArguments | None:
    """The arguments of calls like this one; None if something has to be copied or computed before.

    `array_of` gives an array at a position, and the numbers behind it; None if calls cannot take it as it lies.
    """
    if artifact.prologue is not None or artifact.scratch or not arguments.groups:
        return None
    arrays: list[DirectArray] = []
    scalars: list[tuple[int, ScalarParameter]] = []
    numbers: list[tuple[int, np.int64]] = []
    position = 0
    for value in arguments.values:
        if isinstance(value, ScalarValue) and value.parameter.is_complex:
            return None  # two numbers of the kernel
        if isinstance(value, ScalarValue):
            scalars.append((position, value.parameter))
        else:
            found = array_of(value, position)
            if found is None:
                return None
            array, behind = found
            arrays.append(array)
            numbers += [(position + 1 + place, np.int64(each)) for place, each in enumerate(behind)]
        position += len(list(arguments_of(value.parameter)))
    if counts_elements(artifact):
        numbers.append((position, np.int64(arguments.groups)))
    return DirectArguments(tuple(arrays), tuple(scalars), tuple(numbers))


class Launch(Protocol):
    """A kernel with its arguments where the device finds them.

    The first `run`, and the first one behind a `finish`, takes NumPy arrays as they are then, whatever their layout.
    Every further `run` continues on the results of the one before; `finish` brings them into the caller's arrays.
    Until then what the caller writes into these may or may not be seen.

    It can be copied and pickled, as its kernel with its arguments: "launches in other processes" says what that means.
    """

    def prepared_by(self, prepare: Prepare, groups: int | None, arguments: Mapping[str, object]) -> None:
        """Keeps what the launch was made from, for its copies: see "launches in other processes"."""

    def set(self, **numbers: object) -> None:
        """Other numbers for scalars, from the next run on: `launch.set(dt=0.5)`. Raises CompileError as a call does."""

    def load(self) -> None:
        """Bring what NumPy arrays hold now to the device, and wait; the next `run` need not."""

    def wait(self) -> None:
        """Wait for what was started; `finish` brings the results."""

    def run(self) -> tuple[Any, ...]:
        """Start the kernel over the whole batch; an event for each launch that the device needs for that.

        An event of a run inside of `timed` has a clock, `profile.start` and `profile.end` in nanoseconds; those of
        OpenCL are pyopencl's. On device `c`, the kernel has run when this returns.
        """

    def timed(self) -> AbstractContextManager[None]:
        """What runs inside has events with a clock; what runs outside need not be slowed down by one."""

    def finish(self) -> None:
        """Wait for all runs, then bring the results into the caller's arrays."""


class Stream(Protocol):
    """A call in parts of the batch."""

    def run(self) -> None:
        """Runs it and waits: the results are in the arguments."""


class Bound(Protocol):
    """A kernel that is built, where the arguments of a call are."""

    def launch(self, parts: Sequence[Arguments], lost: frozenset[str], *, starts_at_once: bool) -> Launch:
        """A launch over parts of the batch; `lost` is what launches before this have changed.

        What is started at once need not look again at what NumPy arrays hold.
        """

    def stream(self, arguments: Arguments, overwritten: frozenset[str]) -> Stream | None:
        """The whole call in parts that overlap, on a device with memory of its own; None: it is done by launches."""

    def direct(self, part: Arguments) -> Direct | None:
        """Launches for calls with arrays like these; None if such a call has more to do."""


class Engine(Protocol):
    """A kernel for a device."""

    def bind(self, arguments: Arguments) -> Bound:
        """Builds the kernel if nobody has before, for a call with these arguments; raises CompileError."""
