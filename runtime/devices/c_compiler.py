"""The system's compiler of C: found once, and asked for a library once for each source.

Libraries are kept between processes (`library_store`). Where nothing can be written, they live as long as the process.
"""

import ctypes
import os
import shlex
import shutil
import signal
import subprocess
import warnings
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from functools import cache
from hashlib import sha256
from pathlib import Path
from threading import Lock

from einsum_front.core.dataclass import dataclass
from einsum_front.core.private_folders import (
    OpenToOthersError,
    Workshop,
    is_off,
    is_private,
    make_private_and_known,
    remove_left,
    shrink,
    user_caches,
)
from einsum_front.runtime.artifact import C_FLAGS
from einsum_front.runtime.caches.folders import reason_against
from einsum_front.runtime.devices.errors import failure

COMPILER_VARIABLE = "CC"
"""With this users say which compiler builds; it may have arguments, as in makefiles."""

NAMES = ("gcc", "clang", "cc")
"""What is looked for otherwise."""

LIBRARY_FLAGS: tuple[str, ...] = ("-std=gnu11", *C_FLAGS, "-fPIC", "-shared", "-w")
THREADS_FLAG = "-fopenmp"
WAITING, SPINS = ("OMP_WAIT_POLICY", "GOMP_SPINCOUNT"), "3000"
"""With these users say how threads of GNU's OpenMP wait. By itself it spins for a millisecond. Where another process
wants the processor, a thread that spins keeps away the one it waits for: 12 times the time, with so few turns 1.5."""

MOST_MESSAGES = 10
SECONDS = 600
"""A compiler that takes longer hangs."""


@dataclass(frozen=True, slots=True)
class CCompiler:
    """A compiler: its command, and what it says of itself."""

    command: tuple[str, ...]
    version: str


@cache
def c_compiler() -> CCompiler:
    """The compiler that `CC` names, else the first that this machine has; raises CompileError (E0613) without one."""
    given = shlex.split(os.environ.get(COMPILER_VARIABLE, ""))
    if given:
        version = _version(tuple(given))
        if version is None:
            raise failure("E0613", f"`{COMPILER_VARIABLE}` names the C compiler `{given[0]}`, which does not run")
        return CCompiler(tuple(given), version)
    for name in NAMES:
        version = _version((name,))
        if version is not None:
            return CCompiler((name,), version)
    looked = f"none of {', '.join(f'`{name}`' for name in NAMES)} is on `PATH`, and `{COMPILER_VARIABLE}` names none"
    raise failure("E0613", "device `c` needs a C compiler, and this machine has none", (looked,))


def _version(command: tuple[str, ...]) -> str | None:
    """The first line of what it says; None if it does not run."""
    if shutil.which(command[0]) is None:
        return None
    try:
        done = subprocess.run([*command, "--version"], capture_output=True, check=True, timeout=SECONDS)
    except (OSError, subprocess.SubprocessError):
        return None
    return next(iter(done.stdout.decode(errors="replace").splitlines()), "").strip()


@dataclass(frozen=True, slots=True, eq=False)
class CLibrary:
    """A library of this process; `has_threads` is whether it was built with OpenMP."""

    functions: ctypes.CDLL
    has_threads: bool


_LIBRARIES: dict[str, CLibrary] = {}
_LOCKS: dict[str, Lock] = {}
_without_threads: set[str] = set()


def library(source: str, options: tuple[str, ...]) -> CLibrary:
    """The library of a source, built with these options besides `LIBRARY_FLAGS`.

    Raises CompileError if there is no compiler (E0613), or if it fails, or its library cannot be loaded (E0615).
    """
    compiler = c_compiler()
    key = digest("\0".join((*compiler.command, compiler.version, *LIBRARY_FLAGS, *options, source)).encode())
    if key not in _LIBRARIES:
        with _LOCKS.setdefault(key, Lock()):
            if key not in _LIBRARIES:
                _LIBRARIES[key] = _library(compiler, source, options, key)
    return _LIBRARIES[key]


def _library(compiler: CCompiler, source: str, options: tuple[str, ...], key: str) -> CLibrary:
    """From the disk, or built; without OpenMP if the compiler has none."""
    folder = None if is_off() else private(user_caches() / "c")
    names = {True: f"{key}-threads", False: key}
    for has_threads, name in names.items():
        for path in () if folder is None else kept(folder, name):
            with suppress(OSError):
                return CLibrary(_opened(path), has_threads)
    flags = (*LIBRARY_FLAGS, *options)
    messages = ""
    with closing(_workshop(folder)) as workshop, _noted(workshop.path) as place:
        for has_threads, name in names.items():
            if has_threads and compiler.version in _without_threads:
                continue
            made = place / "library.so"
            messages = _build(compiler, source, (*flags, THREADS_FLAG) if has_threads else flags, made)
            if messages:
                continue
            if not has_threads and compiler.version not in _without_threads:
                _without_threads.add(compiler.version)
                warnings.warn(f"`{compiler.command[0]}` has no OpenMP: kernels run on one thread", stacklevel=2)
            return CLibrary(_loaded(keep(made, folder, name)), has_threads)
    raise _mistake(compiler, messages)


def _workshop(folder: Path | None) -> Workshop:
    """A folder to build in, beside where libraries are kept if that can be written and has room."""
    if folder is not None and reason_against(folder) is None:
        remove_left(folder, f"{NEW}*")
        with suppress(OSError):
            return Workshop(folder, NEW)
    try:
        return Workshop(None, "einsum-front-")
    except OSError as error:
        raise failure("E0615", f"there is no folder in which a kernel can be built: {error}") from None


def _build(compiler: CCompiler, source: str, flags: tuple[str, ...], made: Path) -> str:
    """What the compiler says if it fails; nothing if it has made the library."""
    text = made.with_suffix(".c")
    command = [*compiler.command, *flags, str(text), "-o", str(made), "-lm"]
    if _ending:
        return "the process ends"
    try:
        text.write_text(source, encoding="utf-8")
        with subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True
        ) as run:
            _running.add(run)
            if _ending:
                _end(run)
            try:
                _, errors = run.communicate(timeout=SECONDS)
            finally:
                _running.discard(run)
                _end(run)
    except (OSError, subprocess.SubprocessError) as error:
        return str(error)
    said = errors.decode(errors="replace").replace(str(text), "kernel.c").strip()
    return "" if run.returncode == 0 else said or f"it ended with {run.returncode}"


@contextmanager
def _noted(place: Path) -> Iterator[Path]:
    """Says where something is being built."""
    _building.add(place)
    try:
        yield place
    finally:
        _building.discard(place)


_running: set["subprocess.Popen[bytes]"] = set()


_ending: list[bool] = []
_building: set[Path] = set()
"""Folders in which other threads build."""


def stop_compiling() -> None:
    """Ends all compilers that run for other threads, which get an error, and starts none: the process is to end."""
    _ending.append(True)
    for run in tuple(_running):
        _end(run)


def remove_unfinished() -> None:
    """Removes what threads were building that have not come back in time."""
    for folder in tuple(_building):
        shutil.rmtree(folder, ignore_errors=True)


def _end(run: "subprocess.Popen[bytes]") -> None:
    """Ends a compiler that still runs, with the processes that it has started: they would keep its pipes open."""
    if run.poll() is not None:
        return
    with suppress(OSError):
        if hasattr(os, "killpg"):
            os.killpg(run.pid, signal.SIGKILL)
        else:
            run.kill()


def _mistake(compiler: CCompiler, messages: str) -> Exception:
    """A compiler that is too old or cannot write is no mistake of ours; whoever reads the messages sees which it is."""
    lines = [line.strip() for line in messages.splitlines()]
    errors = [line for line in lines if "error" in line] or lines
    return failure("E0615", f"`{compiler.version}` does not build a kernel", tuple(errors[:MOST_MESSAGES]))


def _loaded(path: Path) -> ctypes.CDLL:
    try:
        return _opened(path)
    except OSError as error:
        notes = (str(error), "a file system may forbid to run what is on it: `XDG_CACHE_HOME` names another folder")
        raise failure("E0615", "a kernel was built, and cannot be loaded", notes) from None


def _opened(path: Path) -> ctypes.CDLL:
    """OpenMP reads the environment when it is loaded, with the first library, unless somebody has loaded it before."""
    with _OPENING:
        is_ours = not any(variable in os.environ for variable in WAITING)
        if is_ours:
            os.environ[WAITING[1]] = SPINS
        try:
            return ctypes.CDLL(str(path))
        finally:
            if is_ours:
                del os.environ[WAITING[1]]


_OPENING = Lock()


def c_libraries() -> tuple[Path, ...]:
    """The libraries that are kept for this user."""
    return tuple(sorted((user_caches() / "c").glob("*.so")))


def remove_c_libraries() -> int:
    """Removes them, and says how many; raises `OSError` if the system forbids it."""
    found = c_libraries()
    for path in found:
        path.unlink(missing_ok=True)
    return len(found)


# -- the libraries of device `c` on disk -------------------------------------------------------------------------------
# <the user's caches>/einsum-front/c/<source, compiler, flags>-<digest of the library>.so
#                                        new-…/                       where a process builds one
#
# A library appears whole and under a name that says what is in it, so several processes may build at the same time, and
# one that was cut off or damaged is built again. So is one that another user owns, or can write.

NEW = "new-"
"""How the name of a folder begins in which a library is built."""

MOST_BYTES = 2**28
"""Of all libraries; those that were built first go first."""


def private(folder: Path) -> Path | None:
    """The folder, if it can be had for this user alone; a warning says if it belongs to somebody else."""
    try:
        make_private_and_known(folder)
    except OpenToOthersError as error:
        warnings.warn(f"kernels are built for this process only: {error.strerror}", RuntimeWarning, stacklevel=2)
        return None
    except OSError:
        return None
    return folder


def kept(folder: Path, name: str) -> Iterator[Path]:
    """The libraries of this name that nobody else can write, and that are what their names say.

    To load a part of one would end the process.
    """
    for path in folder.glob(f"{name}-{'[0-9a-f]' * 16}.so"):
        with suppress(OSError):
            if is_private(path.stat()) and path.stem.rpartition("-")[2] == digest(path.read_bytes()):
                yield path


def keep(made: Path, folder: Path | None, name: str) -> Path:
    """Where a library that was built can be loaded from; it is in the cache if that can be written."""
    if folder is None or made.parent.parent != folder:
        return made
    place = folder / f"{name}-{digest(made.read_bytes())}.so"
    try:
        made.chmod(0o700)
        made.replace(place)
        shrink(folder, "*.so", MOST_BYTES, place)
    except OSError:
        return made if made.exists() else place
    return place


def digest(content: bytes) -> str:
    """What a file is known by, in 16 letters."""
    return sha256(content).hexdigest()[:16]
