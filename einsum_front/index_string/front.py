"""`ef.einsum`: arrays in, array out, like `numpy.einsum`. Most calls look like one before, and end here.

What is imported here is loaded before the first call of a program: nothing of OpenCL, of the planner and the languages.
"""

from collections.abc import Sequence
from os import PathLike
from sys import modules
from typing import TYPE_CHECKING, Any, TypedDict, Unpack, overload

from numpy.typing import ArrayLike, DTypeLike

from einsum_front.core.signatures import shown_without_types
from einsum_front.core.untraced import apart, calls_apart, is_watched
from einsum_front.index_string.builds import REMEMBERED, Looks, leaves_the_device_to_us, looks, settings_of
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

if TYPE_CHECKING:
    from einsum_front.chunked import Progress
    from einsum_front.index_string.operands import Array
    from einsum_front.runtime import PyopenclArray

    class DeviceKeywords(TypedDict, total=False):
        """Keywords of every call but `out`."""

        optimize: Optimize
        dtype: DTypeLike | None
        order: str | None
        casting: Casting
        device: str | int
        schedule: str | None
        tune: bool
        build: Build | None
        alpha: Number
        beta: Number
        use_blas: bool
        backend: str | None
        memory_limit: MemoryLimit

    class ChunkedKeywords(DeviceKeywords, total=False):
        """Those of calls whose operands may be too large for memory besides."""

        memory: int | str | None
        chunk: int | tuple[int, ...] | None
        devices: Sequence[str | int] | None
        journal: str | PathLike[str] | None
        progress: Progress


AUTO = "auto"

ORDERS = "K", "C"
"""Those of most calls: of `einsum` and of `tensordot`."""


@overload
def einsum(
    subscripts: str,
    *operands: "PyopenclArray",
    out: "PyopenclArray | None" = ...,
    **keywords: "Unpack[DeviceKeywords]",
) -> "PyopenclArray": ...


@overload
def einsum(
    subscripts: str,
    *operands: ArrayLike,
    out: "Array | None" = ...,
    **keywords: "Unpack[ChunkedKeywords]",
) -> "Array": ...


@overload
def einsum(
    subscripts: object,
    *operands: object,
    out: object = ...,
    **keywords: "Unpack[ChunkedKeywords]",
) -> Any: ...


@shown_without_types
@calls_apart
def einsum(  # noqa: PLR0913 - the keywords of NumPy, and those of `compile`
    subscripts: object = "",
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

    Parameters
    ----------
    subscripts : str
        Indices of the operands and of the result: `"bik,kj->bij"`. They are letters of any alphabet, or words with
        blanks between them. Lists of labels may stand after the operands instead: `einsum(A, [0, 1], B, [1, 2], [0,
        2])`.
    *operands : array_like
        Arrays of numbers: of NumPy, pyopencl, torch, JAX, CuPy, dask; data sets of zarr and h5py. The result is of
        the same library. Those of a device stay there, and the kernel runs in a queue or stream of theirs.
    out : array, optional
        Where the result is written.
    optimize : bool, str, path or callable
        A path is followed, as `einsum_path` or opt_einsum give it. An object that finds one is called, as opt_einsum's
        and cotengra's. Truth values and names change nothing: the best order is taken.
    dtype : dtype_like, optional
        Another type to compute in.
    order : str
        How the result lies in memory: `"C"`, `"F"`, `"A"`, or `"K"`.
    casting : str
        Which conversions are fine, as in NumPy.
    device : str or int
        As in `compile`. With `"auto"`, arrays of a device stay there; others are computed on the processor, short calls
        by device `c`, unless a GPU is expected to be faster with all copies.
    schedule, tune
        As in `compile`.
    build : str, optional
        `"now"` waits for a kernel, `"never"` makes none. Without it, NumPy's functions compute until a kernel pays,
        which is built in the background.
    alpha, beta : number
        `out = alpha * contraction + beta * out`, as in BLAS: where `beta` is 0, `out` is not read.
    use_blas : bool
        opt_einsum's, without effect.
    backend : str, optional
        opt_einsum's: the library of the operands.
    memory_limit : int or str, optional
        Entries that an array between two products may have, or `"max_input"`: as many as the largest operand or result
        has. Another order is taken for it, or indices are cut into slices.
    memory, chunk, devices, journal, progress
        For arrays that are larger than the memory: as in `CompiledKernel.chunked`.

    Returns
    -------
    array
        Of NumPy's element type and shape; a view where NumPy's is.

    Raises
    ------
    CompileError
        With a place in the string, if it does not fit the operands. It is a `ValueError` or a `TypeError` as well.

    Notes
    -----
    An index that leads the result and every operand that has it becomes the batch. The kernel is compiled once for each
    string, type and shapes without the batch. A long contraction without a batch gets a kernel for each step.

    Examples
    --------
    >>> import numpy as np
    >>> import einsum_front as ef
    >>> A, B = np.ones((1000, 4, 3)), np.ones((3, 5))
    >>> ef.einsum("bik,kj->bij", A, B).shape
    (1000, 4, 5)
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
            is_plain = out is None and optimize is True and dtype is None and order in ORDERS and casting == "safe"
            is_plain = is_plain and type(device) is str
            settings: tuple[object, ...] | None
            settings = (
                (device, build, order) if is_plain else settings_of(out, optimize, dtype, order, casting, device, build)
            )
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
