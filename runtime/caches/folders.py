"""Folders of PoCL and pyopencl on disk, and what happens if one is full, damaged or cannot be written.

PoCL keeps every kernel that it compiled, and believes what it finds: a file that a full disk or a power cut has cut off
ends the process, and every one after it. It ends the process as well if it cannot write. So it gets a folder of ours:

    <the user's caches>/einsum-front/pocl/0/             what PoCL keeps
                                          0.lock         locked by each process that uses 0, as long as it lives
                                          0.….busy       there, and locked, while a process has PoCL compile or load

A `.busy` file that nobody locks was left by a process that ended in the middle: then the next number is taken, and the
one before is removed when nobody uses it. A folder that the user chose (POCL_CACHE_DIR) is only told about; it has a
digest in the place of the number. Before PoCL compiles there must be room. Without room, or where nothing can be
written (containers without a home, nodes that see it read-only), PoCL gets a folder for the life of the process.

pyopencl does without its caches then, as it does from when one of them is found to be damaged: see
`runtime.launches.build`. Both read their variables once, pyopencl when it is imported, so this package sees to them
first.
"""

import atexit
import os
import warnings
from collections.abc import Iterator
from dataclasses import field
from errno import EDQUOT, EFBIG, ENOSPC
from hashlib import sha256
from pathlib import Path
from shutil import rmtree
from tempfile import TemporaryFile, mkdtemp
from threading import Lock
from uuid import uuid4

from einsum_front.core.dataclass import dataclass
from einsum_front.core.diagnostics import CompileError, Diagnostic
from einsum_front.core.private_folders import (
    HAS_LOCKS,
    OpenToOthersError,
    all_caches,
    make_private,
    remove_left,
    user_caches,
)

if HAS_LOCKS:
    import fcntl

POCL, PYOPENCL = "POCL_CACHE_DIR", "PYOPENCL_NO_CACHE"

ROOM = 4 * 1024 * 1024
"""Bytes that must be free before PoCL compiles: for the largest kernel of our tests it writes less than 1 MB."""

NO_ROOM = (ENOSPC, EDQUOT, EFBIG)


@dataclass(slots=True)
class _Folder:
    """Where PoCL keeps kernels in this process, and how much of its work goes on.

    `mark` is how the path of the `.busy` file begins, None if nobody would look for it; `notes` are told once.
    `lock` is a file that is open as long as the process lives.
    """

    path: Path
    mark: Path | None = None
    lock: int | None = None
    notes: list[str] = field(default_factory=list)
    works: int = 0
    owner: int = 0
    busy: tuple[Path, int] | None = None


_folder: _Folder | None = None
_CHANGING = Lock()


def avoid_caches() -> None:
    """Chooses the folder of PoCL and says so in the environment; takes pyopencl's caches away if there is no way."""
    global _folder  # noqa: PLW0603 - as the environment, a fact about the process
    reason = reason_against(all_caches())
    if reason is not None:
        os.environ.setdefault(PYOPENCL, "1")
    given = os.environ.get(POCL)
    if given is not None and Path(given).parent != base():  # else it is the process that started this one that chose
        _folder = _given(Path(given))
        return
    try:
        _folder = _temporary(reason) if reason is not None else _numbered()
    except OSError as error:
        _folder = _temporary(error)
    os.environ[POCL] = str(_folder.path)


def base() -> Path:
    """The folder with all that PoCL keeps for us."""
    return user_caches() / "pocl"


def remove_caches() -> tuple[list[Path], list[Path]]:
    """Removes what PoCL keeps for us, and the caches of pyopencl: what is gone, and what other processes use.

    PoCL must not be used in this process behind it. Raises `OSError` if the system forbids it.
    """
    if _folder is not None and _folder.lock is not None:
        os.close(_folder.lock)
        _folder.lock = None
    ours = base()
    gone: list[Path] = []
    used: list[Path] = []
    for number in _numbers(ours):
        (gone if _remove_number(ours, number) else used).append(ours / str(number))
    caches = all_caches()
    for path in (*caches.glob("pytools/pdict-*pyopencl*"), *caches.glob("pyopencl/pyopencl-compiler-cache-*")):
        rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)
        gone.append(path)
    return gone, used


class Work:
    """PoCL compiles or loads, until this is closed; raises CompileError (E0612) if it has no room for that."""

    def __init__(self) -> None:
        self._owner = os.getpid()
        self._is_open = _folder is not None
        if _folder is not None:
            with _CHANGING:
                _begin(_folder)

    def close(self) -> None:
        """May be called again, and in children made by fork, whose parent goes on."""
        if self._is_open and self._owner == os.getpid() and _folder is not None:
            self._is_open = False
            with _CHANGING:
                _end(_folder)


def distrust() -> None:
    """Marks the folder of PoCL as damaged: this process may go on, the next one takes another folder."""
    if _folder is None:
        return
    words = f"what PoCL keeps in `{_folder.path}` is damaged"
    if _folder.lock is None:
        words += ": delete that folder"
    elif _folder.mark is not None:
        _new_mark(_folder.mark).touch()
        words += ", and later processes use another folder"
    warnings.warn(words, RuntimeWarning, stacklevel=2)


def _begin(folder: _Folder) -> None:
    while folder.notes:
        warnings.warn(folder.notes.pop(), RuntimeWarning, stacklevel=4)
    if folder.works == 0:
        reason = reason_against(folder.path)
        if reason is not None:
            what = (reason.strerror or "no reason was given").lower()
            note = f"PoCL keeps kernels there; the environment variable {POCL} names another folder"
            raise CompileError([Diagnostic("E0612", f"cannot write `{folder.path}`: {what}", notes=(note,))])
        folder.busy = None if folder.mark is None else _raised(folder.mark)
        folder.owner = os.getpid()
    folder.works += 1


def _end(folder: _Folder) -> None:
    folder.works -= 1
    if folder.works == 0 and folder.busy is not None:
        path, file = folder.busy
        path.unlink(missing_ok=True)
        os.close(file)
        folder.busy = None


def _new_mark(mark: Path) -> Path:
    """The path of a `.busy` file that is no other's."""
    return mark.with_name(f"{mark.name}.{uuid4().hex}.busy")


def _raised(mark: Path) -> tuple[Path, int] | None:
    """The `.busy` file, locked before it has its name; None where there is no place or no lock for it."""
    path = _new_mark(mark)
    new = path.with_suffix(".new")
    try:
        mark.parent.mkdir(parents=True, exist_ok=True)
        file = os.open(new, os.O_CREAT | os.O_WRONLY)
        if not _lock(file, is_shared=False):
            os.close(file)
            new.unlink()
            return None
        new.rename(path)
    except OSError:
        return None
    return path, file


@atexit.register
def _end_all() -> None:
    """Launches may be alive when Python ends; the children that the process forks end before it."""
    if _folder is not None and _folder.busy is not None and _folder.owner == os.getpid():
        _folder.busy[0].unlink(missing_ok=True)


# -- which folder ------------------------------------------------------------------------------------------------------


def _given(path: Path) -> _Folder:
    """One that the user chose: nothing is removed there."""
    ours, name = base(), sha256(os.fsencode(path)).hexdigest()[:16]
    folder = _Folder(path, ours / name)
    for mark in _left(ours, name):
        mark.unlink(missing_ok=True)
        folder.notes = [f"{_damaged(path)}: if this process ends like that, too, delete that folder"]
    return folder


def _temporary(reason: OSError) -> _Folder:
    """One for the life of the process: slower each time, which is told unless the machine is meant to be like that."""
    path = mkdtemp(prefix="einsum-front-")
    atexit.register(_remove, path, os.getpid())
    folder = _Folder(Path(path))
    if isinstance(reason, OpenToOthersError):
        folder.notes = [f"PoCL keeps kernels until this process ends only: {reason.strerror}"]
    if reason.errno in NO_ROOM:
        words = f"there is no room for {ROOM // 2**20} MB in `{base()}`: kernels are kept until this process ends only"
        folder.notes = [words]
    return folder


def _numbered() -> _Folder:
    """The last of ours, or the next if that may be damaged; raises `OSError` if there can be none."""
    ours = base()
    notes: list[str] = []
    if make_private(ours) and (known := _numbers(ours)):
        (ours / str(known[-1] + 1)).mkdir(mode=0o700, exist_ok=True)
        notes = [f"other users could write what PoCL keeps in `{ours}`: kernels are compiled again"]
    remove_left(ours, "*.new")
    while True:
        number = max(_numbers(ours), default=0)
        path = ours / str(number)
        if any(_left(ours, path.name)):
            try:
                (ours / str(number + 1)).mkdir(mode=0o700)
                notes = [f"{_damaged(path)}: kernels are compiled again"]
            except FileExistsError:  # another process was faster, and tells
                pass
            continue
        path.mkdir(mode=0o700, exist_ok=True)
        lock = os.open(ours / f"{number}.lock", os.O_CREAT | os.O_WRONLY)
        _lock(lock, is_shared=True)
        if path.is_dir() and number == max(_numbers(ours), default=0) and _is_at(lock, ours / f"{number}.lock"):
            break
        os.close(lock)  # somebody removes it
    for older in _numbers(ours):
        if older < number:
            _remove_number(ours, older)
    return _Folder(path, path, lock, notes)


def _damaged(path: Path) -> str:
    return f"what PoCL keeps in `{path}` may be damaged, since a process ended while it was used"


def _numbers(ours: Path) -> list[int]:
    return sorted(int(path.name) for path in ours.glob("*") if path.name.isdecimal())


def _left(ours: Path, name: str) -> Iterator[Path]:
    """The `.busy` files of a folder whose process has ended."""
    for path in ours.glob(f"{name}.*.busy"):
        try:
            with path.open("r+", encoding="utf-8") as file:
                if _lock(file.fileno(), is_shared=False):
                    yield path
        except OSError:
            continue  # just removed, or of somebody else


def _remove_number(ours: Path, number: int) -> bool:
    """Removes it unless a process uses it."""
    path = ours / f"{number}.lock"
    with path.open("a", encoding="utf-8") as lock:
        if not _lock(lock.fileno(), is_shared=False):
            return False
        rmtree(ours / str(number), ignore_errors=True)
        for mark in ours.glob(f"{number}.*.busy"):
            mark.unlink(missing_ok=True)
        path.unlink(missing_ok=True)
    return True


def _remove(folder: str, owner: int) -> None:
    """The children that the process forks end before it, and need the folder no less than it does."""
    if os.getpid() == owner:
        rmtree(folder, ignore_errors=True)


# -- what the system says ----------------------------------------------------------------------------------------------


def reason_against(folder: Path) -> OSError | None:
    """Why some MB cannot be written there, if that is so; the folder is made."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with TemporaryFile(dir=folder) as file:
            if hasattr(os, "posix_fallocate"):
                os.posix_fallocate(file.fileno(), 0, ROOM)
    except OSError as error:
        return error
    return None


def _lock(file: int, *, is_shared: bool) -> bool:
    """Locks a file until it is closed; a lock of one's own does not wait. False where that is not possible."""
    if not HAS_LOCKS:
        return False
    try:
        fcntl.flock(file, fcntl.LOCK_SH if is_shared else fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def _is_at(file: int, path: Path) -> bool:
    try:
        return path.stat().st_ino == os.fstat(file).st_ino
    except OSError:
        return False
