"""The tensors of a package: what they are in all kernels, for those who make room for them."""

from collections.abc import Iterable

from einsum_front.core.dataclass import dataclass
from einsum_front.package.extents import nonzero_runs, user_order
from einsum_front.package.model import PackagedKernel
from einsum_front.package.names import Supply
from einsum_front.package.text import memory_text
from einsum_front.runtime import distance, has_run_time_extents, span
from einsum_front.runtime.artifact import ArrayParameter, Extent, GroupParameter, ScalarParameter, TensorParameter


@dataclass(frozen=True, slots=True)
class PackagedTensor:
    """A tensor that callers have memory for.

    `shape` and `strides` are of the modes as in the text, None where the launch decides; `size` is entries from one
    element to the next, 0 if the launch decides. `nonzeros` are half-open runs of packed column-major positions.
    """

    name: str
    type: str
    shape: tuple[Extent, ...]
    strides: tuple[Extent, ...]
    size: int
    is_batched: bool
    is_group: bool
    nonzeros: tuple[tuple[int, int], ...] | None
    text: str


def packaged_tensors(kernels: Iterable[PackagedKernel]) -> tuple[PackagedTensor, ...]:
    """Each tensor once. Where kernels have different ones of one name, the later ones have their kernel's name too."""
    supply = Supply()
    found: dict[tuple[str, PackagedTensor], PackagedTensor] = {}
    names: set[str] = set()
    for kernel in kernels:
        for parameter in kernel.artifact.arguments:
            if isinstance(parameter, ScalarParameter):
                continue
            if isinstance(parameter, TensorParameter) and parameter.values is not None:
                continue
            key = parameter.name, _tensor("", parameter)
            if key in found:
                continue
            wanted = f"{parameter.name}_of_{kernel.name}" if parameter.name in names else parameter.name
            names.add(parameter.name)
            found[key] = _tensor(supply.give(wanted), parameter)
    return tuple(found.values())


def _tensor(name: str, parameter: ArrayParameter) -> PackagedTensor:
    is_open = has_run_time_extents(parameter)
    is_group = isinstance(parameter, GroupParameter)
    is_batched = isinstance(parameter, TensorParameter) and parameter.batched
    size = 0
    if not is_open:
        size = distance(parameter) if isinstance(parameter, TensorParameter) else span(parameter)
    return PackagedTensor(
        name=name,
        type=parameter.type,
        shape=user_order(parameter, parameter.shape),
        strides=user_order(parameter, parameter.strides),
        size=size,
        is_batched=is_batched,
        is_group=is_group,
        nonzeros=None if is_open else nonzero_runs(parameter),
        text=memory_text(parameter),
    )
