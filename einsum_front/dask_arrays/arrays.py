"""Which values are arrays of dask, which need not be installed, and what is asked of kernels on them."""

from collections.abc import Mapping
from typing import Protocol

from einsum_front.runtime import Device
from einsum_front.runtime.artifact import Artifact


class Dispatched(Protocol):
    """A kernel for arrays that lie in any way."""

    @property
    def artifact(self) -> Artifact:
        """What it is by default."""

    @property
    def device(self) -> Device:
        """The device that it is made for."""

    @property
    def overwritten(self) -> frozenset[str]:
        """Arguments of which it reads nothing."""

    def artifact_for(self, device: Device, arguments: Mapping[str, object]) -> Artifact:
        """What it is for arrays that lie like these."""


def is_dask(value: object) -> bool:
    """True for a `dask.array.Array`."""
    return type(value).__module__.startswith("dask.array") and hasattr(value, "__dask_graph__")
