"""Arguments of a kernel over parts as its callers have them: arrays and scalars of complex numbers."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TypeVar

from einsum_front import ir
from einsum_front.core.diagnostics import CompilerBug
from einsum_front.core.runs import Runs, mask_from_runs, runs_from_mask
from einsum_front.runtime.artifact import (
    WHOLES,
    Artifact,
    Extent,
    GroupParameter,
    Parameter,
    ScalarParameter,
    TensorParameter,
)

Array = TypeVar("Array", TensorParameter, GroupParameter)


def complex_arguments(graph: ir.Graph) -> Callable[[Artifact], Artifact]:
    """Gives artifacts of a graph the complex arguments that its tensors and scalars are parts of.

    The kernel and its prologue, which takes what the kernel takes, stay as they are.
    """
    arrays = frozenset(tensor.name for tensor in graph.tensors if tensor.is_complex)
    scalars = {scalar.name: scalar.part_of for scalar in graph.scalars if scalar.part_of}
    return partial(_with_complex, arrays, scalars)


def _with_complex(arrays: frozenset[str], scalars: dict[str, str], artifact: Artifact) -> Artifact:
    if not arrays and not scalars:
        return artifact
    return replace(artifact, parameters=tuple(_seen(each, arrays, scalars) for each in artifact.parameters))


def _seen(parameter: Parameter, arrays: frozenset[str], scalars: dict[str, str]) -> Parameter:
    match parameter:
        case ScalarParameter(name=name):
            return replace(parameter, part_of=scalars.get(name, ""))
        case TensorParameter(name=name, batch_mode=mode) if name in arrays:
            return replace(_array(parameter), batch_mode=None if mode is None else mode - 1)
        case GroupParameter(name=name) if name in arrays:
            return _array(parameter)
        case TensorParameter() | GroupParameter():
            return parameter


def _array(parameter: Array) -> Array:
    """The array without the mode of parts, which is the fastest; sizes and strides count complex numbers."""
    if parameter.shape[:1] != (2,) or parameter.strides[:1] != (1,):
        raise CompilerBug(f"the parts of `{parameter.name}` do not lie side by side")
    runs = parameter.nonzeros
    return replace(
        parameter,
        type=WHOLES[parameter.type],
        shape=parameter.shape[1:],
        strides=tuple(map(_halved, parameter.strides[1:])),
        modes=tuple(mode for mode in parameter.modes if mode != len(parameter.modes) - 1),
        nonzeros=None if runs is None else _of_whole_numbers(runs),
        sizes=parameter.sizes[1:],
        fused=tuple((k - 1, j - 1) for k, j in parameter.fused if k > 0),
    )


def _halved(stride: Extent) -> Extent:
    return None if stride is None else stride // 2


def _of_whole_numbers(runs: Runs) -> Runs:
    """The runs of complex numbers of which a part may differ from zero."""
    halved = tuple((start // 2, -(-stop // 2)) for start, stop in runs)
    return runs_from_mask(mask_from_runs(halved, (max((stop for _, stop in halved), default=0),)))
