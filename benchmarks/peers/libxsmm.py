"""LIBXSMM: the chain of dense products, element by element, with a share of the batch for each thread.

LIBXSMM generates machine code for each size of a product. `benchmarks/libxsmm/harness.c` asks for that code and loops
over the batch; it is compiled on first use and kept in the user's cache folder.
"""

import ctypes
import os
import platform
import shutil
import subprocess
from functools import cache
from hashlib import sha256
from pathlib import Path

from benchmarks.arguments import Arguments
from benchmarks.case import Arrays, Case, Entrywise
from benchmarks.chain import Chain, Matrix, Product, Step, Update
from benchmarks.measure import Runner, sweeps
from benchmarks.peers.peer import Peer
from einsum_front.core.private_folders import user_caches
from einsum_front.runtime.arrays.storage import aligned_bytes

SOURCE = Path(__file__).parents[1] / "libxsmm" / "harness.c"
OPTIONS = ("-O3", "-march=native", "-D_GNU_SOURCE", "-fPIC", "-shared")
LIBRARIES = ("-lxsmm", "-lxsmmnoblas", "-lpthread", "-ldl", "-lmvec", "-lm")
DEFINES = {"float32": ("-DREAL=float", "-DPREFIX=s"), "float64": ("-DREAL=double", "-DPREFIX=d")}
LARGEST = 256**3
"""Multiplications in a product: LIBXSMM neither packs nor blocks for caches, and is not meant for larger ones."""


class _Matrix(ctypes.Structure):
    _fields_ = [
        ("data", ctypes.c_void_p),
        *((name, ctypes.c_long) for name in ("step", "offset", "ld", "distance")),
    ]


class _Step(ctypes.Structure):
    _fields_ = [
        *((name, _Matrix) for name in ("a", "b", "c")),
        *((name, ctypes.c_long) for name in ("m", "n", "k", "beta", "times", "kind")),
        ("scale", ctypes.c_double),
        ("multiply", ctypes.c_void_p),
    ]


UPDATE, PRODUCT, REDUCING = range(3)
KINDS = {"relu": 3, "gelu": 4}
"""What a step does, as `harness.c` counts it."""


class LibraryMissingError(Exception):
    """LIBXSMM or a compiler is not installed."""


class _Libxsmm:
    """The steps as the C code reads them; they point into the arrays, which are kept here.

    The first run leaves the result of one sweep over the batch, later ones of several.
    """

    def __init__(self, chain: Chain, last: Entrywise | None, arguments: Arguments, threads: int) -> None:
        self._arguments = arguments
        self._arrays = arguments.arrays | dict(chain.constants)
        self._threads = threads
        self._sweeps = 1
        dtype = arguments.array(arguments.outputs[0]).dtype
        self._library = _library(dtype.name)
        self._temporaries, self._scratch_size = _offsets(chain)
        self._scratch = aligned_bytes(self._scratch_size * threads * dtype.itemsize)
        steps = [self._step(step) for step in chain.steps]
        if last is not None:
            steps.append(self._entrywise(last, chain.steps[-1]))
        self._steps = (_Step * len(steps))(*steps)
        self.refused = self._library.prepare(self._steps, len(self._steps))

    def run(self) -> float:
        scratch, batch = self._scratch.ctypes.data, self._arguments.batch
        count, size = len(self._steps), self._scratch_size
        seconds = float(self._library.run(self._steps, count, batch, self._sweeps, self._threads, scratch, size))
        self._sweeps = sweeps(seconds)
        return seconds

    def outputs(self) -> Arrays:
        return {name: self._arguments.natural(name) for name in self._arguments.outputs}

    def _step(self, step: Step) -> _Step:
        match step:
            case Product(a, b, c, m, n, k, beta, times, reduced) if reduced > 1:
                return _Step(*map(self._matrix, (a, b, c)), m, n, k, beta, reduced, kind=REDUCING)
            case Product(a, b, c, m, n, k, beta, times):
                return _Step(*map(self._matrix, (a, b, c)), m, n, k, beta, times, kind=PRODUCT)
            case Update(scalar, a, c, m, n, beta):
                scale = self._arguments.values[scalar]
                return _Step(*map(self._matrix, (a, a, c)), m, n, 1, beta, 1, kind=UPDATE, scale=scale)

    def _entrywise(self, last: Entrywise, step: Step) -> _Step:
        c, bias = self._matrix(step.c), self._matrix(Matrix(last.bias, step.m))
        return _Step(bias, bias, c, step.m, step.n, 1, 1, 1, kind=KINDS[last.function])

    def _matrix(self, matrix: Matrix) -> _Matrix:
        name = matrix.tensor
        if name in self._temporaries:
            return _Matrix(None, 0, self._temporaries[name] + matrix.offset, matrix.ld, matrix.distance)
        array = self._arrays[name]
        step = array.strides[0] // array.itemsize if name in self._arguments.batched else 0
        return _Matrix(array.ctypes.data, step, matrix.offset, matrix.ld, matrix.distance)


def _offsets(chain: Chain) -> tuple[dict[str, int], int]:
    """Where each temporary begins in the memory of a thread, at a cache line of f32 or f64, and the size of that."""
    offsets, end = {}, 0
    for name, entries in chain.temporaries.items():
        offsets[name] = end
        end += -(-entries // 16) * 16
    return offsets, end


@cache
def _library(real: str) -> ctypes.CDLL:
    """The harness for an element type, compiled if it is not in the cache; raises LibraryMissingError."""
    compiler = shutil.which("gcc") or shutil.which("cc")
    if compiler is None:
        raise LibraryMissingError("there is no C compiler")
    command = (compiler, *OPTIONS, *DEFINES[real])
    key = sha256("\0".join((SOURCE.read_text(encoding="utf-8"), platform.node(), *command, *LIBRARIES)).encode())
    path = user_caches() / "benchmarks" / f"{key.hexdigest()[:16]}.so"
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        built = subprocess.run([*command, SOURCE, "-o", path, *LIBRARIES], capture_output=True, text=True, check=False)
        if built.returncode:
            reason = "`apt install libxsmm-dev`" if "libxsmm.h" in built.stderr else built.stderr.strip()
            raise LibraryMissingError(reason)
    library = ctypes.CDLL(str(path))
    pointer, number = ctypes.c_void_p, ctypes.c_long
    library.prepare.argtypes, library.prepare.restype = (pointer, number), number
    library.run.argtypes = (pointer, number, number, number, number, pointer, number)
    library.run.restype = ctypes.c_double
    library.prepare(None, 0)
    if "OMP_PROC_BIND" not in os.environ:
        # LIBXSMM sets it for the process: OpenMP, loaded later, would keep the calling thread on one core for ever
        os.unsetenv("OMP_PROC_BIND")
    return library


def why_missing() -> str | None:
    """Why LIBXSMM cannot be used here, None if it can."""
    try:
        _library("float64")
    except LibraryMissingError as error:
        return str(error)
    return None


def prepare(case: Case, arguments: Arguments, threads: int) -> Runner | None:
    """A runner; None if the case is no chain of products, or one of products that LIBXSMM is not for."""
    if case.chain is None:
        return None
    arguments = arguments.with_own_outputs()
    chain = case.chain(arguments.arrays)
    if any(isinstance(step, Product) and step.m * step.n * step.k > LARGEST for step in chain.steps):
        return None
    runner = _Libxsmm(chain, case.last, arguments, threads)
    return runner if runner.refused == 0 else None


LIBXSMM = Peer("LIBXSMM", why_missing, prepare)
