"""Environment variables for the loader of OpenCL drivers, of NVIDIA and Intel, and for PoCL.

Intel's CPU runtime from the package index (the extra `intel`) comes with an `.icd` file that points nowhere, and in
containers the library of NVIDIA's driver often lies where the linker finds it, without any `.icd`. We give the loader
a folder in the user's cache with files that name the libraries which no file of the system names, and with links to
all `.icd` files that the loader would have read without us. (That of PoCL's wheel is read in any case.)

The loader reads its folder once, before it answers the first question of a process. Whoever asks OpenCL before us gets
the drivers of the system only, and so do we then.

The vectoriser of Intel's runtime is turned off: with every loop that divides integers of 32 bits it crashes, and the
process with it (release 2026.2; other integers are divided well). Our kernels have vectors of their own and are as fast
without it.

Each thread of PoCL stays on a core of its own. They sleep between launches, and Linux may wake two of them on one core,
while another has nothing to do: a single launch of two threads then takes twice as long. PoCL counts cores from the
first one on, so that is left to Linux where a process has not all cores, or PoCL is to use fewer threads.
"""

import os
import sys
from collections.abc import Mapping, Sequence
from ctypes import CDLL
from functools import cache
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp

from einsum_front.core.private_folders import make_private, remove_left, user_caches

VECTORISER = "CL_CONFIG_USE_VECTORIZER"
AFFINITY = "POCL_AFFINITY"
FEWER_THREADS = "POCL_MAX_PTHREAD_COUNT", "POCL_CPU_MAX_CU_COUNT"
VARIABLE = "OCL_ICD_VENDORS"
VARIABLES = (VARIABLE, "OPENCL_VENDOR_PATH")
"""With these users say themselves where drivers are. `OCL_ICD_FILENAMES` names more drivers, to loaders that know it:
that of pyopencl's wheel does not, and those that do take a library that is named twice once."""

SYSTEM = Path("/etc/OpenCL/vendors")
PACKAGE, LIBRARY = "intel-opencl-rt", "libintelocl.so"
GPU, GPU_LIBRARY = Path("/dev/nvidiactl"), "libnvidia-opencl.so.1"
"""What is there where NVIDIA's driver runs, and its OpenCL library, which the linker finds by this name."""


def prepare() -> None:
    """Do all of it, before OpenCL is asked for the first time; what the user has set stays."""
    os.environ.setdefault(VECTORISER, "False")
    if has_all_cores() and not any(variable in os.environ for variable in FEWER_THREADS):
        os.environ.setdefault(AFFINITY, "1")
    register_installed()


def has_all_cores() -> bool:
    """True if the process may run on every core of the machine."""
    return hasattr(os, "sched_getaffinity") and len(os.sched_getaffinity(0)) == os.cpu_count()


def register_installed() -> None:
    """Let the loader find drivers that are installed and not registered; harmless when done again.

    Changes `OCL_ICD_VENDORS` for this process and those that it starts, unless the user or the system knows better. A
    cache that cannot be written leaves everything as it is.
    """
    if sys.platform != "linux" or any(variable in os.environ for variable in VARIABLES):
        return
    of_system = sorted(SYSTEM.glob("*.icd")) if SYSTEM.is_dir() else []
    libraries = _unregistered(of_system)
    if not libraries:
        return
    try:
        folder = _folder({file.name: file for file in of_system}, libraries)
    except OSError:
        return
    os.environ[VARIABLE] = str(folder)


def _unregistered(of_system: Sequence[Path]) -> dict[str, str]:
    """The libraries that no `.icd` file of the system names, by the name of the file that shall."""
    libraries: dict[str, str] = {}
    if not any(_names_library(file, LIBRARY) for file in of_system) and (library := installed_library()) is not None:
        libraries["einsum-front-intel.icd"] = str(library)
    if not any(_names_library(file, GPU_LIBRARY.removesuffix(".1")) for file in of_system) and has_library_of_gpu():
        libraries["einsum-front-nvidia.icd"] = GPU_LIBRARY
    return libraries


@cache
def has_library_of_gpu() -> bool:
    """True if a driver of NVIDIA runs and its OpenCL library loads; without such a driver nothing is loaded."""
    if not GPU.exists():
        return False
    try:
        CDLL(GPU_LIBRARY)
    except OSError:
        return False
    return True


@cache
def installed_library() -> Path | None:
    """Where pip has put the library of Intel's runtime, None if it has not."""
    try:
        files = distribution(PACKAGE).files or ()
    except PackageNotFoundError:
        return None
    places = (Path(str(file.locate())).resolve() for file in files if file.name == LIBRARY)
    return next((place for place in places if place.exists()), None)


def _names_library(file: Path, library: str) -> bool:
    """True if an `.icd` file of the system registers this library, of whatever version, and it is there."""
    try:
        named = Path(file.read_text(encoding="utf-8").strip())
    except (OSError, UnicodeDecodeError):
        return False
    return named.name.startswith(library) and (not named.is_absolute() or named.exists())


def _folder(links: Mapping[str, Path], libraries: Mapping[str, str]) -> Path:
    """A folder with these links and a file for each library; its name tells what is in it, so it never changes."""
    content = "\n".join([*libraries.values(), *map(str, links.values())])
    parent = user_caches() / "vendors"
    folder = parent / sha256(content.encode()).hexdigest()[:16]
    was_open = make_private(parent)
    remove_left(parent, "tmp*")
    if folder.exists() and (was_open or not _is_whole(folder, links, libraries)):
        rmtree(folder)
    if not folder.exists():
        made = Path(mkdtemp(dir=parent))
        for name, target in links.items():
            (made / name).symlink_to(target)
        for name, library in libraries.items():
            (made / name).write_text(f"{library}\n", encoding="utf-8")
        try:
            made.rename(folder)
        except OSError:
            rmtree(made)
            if not folder.exists():  # else another process was faster
                raise
    return folder


def _is_whole(folder: Path, links: Mapping[str, Path], libraries: Mapping[str, str]) -> bool:
    """True if everything is there as it was written: a full disk or a lost machine cuts files off."""
    try:
        return all((folder / name).readlink() == target for name, target in links.items()) and all(
            (folder / name).read_text(encoding="utf-8") == f"{library}\n" for name, library in libraries.items()
        )
    except (OSError, UnicodeDecodeError):
        return False
