"""Modules of torch as kernels: torch-mlir lowers them to linalg, and weights become constants.

layer = ef.from_torch(module, (x,))
y = layer(x)
"""

import sys
import warnings
from collections.abc import Sequence
from dataclasses import field
from math import prod
from pathlib import Path
from threading import Lock
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from einsum_front.compiled import CompiledKernel
from einsum_front.core.dataclass import dataclass
from einsum_front.core.diagnostics import CompileError, Diagnostic, Source
from einsum_front.core.optional import needed
from einsum_front.core.signatures import shown_without_types
from einsum_front.core.words import kind_of, listed
from einsum_front.driver.stages import LinalgStages, LoopStages
from einsum_front.interface import compile as compile_program
from einsum_front.mlir import nodes as mlir
from einsum_front.mlir.to_graph.function import kernel_arguments
from einsum_front.options import Level
from einsum_front.parsed import Program
from einsum_front.runtime import Launch

FLOATS = {"f32": np.float32, "f64": np.float64}
NAME = "layer"
"""The function that torch-mlir makes, and its kernel."""


KEPT = 4
"""So many lengths of the batch keep their memory, and a launch that is bound to it, from call to call."""

MOST_KEPT = 1 << 20
"""The bytes of such memory, for one length."""


class _Argument(NamedTuple):
    """An argument of the kernel: the shape that the example has, and that of one element in the kernel."""

    name: str
    shape: tuple[int, ...]
    element: tuple[int, ...]
    is_batched: bool


class _Bound(NamedTuple):
    """Arrays for a length of the batch, and the launch that reads and writes them."""

    given: tuple[NDArray[Any], ...]
    made: tuple[NDArray[Any], ...]
    launch: Launch


@shown_without_types
@dataclass(frozen=True, slots=True)
class TorchModule:
    """A kernel that computes what a module of torch does, on tensors like those of an example.

    `from_torch` returns it. Call it with tensors of torch. It has:

    kernel : CompiledKernel
        The kernel.
    text : str
        The module in linalg.
    has_batch : bool
        True if the first dimension of the results is the batch of the kernel, which may have any length in a call.
    """

    kernel: CompiledKernel
    text: str
    has_batch: bool
    _arguments: tuple[_Argument, ...]
    _results: tuple[_Argument, ...]
    _bound: dict[int, _Bound] = field(default_factory=dict, compare=False, repr=False)
    _lock: Any = field(default_factory=Lock, compare=False, repr=False)

    def __call__(self, *inputs: Any) -> Any:
        """The results for these tensors, as new tensors; a tuple of several."""
        if len(inputs) != len(self._arguments):
            raise TypeError(f"the module takes {len(self._arguments)} tensors, not {len(inputs)}")
        torch = sys.modules.get("torch") or needed("torch", "a module of torch")
        given = [np.asarray(each.detach().cpu() if isinstance(each, torch.Tensor) else each) for each in inputs]
        count = self._count(given)
        if self._lock.acquire(blocking=False):
            try:
                made = self._run_bound(given, count)
            finally:
                self._lock.release()
        else:  # another thread is at it, in that memory
            made = self._run(given, count)
        found = tuple(
            torch.from_numpy(array).reshape((count, *each.shape[1:]) if self.has_batch else each.shape)
            for each, array in zip(self._results, made, strict=True)
        )
        return found[0] if len(found) == 1 else found

    def _count(self, given: Sequence[NDArray[Any]]) -> int:
        """The length of the batch, which the shapes of all that has it say."""
        counts = set()
        for array, each in zip(given, self._arguments, strict=True):
            is_batch = self.has_batch and each.is_batched
            if array.ndim != len(each.shape) or array.shape[is_batch:] != each.shape[is_batch:]:
                raise ValueError(f"`{each.name}` has the shape {array.shape}, and the example had {each.shape}")
            counts |= {array.shape[0]} if is_batch else set()
        if len(counts) > 1:
            raise ValueError(f"the batch has several lengths: {listed(sorted(map(str, counts)))}")
        return counts.pop() if counts else 1

    def _arrays(self, arguments: Sequence[_Argument], count: int) -> tuple[NDArray[Any], ...]:
        types = {each.name: each.type for each in self.kernel.artifact.arguments}
        return tuple(
            np.empty((count, *each.element) if each.is_batched else each.element, FLOATS[types[each.name]])
            for each in arguments
        )

    def _run_bound(self, given: Sequence[NDArray[Any]], count: int) -> tuple[NDArray[Any], ...]:
        """The results, by a launch that is kept."""
        bound = self._bound.get(count)
        if bound is None:
            arrays = self._arrays(self._arguments, count), self._arrays(self._results, count)
            if count == 0 or sum(array.nbytes for each in arrays for array in each) > MOST_KEPT:
                return self._run(given, count)
            names = (each.name for each in (*self._arguments, *self._results))
            together = dict(zip(names, (*arrays[0], *arrays[1]), strict=True))
            while len(self._bound) >= KEPT:
                del self._bound[next(iter(self._bound))]
            bound = self._bound[count] = _Bound(*arrays, self.kernel.prepare(**together))
        for array, place in zip(given, bound.given, strict=True):
            np.copyto(place, array.reshape(place.shape))
        bound.launch.run()
        bound.launch.finish()
        return tuple(array.copy() for array in bound.made)

    def _run(self, given: Sequence[NDArray[Any]], count: int) -> tuple[NDArray[Any], ...]:
        """The results, in memory of their own."""
        made = self._arrays(self._results, count)
        arrays = {each.name: array for each, array in zip(self._results, made, strict=True)}
        for array, each in zip(given, self._arguments, strict=True):
            arrays[each.name] = array.reshape((count, *each.element) if each.is_batched else each.element)
        self.kernel(**arrays)
        return made


def from_torch(
    module: Any, example_inputs: Any, device: str | int = "auto", *, batch_dim: int | str | None = None
) -> TorchModule:
    """The kernel of a `torch.nn.Module`, of tensors with the shapes and types of the example.

    The module is taken in the mode that it is in: `module.eval()` first, where it has dropout or running means. Weights
    are constants of the kernel.

    Parameters
    ----------
    module : torch.nn.Module
        What is computed.
    example_inputs : sequence of torch.Tensor
        Tensors with the shapes and types of later calls.
    device : str or int
        As in `compile`.
    batch_dim : int or "none", optional
        As in `compile`. Without it, the first dimension is the batch where all results have it, of each input or of
        three dimensions.

    Returns
    -------
    TorchModule
        Called with tensors, it gives new ones.

    Raises
    ------
    CompileError
        Without torch-mlir (E0116), for what torch-mlir does not lower (E0870), else as `compile` does.
    TypeError
        If the module or an input is none of torch.

    Examples
    --------
    >>> import torch  # doctest: +SKIP
    >>> import einsum_front as ef  # doctest: +SKIP
    >>> layer = ef.from_torch(torch.nn.Linear(16, 4).eval(), (torch.ones(8, 16),))  # doctest: +SKIP
    >>> layer(torch.ones(8, 16)).shape  # doctest: +SKIP
    torch.Size([8, 4])
    """
    torch = needed("torch", "a module of torch")
    fx = needed("torch_mlir.fx", "a module of torch", "with this package: `pip install 'einsum-front[mlir]'`")
    if not isinstance(module, torch.nn.Module):
        raise TypeError(f"from_torch takes a torch.nn.Module, not {kind_of(module)}")
    if not isinstance(example_inputs, Sequence) or not all(isinstance(each, torch.Tensor) for each in example_inputs):
        raise TypeError("the example inputs are a list or tuple of tensors")
    name = type(module).__name__
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", FutureWarning)  # of torch's exporter about itself
            lowered = fx.export_and_import(module, *example_inputs, output_type="linalg-on-tensors", func_name=NAME)
    except Exception as error:
        lines = [line for line in str(error).splitlines() if line.strip()]
        notes = tuple(lines[:1]) if lines else (type(error).__name__,)
        raise CompileError([Diagnostic("E0870", f"torch-mlir does not lower `{name}`", notes=notes)]) from error
    text = str(lowered)
    program = Program(Source(f"<{name}>", text), Level.MLIR, Path(), None)
    kernel = compile_program(program, device, batch_dim=batch_dim)[NAME]
    stages = kernel.translation
    assert isinstance(stages, LinalgStages | LoopStages)
    names, results = kernel_arguments(stages.linalg)
    shapes = [_shape(each.type) for each in stages.linalg.arguments]
    arguments = [names[each.name] for each in stages.linalg.arguments]
    taken = tuple(_argument(kernel, *pair) for pair in zip(arguments, shapes, strict=True))
    made = tuple(_argument(kernel, *pair) for pair in zip(results, map(_shape, stages.linalg.results), strict=True))
    has_batch = any(prod(each.element) != prod(each.shape) for each in made)
    return TorchModule(kernel, text, has_batch, taken, made)


def _argument(kernel: CompiledKernel, name: str, shape: tuple[int, ...]) -> _Argument:
    one, two = kernel.empty(name, 1).shape, kernel.empty(name, 2).shape
    is_batched = one != two
    return _Argument(name, shape, one[is_batched:], is_batched)


def _shape(type_: mlir.Type) -> tuple[int, ...]:
    return () if isinstance(type_, mlir.ScalarType) else tuple(size or 1 for size in type_.shape)
