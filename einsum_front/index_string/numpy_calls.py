"""Calls that NumPy's functions compute until a kernel pays: nobody waits for a compiler.

Each kind of calls counts what a kernel would have saved so far, by the estimates of `numpy_plan` and of this page: that
depends on the calls alone, not on clocks. When that is worth a kernel, it is built in the background (`builds`), and
calls go on as before until it is there (decisions 91 and 92).
"""

from collections.abc import Sequence
from dataclasses import replace
from math import prod
from time import perf_counter_ns, thread_time_ns
from typing import Any

import numpy as np

from einsum_front.core.dataclass import dataclass
from einsum_front.core.diagnostics import CompileError, Diagnostic
from einsum_front.core.numbers import COMPLEX
from einsum_front.index_string.builds import BUILDS, REMEMBERED, WORTH_BUILDING, WORTH_WAITING, Looks, read_build
from einsum_front.index_string.element_types import Kind, computed_in, converted_to, is_number, kernel_type
from einsum_front.index_string.kernel_calls import Job, KernelCall
from einsum_front.index_string.keywords import Build, Keywords
from einsum_front.index_string.numpy_plan import Asked, Look, NumpyPlan, plan_on_numpy
from einsum_front.index_string.program import read_einsum, read_terms
from einsum_front.index_string.result_layout import result_layout
from einsum_front.index_string.steps import Positions
from einsum_front.runtime import LARGE, names_on_shelf

KERNEL, KERNEL_PRODUCT, KERNEL_MOVED = 3500, 0.02, 0.06
"""Nanoseconds of a call of a kernel, of a multiplication in it, and of an entry of operands and result."""

SHORT = 0.5
"""Part of that for complex numbers of f32; for real ones it is not taken off."""

MUCH_MEMORY = 2**28
"""Bytes for what is made on the way, from which on they are compared with those of operands and result."""

LIMIT = "`memory_limit=N` computes in slices, so that no array on the way has more than N entries"
WHOLE = "`out=` may be a file: an array of `numpy.memmap`, or a data set of zarr or h5py, which is computed in chunks"

GAIN = 0.1
"""Part of the time of a call that a kernel saves, at least, if it is built."""

TURNS, ENOUGH, NEVER = 8, 10_000_000, 10**18
"""Calls by NumPy and by a new kernel that are timed; fewer, if they take longer than so many nanoseconds together. A
call that a kernel does not take has the last of these numbers."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a call asks for besides its string and operands; `kind` is the type of the result, `target` the look of
    `out`."""

    kind: Kind
    order: str
    path: Positions | None = None
    target: Look | None = None


def look(array: Any) -> Look:
    """The look of an array of NumPy."""
    return Look(array.shape, array.strides, array.dtype, array.flags.aligned)


class NumpyCall:
    """Calls on NumPy, and what is known of their kernel."""

    __slots__ = ("__weakref__", "is_on_shelf", "job", "kernel", "left", "plan", "saving", "trial", "used")

    def __init__(self, plan: NumpyPlan, saving: float, job: Job | None) -> None:
        self.plan = plan
        self.saving = saving
        self.job = job
        self.is_on_shelf = job is not None and job.key in names_on_shelf()
        self.left = 0.0 if job is None else BUILDS.worth_loading if self.is_on_shelf else WORTH_BUILDING
        self.kernel: KernelCall | None = None
        self.trial: Trial | None = None
        self.used = 0

    def build(self) -> None:
        """In the background. A kernel that is not on disk after all is worth a build later."""
        from einsum_front.index_string.background import kernel_for  # noqa: PLC0415 - it loads OpenCL

        assert self.job is not None
        kernel = kernel_for(self.job, only_stored=self.is_on_shelf)
        if kernel is None and self.is_on_shelf:
            self.left = WORTH_BUILDING
        self.is_on_shelf = False
        self.trial = None if kernel is None else Trial(self.plan, kernel)
        self.kernel = kernel

    def build_now(self, device: str) -> None:
        """Before the first call, which waits; nothing is tried. Raises what compiling raises for a device by name."""
        if self.job is None:
            return
        self.is_on_shelf = False
        self.job = replace(self.job, device=device)
        try:
            self.build()
        except CompileError:
            if device != "auto":
                raise
        self.trial, self.left = None, 0.0

    def give_up(self) -> None:
        """Calls stay with NumPy."""
        self.is_on_shelf = False

    def leave_parent(self) -> None:
        """In a child made by fork, which cannot use the drivers of its parent."""
        if self.kernel is not None and not self.kernel.is_on_thread:
            self.kernel, self.trial, self.left = None, None, 0.0

    def run(self, operands: Sequence[Any], out: Any) -> Any:
        """By the kernel if there is one."""
        kernel = self.kernel
        if kernel is not None:
            if (trial := self.trial) is not None:
                return self._tried(trial, operands, out)
            result = kernel.run(operands, out)
            if result is not NotImplemented:
                return result
        elif self.left > 0:
            self.left -= self.saving
            if self.left <= 0:
                BUILDS.ask(self)
        return self.plan.run(operands) if out is None else _written(self.plan, operands, out)

    def _tried(self, trial: "Trial", operands: Sequence[Any], out: Any) -> Any:
        """One more call by NumPy, or by the kernel, which stays if it is the faster of both."""
        result = trial.run(operands, out)
        if trial.is_over:
            self.kernel, self.trial = trial.kernel if trial.is_won else None, None
        return result


class Trial:
    """The same calls by NumPy and then by a kernel, some of each; the least time of both decides.

    What is estimated before a kernel is built can be wrong, by the processor, the release of NumPy and its BLAS.
    """

    def __init__(self, plan: NumpyPlan, kernel: KernelCall) -> None:
        self.plan = plan
        self.kernel = kernel
        self.is_over = False
        self._clock = thread_time_ns if kernel.is_on_thread else perf_counter_ns
        self._times: list[int] = []
        self._by_numpy: int | None = None

    @property
    def is_won(self) -> bool:
        """True if calls of the kernel took less time."""
        return self._by_numpy is not None and bool(self._times) and min(self._times) < self._by_numpy

    def run(self, operands: Sequence[Any], out: Any) -> Any:
        """One call, by whose turn it is."""
        is_kernel, times = self._by_numpy is not None, self._times
        start = self._clock()
        result = self.kernel.run(operands, out) if is_kernel else NotImplemented
        if is_missing := result is NotImplemented:
            result = self.plan.run(operands) if out is None else _written(self.plan, operands, out)
        times.append(NEVER if is_kernel and is_missing else self._clock() - start)
        if times is self._times and (len(times) >= TURNS or (len(times) > 1 and sum(times) > ENOUGH)):
            if is_kernel:
                self.is_over = True
            else:
                self._by_numpy, self._times = min(times), []
        return result


def no_memory(error: MemoryError) -> MemoryError | CompileError:
    """What a call says that has found no memory."""
    if isinstance(error, CompileError):
        return error
    message = "this machine has no memory for the result of `ef.einsum`, or for what it is made of"
    return CompileError([Diagnostic("E0516", message, notes=(*filter(None, (str(error),)), LIMIT))])


def _with_room(plan: NumpyPlan, result: int) -> NumpyPlan:
    """The same plan, which asks the system first if there is so much memory; `result` are the bytes of a new result.

    The system gives more than there is, and ends the process that uses it.
    """
    from einsum_front.runtime import check_room  # noqa: PLC0415 - few calls make so much

    byte = np.dtype(np.uint8)
    run, into, peak = plan.run, plan.into, plan.peak
    notes = (LIMIT,) if peak > result else (WHOLE,)

    def run_with_room(arrays: Sequence[Any]) -> Any:
        check_room((peak,), byte, "the result of `ef.einsum` and what it is made of", notes)
        return run(arrays)

    def into_with_room(arrays: Sequence[Any], out: Any) -> None:
        check_room((peak - result,), byte, "what `ef.einsum` makes on the way", (LIMIT,))
        if into is not None:
            into(arrays, out)

    return replace(plan, run=run_with_room, into=None if into is None else into_with_room)


def _written(plan: NumpyPlan, operands: Sequence[Any], out: Any) -> Any:
    """The result, in `out`."""
    if plan.into is None:
        out[...] = plan.run(operands)
    else:
        plan.into(operands, out)
    return out


def numpy_call_of_arrays(
    subscripts: str, arrays: Sequence[Any], out: Any, keywords: Keywords, build: Build | None, seen: Looks
) -> NumpyCall | None:
    """Computes calls of arrays of NumPy that look like none before; None if the call has to be done in full.

    So it is where something is wrong, or may be. Nothing is loaded that computes a kernel.
    """
    wanted_build = read_build(build)
    is_plain = keywords.dtype is None and keywords.casting == "safe"
    if wanted_build == "now" or not is_plain or not arrays or not all(type(each) is np.ndarray for each in arrays):
        return None
    kinds = [array.dtype for array in arrays]
    if not all(map(is_number, kinds)):
        return None
    kind = kinds[0] if all(each == kinds[0] for each in kinds) else np.result_type(*kinds)
    if not kind.isnative:
        return None
    if out is not None:
        is_apart = out.flags.c_contiguous or out.flags.f_contiguous  # no two entries are one
        if type(out) is not np.ndarray or out.dtype != kind or not out.flags.writeable or not is_apart:
            return None
        _, output, extents = read_terms(subscripts, tuple([array.shape for array in arrays]))
        if out.shape != tuple([extents[name] for name in output]):
            return None
    wanted = Wanted(kind, keywords.order, keywords.path, None if out is None else look(out))
    made = numpy_call(subscripts, arrays, wanted, wanted_build)
    if made is not None:
        REMEMBERED.keep(seen, made)
    return made


def numpy_call(subscripts: str, arrays: Sequence[Any], wanted: Wanted, build: Build) -> NumpyCall | None:
    """Computes calls like this one; None if a kernel shall be built first. Raises `CompileError` as a call does."""
    shapes = tuple([array.shape for array in arrays])
    terms, output, extents = read_terms(subscripts, shapes)
    looks = [look(array) for array in arrays]
    layout, target = result_layout(wanted.order, terms, looks, output), wanted.target
    is_given = target is not None and target.dtype == wanted.kind and target.is_aligned and bool(output)
    if target is not None and is_given:
        layout = output if _is_in_order(target) else output[::-1]
        is_given = _is_in_order(target) or _is_in_order(Look(target.shape[::-1], target.strides[::-1], target.dtype))
    asked = Asked(terms, output, extents, wanted.kind, layout, wanted.path, is_given)
    plan = plan_on_numpy(asked, looks)
    if plan.peak >= LARGE:
        plan = _with_room(plan, prod([extents[name] for name in output]) * wanted.kind.itemsize)
    if build == "never" or plan.is_view or not BUILDS.are_possible or wanted.path is not None:
        return NumpyCall(plan, 0, None)
    kind = computed_in(wanted.kind)
    kinds = tuple([converted_to(each.dtype, kind) for each in looks])
    real, is_complex = kernel_type(kinds, kind), kind in COMPLEX
    if real is None or (is_complex and not read_einsum(subscripts, shapes).kernel.has_batch_index):
        return NumpyCall(plan, 0, None)  # BLAS is as good at a single product of complex matrices
    is_ready = tuple(
        [each.dtype == own and each.is_aligned and _is_in_order(each) for each, own in zip(looks, kinds, strict=True)]
    )
    given = sum([prod(shape) for shape in shapes])
    result = prod([extents[name] for name in output])
    saving = plan.cost - _kernel_cost(plan, shapes, is_ready, given + result, real)
    is_large = plan.temporary > max(MUCH_MEMORY, 2 * (given + result) * kind.itemsize)
    if (saving > WORTH_WAITING or is_large) and not is_complex:
        return None
    is_plain = not any(0 in each.strides for each in looks) and given and result
    if not is_plain or (saving < GAIN * plan.cost and build != "now"):
        return NumpyCall(plan, 0, None)
    turn = None if layout == output or target is not None else tuple([output.index(name) for name in layout])
    return NumpyCall(plan, saving, Job(subscripts, shapes, kinds, kind, wanted.kind, is_ready, turn))


def _kernel_cost(
    plan: NumpyPlan, shapes: Sequence[tuple[int, ...]], is_ready: Sequence[bool], moved: int, real: str
) -> float:
    """Nanoseconds of a call of a kernel; operands that are not as it takes them are copied before."""
    products, entry = 1.0, 1.0
    if ":" in real:
        products, entry = 2.0 ** real.count("c"), 2.0
        products *= SHORT if real.startswith("f32") else 1
    cost = KERNEL + KERNEL_PRODUCT * products * plan.multiplications + KERNEL_MOVED * entry * moved
    for shape, ready in zip(shapes, is_ready, strict=True):
        if not ready:
            cost += 300 + 0.5 * entry * prod(shape)
    return cost


def _is_in_order(each: Look) -> bool:
    reach = each.dtype.itemsize
    for step, size in zip(reversed(each.strides), reversed(each.shape), strict=True):
        if size > 1 and step != reach:
            return False
        reach *= size
    return True
