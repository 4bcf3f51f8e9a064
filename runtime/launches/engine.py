"""What a kernel asks of the device that it runs on: the two kinds of devices, OpenCL's and `c`, answer to this."""

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any, Protocol

from einsum_front.runtime.arrays.arguments import Arguments
from einsum_front.runtime.devices.portable import Prepare
from einsum_front.runtime.launches.direct import Direct


class Launch(Protocol):
    """A kernel with its arguments where the device finds them.

    The first `run`, and the first one behind a `finish`, takes NumPy arrays as they are then, whatever their layout.
    Every further `run` continues on the results of the one before; `finish` brings them into the caller's arrays.
    Until then what the caller writes into these may or may not be seen.

    It can be copied and pickled, as its kernel with its arguments: `portable` says what that means.
    """

    def prepared_by(self, prepare: Prepare, groups: int | None, arguments: Mapping[str, object]) -> None:
        """Keeps what the launch was made from, for its copies: see `portable`."""

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
