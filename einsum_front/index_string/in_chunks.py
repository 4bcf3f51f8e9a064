"""`ef.einsum` over batches in chunks: operands and result may be data sets, or larger than the memory."""

from collections.abc import Mapping, Sequence
from typing import cast

import numpy as np

from einsum_front.chunked import ChunkedKernel, Options, is_data_set
from einsum_front.core.dataclass import dataclass
from einsum_front.core.diagnostics import CompileError, Diagnostic
from einsum_front.index_string.element_types import ELEMENT_TYPES
from einsum_front.index_string.keywords import Keywords, reject_for_chunks
from einsum_front.index_string.operands import Array, common_type, wrong_type
from einsum_front.index_string.program import IndexString
from einsum_front.index_string.ways import Choice, find_way
from einsum_front.options import ScheduleOptions
from einsum_front.runtime import Device, HostMemory, Kernel, find_device
from einsum_front.runtime.artifact import Artifact


@dataclass(frozen=True, slots=True)
class _StringChunks:
    """The kernel of a string as runs in chunks need it."""

    string: IndexString
    real: str
    wanted: str
    schedules: ScheduleOptions

    @property
    def device(self) -> Device:
        return find_device(self.wanted)

    def artifact_for(self, device: Device, arguments: Mapping[str, object]) -> Artifact:
        choice = Choice(device.facts.selector, self.schedules, None)
        way = find_way(self.string.kernel, self.real, choice)
        if isinstance(way, Kernel):
            return way.artifact
        raise CompileError([no_batch()])

    @property
    def overwritten(self) -> frozenset[str]:
        return frozenset({self.string.kernel.output.name})


def einsum_in_chunks(
    string: IndexString,
    operands: Sequence[object],
    out: object,
    how: tuple[Keywords, str, ScheduleOptions],
    options: Options,
) -> object:
    """The result: `out`, or a new array of NumPy; `how` are keywords, device and schedule."""
    keywords, device, schedules = how
    reject_for_chunks(keywords)
    kernel = string.kernel
    if not kernel.has_batch_index:
        raise CompileError([no_batch()])
    given = [each if is_data_set(each) else np.asarray(each) for each in operands]
    # data sets have types and shapes as well
    kind = common_type(cast("Sequence[Array]", given), cast("Array | None", out), keywords.dtype, keywords.casting)
    if kind not in ELEMENT_TYPES:
        raise CompileError([wrong_type(cast("Sequence[Array]", given), kind)])
    names = [operand.name for operand in kernel.operands]
    arguments: dict[str, object] = {}
    for name, each, operand in zip(names, given, kernel.operands, strict=True):
        arguments[name] = each if operand.is_batched else np.asarray(each, dtype=kind)
    result = HostMemory().empty(string.shape, kind) if out is None else out
    arguments[kernel.output.name] = result
    ChunkedKernel(_StringChunks(string, ELEMENT_TYPES[kind], device, schedules), options)(**arguments)
    return result


def no_batch() -> Diagnostic:
    """There is nothing to cut."""
    note = "an index that leads the result and every operand that has it is the batch"
    return Diagnostic("E0526", "the index string has no batch, so it cannot be computed in chunks", notes=(note,))
