"""The sets `calls`, `complex`, `reductions`, `transfers`: what a call costs from call to result, by the host's clock.

Other sets take the time of the device's clock; here everything counts: looking at the arguments, starting the kernel,
waiting for it. `calls` are products of small matrices, and the kernel of the README on 10,000 elements in NumPy's
arrays, which are in C order: without a layout, and with layouts that are promised, of which one makes copies.
`complex` are batches of products of complex matrices. `reductions` are sums of 10^7 entries, which read memory;
`transfers` stands beside (`benchmarks.transfers`).
"""

import warnings
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np
import pyopencl.array as cl_array

import einsum_front as ef
from benchmarks.chain import Array
from benchmarks.measure import Stopwatch, take_turns
from benchmarks.peers.callers import callers
from benchmarks.row import CallRow
from benchmarks.run_case import COPY, OURS, Machine, WrongResultError
from benchmarks.transfers import NO_RESULT, our_calls, peer_calls, transfers
from einsum_front.compiled import CompiledKernel

Shapes = tuple[tuple[int, ...], ...]
Call = Callable[[], object]

PRODUCT = "bik,kj->bij"
MATRICES = "bij,bjk->bik"
COMPLEX_ENTRIES, COMPLEX_ENTRIES_OF_A_GPU, QUICK_ENTRIES = 2**19, 2**23, 2**12
STRINGS: Mapping[str, tuple[tuple[str, Shapes], ...]] = {
    "calls": tuple((PRODUCT, ((batch, 4, 4), (4, 4))) for batch in (1, 10, 100, 1000, 10_000)),
    "complex": tuple((MATRICES, ((1, rows, rows),) * 2) for rows in (4, 6, 8, 12, 16, 24, 32, 48, 64)),
    "reductions": (
        ("i->", ((10**7,),)),
        ("i,i->", ((10**7,),) * 2),
        ("ij,ij->", ((1000, 10_000),) * 2),
        ("ijk,ijk->", ((100, 100, 1000),) * 2),
        ("bi->b", ((1000, 10_000),)),
    ),
}
KINDS = {"f64": np.float64, "f32": np.float32, "c128": np.complex128, "c64": np.complex64}
SETS = (*STRINGS, "transfers")

SMALL = """
tensor A[4,4] row_major
tensor B[4,4] row_major constant
tensor C[4,4] row_major
kernel multiply { C[ij] = A[ik] * B[kj] }
"""
VOLUME = """
tensor Q[20,9] {layout}
tensor I[20,9] {layout}
tensor A[9,9] {layout}
tensor K[20,20] {layout} constant
kernel volume {{ Q[kp] += K[kl] * I[lq] * A[qp] }}
"""
LAYOUTS = "row_major", "column_major"
ELEMENTS, QUICK_ELEMENTS = 10_000, 100
RUN_SECONDS = 1e-3
"""As many calls in a row as take this long are a run."""


@dataclass(frozen=True, slots=True)
class CallCase:
    """A call: ours first, then other ways to make it of ours and of others, all of them on the same arrays."""

    title: str
    real: str
    calls: Mapping[str, Call]
    ways: frozenset[str]
    moved: int
    """Bytes of operands and result."""
    is_overwritten: bool = True

    def check(self) -> None:
        """Raises `WrongResultError` if a result is not that of NumPy, which is the last."""
        if not self.is_overwritten:
            return
        results = {name: _on_host(call()) for name, call in self.calls.items() if name not in NO_RESULT}
        want = results.get("numpy.einsum", results[OURS])
        scale = float(np.abs(want).max()) or 1.0
        for name, found in results.items():
            error = float(np.abs(found - want).max()) / scale
            if not error <= (1e-12 if self.real in ("f64", "c128") else 1e-3):
                raise WrongResultError(f"{name} in {self.real}: differs from NumPy's by {error:.1e}")


def call_cases(name: str, machine: Machine, *, quick: bool) -> Iterator[CallCase]:
    """The calls of a set, one at a time: their arrays are large."""
    if name == "transfers":
        yield _transfers(machine, quick=quick)
        return
    types = ("c128", "c64") if name == "complex" else ("f64", "f32")
    for text, shapes in STRINGS[name]:
        if name == "complex":
            rows = shapes[0][1]
            entries = COMPLEX_ENTRIES if machine.device.facts.is_cpu else COMPLEX_ENTRIES_OF_A_GPU
            batch = max(2, (QUICK_ENTRIES if quick else entries) // rows**2)
            shapes = ((batch, rows, rows),) * 2  # noqa: PLW2901 - as many entries in each row
        for real in types[:1] if quick else types:
            yield _string(text, shapes, real, machine)
    if name == "calls":
        yield _volume(QUICK_ELEMENTS if quick else ELEMENTS, machine)


def measure_call(set_name: str, case: CallCase, machine: Machine) -> CallRow:
    """Checks the results and lets all take turns; raises `WrongResultError`."""
    case.check()
    runners = {name: _Repeated(call) for name, call in case.calls.items()}
    limit = machine.peaks.copying(case.moved)
    timings = take_turns({**runners, COPY: limit}, machine.turns)
    bandwidth = limit.work / timings[COPY].median
    seconds = {name: timings[name].median for name in case.calls}
    return CallRow(
        set=set_name,
        kernel=case.title,
        dtype=case.real,
        device=machine.device.facts.description,
        command=machine.command(set_name),
        ours_ns=seconds[OURS] * 1e9,
        spread=timings[OURS].spread,
        ways={name: seconds[name] * 1e9 for name in case.calls if name in case.ways},
        peers={name: seconds[name] * 1e9 for name in case.calls if name != OURS and name not in case.ways},
        bytes=case.moved,
        floor_share=case.moved / bandwidth / seconds[OURS],
        bandwidth=bandwidth,
    )


class _Repeated:
    """A call, as often in a row as fills a run."""

    def __init__(self, call: Call) -> None:
        self._call = call
        self._count = 1

    def run(self) -> float:
        watch = Stopwatch()
        for _ in range(self._count):
            self._call()
        seconds = watch.seconds / self._count
        self._count = max(1, int(RUN_SECONDS / seconds))
        return seconds

    def outputs(self) -> Mapping[str, Array]:
        return {}


def _string(text: str, shapes: Shapes, real: str, machine: Machine) -> CallCase:
    random = np.random.default_rng(1)
    kind, is_complex = KINDS[real], real.startswith("c")
    operands = [
        (random.random(shape) + (1j * random.random(shape) if is_complex else 0)).astype(kind) for shape in shapes
    ]
    device = machine.device_name
    calls: dict[str, Call] = {OURS: lambda: ef.einsum(text, *operands, device=device, build="now")}
    if machine.device.opencl is not None:
        queue = machine.device.queue
        there = [cl_array.to_device(queue, operand) for operand in operands]

        def on_device() -> object:
            result = ef.einsum(text, *there)
            result.finish()
            return result

        if is_complex and not machine.device.facts.is_cpu:
            calls[OURS] = on_device
        else:
            calls["arrays of the device"] = on_device
    if text == PRODUCT and real == "f64":
        calls |= _kernel_ways(operands, device)
    ways = frozenset(calls) - {OURS}
    calls |= callers(text, operands, machine.threads, is_gpu=not machine.device.facts.is_cpu, wanted=machine.wanted)
    if is_complex:
        calls["numpy.matmul"] = lambda: np.matmul(*operands)
    result = np.einsum(text, *operands, optimize=True)
    title = f"{text}, {' '.join('x'.join(map(str, shape)) for shape in shapes)}"
    return CallCase(title, real, calls, ways, sum(each.nbytes for each in (*operands, result)))


def _kernel_ways(operands: list[Array], device: str) -> dict[str, Call]:
    """The same product as a kernel, and as a launch that was prepared."""
    kernel = ef.compile(ef.parse(SMALL), device)["multiply"]
    result = np.empty_like(operands[0])
    given = {"A": operands[0], "B": operands[1], "C": result}
    launch = kernel.prepare(**given)

    def call() -> object:
        kernel(**given)
        return result

    def run() -> object:
        launch.run()
        launch.finish()
        return result

    return {"a kernel": call, "a prepared launch": run}


def _transfers(machine: Machine, *, quick: bool) -> CallCase:
    """A product from arrays of the host and back."""
    arrays = transfers(quick=quick)
    ways = our_calls(arrays, machine.device_name)
    calls = {OURS: ways.pop(""), **ways, **peer_calls(arrays, is_gpu=not machine.device.facts.is_cpu)}
    title = f"Q = K I, {len(arrays['I'])} elements of 56 x 9"
    return CallCase(title, "f64", calls, frozenset(ways), 2 * arrays["I"].nbytes)


def _volume(batch: int, machine: Machine) -> CallCase:
    """A product of three matrices is added to each of so many, all in C order; results grow, so nothing is compared."""
    random = np.random.default_rng(0)
    shapes = {"Q": (batch, 20, 9), "I": (batch, 20, 9), "A": (batch, 9, 9), "K": (20, 20)}
    arrays = {name: random.random(shape) * 1e-3 for name, shape in shapes.items()}

    def matmul() -> object:
        arrays["Q"] += arrays["K"] @ arrays["I"] @ arrays["A"]
        return arrays["Q"]

    def call(kernel: CompiledKernel) -> Call:
        def run() -> object:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", ef.CopyWarning)  # one of the ways is there to show what copies cost
                return kernel(**arrays)

        return run

    kernels = {
        layout: ef.compile(ef.parse(VOLUME.format(layout=layout)), machine.device_name)["volume"]
        for layout in ("", *LAYOUTS)
    }
    calls: dict[str, Call] = {layout or OURS: call(kernel) for layout, kernel in kernels.items()}
    calls["numpy, K @ I @ A"] = matmul
    moved = sum(array.nbytes for array in arrays.values()) + arrays["Q"].nbytes
    title = f"Q += K I A, {batch} elements"
    return CallCase(title, "f64", calls, frozenset(LAYOUTS), moved, is_overwritten=False)


def _on_host(result: object) -> Array:
    if isinstance(result, cl_array.Array):
        return ef.to_host(result)
    get = getattr(result, "get", None) or getattr(result, "cpu", None)
    return np.asarray(result if get is None else get())
