"""Kernels for calls that NumPy has computed so far: made in the background, from the disk if they are there."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from einsum_front.core.diagnostics import CompileError
from einsum_front.index_string.contract import (
    HOST,
    SCHEDULES,
    Known,
    choice_on_host,
    contract_on_host,
    direct_launches,
    is_in_c,
    known_string,
)
from einsum_front.index_string.kernel_calls import Job, KernelCall, copied
from einsum_front.index_string.ways import Choice, find_way, gives_up_c, is_stored
from einsum_front.runtime import Direct, Kernel, put_on_shelf

MOST_BYTES = 2**30
"""Of operands that a first call is made with."""


def kernel_for(job: Job, *, only_stored: bool) -> KernelCall | None:
    """What launches the kernel; None if there is none that is worth it, or none on disk and `only_stored`.

    Raises what compiling raises.
    """
    known, wanted = known_string(job.subscripts, job.shapes), Choice(job.device, SCHEDULES, None)
    choice = choice_on_host(known, wanted, job.kind)
    try:
        return _made(job, known, choice, only_stored=only_stored)
    except CompileError as error:
        if choice is wanted or not gives_up_c(error):
            raise
        return _made(job, known, choice_on_host(known, wanted, job.kind), only_stored=only_stored)


def _made(job: Job, known: Known, choice: Choice, *, only_stored: bool) -> KernelCall | None:
    kernel, real = known.string.kernel, job.real
    if only_stored and not is_stored(kernel, real, choice):
        return None
    launches: Direct | Whole | None = None
    arrays = [np.empty(shape, kind) for shape, kind in zip(job.shapes, job.kinds, strict=True)]
    way = None if known.parts is not None else find_way(kernel, real, choice)
    if isinstance(way, Kernel):
        launches = direct_launches(known, way, arrays, job.kind, HOST)
    if launches is None:
        if sum(array.nbytes for array in arrays) > MOST_BYTES:
            return None
        launches = Whole(known, job.device)
        launches.run([*map(np.zeros_like, arrays), np.empty(known.shape, job.kind)])
    put_on_shelf(job.key)
    conversions = [None if is_ready else copied(kind) for kind, is_ready in zip(job.kinds, job.is_ready, strict=True)]
    empty = HOST.again(known.shape, job.kind)
    stored = None if job.result == job.kind else job.result
    return KernelCall(launches.run, empty, job.kind, conversions, job.turn, stored, is_on_thread=is_in_c(choice))


class Whole:
    """A call in full, where a single launch is not all: sums in parts, and steps with a kernel each."""

    def __init__(self, known: Known, device: str) -> None:
        self._known = known
        self._choice = Choice(device, SCHEDULES, None)

    def run(self, arrays: Sequence[Any]) -> bool:
        """The operands, and the result behind them."""
        *operands, result = arrays
        contract_on_host(self._known, operands, result, self._choice)
        return True
