"""Values of the compiler as bytes, for other processes: what Python itself pickles, and mappings that nobody writes."""

import copyreg
import pickle
from io import BytesIO
from types import MappingProxyType
from typing import Any


def to_bytes(value: object) -> bytes:
    """The pickle of a value; raises what `pickle` raises if some part of it cannot travel."""
    stream = BytesIO()
    _Pickler(stream, protocol=5).dump(value)
    return stream.getvalue()


def from_bytes(data: bytes) -> Any:
    """The value of `to_bytes`: as with every pickle, only from those whom one trusts."""
    return pickle.loads(data)


class _Pickler(pickle.Pickler):
    dispatch_table = copyreg.dispatch_table.copy()


def _frozen(entries: dict[Any, Any]) -> MappingProxyType[Any, Any]:
    return MappingProxyType(entries)


_Pickler.dispatch_table[MappingProxyType] = lambda mapping: (_frozen, (dict(mapping),))
