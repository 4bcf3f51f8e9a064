"""`ef.einsum`: arrays in, array out, like `numpy.einsum`. Most calls look like one before, and end here.

What is imported here is loaded before the first call of a program: nothing of OpenCL, of the planner and the languages.
"""

from collections.abc import Sequence
from os import PathLike
from sys import modules
from typing import TYPE_CHECKING, Any, overload

from numpy.typing import ArrayLike, DTypeLike

from einsum_front.core.untraced import apart, calls_apart, is_watched
from einsum_front.index_string.builds import leaves_the_device_to_us
from einsum_front.index_string.keywords import (
    ONE,
    OURS,
    ZERO,
    Build,
    Casting,
    MemoryLimit,
    Number,
    Optimize,
    is_rare,
    read_keywords,
)
from einsum_front.index_string.numpy_calls import no_memory, numpy_call_of_arrays
from einsum_front.index_string.remembered import REMEMBERED, Looks, looks, settings_of

if TYPE_CHECKING:
    from einsum_front.chunked import Progress
    from einsum_front.index_string.operands import Array
    from einsum_front.runtime import PyopenclArray


AUTO = "auto"


@overload
def einsum(
    subscripts: str,
    *operands: "PyopenclArray",
    out: "PyopenclArray | None" = ...,
    optimize: Optimize = ...,
    dtype: DTypeLike | None = ...,
    order: str | None = ...,
    casting: Casting = ...,
    device: str | int = ...,
    schedule: str | None = ...,
    tune: bool = ...,
    build: Build | None = ...,
    alpha: Number = ...,
    beta: Number = ...,
    use_blas: bool = ...,
    backend: str | None = ...,
    memory_limit: MemoryLimit = ...,
) -> "PyopenclArray": ...


@overload
def einsum(
    subscripts: str,
    *operands: ArrayLike,
    out: "Array | None" = ...,
    optimize: Optimize = ...,
    dtype: DTypeLike | None = ...,
    order: str | None = ...,
    casting: Casting = ...,
    device: str | int = ...,
    schedule: str | None = ...,
    tune: bool = ...,
    build: Build | None = ...,
    alpha: Number = ...,
    beta: Number = ...,
    use_blas: bool = ...,
    backend: str | None = ...,
    memory_limit: MemoryLimit = ...,
    memory: int | str | None = ...,
    chunk: int | tuple[int, ...] | None = ...,
    devices: Sequence[str | int] | None = ...,
    journal: str | PathLike[str] | None = ...,
    progress: "Progress" = ...,
) -> "Array": ...


@overload
def einsum(
    subscripts: object,
    *operands: object,
    out: object = ...,
    optimize: Optimize = ...,
    dtype: DTypeLike | None = ...,
    order: str | None = ...,
    casting: Casting = ...,
    device: str | int = ...,
    schedule: str | None = ...,
    tune: bool = ...,
    build: Build | None = ...,
    alpha: Number = ...,
    beta: Number = ...,
    use_blas: bool = ...,
    backend: str | None = ...,
    memory_limit: MemoryLimit = ...,
    memory: int | str | None = ...,
    chunk: int | tuple[int, ...] | None = ...,
    devices: Sequence[str | int] | None = ...,
    journal: str | PathLike[str] | None = ...,
    progress: "Progress" = ...,
) -> Any: ...


@calls_apart
def einsum(  # noqa: PLR0913 - the keywords of NumPy, and those of `compile`
    subscripts: object,
    *operands: object,
    out: object = None,
    optimize: Optimize = True,
    dtype: DTypeLike | None = None,
    order: str | None = "K",
    casting: Casting = "safe",
    device: str | int = "auto",
    schedule: str | None = None,
    tune: bool = False,
    build: Build | None = None,
    alpha: Number = ONE,
    beta: Number = ZERO,
    use_blas: bool = True,
    backend: str | None = AUTO,
    memory_limit: MemoryLimit = None,
    memory: int | str | None = None,
    chunk: int | tuple[int, ...] | None = None,
    devices: Sequence[str | int] | None = None,
    journal: str | PathLike[str] | None = None,
    progress: "Progress" = False,
) -> Any:
    """The contraction of the operands that the subscripts describe, as `numpy.einsum` would give it.

    Indices are letters of any alphabet, or words with blanks between them; or lists of labels stand behind the
    operands, as in `einsum(A, [0, 1], B, [1, 2], [0, 2])`.

    Operands are arrays of real numbers; the result has NumPy's element type, which must be f32 or f64, and is written
    to `out` if there is one. It is a view where NumPy's is. `dtype` is another type to compute in, `casting` says which
    conversions are fine, `order` how the result lies in memory. `optimize` may be a truth value or a name, which change
    nothing, a path, as `einsum_path` or opt_einsum give it, which is followed, or an object that finds one when it is
    called, as opt_einsum's and cotengra's do.

    `out = alpha * contraction + beta * out`, as in BLAS: where `beta` is 0, `out` is not read. `memory_limit` counts
    the entries that an array between two products may have (`"max_input"`: those of the largest operand or result); for
    it another order is taken, or indices are cut into slices. `use_blas` and `backend` are opt_einsum's: the first has
    no effect, the second names the library of the operands, or nothing.

    If all operands are arrays of pyopencl, in one context and of one type, the result is one as well: on their device
    and in a queue of theirs. Those that are not in C order are copied there.

    An index that leads the result and every operand that has it becomes the batch; the kernel is compiled once for each
    string, type and shapes without the batch. A long contraction without a batch gets a kernel for each step.
    `device`, `schedule` and `tune` are those of `compile`; with `"auto"`, short calls on a processor go to device `c`.

    Arrays of other libraries (torch, JAX) in the memory of the host are used where they are, and the result is one of
    the first operand's library. So it is with arrays of CuPy and torch in the memory of CUDA, if CuPy is there to
    compile for it; the kernel is started in the stream of their library, and nothing waits. Batches may be data sets of
    zarr or h5py, and so may `out`: they are computed in chunks, as with `memory`, `chunk`, `devices`, `journal` and
    `progress`, which are those of `CompiledKernel.chunked`.
    Raises `CompileError` with a place in the string if it does not fit the operands.
    """
    if "torch._dynamo" in modules and is_watched():
        return apart(einsum)(
            subscripts, *operands, out=out, optimize=optimize, dtype=dtype, order=order, casting=casting, device=device,
            schedule=schedule, tune=tune, build=build, alpha=alpha, beta=beta, use_blas=use_blas, backend=backend,
            memory_limit=memory_limit, memory=memory, chunk=chunk, devices=devices, journal=journal, progress=progress,
        )  # fmt: skip
    if type(subscripts) is not str:
        from einsum_front.index_string.interleaved import as_string  # noqa: PLC0415 - few calls have lists of labels

        subscripts, listed = as_string(subscripts, operands)
        operands = tuple(listed)
    if (
        (alpha is not ONE or beta is not ZERO or memory_limit is not None)
        or (backend is not AUTO and backend not in OURS)
        or (optimize is not True and is_rare(optimize))
    ):
        from einsum_front.index_string.rare import RareKeywords, einsum_rarely  # noqa: PLC0415 - few calls

        chunks = {"memory": memory, "chunk": chunk, "devices": devices, "journal": journal, "progress": progress}
        others: dict[str, Any] = {"dtype": dtype, "order": order, "casting": casting, "build": build, "device": device}
        others |= {"schedule": schedule, "tune": tune}
        rare = RareKeywords(alpha, beta, optimize, memory_limit, backend)
        return einsum_rarely(einsum, subscripts, operands, out, rare, others, chunks)
    try:
        seen: Looks | None = None
        is_in_one = memory is None and chunk is None and devices is None and journal is None and not progress
        if schedule is None and not tune and is_in_one:
            is_plain = out is None and optimize is True and dtype is None and order == "K" and casting == "safe"
            is_plain = is_plain and type(device) is str
            settings: tuple[object, ...] | None
            settings = (device, build) if is_plain else settings_of(out, optimize, dtype, order, casting, device, build)
            if settings is not None and (read := looks(subscripts, operands, settings)) is not None:
                seen, arrays, home = read
                found = REMEMBERED.find(seen)
                if found is None and leaves_the_device_to_us(device):
                    keywords = read_keywords(len(arrays), optimize, dtype, order, casting)
                    found = numpy_call_of_arrays(subscripts, arrays, out, keywords, build, seen)
                if found is not None and (result := found.run(arrays, out)) is not NotImplemented:
                    return result if home is None or out is not None else home(result)
        from einsum_front.index_string.call import Call, einsum_in_full  # noqa: PLC0415 - it loads OpenCL

        asked = memory, chunk, devices, journal, progress or False
        call = Call(subscripts, out, optimize, dtype, order, casting, device, schedule, tune, build, asked, seen)
        return einsum_in_full(call, operands, einsum)
    except MemoryError as error:
        raise no_memory(error) from None
