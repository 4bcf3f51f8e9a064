"""Environment variables for the loader of OpenCL drivers, Intel's CPU runtime and PoCL.

Intel's CPU runtime from the package index (the extra `intel`) comes with an `.icd` file that points nowhere. We give
the loader a folder in the user's cache with one that names the library as it is installed, and with links to all
`.icd` files that the loader would have read without us. (That of PoCL's wheel is read in any case.)

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
from collections.abc import Mapping
from functools import cache
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp

import platformdirs

VECTORISER = "CL_CONFIG_USE_VECTORIZER"
AFFINITY = "POCL_AFFINITY"
FEWER_THREADS = "POCL_MAX_PTHREAD_COUNT", "POCL_CPU_MAX_CU_COUNT"
VARIABLE = "OCL_ICD_VENDORS"
VARIABLES = (VARIABLE, "OPENCL_VENDOR_PATH", "OCL_ICD_FILENAMES")
"""With these users say themselves where drivers are; loaders differ in which they read."""

SYSTEM = Path("/etc/OpenCL/vendors")
PACKAGE, LIBRARY = "intel-opencl-rt", "libintelocl.so"


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
    """Let the loader find Intel's CPU runtime if it is installed; harmless when done again.

    Changes `OCL_ICD_VENDORS` for this process and those that it starts, unless the user or the system knows better. A
    cache that cannot be written leaves everything as it is.
    """
    if sys.platform != "linux" or any(variable in os.environ for variable in VARIABLES):
        return
    library = installed_library()
    of_system = sorted(SYSTEM.glob("*.icd")) if SYSTEM.is_dir() else []
    if library is None or any(_names_library(file) for file in of_system):
        return
    try:
        folder = _folder({file.name: file for file in of_system}, library)
    except OSError:
        return
    os.environ[VARIABLE] = str(folder)


@cache
def installed_library() -> Path | None:
    """Where pip has put the library of Intel's runtime, None if it has not."""
    try:
        files = distribution(PACKAGE).files or ()
    except PackageNotFoundError:
        return None
    places = (Path(str(file.locate())).resolve() for file in files if file.name == LIBRARY)
    return next((place for place in places if place.exists()), None)


def _names_library(file: Path) -> bool:
    """True if an `.icd` file of the system registers a runtime of Intel's that is there."""
    try:
        named = Path(file.read_text(encoding="utf-8").strip())
    except (OSError, UnicodeDecodeError):
        return False
    return named.name == LIBRARY and (not named.is_absolute() or named.exists())


def _folder(links: Mapping[str, Path], library: Path) -> Path:
    """A folder with these links and an `.icd` for the library; its name tells what is in it, so it never changes."""
    content = "\n".join([str(library), *map(str, links.values())])
    parent = platformdirs.user_cache_path("einsum-front", appauthor=False) / "vendors"
    folder = parent / sha256(content.encode()).hexdigest()[:16]
    if not folder.exists():
        parent.mkdir(parents=True, exist_ok=True)
        made = Path(mkdtemp(dir=parent))
        for name, target in links.items():
            (made / name).symlink_to(target)
        (made / "einsum-front-intel.icd").write_text(f"{library}\n", encoding="utf-8")
        try:
            made.rename(folder)
        except OSError:
            rmtree(made)
            if not folder.exists():  # else another process was faster
                raise
    return folder
