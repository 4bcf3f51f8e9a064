"""CUDA C++ on the processor: a thread for each thread of a block, one block after the other, compiled by g++.

`CUPY` stands for the module `cupy`, as far as we use it: its arrays are NumPy's, and what it launches is what the text
of a kernel says, barriers included. Nothing of it is fast.
"""

import ctypes
import re
import shutil
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from hashlib import sha256
from pathlib import Path
from tempfile import mkdtemp
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np

SHIM = """\
#include <algorithm>
#include <barrier>
#include <cmath>
#include <cstring>
#include <thread>
#include <vector>
struct index3 { unsigned x, y, z; };
static thread_local index3 threadIdx;
static index3 blockIdx, blockDim, gridDim;
static std::barrier<> *threads_of_block;
#define __global__
#define __device__ static
#define __host__
#define __forceinline__ inline
#define __constant__ static
#define __shared__ static
#define __launch_bounds__(n)
static void __syncthreads() { threads_of_block->arrive_and_wait(); }
static void __syncwarp(unsigned = 0) { threads_of_block->arrive_and_wait(); }
using std::fma; using std::fmax; using std::fmin;
static long long min(long long a, long long b) { return a < b ? a : b; }
static long long max(long long a, long long b) { return a > b ? a : b; }
static int min(int a, int b) { return a < b ? a : b; }
static int max(int a, int b) { return a > b ? a : b; }
"""

THREADS = """
template <class Kernel> static void each_thread(unsigned blocks, unsigned rows, unsigned columns, Kernel kernel)
{
    gridDim = {blocks, 1, 1};
    blockDim = {rows, columns, 1};
    for (unsigned block = 0; block < blocks; ++block) {
        blockIdx = {block, 0, 0};
        std::barrier<> all(rows * columns);
        threads_of_block = &all;
        std::vector<std::thread> threads;
        for (unsigned y = 0; y < columns; ++y)
            for (unsigned x = 0; x < rows; ++x)
                threads.emplace_back([=] { threadIdx = {x, y, 0}; kernel(); threads_of_block->arrive_and_drop(); });
        for (auto &thread : threads)
            thread.join();
    }
}
"""

LAUNCH = """
extern "C" void launch(void **given, unsigned blocks, unsigned rows, unsigned columns)
{
    each_thread(blocks, rows, columns, [=] { ENTRY(GIVEN); });
}
"""


@cache
def is_possible() -> bool:
    """True where g++ knows barriers of C++20."""
    if shutil.which("g++") is None:
        return False
    text = "#include <barrier>\nint main() { std::barrier<> b(1); b.arrive_and_drop(); }\n"
    command = ["g++", "-std=c++20", "-fsyntax-only", "-x", "c++", "-"]
    return subprocess.run(command, input=text, text=True, capture_output=True, check=False).returncode == 0


class Array(np.ndarray[Any, Any]):
    """An array of NumPy that says that it is in the memory of CUDA, on the first GPU."""

    device: Any = SimpleNamespace(id=0)

    @property
    def __cuda_array_interface__(self) -> dict[str, object]:
        return dict(self.__array_interface__)


class Function:
    """A kernel of a text; `launches` counts what was started."""

    launches: list[str] = []  # noqa: RUF012 - of all kernels

    def __init__(self, source: str, entry: str) -> None:
        self.entry = entry
        found = re.search(rf"\b{entry}\(([^)]*)\)\s*\{{", source)
        assert found is not None, f"no function {entry}"
        types = [re.sub(r"__restrict__|\b\w+$", "", each.strip()) for each in found[1].split(",")]
        values = [f"({each}) given[{n}]" if "*" in each else f"*({each} *) given[{n}]" for n, each in enumerate(types)]
        text = SHIM + source + THREADS + LAUNCH.replace("ENTRY", entry).replace("GIVEN", ", ".join(values))
        self._count = len(types)
        self._launch = _compiled(text).launch

    def __call__(self, grid: tuple[int, ...], block: tuple[int, ...], given: tuple[Any, ...], shared_mem: int) -> None:
        assert len(given) == self._count, f"{self.entry} takes {self._count} arguments"
        assert not shared_mem, "memory that the launch adds is not emulated"
        kept = [each if isinstance(each, np.ndarray) else np.array([each]) for each in given]
        pointers = (ctypes.c_void_p * len(kept))(*(each.ctypes.data for each in kept))
        self._launch(pointers, *map(ctypes.c_uint, (grid[0], block[0], block[1])))
        self.launches.append(self.entry)


_FOLDER = Path(mkdtemp(prefix="emulated_cuda_"))
_LIBRARIES: dict[str, ctypes.CDLL] = {}


def _compiled(text: str) -> ctypes.CDLL:
    key = sha256(text.encode()).hexdigest()[:16]
    if key not in _LIBRARIES:
        source, library = _FOLDER / f"{key}.cpp", _FOLDER / f"{key}.so"
        source.write_text(text, encoding="utf-8")
        command = ["g++", "-std=c++20", "-w", "-shared", "-fPIC", "-pthread", str(source), "-o", str(library)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr[:3000]
        _LIBRARIES[key] = ctypes.CDLL(str(library))
    return _LIBRARIES[key]


class RawModule:
    """The kernels of a text."""

    def __init__(self, code: str, options: tuple[str, ...]) -> None:
        assert options == ("--std=c++17",)
        self._code = code

    def get_function(self, entry: str) -> Function:
        return Function(self._code, entry)


class Device:
    """A GPU as CuPy describes it."""

    compute_capability = "90"
    attributes = {"MultiProcessorCount": 2}  # noqa: RUF012

    def __init__(self, number: int = 0) -> None:
        self.id = number

    def __enter__(self) -> None: ...

    def __exit__(self, *_error: object) -> None: ...


@contextmanager
def _stream() -> Iterator[None]:
    yield


def _made(make: Callable[..., np.ndarray[Any, Any]]) -> Callable[..., Array]:
    def made(*given: Any, **named: Any) -> Array:
        return make(*given, **named).view(Array)

    return made


CUPY = ModuleType("cupy")
vars(CUPY).update(
    ndarray=Array,
    asarray=_made(np.asarray),
    ascontiguousarray=_made(np.ascontiguousarray),
    empty=_made(np.empty),
    zeros=_made(lambda shape, dtype: np.zeros(shape, {"f32": "f4", "f64": "f8"}.get(str(dtype), dtype))),
    may_share_memory=np.may_share_memory,
    RawModule=RawModule,
    cuda=SimpleNamespace(Device=Device, get_current_stream=_stream),
)
