"""Constant sparse operators on blocks of columns, beside LIBXSMM's `fsspmdm`.

    python benchmarks/pyfr_operators.py FOLDER          # with the Python of an environment that has PyFR
    LIBXSMM=…/libxsmm.so python -m benchmarks.operators FOLDER [NAME …] [--columns 40] [--real f64] [--memory]

A file of the folder is a matrix as `numpy.savetxt` writes it. Blocks lie one after the other, as in PyFR: together
they take 400 KB, which a second-level cache holds, or with `--memory` 256 MB. Ours is a package in C. Both are called
for each block by a loop in C, ours with `--memory` once for all of them. They take turns; times are those of the
processor, one core. `fsspmdm` of LIBXSMM 2 is asked three times, since it chooses by its timer, and with `--memory`
also for stores past the caches: its best counts.
"""

import argparse
import ctypes
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

from benchmarks.peers.target_c import Call, built
from einsum_front.runtime.arrays.storage import aligned_bytes

CACHE, MEMORY = 400_000, 256_000_000
"""Bytes of all blocks."""

SECONDS, TURNS = 0.004, 9
"""Of a turn, about, and how many there are."""

TYPES: dict[str, tuple[np.dtype[Any], int, Callable[[float], Any]]] = {
    "f64": (np.dtype(np.float64), 0, ctypes.c_double),
    "f32": (np.dtype(np.float32), 1, ctypes.c_float),
}
"""LIBXSMM's numbers for types, and those of C."""

EIN = """tensor K[{m},{k}] constant values "k.npz"
tensor B[{k},{n}] row_major
tensor C[{m},{n}] row_major
kernel op {{ C[i,c] = K[i,j] * B[j,c] }}
"""

LOOP = """void run(void (*execute)(const void *, const void *, void *), const void *operator, const char *b, char *c,
         long blocks, long b_bytes, long c_bytes, long sweeps)
{
    for (long sweep = 0; sweep < sweeps; ++sweep)
        for (long i = 0; i < blocks; ++i)
            execute(operator, b + i * b_bytes, c + i * c_bytes);
}
"""

Way = Callable[[int], object]
"""Computes so many times."""


def main(words: list[str]) -> None:
    """Prints a line for each operator: G multiply-adds a second, and the time of `fsspmdm` over ours."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.operators")
    parser.add_argument("folder", type=Path)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--columns", type=int, default=40)
    parser.add_argument("--real", choices=sorted(TYPES), default="f64")
    parser.add_argument("--memory", action="store_true")
    given = parser.parse_args(words)
    path = os.environ.get("LIBXSMM")
    if path is None:
        sys.exit("the variable LIBXSMM names the library: libxsmm.so, version 2")
    library, ratios = ctypes.CDLL(path), list[float]()
    library.libxsmm_init()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        loop = _loop(folder)
        for file in sorted(given.folder.glob("*.txt")):
            if not given.names or file.stem in given.names:
                ratio = _measured(file, given, folder, library, loop)
                ratios += [] if ratio is None else [ratio]
    if ratios:
        print(f"{len(ratios)} operators: median {median(ratios):.2f}, least {min(ratios):.2f}")


def _loop(folder: Path) -> ctypes.CDLL:
    """The loop over the blocks for LIBXSMM."""
    source, made = folder / "loop.c", folder / "loop.so"
    source.write_text(LOOP, encoding="utf-8")
    subprocess.run(["gcc", "-O2", "-shared", "-fPIC", source, "-o", made], check=True)
    return ctypes.CDLL(str(made))


def _measured(
    file: Path, given: argparse.Namespace, folder: Path, library: ctypes.CDLL, loop: ctypes.CDLL
) -> float | None:
    dtype, number, c_type = TYPES[given.real]
    matrix, n = np.atleast_2d(np.loadtxt(file)), given.columns
    m, k = matrix.shape
    blocks = max(1, (MEMORY if given.memory else CACHE) // ((m + k) * n * dtype.itemsize))
    b, c = (_aligned((blocks, rows, n), dtype) for rows in (k, m))
    b[...] = np.random.default_rng(1).standard_normal(b.shape)
    expected = matrix.astype(dtype) @ b[0]
    ways = {"ours": _ours(matrix, given, folder, b, c)}
    for turn in range(3):
        for stores in (0, 1) if given.memory else (0,):
            numbers = np.ascontiguousarray(matrix, dtype)
            operator = _fsspmdm(library, number, c_type, numbers, n, stores)
            if operator is not None:
                ways[f"fsspmdm {turn} {stores}"] = _theirs(library, loop, operator, b, c)
    for name, way in ways.items():
        c[...] = 0
        way(1)
        error = abs(c[0] - expected).max() / max(abs(expected).max(), 1e-30)
        if error > 1e4 * np.finfo(dtype).eps:
            print(f"{file.stem}: {name} is wrong by {error:.1e}")
            return None
    times = _times(ways)
    ours = times.pop("ours")
    shape = f"{file.stem} {m} x {k}, {np.count_nonzero(matrix)} non-zeros, {blocks} blocks of {n}"
    rate = np.count_nonzero(matrix) * n * blocks / ours / 1e9
    theirs = min(times.values(), default=None)
    words = "no fsspmdm" if theirs is None else f"{theirs / ours:.2f}"
    print(f"{shape}: {rate:.1f} G/s, {words}", flush=True)
    return None if theirs is None else theirs / ours


def _aligned(shape: tuple[int, ...], dtype: np.dtype[Any]) -> np.ndarray:
    return aligned_bytes(int(np.prod(shape)) * dtype.itemsize).view(dtype).reshape(shape)


def _ours(matrix: np.ndarray, given: argparse.Namespace, folder: Path, b: np.ndarray, c: np.ndarray) -> Way:
    """A package in C, called for each block in cache, and once for all in memory."""
    m, k = matrix.shape
    np.savez(folder / "k.npz", K=matrix)
    text = folder / "op.ein"
    text.write_text(EIN.format(m=m, k=k, n=given.columns), encoding="utf-8")
    # the same file has another text for each operator, which `cache` would not see
    kernel, library = built.__wrapped__(text, "op", (), given.real)
    constant = np.asfortranarray(matrix.astype(b.dtype))
    arrays = {"K": constant, "B": b, "C": c}
    memory = [arrays[each.parameter.name] for each in kernel.arguments if each.is_memory and each.parameter]
    run = library.run_batch if given.memory else library.run_elements
    run.restype = ctypes.c_double
    steps = [array.strides[0] if array.ndim == len("bij") else 0 for array in memory]

    def way(times: int) -> object:
        call = Call(
            (ctypes.c_void_p * len(memory))(*(array.ctypes.data for array in memory)),
            (ctypes.c_long * len(steps))(*steps),
            (ctypes.c_double * 1)(),
            len(b), times, 1, len(memory),
        )  # fmt: skip
        return run(ctypes.byref(call))

    return way


def _fsspmdm(
    library: ctypes.CDLL, number: int, c_type: Callable[[float], Any], matrix: np.ndarray, n: int, stores: int
) -> int | None:
    """The operator of LIBXSMM, which measures by its timer; none if it has no code."""
    m, k = matrix.shape
    create = library.libxsmm_fsspmdm_create
    create.restype = ctypes.c_void_p
    alpha, beta = c_type(1), c_type(0)
    sizes = [ctypes.c_int(each) for each in (number, m, n, k, k, n, n)]
    timer = ctypes.cast(library.libxsmm_timer_tick, ctypes.c_void_p)
    data = ctypes.c_void_p(matrix.ctypes.data)
    return create(*sizes, ctypes.byref(alpha), ctypes.byref(beta), data, ctypes.c_int(stores), timer)  # type: ignore[no-any-return]


def _theirs(library: ctypes.CDLL, loop: ctypes.CDLL, operator: int, b: np.ndarray, c: np.ndarray) -> Way:
    pointer, number = ctypes.c_void_p, ctypes.c_long
    execute = ctypes.cast(library.libxsmm_fsspmdm_execute, pointer)
    arrays = pointer(b.ctypes.data), pointer(c.ctypes.data)
    sizes = [number(each) for each in (len(b), b.strides[0], c.strides[0])]
    return lambda times: loop.run(execute, pointer(operator), *arrays, *sizes, number(times))


def _times(ways: dict[str, Way]) -> dict[str, float]:
    """Seconds of a sweep over all blocks, medians of turns."""
    found: dict[str, list[float]] = {name: [] for name in ways}
    sweeps = {name: max(1, round(SECONDS / max(_seconds(way, 3) / 3, 1e-7))) for name, way in ways.items()}
    for _ in range(TURNS):
        for name, way in ways.items():
            found[name].append(_seconds(way, sweeps[name]) / sweeps[name])
    return {name: median(each) for name, each in found.items()}


def _seconds(way: Way, times: int) -> float:
    start = time.process_time()
    way(times)
    return time.process_time() - start


if __name__ == "__main__":
    main(sys.argv[1:])
