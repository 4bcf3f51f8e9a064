"""A kernel as data for hosts that are not this runtime; `docs/artifact.schema.json` says what each field means."""

from collections.abc import Mapping
from dataclasses import asdict

from einsum_front.core.extent import Extent
from einsum_front.core.extent_text import word
from einsum_front.core.scatter_text import words_of
from einsum_front.runtime.arrays.layout import ELEMENT_TYPES, distance, has_run_time_extents, span
from einsum_front.runtime.arrays.signature import NUMBERS, KernelArgument, Kind, kernel_arguments
from einsum_front.runtime.artifact import (
    BUILD_OPTIONS,
    ROUNDED_OPTION,
    Artifact,
    GroupParameter,
    Parameter,
    ScalarParameter,
    TensorParameter,
)

VERSION = 3
"""Of the description: another number where a loader that is right today could be wrong."""


def artifact_description(artifact: Artifact) -> dict[str, object]:
    """The fields of the artifact, its arguments in OpenCL's order, and the options of its build."""
    options = {"build_options": BUILD_OPTIONS, "rounded_option": ROUNDED_OPTION}
    results = frozenset(artifact.owned)
    prologue = None if artifact.prologue is None else _function(artifact.prologue, results)
    return {"version": VERSION, **_function(artifact, results), **options, "prologue": prologue}


def _function(artifact: Artifact, results: frozenset[str]) -> dict[str, object]:
    """One OpenCL function; `results` are the tensors that the prologue computes."""
    by_name = {each.name: each for each in artifact.parameters}
    arguments = [
        {"position": position, **_argument(each, by_name, artifact, results)}
        for position, each in enumerate(kernel_arguments(artifact))
    ]
    parameters = [{"kind": _kind(each), **asdict(each), **_texts(each)} for each in artifact.parameters]
    scratch = artifact.scratch if isinstance(artifact.scratch, int) else word(artifact.scratch)
    fields = asdict(artifact)
    del fields["checks_indices"]  # other hosts look at integers that say places, or do not
    return {**fields, "scratch": scratch, "parameters": parameters, "arguments": arguments, "sums": _sums(artifact)}


def _sums(artifact: Artifact) -> list[dict[str, object]]:
    """The kernels of what is added after it, with the words of the sums."""
    return [
        {
            "scattered": " ".join(words_of(each.scatter)),
            "width": each.width,
            "walked": each.walked,
            "rows_together": each.rows_together,
            "kernel": _function(each.artifact, frozenset()),
        }
        for each in artifact.sums
    ]


def _texts(parameter: Parameter) -> dict[str, object]:
    """The fields of a parameter that are texts for other hosts, or follow from others."""
    if isinstance(parameter, ScalarParameter):
        return {}
    is_batched = {"batched": parameter.batched} if isinstance(parameter, TensorParameter) else {}
    indices = tuple(None if bound is None else word(bound) for bound in parameter.indices)
    return {
        **is_batched,
        "indices": indices,
        "sizes": tuple(None if extent is None else word(extent) for extent in parameter.sizes),
    }


def _kind(parameter: Parameter) -> str:
    match parameter:
        case ScalarParameter():
            return "scalar"
        case TensorParameter():
            return "tensor"
        case GroupParameter():
            return "group"


def _argument(
    argument: KernelArgument, parameters: Mapping[str, Parameter], artifact: Artifact, results: frozenset[str]
) -> dict[str, object]:
    parameter = None if argument.parameter is None else parameters[argument.parameter]
    bytes_, apart = _bytes(argument, parameter, artifact.scratch)
    added = {each.scatter.source for each in artifact.sums}
    return {
        "kind": argument.kind.value,
        "type": argument.type,
        "is_memory": argument.kind not in NUMBERS,
        "supplier": _supplier(argument, parameter, results, added),
        "parameter": argument.parameter,
        "mode": argument.mode,
        "size": _size(argument, parameter),
        "bytes": bytes_,
        "distance": apart,
    }


def _supplier(argument: KernelArgument, parameter: Parameter | None, results: frozenset[str], added: set[str]) -> str:
    """Where the host has the argument from."""
    match argument.kind, parameter:
        case (Kind.ELEMENTS, _):
            return "batch"
        case (Kind.SCRATCH, _):
            return "host"
        case (Kind.SIZE, TensorParameter(batch_mode=mode)) if argument.mode == mode:
            return "batch"
        case (Kind.MEMORY, TensorParameter(name=name)) if name in added:
            return "host"
        case (Kind.MEMORY, TensorParameter(name=name)) if name in results:
            return "prologue"
        case (Kind.MEMORY, TensorParameter(values=values)) if values is not None:
            return "values"
        case _:  # open: all that the host does not supply itself
            return "caller"


def _size(argument: KernelArgument, parameter: Parameter | None) -> str | None:
    """The name of the size that the argument is."""
    if argument.kind is not Kind.SIZE or argument.mode is None or not isinstance(parameter, TensorParameter):
        return None
    extent = parameter.extent_of(argument.mode)
    return None if extent is None else word(extent)


def _bytes(argument: KernelArgument, parameter: Parameter | None, scratch: Extent) -> tuple[int | None, int | None]:
    """Bytes of the first element (work-group, for scratch memory), and bytes from one to the next; None: not known."""
    match argument.kind, parameter:
        case (Kind.SCRATCH, _) if isinstance(scratch, int):
            return scratch, scratch
        case (Kind.ADDRESSES | Kind.SIZES | Kind.STRIDES, _):
            size = ELEMENT_TYPES[argument.type].itemsize
            return size, size
        case (Kind.MEMORY, TensorParameter()) if not has_run_time_extents(parameter):
            size = ELEMENT_TYPES[argument.type].itemsize
            return span(parameter) * size, distance(parameter) * size if parameter.batched else 0
        case _:  # open: scalars, and what has no size before the launch
            return None, None
