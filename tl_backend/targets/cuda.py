"""CUDA C++ and HIP: one text, which nvcc, NVRTC and hipcc take.

A work-group is a block of threads and counts along x, its work-items in x and y; local memory is shared memory. Where
that is more than a kernel may declare, it is what the launch adds, `dynamic_memory` bytes. Vectors are a class of the
text, since CUDA has no operators for its own. Only products of matrices ask for warps of 32 threads.
"""

from collections.abc import Iterator, Mapping
from math import prod

from einsum_front.tl_backend.kernel import tree
from einsum_front.tl_backend.kernel.features import Features
from einsum_front.tl_backend.kernel.types import AddressSpace, size_of
from einsum_front.tl_backend.targets import ptx
from einsum_front.tl_backend.targets.c_family import Language
from einsum_front.tl_backend.targets.c_operators import CUDA_WORDS, PREFIX, Text
from einsum_front.tl_backend.targets.cpp import RESERVED, Cpp, functions, local_places

DECLARED_SHARED_MEMORY = 48 * 1024
"""Bytes of shared memory that a kernel may declare; CUDA C++ Programming Guide, "Technical Specifications"."""

CONSTANT_MEMORY = 64 * 1024
"""Bytes of all tables in constant memory."""

KERNEL = """\
#ifndef KERNEL // who includes this may want another linkage
#define KERNEL(threads) extern "C" __global__ __launch_bounds__(threads)
#endif
"""

SHARED, ALIGNMENT = "dynamic_shared_memory", 128
"""What the launch adds, and where it begins."""

PREFETCH = r"""
#ifndef PREFETCH // the line of an address, for the second-level cache
#if defined(__HIP_DEVICE_COMPILE__)
#define PREFETCH(address) __builtin_prefetch(address, 0, 2)
#elif defined(__CUDA_ARCH__)
#define PREFETCH(address) asm volatile("prefetch.global.L2 [%0];" ::"l"(__cvta_generic_to_global(address)))
#else
#define PREFETCH(address) (void)(address)
#endif
#endif
INLINE void prefetch(const void *base, long long offset)
{
    if (base != nullptr)
        PREFETCH((const char *)base + offset);
}
"""


_WORDS = """
    KERNEL dynamic_shared_memory PREFETCH threadIdx blockIdx blockDim gridDim warpSize dim3 uint3
"""
ENDING = "_gpu"
"""The headers of CUDA have all functions of C: a kernel `index` or `gamma` would be one of them."""

_VECTORS_OF_CUDA = "char uchar short ushort int uint long ulong longlong ulonglong float double"


class Cuda(Cpp):
    """The printer for CUDA C++ and HIP."""

    functions = functions("", ENDING)
    words = CUDA_WORDS
    prefetches = PREFETCH
    barrier = "__syncthreads()"
    ending = ENDING

    def __init__(self) -> None:
        super().__init__()
        self._table_space = ""

    def preamble(self, file: tree.File, found: Features) -> Iterator[str]:
        """How kernels are declared, and a name for each vector."""
        size = sum(len(each.values) * size_of(each.element) for each in file.tables)
        self._table_space = "static __constant__ const" if size <= CONSTANT_MEMORY else "static __device__ const"
        yield from KERNEL.splitlines()
        if any(map(dynamic_places, file.functions)):
            yield f"extern __shared__ __align__({ALIGNMENT}) unsigned char {SHARED}[];"
        yield from self.common(found)

    def attributes(self, function: tree.Function) -> Iterator[str]:
        """What the compiler is told of the blocks of a kernel."""
        if function.work_group_size is not None:
            yield f"KERNEL({prod(function.work_group_size)})"

    def head(self, function: tree.Function) -> tuple[str, tuple[str, ...]]:
        """Functions are part of their callers."""
        self._places = dynamic_places(function)
        return "void" if function.work_group_size is not None else "static __device__ __forceinline__ void", ()

    def table_space(self) -> str:
        """Constant memory, as long as there is room."""
        return self._table_space

    def geometry(self, expression: tree.GroupId | tree.GroupCount | tree.ItemId) -> Text:
        """Members of what CUDA has for each thread, which are unsigned."""
        match expression:
            case tree.GroupId():
                place = "blockIdx.x"
            case tree.GroupCount():
                place = "gridDim.x"
            case tree.ItemId(dimension=dimension):
                place = f"threadIdx.{'xyz'[dimension]}"
        return f"(long long){place}", PREFIX

    def multiply(self, statement: tree.MatrixMultiplyAdd) -> str:
        """An instruction of PTX."""
        return ptx.multiply(statement, self.expression)

    def _simple(self, statement: tree.Declare | tree.DeclareArray | tree.Assign | tree.Call) -> str:
        """Arrays that the threads of a block share are declared, or a part of what the launch adds."""
        if not isinstance(statement, tree.DeclareArray) or statement.space is not AddressSpace.LOCAL:
            return super()._simple(statement)
        if statement.name in self._places:
            return self.in_shared(statement, SHARED)
        return f"__shared__ {super()._simple(statement)}"


def dynamic_places(function: tree.Function) -> Mapping[str, int]:
    """Where arrays of a kernel begin in the shared memory that the launch adds; none if they may be declared."""
    places, end = local_places(function)
    return places if end > DECLARED_SHARED_MEMORY else {}


CUDA = Language(
    "CUDA C++",
    RESERVED | {*_WORDS.split()} | {f"{scalar}{width}" for scalar in _VECTORS_OF_CUDA.split() for width in range(1, 5)},
    Cuda,
    Cuda.ending,
    has_prefetch=True,
)
