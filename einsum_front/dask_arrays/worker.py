"""What runs on a worker of dask: blocks are computed as NumPy's arrays, by kernels that are built once in a process.

The objects of this module travel with the tasks. They hold the source of a kernel and what describes it, which a
worker builds for a device of its own.
"""

import sys
from collections.abc import Mapping
from dataclasses import field, replace
from functools import lru_cache
from threading import Lock

import numpy as np
from numpy.typing import NDArray

from einsum_front.core.dataclass import dataclass
from einsum_front.runtime import ELEMENT_TYPES, Device, DeviceFacts, Kernel, available_devices, device_like, find_device
from einsum_front.runtime.artifact import Artifact, ScalarParameter, TensorParameter

Array = NDArray[np.generic]


@dataclass(frozen=True, slots=True)
class Shipped:
    """A kernel as text, the device that it was made for, and the arguments all of whose entries it writes."""

    artifact: Artifact
    facts: DeviceFacts
    overwritten: frozenset[str] = frozenset()

    def fits(self, facts: DeviceFacts) -> bool:
        """True for a device of the same kind."""
        return replace(facts, number=0) == replace(self.facts, number=0)

    def on(self, device: Device) -> Kernel:
        """The kernel on a device."""
        return Kernel(self.artifact, device, overwritten=self.overwritten)

    def other_device(self) -> Device:
        """One that the text is for, where there is none of the same kind; raises CompileError if there is none."""
        is_c = self.facts.instruction_set is not None
        return find_device(self.facts.selector if is_c else "auto", needs_opencl=True)


def device_here(wanted: str) -> Device:
    """The device that a worker takes where it has no kernel yet: of several GPUs, the one that its number gives it."""
    gpus = [facts for facts in available_devices() if not facts.is_cpu] if wanted == "auto" else []
    return find_device(str(gpus[_number_of_worker() % len(gpus)].number) if len(gpus) > 1 else wanted)


def _number_of_worker() -> int:
    """The number of this worker, as clusters of one host count them; 0 outside of a worker."""
    if (distributed := sys.modules.get("distributed")) is None:
        return 0
    try:
        name = distributed.get_worker().name
    except ValueError:  # this is no worker
        return 0
    text = str(name).rpartition("-")[2]
    return int(text) if text.isdecimal() else 0


def built(shipped: Shipped) -> Kernel | None:
    """The kernel on a device of this worker, built once; None if there is none of the kind that it was made for."""
    with _BUILDING:  # a worker has several threads
        return _built(shipped)


_BUILDING = Lock()


@lru_cache(maxsize=64)
def _built(shipped: Shipped) -> Kernel | None:
    if shipped.facts.instruction_set is not None:
        here = device_like(shipped.facts)
        return None if here is None else shipped.on(here)
    fitting = [facts.number for facts in available_devices() if shipped.fits(facts)]
    if not fitting:
        return None
    return shipped.on(find_device(str(fitting[_number_of_worker() % len(fitting)])))


def builds() -> int:
    """How many kernels this process has built for tasks."""
    return _built.cache_info().misses


@dataclass(frozen=True)
class BlockKernel:
    """A kernel on one block of elements: `inputs` are the names of what comes in, `outputs` of what goes out.

    `fixed` are arguments that are the same for all blocks. Outputs that do not come in have `shapes` without the batch.
    """

    name: str
    shipped: Shipped
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    shapes: Mapping[str, tuple[int, ...]]
    fixed: Mapping[str, object] = field(default_factory=dict)

    @property
    def __name__(self) -> str:
        return self.name

    def __call__(self, *blocks: Array) -> Array | tuple[Array, ...]:
        """The outputs of the block, which are new arrays."""
        kernel = built(self.shipped) or self.shipped.on(self.shipped.other_device())
        parameters = {each.name: each for each in self.shipped.artifact.arguments}
        given = dict(zip(self.inputs, blocks, strict=True))
        batch = next(
            block.shape[0]
            for name, block in given.items()
            if isinstance(each := parameters[name], TensorParameter) and each.batched
        )
        arguments: dict[str, object] = {**self.fixed, **given}
        for name in self.outputs:
            parameter = parameters[name]
            assert not isinstance(parameter, ScalarParameter)
            kind = ELEMENT_TYPES[parameter.type]
            found = given.get(name)
            shape = (batch, *self.shapes[name])
            arguments[name] = np.zeros(shape, kind) if found is None else np.array(found, kind, order="C")
        if batch:
            kernel(**arguments)
        results = tuple(np.asarray(arguments[name]) for name in self.outputs)
        return results if len(results) > 1 else results[0]
