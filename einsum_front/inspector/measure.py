"""Times of kernels on a device, and the least that is possible there: by its bandwidth, and by our fastest product."""

from collections.abc import Callable
from dataclasses import asdict
from typing import Any

import numpy as np

from einsum_front.core.dataclass import dataclass
from einsum_front.core.diagnostics import CompileError, Source
from einsum_front.core.extent import hint
from einsum_front.data import random_arguments
from einsum_front.driver import Session, Stages, translate_program
from einsum_front.driver.targets import target_of
from einsum_front.driver.texts import operation_count
from einsum_front.notation.parse import parse
from einsum_front.options import Options
from einsum_front.runtime import ELEMENT_TYPES, Device, Kernel, measure
from einsum_front.runtime.artifact import Artifact, GroupParameter, ScalarParameter

COPY = "tensor A[4096]\ntensor B[4096]\nkernel peak { B[i] = A[i] }\n"
PRODUCT = "tensor A[64, 64] constant\ntensor B[64, 64]\ntensor C[64, 64]\nkernel peak { C[ij] = A[ik]*B[kj] }\n"
"""Kernels that measure a device: one moves as many bytes as it can, one multiplies as fast as ours do."""

TOTAL_BYTES = 1 << 28
"""So much the arguments of a measurement take, more than caches hold."""

MOST_ELEMENTS = 200_000


@dataclass(frozen=True, slots=True)
class Measured:
    """One kernel on a device: times in seconds for one element, rates in bytes and operations a second."""

    device: str
    elements: int
    seconds: float
    bytes: int
    operations: int
    bandwidth: float
    peak: float

    @property
    def floor(self) -> float:
        """The least seconds for an element on this device: to move its bytes, or to multiply."""
        return max(self.bytes / self.bandwidth, self.operations / self.peak)

    def data(self) -> dict[str, Any]:
        """As a JSON object."""
        return asdict(self) | {"floor": self.floor, "share": self.floor / self.seconds if self.seconds else 0.0}


def measure_kernels(kernels: tuple[Stages, ...], device: Device, real: str | None) -> dict[str, Measured]:
    """Each kernel with arguments that fill the memory; the device is measured with two kernels first."""
    bandwidth = _rate(COPY, device, real, lambda stages: _bytes(stages.artifact))
    peak = _rate(PRODUCT, device, real, lambda stages: hint(operation_count(stages)))
    found = {}
    for stages in kernels:
        elements, seconds = _timed(stages, device)
        bytes_, operations = _bytes(stages.artifact), hint(operation_count(stages))
        name = device.facts.description
        found[stages.name] = Measured(name, elements, seconds, bytes_, int(operations), bandwidth, peak)
    return found


def _rate(text: str, device: Device, real: str | None, work: Callable[[Stages], int]) -> float:
    session = Session(target_of(device.facts), Options(real=real))
    (stages,) = translate_program(session, parse(Source("<peak>", text)))
    _, seconds = _timed(stages, device)
    return work(stages) / seconds


def _bytes(artifact: Artifact) -> int:
    """Bytes that an element must move: of what it reads and what it writes, each once, without declared zeros."""
    total = 0
    for each in artifact.arguments:
        if isinstance(each, ScalarParameter) or not (isinstance(each, GroupParameter) or each.batched):
            continue
        if each.nonzeros is not None:
            entries = sum(stop - start for start, stop in each.nonzeros)
        else:
            entries = int(np.prod([size or 1 for size in each.shape]))
        total += entries * ELEMENT_TYPES[each.type].itemsize * (int(each.is_read) + int(each.is_written))
    return total


def _timed(stages: Stages, device: Device) -> tuple[int, float]:
    """The number of elements, and the seconds of one: the median of some runs."""
    kernel = Kernel(stages.artifact, device)
    elements = max(1, min(MOST_ELEMENTS, TOTAL_BYTES // max(1, _bytes(stages.artifact))))
    elements = elements if stages.artifact.is_batched else 1
    try:
        given = random_arguments(stages.artifact, elements, 0)
        launch = kernel.prepare(elements if stages.artifact.is_batched else None, **given)
    except MemoryError:
        raise CompileError([]) from None
    timing = measure(launch, runs=5, warm_up=2)
    launch.finish()
    return elements, timing.median / elements
