"""Entries kept between processes, measurements and kernels: a JSON file for each.

    <the user's caches>/einsum-front/tuned/<SHA-256 of the key>.json

Several processes may read and write at a time: a file appears whole, in the place of the one before. A file that is no
entry is not an error but `Broken`: whoever needs it makes it anew.
"""

import json
import os
import stat
from collections.abc import Iterator, Mapping
from errno import EFBIG, EINVAL
from hashlib import sha256
from pathlib import Path

from einsum_front.core.caches import NEW, is_off, shrink, user_caches, write_whole
from einsum_front.core.dataclass import dataclass
from einsum_front.core.private_folders import are_private, make_private_and_known, remove, remove_left

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
