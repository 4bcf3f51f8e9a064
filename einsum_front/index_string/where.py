"""The device of a call on arrays of the host that leaves it to us: the processor, unless a GPU is faster with copies.

Both are estimated, roughly: a GPU has to be well ahead. What it computes is beside its copies, whose speed is measured.
"""

import os
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from math import prod

import numpy as np

from einsum_front.core.dataclass import dataclass
from einsum_front.core.diagnostics import CompileError
from einsum_front.index_string.contract import HOST, Known, contract, known_string
from einsum_front.index_string.numpy_plan import Asked, Look, plan_on_numpy
from einsum_front.index_string.operands import Array
from einsum_front.index_string.ways import MOST_WAYS, Choice, gives_up_c, short_choice
from einsum_front.options import ScheduleOptions
from einsum_front.runtime import (
    DEVICE_VARIABLE,
    Device,
    DeviceFacts,
    bus_speed,
    find_device,
    find_processor,
    is_device_c,
)

CLOCK = 2.5e9
"""Cycles a second of a processor that nobody has asked."""

PROCESSOR_SHARE, GPU_SHARE = 0.5, 0.25
"""Part of the multiply-adds that kernels reach."""

BYTES_OF_A_UNIT, MOST_BYTES = 6e9, 1e11
"""Bytes a second that a core of a processor moves, and all of them together."""

GPU_CLOCK, GPU_LANES = 1.5e9, 64
"""Cycles a second, and multiply-adds of f32 in each, of a compute unit of a GPU."""

HALF_RATE = ("sm_60", "sm_70", "sm_80", "sm_90", "sm_100")
"""GPUs that compute half as many in f64; others a sixteenth."""

LATENCY = 5e-4
"""Seconds that a call on arrays of the host takes on a GPU, whatever its size."""

AHEAD = 0.7
"""Part of the processor's time that a GPU may take at most, since both are estimates."""


@dataclass(frozen=True, slots=True)
class Work:
    """A contraction: multiply-adds, bytes of operands and of the result, and of an entry."""

    products: float
    sent: int
    fetched: int
    itemsize: int


def choice_on_host(known: Known, choice: Choice, kind: np.dtype[np.generic]) -> Choice:
    """The choice with a device, if it leaves that to us and there is a GPU."""
    is_ours = choice.device == "auto" and os.environ.get(DEVICE_VARIABLE, "auto") == "auto"
    short = short_choice(known.string, choice)
    if not is_ours or choice.schedules != ScheduleOptions() or short is not choice:
        return short
    return _beside_gpu(known, choice, kind)


@lru_cache(maxsize=MOST_WAYS)
def _beside_gpu(known: Known, choice: Choice, kind: np.dtype[np.generic]) -> Choice:
    gpu = find_device()
    if gpu.facts.shares_host_memory:
        return choice
    try:
        processor = find_processor()
    except CompileError:
        return choice
    is_faster = is_faster_on_gpu(work_of(known, kind), gpu, processor.facts)
    return choice if is_faster else replace(choice, device=processor.facts.selector)


def contract_on_host(known: Known, arrays: Sequence[Array], result: Array, choice: Choice) -> None:
    """`contract` for arrays of NumPy, where that is soonest: short calls in C, as long as its compiler builds."""
    chosen = choice_on_host(known, choice, result.dtype)
    try:
        contract(known, arrays, result, HOST, chosen)
    except CompileError as error:
        if chosen is choice or not gives_up_c(error):
            raise
        other = choice_on_host(known, choice, result.dtype)
        contract(known, arrays, result, HOST, choice if is_in_c(other) else other)


def is_in_c(choice: Choice) -> bool:
    """True if it names device `c`, whose kernels run on the thread of their caller."""
    return is_device_c(choice.device)


def work_of(known: Known, kind: np.dtype[np.generic]) -> Work:
    """What a string has to do, in the order that NumPy would take if there are several products."""
    string = known.string
    terms = tuple(term.names for term in string.kernel.subscripts.operands)
    shapes = [tuple(string.extents[name] for name in names) for names in terms]
    products: float = prod(string.extents.values())
    if len(terms) > 2:
        output = string.kernel.subscripts.output.names
        asked = Asked(terms, output, string.extents, kind, output, None, False)
        products = plan_on_numpy(asked, [_in_order(shape, kind) for shape in shapes]).multiplications
    sent, fetched = (sum(map(prod, each)) * kind.itemsize for each in (shapes, [known.shape]))
    return Work(products, sent, fetched, kind.itemsize)


def _in_order(shape: Sequence[int], kind: np.dtype[np.generic]) -> Look:
    strides = [kind.itemsize]
    for size in reversed(shape[1:]):
        strides.append(strides[-1] * max(1, size))
    return Look(tuple(shape), tuple(reversed(strides[: len(shape)])), kind, True)


def is_faster_on_gpu(work: Work, gpu: Device, processor: DeviceFacts) -> bool:
    """True if copies and kernel take less by the model; the bus is asked last, since that may measure it."""
    on_processor = processor_seconds(work, processor)
    rest = AHEAD * on_processor - LATENCY - gpu_seconds(work, gpu.facts)
    return rest > 0 and bus_speed(gpu).seconds(work.sent, work.fetched) < rest


def processor_seconds(work: Work, facts: DeviceFacts) -> float:
    """The longer of multiply-adds and memory."""
    lanes = facts.native_vector_bytes / work.itemsize
    computing = work.products / (facts.compute_units * CLOCK * lanes * 2 * PROCESSOR_SHARE)
    return max(computing, (work.sent + work.fetched) / min(MOST_BYTES, BYTES_OF_A_UNIT * facts.compute_units))


def told(subscripts: str, shapes: tuple[tuple[int, ...], ...]) -> str | None:
    """Where such a call runs on arrays of the host in f64, and why; None where there is no GPU to choose."""
    gpu, kind = find_device(), np.dtype(np.float64)
    if gpu.facts.shares_host_memory or os.environ.get(DEVICE_VARIABLE, "auto") != "auto":
        return None
    known = known_string(subscripts, shapes)
    chosen, work = choice_on_host(known, Choice("auto", ScheduleOptions(), None), kind), work_of(known, kind)
    device = gpu if chosen.device == "auto" else find_device(chosen.device)
    copies = bus_speed(gpu).seconds(work.sent, work.fetched)
    there = copies + gpu_seconds(work, gpu.facts) + LATENCY
    times = f"{there * 1e3:.3g} ms on the GPU, {copies * 1e3:.3g} of them copies"
    if device is not gpu:
        times = f"{processor_seconds(work, device.facts) * 1e3:.3g} ms there, {times}"
    return f"arrays of the host are computed by `{device.facts.name}` ({times}, by the model), arrays of a GPU there"


def gpu_seconds(work: Work, facts: DeviceFacts) -> float:
    """The kernel alone, which reads from memory that is faster than any bus."""
    part = 1 if work.itemsize <= np.float32().itemsize else 1 / 2 if facts.architecture in HALF_RATE else 1 / 16
    return work.products / (facts.compute_units * GPU_CLOCK * GPU_LANES * part * GPU_SHARE)
