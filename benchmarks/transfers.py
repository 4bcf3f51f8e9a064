"""The set `transfers`: `Q = K I` on elements of 56 x 9 from arrays of the host and back, with all copies.

Ours from NumPy's arrays of several kinds and in chunks; torch from pageable memory as it is used, and from page-locked
memory with three streams, as it is used at best.
"""

from collections.abc import Callable, Mapping
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import numpy as np

import einsum_front as ef
from benchmarks.chain import Array

Call = Callable[[], object]

TEXT = "tensor K[56,56] constant\ntensor I[56,9]\ntensor Q[56,9]\nkernel product { Q[kp] = K[kl] * I[lp] }"
ELEMENTS, QUICK_ELEMENTS = 200_000, 100
STREAMS, PARTS = 3, 20


def transfers(*, quick: bool) -> dict[str, Array]:
    """The operands."""
    random = np.random.default_rng(0)
    batch = QUICK_ELEMENTS if quick else ELEMENTS
    return {"K": random.random((56, 56)), "I": np.resize(random.random((100, 56, 9)), (batch, 56, 9))}


def our_calls(arrays: Mapping[str, Array], device: str) -> dict[str, Call]:
    """The first is the plain call on NumPy's arrays."""
    kernel = ef.compile(ef.parse(TEXT), device)["product"]
    matrix, given = arrays["K"], arrays["I"]
    shape, name = given.shape, kernel.device.facts.selector

    def call(run: Callable[..., object], rows: Array, result: Array) -> Call:
        def called() -> object:
            run(K=matrix, I=rows, Q=result)
            return result

        return called

    locked = ef.empty_pinned(shape, device=name)
    locked[...] = given
    turned = np.ascontiguousarray(given.transpose(0, 2, 1)).transpose(0, 2, 1)
    calls = {
        "": call(kernel, given, np.zeros(shape)),
        "page-locked arrays": call(kernel, locked, ef.empty_pinned(shape, device=name)),
        "other layouts": call(kernel, turned, np.zeros(shape)),
        "chunks": call(kernel.chunked(), given, np.zeros(shape)),
        "page-locked, chunks": call(kernel.chunked(), locked, ef.empty_pinned(shape, device=name)),
        "ef.einsum, to an array": _einsum(matrix, given, name),
    }
    return calls if kernel.device.opencl is None else calls | _device_calls(kernel, arrays)


def _device_calls(kernel: ef.CompiledKernel, arrays: Mapping[str, Array]) -> dict[str, Call]:
    given = arrays["I"]
    there = {name: kernel.to_device(name, each) for name, each in (*arrays.items(), ("Q", np.zeros(given.shape)))}
    launch = kernel.prepare(**there)

    def on_device() -> object:
        launch.run()
        launch.wait()
        return there["Q"]

    return {
        "to_device": lambda: kernel.to_device("I", given),
        "to_host": lambda: ef.to_host(there["I"]),
        "arrays of the device": on_device,
    }


NO_RESULT = "to_device", "to_host"
"""Ways that copy only."""


def _einsum(matrix: Array, given: Array, device: str) -> Call:
    out = np.empty_like(given)
    return lambda: ef.einsum("kl,blp->bkp", matrix, given, out=out, device=device)


def peer_calls(arrays: Mapping[str, Array], *, is_gpu: bool) -> dict[str, Call]:
    """NumPy, and torch where it is installed and sees the GPU."""
    matrix, given = arrays["K"], arrays["I"]
    out = np.empty_like(given)
    found: dict[str, Call] = {"numpy.matmul": lambda: np.matmul(matrix, given, out=out)}
    if is_gpu and find_spec("torch") is not None and import_module("torch").cuda.is_available():
        found |= _torch_calls(matrix, given)
    return found


def _torch_calls(matrix: Array, given: Array) -> dict[str, Call]:
    torch: Any = import_module("torch")
    there, rows, result = torch.from_numpy(matrix).cuda(), torch.from_numpy(given), torch.empty(given.shape).double()
    locked, locked_result = torch.empty_like(rows, pin_memory=True), torch.empty_like(rows, pin_memory=True)
    locked.copy_(rows)
    streams = [torch.cuda.Stream() for _ in range(STREAMS)]
    step = -(-len(given) // PARTS)
    memory = [torch.empty((2, step, *given.shape[1:]), dtype=rows.dtype, device="cuda") for _ in streams]

    def pageable() -> object:
        result.copy_(torch.matmul(there, rows.cuda()))
        torch.cuda.synchronize()
        return result

    def page_locked() -> object:
        for number, start in enumerate(range(0, len(given), step)):
            part = slice(start, min(start + step, len(given)))
            count, own = part.stop - start, memory[number % STREAMS]
            with torch.cuda.stream(streams[number % STREAMS]):
                own[0, :count].copy_(locked[part], non_blocking=True)
                torch.matmul(there, own[0, :count], out=own[1, :count])
                locked_result[part].copy_(own[1, :count], non_blocking=True)
        torch.cuda.synchronize()
        return locked_result

    return {"torch, pageable": pageable, "torch, page-locked, 3 streams": page_locked}
