"""Entries kept between processes, measurements and kernels: a JSON file for each.

    <the user's caches>/einsum-front/tuned/<SHA-256 of the key>.json

Several processes may read and write at a time: a file appears whole, in the place of the one before. A file that is no
entry is not an error but `Broken`: whoever needs it makes it anew.
"""

import json
import os
import stat
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from errno import EFBIG, EINVAL
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from einsum_front.core.dataclass import dataclass
from einsum_front.core.private_folders import (
    NEW,
    are_private,
    is_off,
    make_private_and_known,
    remove,
    remove_left,
    shrink,
    user_caches,
    write_whole,
)
from einsum_front.runtime.artifact import Artifact, ScalarParameter, SizeLimit, TensorParameter

LARGEST_ENTRY = 2**20
"""Bytes; the times of all candidates of a kernel take a few thousand."""

NOT_WAITING = getattr(os, "O_NONBLOCK", 0)

Entry = Mapping[str, object]
"""What is kept: whatever JSON can say, by name."""


@dataclass(frozen=True, slots=True)
class Broken:
    """A file that is no entry, and why."""

    path: Path
    reason: str


@dataclass(frozen=True, slots=True)
class Cache:
    """The entries in a folder, which need not exist; keys are texts of any length that say everything that matters.

    Where there is a bound, entries that were written first go when all of them have more than `most_bytes`. Entries of
    a private one run in the process: those count that nobody else can have written.
    """

    folder: Path
    most_bytes: int | None = None
    is_private: bool = False

    def find(self, key: str) -> Entry | Broken | None:
        """The entry of a key; None if there is none."""
        try:
            if self.is_private and not are_private(self.folder.parent, self.folder, self.path(key)):
                return None
        except OSError:
            return None
        return _read(self.path(key))

    def keep(self, key: str, entry: Entry) -> None:
        """Puts an entry in the place of any other of this key. Raises `OSError` if the folder cannot be written."""
        if self.is_private:
            make_private_and_known(self.folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        write_whole(self.path(key), json.dumps(entry, indent=1).encode())
        remove_left(self.folder, f"*{NEW}")
        if self.most_bytes is not None:
            shrink(self.folder, "*.json", self.most_bytes)

    def entries(self) -> Iterator[Entry | Broken]:
        """All entries, in the order of their files."""
        for path in sorted(self.folder.glob("*.json")):
            if (found := _read(path)) is not None:
                yield found

    def count(self) -> int:
        """The number of entries, broken ones too."""
        return sum(1 for _ in self.folder.glob("*.json"))

    def is_empty(self) -> bool:
        """True if there is nothing to find."""
        return next(self.folder.glob("*.json"), None) is None

    def clear(self) -> int:
        """Removes all entries and says how many; raises `OSError` if the system forbids it."""
        paths = [*self.folder.glob("*.json"), *self.folder.glob(f"*{NEW}")]
        for path in paths:
            remove(path)
        return sum(path.suffix == ".json" for path in paths)

    def path(self, key: str) -> Path:
        """Where the entry of a key is, if there is one."""
        return self.folder / f"{sha256(key.encode()).hexdigest()}.json"


def tuning_cache() -> Cache | None:
    """The cache of this user for measured schedules of kernels; None if the environment turns it off."""
    return None if is_off() else Cache(user_caches() / "tuned")


def _read(path: Path) -> Entry | Broken | None:
    try:
        entry = json.loads(_read_text(path))
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        return Broken(path, (error.strerror or "it cannot be read").lower())
    except (ValueError, RecursionError):  # neither UTF-8 nor JSON, or nested without end
        return Broken(path, "it is not JSON")
    return entry if isinstance(entry, dict) else Broken(path, "it is no JSON object")


def _read_text(path: Path) -> str:
    """Nothing is waited for: to open a pipe would, until somebody writes to it."""
    with open(path, encoding="utf-8", opener=lambda name, flags: os.open(name, flags | NOT_WAITING)) as file:
        status = os.fstat(file.fileno())
        if not stat.S_ISREG(status.st_mode):
            raise OSError(EINVAL, "it is no file")
        if status.st_size > LARGEST_ENTRY:
            raise OSError(EFBIG, f"it has more than {LARGEST_ENTRY} bytes")
        return file.read()


# -- compiled kernels kept between processes, as JSON ------------------------------------------------------------------
# <the user's caches>/einsum-front/kernels/<SHA-256 of the key>.json
#
# Whoever keeps a kernel gives a key that says everything it depends on; `sources_key` is a part of each. An entry holds
# its key and a digest of what it says: a file that was cut off, edited or damaged is none, and the kernel is compiled
# again.

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
    if artifact.sums or (artifact.prologue is not None and prologue is None):
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
        "sums": (),
        "prologue": None if prologue is None else from_value(prologue),
    }
    return Artifact(**fields)


def _parameter(value: Mapping[str, Any]) -> ScalarParameter | TensorParameter:
    fields: dict[str, Any] = {name: _tuples(field) for name, field in value.items() if name != "kind"}
    return TensorParameter(**fields) if KINDS[value["kind"]] is TensorParameter else ScalarParameter(**fields)


def _tuples(value: object) -> object:
    """JSON knows lists only."""
    return tuple(map(_tuples, value)) if isinstance(value, list) else value
