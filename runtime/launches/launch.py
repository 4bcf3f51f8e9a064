"""Run a kernel over a batch: one work-group for each element."""

from numbers import Number
from typing import Any

from numpy.typing import NDArray

from einsum_front.core.words import quoted
from einsum_front.runtime.arrays.arguments import Arguments
from einsum_front.runtime.arrays.batch import Place, empty
from einsum_front.runtime.arrays.transfers import to_device
from einsum_front.runtime.artifact import ArrayParameter, Artifact, ScalarParameter
from einsum_front.runtime.devices.device import Device, device_like, find_device
from einsum_front.runtime.devices.errors import failure
from einsum_front.runtime.devices.facts import DeviceFacts
from einsum_front.runtime.devices.opencl import Array, cl
from einsum_front.runtime.launches.build import check_device
from einsum_front.runtime.launches.c_engine import CEngine
from einsum_front.runtime.launches.calls import MOST_SIGNATURES, Calls, Signature
from einsum_front.runtime.launches.direct import Direct
from einsum_front.runtime.launches.engine import Bound, Engine, Launch
from einsum_front.runtime.launches.opencl_engine import OpenCLEngine

COPIED_BYTES = 2**26
"""Copies of NumPy arrays that a call has at one time: arrays that are mapped files may be larger than the memory."""


class Kernel:
    """A compiled kernel on a device; its arguments are given by name.

    A batched argument has shape `(batch, *shape)`. It is a NumPy array in any layout, or a pyopencl array or buffer in
    the declared one; a group may also be a list of arrays. One whose values are known when compiling may be left out.
    Results are written into the arguments. A kernel that has no batched argument takes its number of work-groups as
    the positional argument (1 if it is not given).

    Mistakes raise CompileError, all of them at once, before anything runs. If the device fails, the error says which
    outputs are lost; the others are as they were.
    """

    def __init__(
        self,
        artifact: Artifact,
        device: Device,
        queue: cl.CommandQueue | None = None,
        overwritten: frozenset[str] = frozenset(),
    ) -> None:
        """Raises CompileError if the device lacks what the kernel needs. The program is built at the first launch.

        `queue` is where all launches go; without it, that of their arrays or of the device. `overwritten` are arguments
        all of whose entries are written, whatever they were: a call does not send them to a device.
        """
        for each in (artifact, artifact.prologue):
            if each is not None:
                check_device(each, device.facts)
        self.artifact = artifact
        self.device = device
        self.overwritten = overwritten
        self._engine: Engine = (
            CEngine(artifact, device.facts) if device.opencl is None else OpenCLEngine(artifact, device, queue)
        )
        self._calls = Calls(artifact, device)
        self._direct: dict[Signature, Direct] = {}
        self._arrays = {each.name: each for each in artifact.arguments if not isinstance(each, ScalarParameter)}

    def __call__(self, groups: int | None = None, /, *unnamed: object, **arguments: object) -> None:
        """Run once and wait: the results are in the arguments when this returns."""
        count = self._count(groups, unnamed)
        signature = self._calls.signature(count, COPIED_BYTES, arguments)
        seen = None if signature is None else self._direct.get(signature)
        if seen is not None and seen.call(arguments):
            return
        checked, parts = self._calls.parts(count, arguments, COPIED_BYTES)
        bound = self._engine.bind(checked)
        stream = bound.stream(checked, self.overwritten)
        if stream is not None:
            stream.run()
            return
        changed: frozenset[str] = frozenset()
        for part in parts:
            self._run(bound, part, changed)
            changed = frozenset(name for name, parameter in self._arrays.items() if parameter.is_written)
        if signature is not None and len(parts) == 1 and not self._calls.looks_inside:
            self._remember(signature, bound.direct(parts[0]))

    def _remember(self, signature: Signature, found: Direct | None) -> None:
        """Calls like this one are short."""
        if len(self._direct) >= MOST_SIGNATURES:
            self._direct.clear()
        if found is not None:
            self._direct[signature] = found

    def count(self, groups: int | None = None, /, *unnamed: object, **arguments: object) -> tuple[int, dict[str, int]]:
        """The number of work-groups of a call, whose arguments are checked, and the sizes that these show."""
        checked, _ = self._calls.parts(self._count(groups, unnamed), arguments)
        return checked.groups, checked.sizes

    def direct(self, **arguments: object) -> Direct | None:
        """Launches for arrays like these, which are checked, but not used; None if such a call has more to do."""
        checked, parts = self._calls.parts(None, arguments, COPIED_BYTES)
        return self._engine.bind(checked).direct(parts[0]) if len(parts) == 1 else None

    def _run(self, bound: Bound, part: Arguments, changed: frozenset[str]) -> None:
        """One part of the batch; its copies are gone before the next one begins."""
        launch = bound.launch([part], changed, starts_at_once=True)
        launch.run()
        launch.finish()

    def prepare(self, groups: int | None = None, /, *unnamed: object, **arguments: object) -> Launch:
        """Bind the arguments once, to run the kernel on them as often as wanted."""
        count = self._count(groups, unnamed)
        checked, parts = self._calls.parts(count, arguments)
        launch = self._engine.bind(checked).launch(parts, frozenset(), starts_at_once=False)
        launch.prepared_by(self.prepare, count, arguments)
        return launch

    def __reduce__(self) -> tuple[Any, ...]:
        """The kernel and the kind of device that it was made for, where `queue` was not given."""
        return _restored, (self.artifact, self.device.facts, self.overwritten)

    def empty(self, name: str, batch: int = 1, shape: tuple[int, ...] | None = None) -> NDArray[Any]:
        """An array for an argument, in the layout that needs no copy; see `runtime.arrays.batch.empty`."""
        return empty(self._array(name), batch, shape)

    def to_device(self, name: str, array: object) -> Array:
        """A copy of an array on the device, in the layout of the argument; see `runtime.arrays.transfers.to_device`."""
        place = Place(self.device.context, self.device.queue, self.device.facts)
        return to_device(self.artifact.name, self._array(name), array, place)

    def _count(self, groups: int | None, unnamed: tuple[object, ...]) -> int | None:
        """The number of work-groups; raises CompileError if what stands without a name is meant for an argument."""
        if not unnamed and (groups is None or isinstance(groups, Number)):
            return groups
        verb = "are" if unnamed else "is"
        call = ", ".join(f"{parameter.name}=…" for parameter in self.artifact.arguments)
        message = f"`{self.artifact.name}` takes its arguments by name, and {1 + len(unnamed)} {verb} given without"
        raise failure("E0502", message, (f"they are given as in `{self.artifact.name}({call})`",))

    def _array(self, name: str) -> ArrayParameter:
        if name not in self._arrays:
            known = (f"it has {quoted(self._arrays)}" if self._arrays else "it has none",)
            raise failure("E0502", f"`{self.artifact.name}` has no array argument `{name}`", known)
        return self._arrays[name]


def _restored(artifact: Artifact, facts: DeviceFacts, overwritten: frozenset[str]) -> Kernel:
    """The kernel on a device of the same kind, else on `auto`, which raises CompileError if it cannot run there."""
    return Kernel(artifact, device_like(facts) or find_device(), overwritten=overwritten)
