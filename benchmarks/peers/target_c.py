"""Our own target c: a package of the kernel, built by the machine's compiler, over the batch and element by element.

What calls it is C as well (`benchmarks/target_c/harness.c`): a call of an element takes less time than one from Python.
"""

import ctypes
import shutil
import subprocess
from collections.abc import Callable
from functools import cache
from hashlib import sha256
from pathlib import Path

from benchmarks.arguments import Arguments
from benchmarks.case import Arrays, Case, FileSource
from benchmarks.measure import Runner, sweeps
from benchmarks.peers.peer import Peer
from einsum_front.core.private_folders import user_caches
from einsum_front.core.texts import read_source
from einsum_front.driver import Session, translate_text
from einsum_front.driver.c_functions import FLAGS, INSTRUCTION_SETS, c_target
from einsum_front.options import Level, Options
from einsum_front.package import package_files
from einsum_front.package.host import C
from einsum_front.package.model import PackagedKernel, packaged
from einsum_front.runtime.artifact import ScalarParameter

HARNESS = Path(__file__).parents[1] / "target_c" / "harness.c"
OPTIONS = ("-std=gnu11", *FLAGS, "-fopenmp", "-fPIC", "-shared")
NAME = "benchmarked"


class Call(ctypes.Structure):
    _fields_ = [
        ("memory", ctypes.POINTER(ctypes.c_void_p)),
        ("steps", ctypes.POINTER(ctypes.c_long)),
        ("scalars", ctypes.POINTER(ctypes.c_double)),
        *((name, ctypes.c_long) for name in ("batch", "sweeps", "threads", "count")),
    ]


class _TargetC:
    """The first run leaves the result of one sweep over the batch, later ones of several."""

    def __init__(self, case: Case, source: FileSource, arguments: Arguments, threads: int, function: str) -> None:
        self._arguments = arguments
        kernel, library = built(source.path, source.kernel, tuple(source.defines.items()), case.real)
        self._run = library[function]
        self._run.restype = ctypes.c_double
        names = [each.parameter.name for each in kernel.arguments if each.is_memory and each.parameter]
        memory = [arguments.arrays[name] for name in names]
        scalars = [
            arguments.values[each.parameter.name]
            for each in kernel.arguments
            if isinstance(each.parameter, ScalarParameter)
        ]
        steps = [arguments.arrays[name].strides[0] if name in arguments.batched else 0 for name in names]
        self._call = Call(
            (ctypes.c_void_p * len(memory))(*(array.ctypes.data for array in memory)),
            (ctypes.c_long * len(steps))(*steps),
            (ctypes.c_double * len(scalars))(*map(float, scalars)),
            arguments.batch, 1, threads, len(memory),
        )  # fmt: skip

    def run(self) -> float:
        seconds = float(self._run(ctypes.byref(self._call)))
        self._call.sweeps = sweeps(seconds)
        return seconds

    def outputs(self) -> Arrays:
        return {name: self._arguments.natural(name) for name in self._arguments.outputs}


@cache
def built(path: Path, name: str, defines: tuple[tuple[str, int], ...], real: str) -> tuple[PackagedKernel, ctypes.CDLL]:
    """The kernel and the library, from the user's cache if the same sources were built there."""
    options = Options(defines={each: str(value) for each, value in defines}, real=real, kernel=name)
    stages = translate_text(Session(c_target(INSTRUCTION_SETS[0]), options), read_source(path), Level.EIN)
    (kernel,) = packaged(stages, C.functions, C.words)
    files = dict(package_files(stages, NAME, path.name, C))
    files["src/harness.c"] = HARNESS.read_text(encoding="utf-8").replace("@call@", _call(kernel))
    key = sha256("\0".join((*OPTIONS, *(text for _, text in sorted(files.items())))).encode()).hexdigest()[:16]
    folder = user_caches() / "benchmarks" / key
    library = folder / "library.so"
    if not library.exists():
        for place, text in files.items():
            (folder / place).parent.mkdir(parents=True, exist_ok=True)
            (folder / place).write_text(text, encoding="utf-8")
        sources = sorted((folder / "src").glob("*.c"))
        subprocess.run(["gcc", *OPTIONS, f"-I{folder / 'include'}", *sources, "-o", library, "-lm"], check=True)
    return kernel, ctypes.CDLL(str(library))


def _call(kernel: PackagedKernel) -> str:
    """The arguments of a call: memory and numbers in their order."""
    memory = scalars = 0
    words = []
    for each in kernel.arguments:
        if each.is_memory:
            words.append(f"given[{memory}]")
            memory += 1
        else:
            words.append(f"call->scalars[{scalars}]")
            scalars += 1
    if kernel.takes_struct:
        struct = f"const {NAME}_{kernel.name}_arguments all = {{{', '.join([*words, 'batch'])}}};"
        return f"{struct}\n    return {NAME}_{kernel.name}(threads, &all);"
    return f"return {NAME}_{kernel.name}({', '.join(['threads', *words, 'batch'])});"


def _why_missing() -> str | None:
    return None if shutil.which("gcc") else "there is no gcc"


def _preparing(function: str) -> Callable[[Case, Arguments, int], Runner | None]:
    def prepare(case: Case, arguments: Arguments, threads: int) -> Runner | None:
        if not isinstance(case.source, FileSource):
            return None
        return _TargetC(case, case.source, arguments.with_own_outputs(), threads, function)

    return prepare


TARGET_C = Peer("target c", _why_missing, _preparing("run_batch"))
TARGET_C_ONE = Peer("target c, one by one", _why_missing, _preparing("run_elements"))
