"""CUDA C++ and HIP: one text, which nvcc, NVRTC and hipcc take.

A work-group is a block of threads and counts along x, its work-items in x and y; local memory is shared memory. Where
that is more than a kernel may declare, it is what the launch adds, `dynamic_memory` bytes. Vectors are a class of the
text, since CUDA has no operators for its own. Only products of matrices ask for warps of 32 threads.
"""

from collections.abc import Iterator, Mapping
from math import prod

from einsum_front.core.functions import Function
from einsum_front.tl_backend.kernel import tree
from einsum_front.tl_backend.kernel.features import Features, arity, features_of_function
from einsum_front.tl_backend.kernel.types import AddressSpace, Scalar, Vector, size_of
from einsum_front.tl_backend.kernel.typing import type_of
from einsum_front.tl_backend.targets import ptx
from einsum_front.tl_backend.targets.c_family import Effect, Language, Printer
from einsum_front.tl_backend.targets.c_operators import (
    CUDA_WORDS,
    FUNCTIONS,
    POSTFIX,
    PRAGMAS,
    PREFIX,
    SUFFIXES,
    VECTOR_NAMES,
    Text,
    definitions,
    definitions_of_bf16,
    vector_name,
)

SCALARS = {
    Scalar.BOOL: "bool",
    Scalar.I8: "signed char",
    Scalar.U8: "unsigned char",
    Scalar.I16: "short",
    Scalar.U16: "unsigned short",
    Scalar.BF16: "unsigned short",
    Scalar.I32: "int",
    Scalar.U32: "unsigned int",
    Scalar.I64: "long long",
    Scalar.U64: "unsigned long long",
    Scalar.F32: "float",
    Scalar.F64: "double",
}

UPDATES = {
    tree.Update.STORE: "atomic_store",
    tree.Update.ADD: "atomic_plus",
    tree.Update.SCALE_ADD: "atomic_scale_plus",
}

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

VECTORS = r"""
// Entries side by side: in memory they may start at any entry, those of `aligned_entries` at a multiple of their size.
template <class T, int n> struct entries {
    T e[n];

    entries() = default;
    __device__ __forceinline__ entries(T one)
    {
        for (int i = 0; i < n; ++i)
            e[i] = one;
    }
    template <class... P> static __device__ __forceinline__ entries pack(const P &...parts)
    {
        entries all;
        int i = 0;
        (all.put(i, parts), ...);
        return all;
    }
    template <int... lanes, class V> static __device__ __forceinline__ entries shuffle(const V &a, const V &b)
    {
        constexpr int m = sizeof a.e / sizeof a.e[0];
        return pack((lanes < m ? a.e[lanes % m] : b.e[lanes % m])...);
    }
    template <int... lanes> __device__ __forceinline__ entries<T, sizeof...(lanes)> pick() const
    {
        return entries<T, sizeof...(lanes)>::pack(e[lanes]...);
    }
    static __device__ __forceinline__ entries choose(const entries<bool, n> &c, const entries &a, const entries &b)
    {
        entries all;
        for (int i = 0; i < n; ++i)
            all.e[i] = c.e[i] ? a.e[i] : b.e[i];
        return all;
    }
    __device__ __forceinline__ void put(int &i, T entry) { e[i++] = entry; }
    template <int m> __device__ __forceinline__ void put(int &i, const entries<T, m> &part)
    {
        for (int k = 0; k < m; ++k)
            e[i++] = part.e[k];
    }
#define EACH(R, head, expression)                       \
    friend __device__ __forceinline__ entries<R, n> head \
    {                                                   \
        entries<R, n> all;                              \
        for (int i = 0; i < n; ++i)                     \
            all.e[i] = (R)(expression);                 \
        return all;                                     \
    }
#define BINARY(R, sign) EACH(R, operator sign(const entries &a, const entries &b), a.e[i] sign b.e[i])
#define ASSIGNING(sign) \
    BINARY(T, sign)     \
    __device__ __forceinline__ entries &operator sign##=(const entries &b) { return *this = *this sign b; }
    EACH(T, operator-(const entries &a), -a.e[i])
    EACH(T, operator~(const entries &a), ~a.e[i])
    ASSIGNING(+) ASSIGNING(-) ASSIGNING(*) ASSIGNING(/) ASSIGNING(%) ASSIGNING(<<) ASSIGNING(>>)
    ASSIGNING(&) ASSIGNING(|) ASSIGNING(^)
    BINARY(bool, <) BINARY(bool, <=) BINARY(bool, >) BINARY(bool, >=) BINARY(bool, ==) BINARY(bool, !=)
#undef EACH
#undef BINARY
#undef ASSIGNING
};
template <class T, int n> struct alignas(n * sizeof(T)) aligned_entries : entries<T, n> {
    using entries<T, n>::entries;
    aligned_entries() = default;
    __device__ __forceinline__ aligned_entries(const entries<T, n> &all) : entries<T, n>(all) {}
};
"""

FUNCTION_OF_VECTORS = r"""
template <class T, int n> __device__ __forceinline__ entries<T, n> NAME(OPERANDS)
{
    entries<T, n> all;
    for (int i = 0; i < n; ++i)
        all.e[i] = ::NAME(ENTRIES);
    return all;
}
"""

ATOMICS = r"""
// Updates of an entry of type M with values of type C that no other thread comes between.
template <class M> __device__ __forceinline__ auto bits_of(M value)
{
    if constexpr (sizeof(M) == 8) {
        unsigned long long bits;
        memcpy(&bits, &value, 8);
        return bits;
    } else {
        unsigned int bits;
        memcpy(&bits, &value, 4);
        return bits;
    }
}
template <class M, class C> __device__ __forceinline__ void atomic_store(M *target, C value)
{
    auto bits = bits_of((M)value);
    atomicExch((decltype(bits) *)target, bits);
}
template <class M, class C, class F> __device__ __forceinline__ void atomic_change(M *target, F next)
{
    auto seen = bits_of(M(0)), old = seen; // a plain read would race with the exchanges of others
    do {
        old = seen;
        M entry;
        memcpy(&entry, &old, sizeof entry);
        seen = atomicCAS((decltype(seen) *)target, old, bits_of((M)next((C)entry)));
    } while (seen != old); // bits, so that NaN ends the loop, too
}
template <class M, class C> __device__ __forceinline__ void atomic_plus(M *target, C value)
{
    if constexpr (M(0.5) == M(0) && C(0.5) == C(0)) { // integers
        auto bits = bits_of((M)value);
        atomicAdd((decltype(bits) *)target, bits);
    } else if constexpr (sizeof(M) == sizeof(C) && M(0.5) != M(0) && C(0.5) != C(0))
        atomicAdd(target, value);
    else
        atomic_change<M, C>(target, [=](C old) { return old + value; });
}
template <class M, class C> __device__ __forceinline__ void atomic_scale_plus(M *target, C value, C beta)
{
    // the old value may be NaN where it does not count
    atomic_change<M, C>(target, [=](C old) { return (beta == C(0) ? C(0) : beta * old) + value; });
}
"""

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
__device__ __forceinline__ void prefetch(const void *base, long long offset)
{
    if (base != nullptr)
        PREFETCH((const char *)base + offset);
}
"""

_WORDS = """
    alignas alignof and and_eq asm auto bitand bitor bool break case catch char char8_t char16_t char32_t class compl
    concept const consteval constexpr constinit const_cast continue co_await co_return co_yield decltype default delete
    do double dynamic_cast else enum explicit export extern false float for friend goto if inline int long mutable
    namespace new noexcept not not_eq nullptr operator or or_eq private protected public register reinterpret_cast
    requires return short signed sizeof static static_assert static_cast struct switch template this thread_local throw
    true try typedef typeid typename typeof union unsigned using virtual void volatile wchar_t while xor xor_eq
    linux unix main std
    NULL EOF INFINITY NAN HUGE_VAL RAND_MAX CHAR_BIT I complex imaginary errno stdin stdout stderr offsetof assert
    KERNEL entries aligned_entries bits_of atomic_change dynamic_shared_memory prefetch PREFETCH
    threadIdx blockIdx blockDim gridDim warpSize dim3 uint3 atomicAdd atomicExch atomicCAS memcpy memset
"""
"""Words of C++, macros of its headers, and what the text itself calls."""


def _function_of_vectors(function: tree.MathFunction | Function) -> Iterator[str]:
    """The function entry by entry."""
    names = "ab"[: arity(function)]
    operands = ", ".join(f"const entries<T, n> &{each}" for each in names)
    text = FUNCTION_OF_VECTORS.replace("NAME", FUNCTIONS[function]).replace("OPERANDS", operands)
    yield from text.replace("ENTRIES", ", ".join(f"{each}.e[i]" for each in names)).splitlines()


_VECTORS_OF_CUDA = "char uchar short ushort int uint long ulong longlong ulonglong float double"


class Cuda(Printer):
    """The printer for CUDA C++ and HIP."""

    scalars = SCALARS
    suffixes = SUFFIXES
    spaces = dict.fromkeys(AddressSpace, "")
    functions = FUNCTIONS
    unrolling = PRAGMAS
    without_vectors = None
    restrict = "__restrict__"
    ending = "_gpu"  # the headers of CUDA have all functions of C: a kernel `index` or `gamma` would be one of them

    def __init__(self) -> None:
        super().__init__()
        self._table_space = ""
        self._places: Mapping[str, int] = {}

    def preamble(self, file: tree.File, found: Features) -> Iterator[str]:
        """How kernels are declared, and a name for each vector."""
        size = sum(len(each.values) * size_of(each.element) for each in file.tables)
        self._table_space = "static __constant__ const" if size <= CONSTANT_MEMORY else "static __device__ const"
        yield from KERNEL.splitlines()
        vectors = found.vectors
        if any(map(dynamic_places, file.functions)):
            yield f"extern __shared__ __align__({ALIGNMENT}) unsigned char {SHARED}[];"
        is_atomic = bool(found.updates)
        of_bits = [each for each in found.functions if isinstance(each, tree.MathFunction)]
        is_narrow = Scalar.BF16 in found.elements
        is_prefetching = tree.Prefetch in found.kinds
        if not vectors and not is_atomic and not of_bits and not is_narrow and not is_prefetching:
            return
        yield "namespace {"
        if is_narrow:
            yield from definitions_of_bf16(CUDA_WORDS, self.ending)
        for each in of_bits:
            yield from definitions(each, FUNCTIONS[each], FUNCTIONS[each], CUDA_WORDS)
        if vectors:
            yield from VECTORS.splitlines()
            for function in found.functions:
                yield from _function_of_vectors(function)
        if is_atomic:
            yield from ATOMICS.splitlines()
        if is_prefetching:
            yield from PREFETCH.splitlines()
        yield "} // namespace"
        for vector in vectors:
            kind = "entries" if vector.is_unaligned else "aligned_entries"
            yield f"using {self.vector(vector)} = {kind}<{SCALARS[vector.element]}, {vector.width}>;"

    def support(self, found: Features) -> Iterator[str]:
        """Nothing: templates stand above the types that they make."""
        return iter(())

    def attributes(self, function: tree.Function) -> Iterator[str]:
        """What the compiler is told of the blocks of a kernel."""
        if function.work_group_size is not None:
            yield f"KERNEL({prod(function.work_group_size)})"

    def head(self, function: tree.Function) -> tuple[str, tuple[str, ...]]:
        """Functions are part of their callers."""
        self._places = dynamic_places(function)
        return "void" if function.work_group_size is not None else "static __device__ __forceinline__ void", ()

    def vector(self, vector: Vector) -> str:
        """`f64x4`, or `f64x4_u` where it may start at any entry."""
        return vector_name(vector)

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

    def pack(self, pack: tree.Pack) -> Text:
        """`f64x2::pack(a, b)`, or `f64x2(a)` for one that is everywhere."""
        parts = ", ".join(map(self.expression, pack.parts))
        if pack.type.width == 1:
            return f"({self.type_name(pack.type)})({parts})", PREFIX
        return f"{self.vector(pack.type)}{'' if len(pack.parts) == 1 else '::pack'}({parts})", POSTFIX

    def conditional(self, conditional: tree.Conditional) -> Text:
        """A vector of conditions chooses entries; one condition computes one side only."""
        if not isinstance(type_of(conditional.condition, self._names), Vector):
            return super().conditional(conditional)
        parts = conditional.condition, conditional.then, conditional.otherwise
        return (
            f"{self.type_name(type_of(conditional, self._names))}::choose({', '.join(map(self.expression, parts))})",
            POSTFIX,
        )

    def shuffle(self, shuffle: tree.Shuffle) -> Text:
        """`f64x2::shuffle<0, 2>(a, b)`."""
        lanes = ", ".join(map(str, shuffle.lanes))
        operands = f"{self.expression(shuffle.first)}, {self.expression(shuffle.second)}"
        return f"{self.vector(shuffle.type)}::shuffle<{lanes}>({operands})", POSTFIX

    def lanes(self, lanes: tree.Lanes) -> Text:
        """`a.e[0]`, or `a.pick<0, 1>()` for several."""
        operand = self.operand(lanes.operand, POSTFIX)
        if len(lanes.lanes) == 1:
            return f"{operand}.e[{lanes.lanes[0]}]", POSTFIX
        return f"{operand}.pick<{', '.join(map(str, lanes.lanes))}>()", POSTFIX

    def effect(self, statement: Effect) -> str:
        """A call."""
        match statement:
            case tree.AtomicUpdate(update=update, entry=entry, value=value, beta=beta, memory=memory, compute=compute):
                texts = (self.expression(each) for each in (value, beta) if each is not None)
                arguments = ", ".join((f"&{self.operand(entry, PREFIX)}", *texts))
                return f"{UPDATES[update]}<{SCALARS[memory]}, {SCALARS[compute]}>({arguments})"
            case tree.MatrixMultiplyAdd():
                return ptx.multiply(statement, self.expression)
            case tree.Barrier():
                return "__syncthreads()"
            case tree.Prefetch(address=address, offset=offset):
                return f"prefetch({self.expression(address)}, {self.expression(offset)})"

    def _simple(self, statement: tree.Declare | tree.DeclareArray | tree.Assign | tree.Call) -> str:
        """Arrays that the threads of a block share are declared, or a part of what the launch adds."""
        if not isinstance(statement, tree.DeclareArray) or statement.space is not AddressSpace.LOCAL:
            return super()._simple(statement)
        array = super()._simple(statement)
        if statement.name not in self._places:
            return f"__shared__ {array}"
        element, place = self.type_name(statement.element), self._places[statement.name]
        shared = f"{SHARED} + {place}" if place else SHARED
        value = shared if element == SCALARS[Scalar.U8] else f"({element} *)({shared})"
        return f"{element} *const {statement.name} = {value}"


def dynamic_places(function: tree.Function) -> Mapping[str, int]:
    """Where arrays of a kernel begin in the shared memory that the launch adds; none if they may be declared."""
    places, end = {}, 0
    for each in function.get(features_of_function).arrays:
        if each.space is AddressSpace.LOCAL:
            size = size_of(each.element)
            alignment = each.alignment or size
            places[each.name] = start = -(-end // alignment) * alignment
            end = start + size * each.count
    return places if end > DECLARED_SHARED_MEMORY else {}


CUDA = Language(
    "CUDA C++",
    frozenset(
        {*_WORDS.split(), *FUNCTIONS.values(), *UPDATES.values()}
        | VECTOR_NAMES
        | {f"{scalar}{width}" for scalar in _VECTORS_OF_CUDA.split() for width in range(1, 5)}
    ),
    Cuda,
    Cuda.ending,
    has_prefetch=True,
)
