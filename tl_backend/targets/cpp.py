"""What targets in C++ have in common: vectors as a class of the text, which C++ has not, and atomic updates.

`INLINE` in the texts is how a language declares functions of its device.
"""

from abc import abstractmethod
from collections.abc import Iterator, Mapping

from einsum_front.core.functions import Function
from einsum_front.tl_backend.kernel import tree
from einsum_front.tl_backend.kernel.features import Features, arity, features_of_function
from einsum_front.tl_backend.kernel.types import AddressSpace, Pointer, Scalar, Vector, size_of
from einsum_front.tl_backend.kernel.typing import Symbol, type_of
from einsum_front.tl_backend.targets.c_family import Effect, Printer
from einsum_front.tl_backend.targets.c_operators import (
    FUNCTIONS,
    OF_BITS,
    POSTFIX,
    PRAGMAS,
    PREFIX,
    SUFFIXES,
    VECTOR_NAMES,
    Text,
    Words,
    definitions,
    definitions_of_narrow,
)

SCALARS = {
    Scalar.BOOL: "bool",
    Scalar.I8: "signed char",
    Scalar.U8: "unsigned char",
    Scalar.I16: "short",
    Scalar.U16: "unsigned short",
    Scalar.BF16: "unsigned short",
    Scalar.F16: "unsigned short",
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

VECTORS = r"""
// Entries side by side: in memory they may start at any entry, those of `aligned_entries` at a multiple of their size.
template <class T, int n> struct entries {
    T e[n];

    entries() = default;
    INLINE entries(T one)
    {
        for (int i = 0; i < n; ++i)
            e[i] = one;
    }
    template <class... P> static INLINE entries pack(const P &...parts)
    {
        entries all;
        int i = 0;
        (all.put(i, parts), ...);
        return all;
    }
    template <int... lanes, class V> static INLINE entries shuffle(const V &a, const V &b)
    {
        constexpr int m = sizeof a.e / sizeof a.e[0];
        return pack((lanes < m ? a.e[lanes % m] : b.e[lanes % m])...);
    }
    template <int... lanes> INLINE entries<T, sizeof...(lanes)> pick() const
    {
        return entries<T, sizeof...(lanes)>::pack(e[lanes]...);
    }
    static INLINE entries choose(const entries<bool, n> &c, const entries &a, const entries &b)
    {
        entries all;
        for (int i = 0; i < n; ++i)
            all.e[i] = c.e[i] ? a.e[i] : b.e[i];
        return all;
    }
    INLINE void put(int &i, T entry) { e[i++] = entry; }
    template <int m> INLINE void put(int &i, const entries<T, m> &part)
    {
        for (int k = 0; k < m; ++k)
            e[i++] = part.e[k];
    }
#define EACH(R, head, expression)                       \
    friend INLINE entries<R, n> head \
    {                                                   \
        entries<R, n> all;                              \
        for (int i = 0; i < n; ++i)                     \
            all.e[i] = (R)(expression);                 \
        return all;                                     \
    }
#define BINARY(R, sign) EACH(R, operator sign(const entries &a, const entries &b), a.e[i] sign b.e[i])
#define ASSIGNING(sign) \
    BINARY(T, sign)     \
    INLINE entries &operator sign##=(const entries &b) { return *this = *this sign b; }
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
    INLINE aligned_entries(const entries<T, n> &all) : entries<T, n>(all) {}
};
"""

FUNCTION_OF_VECTORS = r"""
template <class T, int n> INLINE entries<T, n> NAME(OPERANDS)
{
    entries<T, n> all;
    for (int i = 0; i < n; ++i)
        all.e[i] = SCALAR(ENTRIES);
    return all;
}
"""

ATOMICS = r"""
// Updates of an entry of type M with values of type C that no other thread comes between.
template <class M> INLINE auto bits_of(M value)
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
template <class M, class C> INLINE void atomic_store(M *target, C value)
{
    auto bits = bits_of((M)value);
    atomicExch((decltype(bits) *)target, bits);
}
template <class M, class C, class F> INLINE void atomic_change(M *target, F next)
{
    auto seen = bits_of(M(0)), old = seen; // a plain read would race with the exchanges of others
    do {
        old = seen;
        M entry;
        memcpy(&entry, &old, sizeof entry);
        seen = atomicCAS((decltype(seen) *)target, old, bits_of((M)next((C)entry)));
    } while (seen != old); // bits, so that NaN ends the loop, too
}
template <class M, class C> INLINE void atomic_plus(M *target, C value)
{
    if constexpr (M(0.5) == M(0) && C(0.5) == C(0)) { // integers
        auto bits = bits_of((M)value);
        atomicAdd((decltype(bits) *)target, bits);
    } else if constexpr (sizeof(M) == sizeof(C) && M(0.5) != M(0) && C(0.5) != C(0))
        atomicAdd(target, value);
    else
        atomic_change<M, C>(target, [=](C old) { return old + value; });
}
template <class M, class C> INLINE void atomic_scale_plus(M *target, C value, C beta)
{
    // the old value may be NaN where it does not count
    atomic_change<M, C>(target, [=](C old) { return (beta == C(0) ? C(0) : beta * old) + value; });
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
    entries aligned_entries bits_of atomic_change prefetch atomicAdd atomicExch atomicCAS memcpy memset
"""
"""Words of C++, macros of its headers, and what the text itself calls."""


RESERVED = frozenset({*_WORDS.split(), *FUNCTIONS.values(), *UPDATES.values()} | VECTOR_NAMES)
"""What no name of a text may be; languages add words of their own."""


class Cpp(Printer):
    """The common part of printers for C++; a subclass says how it declares functions of its device."""

    scalars = SCALARS
    suffixes = SUFFIXES
    spaces = dict.fromkeys(AddressSpace, "")
    unrolling = PRAGMAS
    without_vectors = None
    restrict = "__restrict__"
    words: Words
    exchanges = ""
    """The functions that atomic updates call, if the language has none."""
    prefetches: str
    barrier: str

    @abstractmethod
    def multiply(self, statement: tree.MatrixMultiplyAdd) -> str:
        """A product of matrices, if the language has one."""

    def __init__(self) -> None:
        super().__init__()
        self._places: Mapping[str, int] = {}

    def common(self, found: Features) -> Iterator[str]:
        """What the file needs of these: functions, the class of vectors, and a name for each of them."""
        vectors = found.vectors
        of_bits = [each for each in found.functions if isinstance(each, tree.MathFunction)]
        parts = [*definitions_of_narrow(found.elements, self.words, self.ending)]
        for each in of_bits:
            parts += definitions(each, self.functions[each], self.functions[each], self.words)
        if vectors:
            parts += self._inline(VECTORS)
            for function in found.functions:
                parts += self._of_vectors(function)
        if found.updates:
            parts += self._inline(self.exchanges + ATOMICS)
        if tree.Prefetch in found.kinds:
            parts += self._inline(self.prefetches)
        if parts:
            yield from ("namespace {", *parts, "} // namespace")
        for vector in vectors:
            kind = "entries" if vector.is_unaligned else "aligned_entries"
            yield f"using {self.vector(vector)} = {kind}<{SCALARS[vector.element]}, {vector.width}>;"

    def _inline(self, text: str) -> list[str]:
        return text.replace("INLINE", self.words.function).splitlines()

    def _of_vectors(self, function: tree.MathFunction | Function) -> list[str]:
        """The function entry by entry."""
        names = "ab"[: arity(function)]
        places = {
            "SCALAR": self.functions[function] if function in OF_BITS else f"::{self.functions[function]}",
            "NAME": self.of_vectors(function),
            "OPERANDS": ", ".join(f"const entries<T, n> &{each}" for each in names),
            "ENTRIES": ", ".join(f"{each}.e[i]" for each in names),
        }
        text = FUNCTION_OF_VECTORS
        for place, words in places.items():
            text = text.replace(place, words)
        return self._inline(text)

    def of_vectors(self, function: tree.MathFunction | Function) -> str:
        """The function of the text for vectors; those of bits have one name for both."""
        return self.functions[function] if function in OF_BITS else FUNCTIONS[function]

    def math(self, math: tree.Math) -> Text:
        """The text's function of vectors, or one of numbers."""
        if not isinstance(type_of(math, self._names), Vector):
            return super().math(math)
        return f"{self.of_vectors(math.function)}({', '.join(map(self.expression, math.operands))})", POSTFIX

    def support(self, found: Features) -> Iterator[str]:
        """Nothing: templates stand above the types that they make."""
        return iter(())

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
                return self.multiply(statement)
            case tree.Barrier():
                return self.barrier
            case tree.Prefetch(address=address, offset=offset):
                return f"prefetch({self.expression(address)}, {self.expression(offset)})"

    def in_shared(self, array: tree.DeclareArray, memory: str) -> str:
        """An array as a part of memory that is the launch's, at its place there."""
        element, place = self.type_name(array.element), self._places[array.name]
        self._names[array.name] = Symbol(Pointer(array.element, array.space))
        part = f"{memory} + {place}" if place else memory
        value = part if element == SCALARS[Scalar.U8] else f"({element} *)({part})"
        return f"{element} *const {array.name} = {value}"


def functions(scope: str, ending: str) -> Mapping[tree.MathFunction | Function, str]:
    """Functions of numbers, which are in this scope; those of bits are the text's, and C's headers have such names."""
    return {each: f"{name}{ending}" if each in OF_BITS else f"{scope}{name}" for each, name in FUNCTIONS.items()}


def local_places(function: tree.Function) -> tuple[Mapping[str, int], int]:
    """Where local arrays of a kernel begin if they are one memory, and the bytes of that."""
    places, end = {}, 0
    for each in function.get(features_of_function).arrays:
        if each.space is AddressSpace.LOCAL:
            size = size_of(each.element)
            alignment = each.alignment or size
            places[each.name] = start = -(-end // alignment) * alignment
            end = start + size * each.count
    return places, end
