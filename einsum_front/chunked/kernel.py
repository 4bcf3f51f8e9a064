"""Kernels over batches that are larger than the memory: the door for `CompiledKernel.chunked` and for `ef.einsum`."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, closing, contextmanager, nullcontext
from datetime import timedelta
from itertools import islice
from time import monotonic
from typing import Protocol

import numpy as np

from einsum_front.chunked.call import Call, read_call
from einsum_front.chunked.journal import Journal, checksum
from einsum_front.chunked.pipeline import Chunk, Report, Run
from einsum_front.chunked.plan import ChunkPlan, Lane, Options, Progress, plan_chunks
from einsum_front.chunked.stores import Array, Store, is_sliceable, mapping_of
from einsum_front.core.diagnostics import CompileError, Diagnostic, raise_any
from einsum_front.core.terminal import sign_of_life
from einsum_front.runtime import (
    Device,
    Kernel,
    host_view,
    host_views,
    is_on_device,
    no_places,
    sizes_shown,
    staging_array,
)
from einsum_front.runtime.artifact import Artifact, TensorParameter

READ_AT_ONCE = 2**24
"""Bytes of integers that are looked at together, before anything runs."""


class Kernels(Protocol):
    """A kernel for each device, for arguments that lie as these samples."""

    @property
    def device(self) -> Device:
        """The device of a run that asks for none."""

    def artifact_for(self, device: Device, arguments: Mapping[str, object]) -> Artifact:
        """What runs there."""

    @property
    def overwritten(self) -> frozenset[str]:
        """The arguments all of whose entries are written, whatever they were."""


class ChunkedKernel:
    """A kernel that runs over its batch in chunks.

    Call it with the arguments of the kernel by name. Those with a batch may be anything that has a shape, an element
    type and slices along its first axis: arrays of NumPy, `numpy.memmap`, data sets of zarr and h5py. Numbers and
    constants are as for the kernel. Results go to the arguments, or to what `out` has of their name.

    Raises `CompileError` for wrong arguments (E05xx) before anything runs, and for files and devices that fail (E062x,
    E063x) after all chunks that were begun have ended.
    """

    def __init__(self, kernels: Kernels, options: Options, out: Mapping[str, object] | None = None) -> None:
        """`out` has where results go, by argument."""
        self._kernels = kernels
        self._options = options
        self._out = dict(out or {})

    def __call__(self, **arguments: object) -> Report:
        """Run over the whole batch and wait; what was done, and how long that took."""
        with self._opened(arguments) as (call, make):
            self._check(call, make)
            with self._journal(call) as journal:
                finished = [] if journal is None else _verified(call, journal)
                plan = plan_chunks(call, self._options, self._devices(), finished)
                with bar(self._options.progress, call.artifact.name, call.batch) as progress:
                    report = Run(call, plan, make, journal, progress).finish()
                if journal is not None:
                    journal.discard_saved()
                return report

    def plan(self, **arguments: object) -> ChunkPlan:
        """The chunks of a call with these arguments, without running anything; print it."""
        with self._opened(arguments) as (call, _):
            return plan_chunks(call, self._options, self._devices())

    def chunks(self, **arguments: object) -> Iterator[Chunk]:
        """Runs, and gives each chunk with its results as it ends: not always in the order of the batch.

        Nothing is written. The arrays of a chunk are there until the next one is asked for.
        """
        with self._opened(arguments) as (call, make):
            self._check(call, make)
            plan = plan_chunks(call, self._options, self._devices(), keeps_results=True)
            with bar(self._options.progress, call.artifact.name, call.batch) as progress:
                yield from Run(call, plan, make, None, progress).chunks()

    def _devices(self) -> tuple[Device, ...]:
        return self._options.devices or (self._kernels.device,)

    @contextmanager
    def _opened(self, arguments: Mapping[str, object]) -> Iterator[tuple[Call, Callable[[Lane], Kernel]]]:
        """The checked call, and what makes a kernel on a queue of its own."""
        arguments = host_views(arguments)
        samples = {name: _sample(each) for name, each in arguments.items()}
        made = {device: self._kernels.artifact_for(device, samples) for device in dict.fromkeys(self._devices())}
        first = made[self._devices()[0]]
        given = dict(arguments)
        for name, each in self._out.items():
            given.setdefault(name, host_view(each))  # what is overwritten need not be given twice
        call = read_call(first, given, host_views(self._out), self._kernels.overwritten)

        def make(lane: Lane) -> Kernel:
            return Kernel(made[lane.device], lane.device, lane.device.new_queue(), self._kernels.overwritten)

        try:
            yield call, make
        finally:
            call.close()

    def _check(self, call: Call, make: Callable[[Lane], Kernel]) -> None:
        """The kernel itself checks names, numbers and constants: with no elements, it runs nothing."""
        for device in dict.fromkeys(self._devices()):
            empty = {each.name: staging_array(each.parameter, 0, each.shape, device) for each in call.streams}
            make(Lane(device, 1, 0, ""))(**call.whole, **empty)
        if call.artifact.checks_indices:
            raise_any(list(islice(_no_places(call), 1)))

    def _journal(self, call: Call) -> AbstractContextManager[Journal | None]:
        path = self._options.journal
        if path is None:
            return nullcontext()
        mistakes = [
            Diagnostic("E0527", f"the results of `{each.name}` are in memory, and a journal would outlive them")
            for each in call.written
            if each.target is None or not each.target.outlives
        ]
        raise_any(mistakes)
        return closing(Journal(path, call.header()))


def _no_places(call: Call) -> Iterator[Diagnostic]:
    """Integers that are no places, in all of the batch: chunks before them would be written."""
    tensors = {each.name: each for each in call.artifact.arguments if isinstance(each, TensorParameter)}
    whole = ((tensors[name], getattr(each, "shape", ())) for name, each in call.whole.items() if name in tensors)
    sizes = sizes_shown((*whole, *((each.parameter, (call.batch, *each.shape)) for each in call.streams)))
    for stream in (each for each in call.streams if each.parameter.indices):
        most = max(1, READ_AT_ONCE // max(1, stream.nbytes))
        for start in range(0, call.batch, most):
            given = _read(stream.source, start, min(call.batch, start + most))
            yield from no_places(stream.parameter, given, call.batch, sizes, start)


def _verified(call: Call, journal: Journal) -> list[tuple[int, int]]:
    """The elements that are finished: results that were on their way are put in their place first.

    The first and the last chunk are compared with what the journal says of them: outputs that were made anew since then
    are not what it is about.
    """
    finished = [(each.start, each.stop) for each in journal.finished]
    for saved in journal.saved():
        results = []
        for stream in call.written:
            target = stream.target or stream.source
            if stream.name in saved.results:
                target.write(saved.start, saved.stop, saved.results[stream.name])
                target.sync()
            results.append(_read(target, saved.start, saved.stop))
        if all(stream.is_in_place for stream in call.written):
            journal.finish(saved.start, saved.stop, checksum(results))
            finished.append((saved.start, saved.stop))
    for each in {each.start: each for each in (*journal.finished[:1], *journal.finished[-1:])}.values():
        results = [_read(stream.target or stream.source, each.start, each.stop) for stream in call.written]
        if checksum(results) != each.checksum:
            message = f"elements {each.start} to {each.stop} are not what the journal `{journal.path}` has finished"
            notes = (
                "the outputs were written since then, or made anew: `numpy.memmap` with mode 'w+' empties its file",
                "delete the journal to begin anew",
            )
            raise CompileError([Diagnostic("E0524", message, notes=notes)])
    return finished


def _read(store: Store, start: int, stop: int) -> Array:
    results = np.empty((stop - start, *store.shape[1:]), store.dtype)
    store.read(start, stop, results)
    return results


def _sample(argument: object) -> object:
    """Arrays that lie as chunks of the argument will: two elements without gaps, the axes in the order of the array."""
    if is_on_device(argument) or not is_sliceable(argument) or np.isscalar(argument) or not argument.shape:
        return argument
    if not isinstance(argument, np.ndarray):
        return np.empty((min(2, argument.shape[0]), *argument.shape[1:]), argument.dtype)
    if mapping_of(argument) is None and argument.nbytes < 2**16:
        return argument
    order = sorted(range(1, argument.ndim), key=lambda axis: -argument.strides[axis])
    shape = tuple(argument.shape[axis] for axis in order)
    dense = np.empty((min(2, argument.shape[0]), *shape), argument.dtype)
    return dense.transpose(0, *np.argsort(order) + 1)


# -- a bar on the standard error for runs that take long, if it is a terminal ------------------------------------------

BAR = 40
"""Characters of a bar that is full."""


@contextmanager
def bar(wanted: Progress, name: str, batch: int) -> Iterator[Callable[[int, int], None] | None]:
    """What is told of each finished chunk: elements that are done, and all."""
    if callable(wanted):
        yield wanted
    elif not wanted:
        yield None
    else:
        began = monotonic()

        def tell(done: int, _all: int) -> None:
            left = (monotonic() - began) / done * (batch - done)
            sign.show(
                f"{name} {'━' * (BAR * done // batch):{BAR}} {done}/{batch}, {timedelta(seconds=round(left))} left"
            )

        with sign_of_life(name) as sign:
            yield tell
