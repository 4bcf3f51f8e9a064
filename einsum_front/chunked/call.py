"""A call in chunks after its checks: which arguments are cut along the batch, and which are the same for all chunks."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from hashlib import sha256
from itertools import combinations
from typing import Any

import numpy as np

from einsum_front.chunked.stores import Sliceable, Store, is_sliceable, store
from einsum_front.core.dataclass import dataclass
from einsum_front.core.diagnostics import CompileError, Diagnostic, raise_any
from einsum_front.core.words import quoted
from einsum_front.runtime import described_mistakes, element_text, is_on_device, staging_bytes
from einsum_front.runtime.artifact import Artifact, GroupParameter, ScalarParameter, TensorParameter


@dataclass(frozen=True, slots=True, eq=False)
class Stream:
    """An argument that is cut: where its chunks are read, and where results go.

    `is_read` is whether a chunk is read before the kernel runs: not where all entries are written anyway.
    """

    parameter: TensorParameter
    source: Store
    target: Store | None
    is_read: bool

    @property
    def name(self) -> str:
        """That of the argument."""
        return self.parameter.name

    @property
    def shape(self) -> tuple[int, ...]:
        """That of one element."""
        return self.source.shape[1:]

    @property
    def nbytes(self) -> int:
        """Bytes of one element in memory for staging."""
        return staging_bytes(self.parameter, self.shape)

    @property
    def is_straight(self) -> bool:
        """True if a call of the kernel may take chunks of the caller's array, twice if need be.

        The array lies in memory, and the kernel does not read what it replaces.
        """
        is_there = self.target is None or (self.target.data is self.source.data and not self.parameter.is_read)
        return is_there and self.source.is_array and not self.source.outlives

    @property
    def is_in_place(self) -> bool:
        """True if the kernel reads what its results replace: a chunk cannot be computed twice."""
        return self.parameter.is_read and self.target is self.source


@dataclass(frozen=True, slots=True, eq=False)
class Call:
    """A checked call; `whole` are numbers and constants, `streams` all else."""

    artifact: Artifact
    streams: tuple[Stream, ...]
    whole: Mapping[str, object]
    batch: int
    stores: tuple[Store, ...] = field(default=())

    @property
    def nbytes(self) -> int:
        """Bytes of one element in one set of buffers, with those that data sets need while they are read."""
        passing = max((stream.source.passing_bytes for stream in self.streams), default=0)
        return sum(stream.nbytes for stream in self.streams) + passing

    @property
    def written(self) -> tuple[Stream, ...]:
        """Streams with results."""
        return tuple(stream for stream in self.streams if stream.parameter.is_written)

    def header(self) -> dict[str, Any]:
        """Facts that a journal keeps of the run, to know it again."""
        numbers = {name: repr(each) for name, each in self.whole.items() if not isinstance(each, np.ndarray)}
        arrays = {name: each for name, each in self.whole.items() if isinstance(each, np.ndarray)}
        code = f"{self.artifact.source}{self.artifact.entry}{self.artifact.parameters}"
        return {
            "format": 1,
            "kernel": self.artifact.name,
            "code": _digest(code.encode()),
            "batch": self.batch,
            "arguments": {stream.name: _about(stream.source) for stream in self.streams},
            "results": {stream.name: _about(stream.target) for stream in self.written},
            "numbers": numbers,
            "constants": {name: _digest(np.ascontiguousarray(each).tobytes()) for name, each in arrays.items()},
        }

    def close(self) -> None:
        """Closes files that were opened for the call."""
        for each in self.stores:
            each.close()


def read_call(
    artifact: Artifact, arguments: Mapping[str, object], out: Mapping[str, object], overwritten: frozenset[str]
) -> Call:
    """Raises CompileError with mistakes in what is cut; the other arguments are checked by the kernel.

    `overwritten` are arguments all of whose entries the kernel writes; it need not see what they were.
    """
    mistakes = [*_kernel_mistakes(artifact), *_out_mistakes(artifact, out)]
    raise_any(mistakes)
    batched = {each.name: each for each in artifact.arguments if isinstance(each, TensorParameter) and each.batched}
    streams: list[Stream] = []
    opened: list[Store] = []
    whole: dict[str, object] = {}
    for name, argument in arguments.items():
        if name not in batched:
            is_constant = is_sliceable(argument) and not is_on_device(argument)
            whole[name] = np.asarray(argument) if is_constant and not np.isscalar(argument) else argument
        elif is_on_device(argument) or not is_sliceable(argument) or isinstance(argument, np.ma.MaskedArray):
            mistakes.append(_no_batch(batched[name], argument))
        else:
            parameter = batched[name]
            given = out.get(name)
            if given is not None and not is_sliceable(given):
                mistakes.append(_no_batch(parameter, given))
                continue
            streams.append(_stream(parameter, argument, given, is_overwritten=name in overwritten))
            opened += {id(each): each for each in (streams[-1].source, streams[-1].target) if each is not None}.values()
    call = Call(artifact, tuple(streams), whole, streams[0].source.shape[0] if streams else 0, tuple(opened))
    mistakes += [*_stream_mistakes(call), *_overlap_mistakes(streams)]
    if mistakes:
        call.close()
        raise CompileError(mistakes)
    return call


def _stream(parameter: TensorParameter, argument: Sliceable, out: object, *, is_overwritten: bool) -> Stream:
    source = store(argument, is_written=parameter.is_written and out is None)
    target = None
    if parameter.is_written:
        target = store(out, is_written=True) if is_sliceable(out) else source
    return Stream(parameter, source, target, is_read=not is_overwritten or parameter.nonzeros is not None)


def _kernel_mistakes(artifact: Artifact) -> Iterator[Diagnostic]:
    in_order = {each.scatter.target for each in artifact.sums if each.scatter.element is None}
    for parameter in artifact.arguments:
        name, why, note = parameter.name, "", ""
        if isinstance(parameter, ScalarParameter):
            continue
        if isinstance(parameter, GroupParameter):
            why = f"`{name}` is a group, whose tensors lie each on its own"
        elif not parameter.batched and parameter.is_written:
            why = f"`{name}` is one for all elements, and the kernel writes to it"
            note = f"each chunk can be a call that adds to a `{name}` of its own; the program sums these up"
        elif parameter.batch_size is not None:
            why = f"the batch of `{name}` has a size that is known when compiling"
        elif None in parameter.indices:
            why = f"the integers of `{name}` say elements, which may be in another chunk"
            note = "a program that copies what neighbours have into a tensor of each element can run in chunks"
        elif parameter.batched and name in in_order:
            why = f"it adds to `{name}` in the order of the elements, and each chunk has other integers"
            note = f"`atomic` after the shape of `{name}` allows any order"
        if why:
            message = f"`{artifact.name}` cannot run in chunks of the batch: {why}"
            yield Diagnostic("E0526", message, notes=(note,) if note else ())
    if not artifact.is_batched:
        yield Diagnostic("E0526", f"`{artifact.name}` cannot run in chunks of the batch: no argument has one")


def _out_mistakes(artifact: Artifact, out: Mapping[str, object]) -> Iterator[Diagnostic]:
    written = [each.name for each in artifact.arguments if not isinstance(each, ScalarParameter) and each.is_written]
    for name in out:
        if name not in written:
            note = f"it writes to {quoted(written)}" if written else "it writes to nothing"
            yield Diagnostic("E0525", f"`out` has `{name}`, which `{artifact.name}` does not write to", notes=(note,))


def _no_batch(parameter: TensorParameter, argument: object) -> Diagnostic:
    expected = f"a batch of shape (batch, {element_text(parameter)[1:]} that has a shape, an element type and slices"
    notes = ("arrays of a device are there already: call the kernel itself",) if is_on_device(argument) else ()
    return Diagnostic(
        "E0503", f"argument `{parameter.name}` is of type {type(argument).__name__}, expected {expected}", notes=notes
    )


def _stream_mistakes(call: Call) -> Iterator[Diagnostic]:
    batches: dict[int, list[str]] = {}
    for stream in call.streams:
        for each, name in _ends(stream):
            wrong = described_mistakes(call.artifact.name, stream.parameter, each.shape, each.dtype)
            yield from wrong
            if each.shape and not wrong:
                batches.setdefault(each.shape[0], []).append(name)
        if stream.target is not None and stream.target.is_read_only:
            yield Diagnostic("E0507", f"argument `{stream.name}` is read-only, and `{call.artifact.name}` writes to it")
    if len(batches) > 1:
        sizes = ", ".join(f"{size} in {quoted(names)}" for size, names in batches.items())
        yield Diagnostic("E0508", f"arguments differ in the size of the batch: {sizes}")


def _ends(stream: Stream) -> Iterator[tuple[Store, str]]:
    yield stream.source, stream.name
    if stream.target is not None and stream.target is not stream.source:
        yield stream.target, f"out[{stream.name}]"


def _overlap_mistakes(streams: Sequence[Stream]) -> Iterator[Diagnostic]:
    """A chunk that is written must be no part of another that is read later."""
    ends = [(store, name, stream) for stream in streams for store, name in _ends(stream)]
    for (one, name, stream), (other, name_of_other, stream_of_other) in combinations(ends, 2):
        is_written = one is stream.target or other is stream_of_other.target
        if is_written and one.meets(other):
            note = "a chunk is written while others are read: one of the two must be a copy"
            yield Diagnostic("E0510", f"`{name}` and `{name_of_other}` share memory", notes=(note,))


def _about(each: Store | None) -> list[object]:
    if each is None:
        return []
    place = each.file.path if each.file is not None else str(getattr(each.data, "filename", "") or each.kind)
    return [list(each.shape), str(each.dtype), place]


def _digest(data: bytes) -> str:
    return sha256(data).hexdigest()[:16]
