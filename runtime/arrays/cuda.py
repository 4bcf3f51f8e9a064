"""Kernels of CUDA C++ on arrays of a GPU that only CUDA knows: CuPy's, and what CuPy sees without a copy, as torch's.

OpenCL has no way to that memory. CuPy compiles the text (NVRTC), keeps what it has compiled on disk, and launches it.
Kernels go to the stream that the caller's library computes in, and nothing waits: what comes behind them in that stream
sees their results.
"""

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property, partial
from typing import Any, Protocol

import numpy as np

from einsum_front.core.dataclass import dataclass
from einsum_front.core.diagnostics import CompileError, Diagnostic
from einsum_front.runtime.arrays.foreign import without_gradient
from einsum_front.runtime.arrays.layout import (
    ELEMENT_TYPES,
    declared_layout,
    expected_shape,
    named_axes,
    run_time_values,
)
from einsum_front.runtime.arrays.signature import counts_elements
from einsum_front.runtime.artifact import Artifact, TensorParameter
from einsum_front.runtime.devices.errors import failure

UNIT_GROUPS = 8
"""Work-groups of a multiprocessor that have memory for temporaries of their own, at most."""

HOW = "CuPy is what compiles for CUDA: `pip install cupy-cuda12x`, or `cupy-cuda13x`"


class CudaArray(Protocol):
    """What of an array of CuPy is used here."""

    shape: tuple[int, ...]
    strides: tuple[int, ...]
    dtype: np.dtype[Any]
    nbytes: int

    def __getitem__(self, key: Any) -> "CudaArray": ...


def is_on_cuda(value: object) -> bool:
    """True for an array in the memory of CUDA, whatever library it is of."""
    if type(value) is np.ndarray:
        return False
    try:
        return isinstance(getattr(value, "__cuda_array_interface__", None), Mapping)
    except Exception:  # torch's tensors: with a gradient, sparse; there and on the host
        return getattr(getattr(value, "device", None), "type", None) == "cuda"


@dataclass(frozen=True, slots=True)
class CudaMemory:
    """The memory of a GPU for those who need arrays besides the caller's; `cupy` is the library."""

    cupy: Any
    number: int

    def empty(self, shape: tuple[int, ...], dtype: np.dtype[Any]) -> CudaArray:
        """An array of CuPy, from its pool; raises CompileError (E0607) if there is no memory for it."""
        try:
            return self.cupy.empty(shape, dtype)  # type: ignore[no-any-return] # CuPy has no types
        except MemoryError as error:
            raise failure("E0607", f"no memory for an array of shape {shape} on the GPU: {error}") from None

    def again(self, shape: tuple[int, ...], dtype: np.dtype[Any]) -> Callable[[], CudaArray]:
        """The same."""
        return partial(self.cupy.empty, shape, dtype)

    def ready(self, array: CudaArray) -> CudaArray:
        """A copy if the array is in another order or has gaps."""
        return self.cupy.ascontiguousarray(array)  # type: ignore[no-any-return]

    def batch_of_one(self, array: CudaArray) -> CudaArray:
        """A view."""
        return array[None]

    def clear(self, array: CudaArray) -> None:
        """By CuPy."""
        array.fill(0)  # type: ignore[attr-defined] # not of all that the protocol describes

    def can_hold(self, out: CudaArray, operands: Sequence[CudaArray]) -> bool:
        """If it needs no copy and is apart."""
        return self.is_in_order(out) and not any(self.cupy.may_share_memory(out, operand) for operand in operands)

    def copy(self, target: CudaArray, source: CudaArray) -> None:
        """By CuPy."""
        target[...] = source  # type: ignore[index]

    def is_in_order(self, array: CudaArray) -> bool:
        """CuPy says it."""
        return bool(array.flags.c_contiguous)  # type: ignore[attr-defined]

    def reshaped(self, array: CudaArray, shape: tuple[int, ...]) -> CudaArray:
        """By CuPy."""
        return array.reshape(shape)  # type: ignore[attr-defined, no-any-return]

    def like(self, value: object, result: CudaArray) -> object:
        """The result as an array of the library that `value` is from, without a copy; CuPy's if that cannot say how."""
        module = sys.modules.get(type(value).__module__.partition(".")[0])
        make: Callable[[object], object] | None = getattr(module, "from_dlpack", None)
        return result if make is None or isinstance(value, self.cupy.ndarray) else make(result)

    @property
    def architecture(self) -> str:
        """What compilers call the GPU: `sm_90`."""
        return f"sm_{self.cupy.cuda.Device(self.number).compute_capability}"

    @contextmanager
    def current(self, operands: Sequence[object]) -> Iterator[None]:
        """The GPU, and the stream in which the library of the operands computes."""
        with self.cupy.cuda.Device(self.number), _stream(self.cupy, operands):
            yield


def _stream(cupy: Any, operands: Sequence[object]) -> Any:
    """That of torch if it has an operand; else the one that CuPy computes in."""
    torch = sys.modules.get("torch")
    if torch is not None and any(isinstance(operand, torch.Tensor) for operand in operands):
        return cupy.cuda.ExternalStream(torch.cuda.current_stream().cuda_stream)
    return cupy.cuda.get_current_stream()


def cuda_views(values: Sequence[object]) -> tuple[list[CudaArray], CudaMemory]:
    """The same memory as arrays of CuPy, and the GPU that it is of.

    Raises CompileError if one is of the host (E0503), if they are of several GPUs (E0512), or without CuPy (E0636).
    """
    try:
        import cupy  # noqa: PLC0415 - it takes as long to load as all of this package
    except ImportError:
        message = "operands are in the memory of CUDA, and CuPy is not installed"
        raise failure("E0636", message, (HOW,)) from None
    arrays: list[CudaArray] = []
    for number, value in enumerate(values):
        if not is_on_cuda(value):
            message = f"operand {number} is of type {type(value).__name__}, and others are in the memory of CUDA"
            raise failure("E0503", message, ("all operands are on one GPU, or none is",))
        try:
            arrays.append(cupy.asarray(without_gradient(value)))
        except Exception as error:  # whatever a library raises: a gradient, a type that CuPy lacks
            said = str(error).partition("\n")[0]
            raise failure("E0503", f"operand {number} cannot be read as an array of CuPy: {said}") from None
    numbers = [int(array.device.id) for array in arrays]  # type: ignore[attr-defined]
    other = next((place for place, number in enumerate(numbers) if number != numbers[0]), None)
    if other is not None:
        message = f"operand 0 is on GPU {numbers[0]}, and operand {other} on GPU {numbers[other]}"
        raise CompileError([Diagnostic("E0512", message)])
    return arrays, CudaMemory(cupy, numbers[0])


@dataclass(frozen=True, eq=False)
class CudaKernel:
    """A kernel of CUDA C++; `shared` are the bytes of shared memory that its launch adds."""

    artifact: Artifact
    shared: int

    def __call__(self, **tensors: CudaArray) -> None:
        """Starts the kernel in the current stream; tensors are in C order, by the names of the parameters."""
        artifact, given = self.artifact, {}
        for parameter in (each for each in artifact.arguments if isinstance(each, TensorParameter)):
            array = tensors[parameter.name]
            layout = declared_layout(parameter, array.shape)
            given[parameter.name] = [array, *map(np.int64, run_time_values(parameter, layout))]
        batched = (each.name for each in artifact.arguments if getattr(each, "batched", False))
        sizes = {
            extent.size.name: tensors[each.name].shape[axis]
            for each in artifact.arguments
            if isinstance(each, TensorParameter)
            for extent, axis in named_axes(each)
            if extent.size is not None
        }
        batch = next((tensors[name].shape[0] for name in batched), 1)
        if artifact.prologue is not None:
            given |= {name: self._zeros(parameter) for name, parameter in artifact.owned.items()}
            self._launch(artifact.prologue, given, 1, {})
        if batch:
            self._launch(artifact, given, batch, sizes)

    def _launch(self, artifact: Artifact, given: dict[str, list[Any]], groups: int, sizes: Mapping[str, int]) -> None:
        blocks = -(-groups // artifact.elements_per_group) * artifact.groups_per_element
        values = [value for parameter in artifact.parameters for value in given[parameter.name]]
        if counts_elements(artifact):
            values.append(np.int64(groups))
        if artifact.scratch:
            units = self._cupy.cuda.Device().attributes["MultiProcessorCount"]
            blocks = min(blocks, UNIT_GROUPS * units)
            values.append(self._cupy.empty(artifact.scratch_of(sizes) * blocks, np.uint8))
        for entry in artifact.entries:
            function = self._module.get_function(entry)
            if self.shared:
                function.max_dynamic_shared_size_bytes = self.shared
            function((blocks, 1, 1), (*artifact.work_group_size, 1), tuple(values), shared_mem=self.shared)

    def _zeros(self, parameter: TensorParameter) -> list[Any]:
        """Memory for what the prologue computes; vectors are loaded across declared zeros."""
        layout = declared_layout(parameter, tuple(size or 0 for size in expected_shape(parameter)))
        return [self._cupy.zeros(layout.span, ELEMENT_TYPES[parameter.type]), *run_time_values(parameter, layout)]

    @cached_property
    def _cupy(self) -> Any:
        return sys.modules["cupy"]  # whoever has arrays of it has loaded it

    @cached_property
    def _module(self) -> Any:
        return self._cupy.RawModule(code=self.artifact.source, options=("--std=c++17",))
