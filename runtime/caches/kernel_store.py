"""Compiled kernels kept between processes, as JSON.

    <the user's caches>/einsum-front/kernels/<SHA-256 of the key>.json

Whoever keeps a kernel gives a key that says everything it depends on; `sources_key` is a part of each. An entry holds
its key and a digest of what it says: a file that was cut off, edited or damaged is none, and the kernel is compiled
again.
"""

import json
import os
from collections.abc import Mapping
from dataclasses import asdict
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from einsum_front.core.caches import is_off, user_caches
from einsum_front.core.dataclass import dataclass
from einsum_front.runtime.artifact import Artifact, ScalarParameter, SizeLimit, TensorParameter
from einsum_front.runtime.caches.cache import Broken, Cache

MOST_BYTES = 2**26
"""Of all entries: some thousand kernels, of which those that were made first go first."""

PACKAGE = Path(__file__).parent.parent.parent
"""`einsum_front`, as it is imported."""


@dataclass(frozen=True, slots=True)
class StoredKernels:
    """The kernels of this user."""

    cache: Cache

    def find(self, key: str) -> object:
        """The value of a key as JSON has it; None if there is none, or none that can be trusted."""
        entry = self.cache.find(key)
        if entry is None or isinstance(entry, Broken) or entry.get("key") != key:
            return None
        value = entry.get("value")
        return value if entry.get("digest") == _digest(value) else None

    def keep(self, key: str, value: object) -> None:
        """Puts a value in the place of any other of this key; what cannot be written is not kept."""
        try:
            self.cache.keep(key, {"key": key, "digest": _digest(value), "value": value})
        except OSError:
            return


def stored_kernels() -> StoredKernels | None:
    """The kernels of this user; None if the environment turns caches off."""
    return None if is_off() else StoredKernels(Cache(user_caches() / "kernels", MOST_BYTES, is_private=True))


@cache
def sources_key() -> str:
    """A digest of names, sizes and times of all sources: other sources may make other kernels, also of one version."""
    found: list[tuple[str, int, int]] = []
    folders = [os.fspath(PACKAGE)]
    while folders:
        with os.scandir(folders.pop()) as entries:
            for entry in entries:
                if entry.name.endswith((".py", ".lark")):
                    status = entry.stat()
                    found.append((entry.path, status.st_size, status.st_mtime_ns))
                elif entry.is_dir() and entry.name != "__pycache__":
                    folders.append(entry.path)
    return sha256(repr(sorted(found)).encode()).hexdigest()


def tuned_key() -> str:
    """The state of the tuning cache: what is measured later may give a kernel another schedule."""
    try:
        return str((user_caches() / "tuned").stat().st_mtime_ns)
    except OSError:
        return "nothing"


def _digest(value: object) -> str:
    return sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()


# -- artifacts ---------------------------------------------------------------------------------------------------------

KINDS = {"scalar": ScalarParameter, "tensor": TensorParameter}
"""The parameters that are kept; the members of groups lie where each launch says."""


def as_value(artifact: Artifact) -> Mapping[str, object] | None:
    """An artifact as JSON; None if it has groups, or extents that are polynomials of sizes."""
    prologue = None if artifact.prologue is None else as_value(artifact.prologue)
    if artifact.prologue is not None and prologue is None:
        return None
    kinds = {kind: name for name, kind in KINDS.items()}
    parameters = []
    for each in artifact.parameters:
        if type(each) not in kinds or any(extent is not None for extent in getattr(each, "sizes", ())):
            return None
        parameters.append({"kind": kinds[type(each)], **asdict(each)})
    return {**asdict(artifact), "parameters": parameters, "prologue": prologue}


def from_value(value: Mapping[str, Any]) -> Artifact:
    """The artifact of which this is the JSON; raises `KeyError`, `TypeError` or `ValueError` if it is of none."""
    prologue = value["prologue"]
    fields = {
        **value,
        "parameters": tuple(_parameter(each) for each in value["parameters"]),
        "limits": tuple(SizeLimit(**each) for each in value["limits"]),
        "work_group_size": tuple(value["work_group_size"]),
        "later": tuple(value["later"]),
        "prologue": None if prologue is None else from_value(prologue),
    }
    return Artifact(**fields)


def _parameter(value: Mapping[str, Any]) -> ScalarParameter | TensorParameter:
    fields: dict[str, Any] = {name: _tuples(field) for name, field in value.items() if name != "kind"}
    return TensorParameter(**fields) if KINDS[value["kind"]] is TensorParameter else ScalarParameter(**fields)


def _tuples(value: object) -> object:
    """JSON knows lists only."""
    return tuple(map(_tuples, value)) if isinstance(value, list) else value
