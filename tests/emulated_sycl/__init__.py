"""Who compiles SYCL here: `acpp` of AdaptiveCpp, if it is on the path, and g++ with a header that emulates it.

`acpp` is told `omp.library-only`: the other compilation for CPUs of the release of October 2024 mistranslates barriers
in loops, also in texts that are not ours.
"""

import subprocess
from collections.abc import Iterable
from pathlib import Path

HERE = Path(__file__).parent

_QUIET = ("-Wall", "-Wextra", "-Wno-unused-parameter", "-Wno-unused-variable", "-Wno-unknown-pragmas", "-Werror")
_COMMANDS = {
    "g++": ("g++", "-std=c++20", *_QUIET, "-pthread", "-isystem", str(HERE)),
    "acpp": ("acpp", "--acpp-targets=omp.library-only", "-std=c++17", "-w", "-O1"),
}


def compilers() -> tuple[str, ...]:
    """The programs, which need not be there."""
    return tuple(_COMMANDS)


def command(compiler: str, *options: object) -> list[str]:
    """How one of them is called."""
    return [*_COMMANDS[compiler], *map(str, options)]


def compiles(compiler: str, source: Path, made: Path, folders: Iterable[Path] = ()) -> None:
    """An object file; fails with the words of the compiler."""
    own = command(compiler, *(f"-I{each}" for each in folders), "-c", source, "-o", made)
    done = subprocess.run(own, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[:5000]
