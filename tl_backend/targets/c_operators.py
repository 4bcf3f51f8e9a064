"""Operators and functions of languages like C, and functions of the bits of numbers.

No language has the latter, all have integers and a way to read numbers as such.
"""

from collections.abc import Callable, Iterable, Iterator
from collections.abc import Set as AbstractSet
from dataclasses import replace
from decimal import Decimal

from einsum_front.core.dataclass import dataclass
from einsum_front.core.diagnostics import CompilerBug
from einsum_front.core.functions import Function
from einsum_front.tl_backend.kernel import tree
from einsum_front.tl_backend.kernel.types import WIDTHS, Scalar, Type, Vector, size_of

POSTFIX, PREFIX, MULTIPLICATIVE, ADDITIVE, CONDITIONAL = 15, 14, 13, 12, 3

BINARY: dict[tree.BinaryOperator, tuple[str, int]] = {
    tree.BinaryOperator.MULTIPLY: ("*", MULTIPLICATIVE),
    tree.BinaryOperator.DIVIDE: ("/", MULTIPLICATIVE),
    tree.BinaryOperator.REMAINDER: ("%", MULTIPLICATIVE),
    tree.BinaryOperator.ADD: ("+", ADDITIVE),
    tree.BinaryOperator.SUBTRACT: ("-", ADDITIVE),
    tree.BinaryOperator.SHIFT_LEFT: ("<<", 11),
    tree.BinaryOperator.SHIFT_RIGHT: (">>", 11),
    tree.BinaryOperator.LESS: ("<", 10),
    tree.BinaryOperator.LESS_EQUAL: ("<=", 10),
    tree.BinaryOperator.GREATER: (">", 10),
    tree.BinaryOperator.GREATER_EQUAL: (">=", 10),
    tree.BinaryOperator.EQUAL: ("==", 9),
    tree.BinaryOperator.NOT_EQUAL: ("!=", 9),
    tree.BinaryOperator.BIT_AND: ("&", 8),
    tree.BinaryOperator.BIT_XOR: ("^", 7),
    tree.BinaryOperator.BIT_OR: ("|", 6),
}
"""Spelling and precedence; all bind to the left."""

UNARY: dict[tree.UnaryOperator, str] = {
    tree.UnaryOperator.NEGATE: "-",
    tree.UnaryOperator.COMPLEMENT: "~",
    tree.UnaryOperator.NOT: "!",
}

SUFFIXES = {
    Scalar.BOOL: "",
    Scalar.I32: "",
    Scalar.U32: "u",
    Scalar.I64: "LL",
    Scalar.U64: "ULL",
    Scalar.F32: "f",
    Scalar.F64: "",
}
"""Of numbers in C and C++, whose `long` has 32 or 64 bits."""

FUNCTIONS: dict[tree.MathFunction | Function, str] = {
    tree.MathFunction.MINIMUM: "min",
    tree.MathFunction.REMAINDER: "fmod",
    tree.MathFunction.POWER_OF_TWO: "power_of_two",
    tree.MathFunction.EXPONENT: "exponent",
    tree.MathFunction.SIGNIFICAND: "significand",
    **{function: function.row.c for function in Function if function.row.c},
}
"""Of OpenCL C and CUDA C++, which have one for all types; those of bits are ours."""

PRAGMAS = {tree.Unroll.FULLY: "#pragma unroll", tree.Unroll.NEVER: "#pragma unroll 1"}
"""Of Clang and nvcc."""

VECTOR_NAMES = frozenset(f"{scalar.value}x{width}{end}" for scalar in Scalar for width in WIDTHS for end in ("", "_u"))
"""All names of vectors where languages have none."""

Text = tuple[str, int]
"""An expression and the precedence of its outermost operator."""


def exact(value: float) -> str:
    """The shortest decimal if it is the number itself, as for 1.0 and 0.25, otherwise hexadecimal."""
    if Decimal(repr(value)) == Decimal(value):
        return repr(value)
    mantissa, exponent = value.hex().split("p")
    return f"{mantissa.rstrip('0')}p{exponent}"


OF_BITS = frozenset((tree.MathFunction.POWER_OF_TWO, tree.MathFunction.EXPONENT, tree.MathFunction.SIGNIFICAND))
"""Functions that read or make the bits of a number; no language has them."""

BITS = {Scalar.F32: (Scalar.I32, 23, 127), Scalar.F64: (Scalar.I64, 52, 1023)}
"""Integers of the same size, the bits behind the point, and what is added to exponents."""

NARROW = {each: (f"f32_of_{each.value}", f"{each.value}_of_f32") for each in (Scalar.BF16, Scalar.F16)}
"""Functions that read and make narrow numbers, which are bits in memory; bf16 is the upper half of f32."""


def of_vectors(vector: Vector) -> tuple[str, str]:
    """The same for vectors of such numbers: `f32x8_of_bf16`, `bf16x8_of_f32`."""
    narrow = vector.element.value
    return f"f32x{vector.width}_of_{narrow}", f"{narrow}x{vector.width}_of_f32"


NARROW_NAMES = frozenset(
    name
    for element, names in NARROW.items()
    for each in (names, *(of_vectors(Vector(element, width)) for width in WIDTHS))
    for name in each
)


def of_bits(function: tree.MathFunction, type_: Scalar, a: str, to_bits: str, of_bits: str, ending: str) -> str:
    """One of `OF_BITS` of `a`, where casts are calls; `ending` is that of floating numbers, none is written in bits.

    The sum with a power of two that leaves no room behind the point has the whole number in its last bits.
    """
    _, bits, bias = BITS[type_]
    match function:
        case tree.MathFunction.POWER_OF_TWO:
            return f"{of_bits}({to_bits}({a} + {1.5 * 2.0**bits + bias!r}{ending}) << {bits})"
        case tree.MathFunction.EXPONENT:
            last = f"{(bits + bias) << bits:#x}"
            return f"{of_bits}(({to_bits}({a}) >> {bits}) | {last}) - {2.0**bits + bias!r}{ending}"
        case tree.MathFunction.SIGNIFICAND:
            return f"{of_bits}(({to_bits}({a}) & {2**bits - 1:#x}) | {bias << bits:#x})"
        case tree.MathFunction.MINIMUM | tree.MathFunction.REMAINDER:
            raise CompilerBug(f"{function.name} is not of bits")


@dataclass(frozen=True, slots=True)
class Words:
    """How a language spells a function of its own, a copy of bytes, and unsigned integers of 32, 64 and 16 bits.

    `from_half` and `to_half` make a `number` of the `bits` of f16, and back.
    """

    function: str
    copy: str
    integers: tuple[str, str]
    short: str
    from_half: tuple[str, ...]
    to_half: tuple[str, ...]


C_WORDS = Words(
    "static inline", "__builtin_memcpy", ("uint32_t", "uint64_t"), "uint16_t",
    ("_Float16 half;", "__builtin_memcpy(&half, &bits, 2);", "number = half;"),
    ("_Float16 half = number;", "__builtin_memcpy(&bits, &half, 2);"),
)  # fmt: skip
CUDA_WORDS = Words(
    "__device__ __forceinline__", "memcpy", ("unsigned int", "unsigned long long"), "unsigned short",
    ('asm("cvt.f32.f16 %0, %1;" : "=f"(number) : "h"(bits));',),
    ('asm("cvt.rn.f16.f32 %0, %1;" : "=h"(bits) : "f"(number));',),
)  # fmt: skip

FLOATING = (Scalar.F32, Scalar.F64)


def definitions(function: tree.MathFunction, of_f32: str, of_f64: str, words: Words) -> Iterator[str]:
    """The functions for both types in C or C++, under these names."""
    for type_, name, number, integer in zip(
        FLOATING, (of_f32, of_f64), ("float", "double"), words.integers, strict=True
    ):
        suffix, size = SUFFIXES[type_], size_of(type_)
        _, bits, bias = BITS[type_]
        yield ""
        yield f"{words.function} {number} {name}({number} a)"
        yield "{"
        if function is tree.MathFunction.POWER_OF_TWO:
            yield f"    a += {1.5 * 2.0**bits + bias!r}{suffix};"
        yield f"    {integer} bits;"
        yield f"    {words.copy}(&bits, &a, {size});"
        yield f"    bits = {_changed(function, type_)};"
        yield f"    {words.copy}(&a, &bits, {size});"
        rest = f" - {2.0**bits + bias!r}{suffix}" if function is tree.MathFunction.EXPONENT else ""
        yield f"    return a{rest};"
        yield "}"


def definitions_of_narrow(elements: AbstractSet[Scalar], words: Words, ending: str = "") -> Iterator[str]:
    """What reads and makes narrow numbers in C or C++: to the nearest, ties to even; what is no number stays so."""
    if Scalar.BF16 in elements:
        yield from _definitions_of_bf16(words, ending)
    if Scalar.F16 in elements:
        from_, to = NARROW[Scalar.F16]
        yield from ("", f"{words.function} float {from_}{ending}({words.short} bits)", "{", "    float number;")
        yield from (f"    {line}" for line in words.from_half)
        yield from ("    return number;", "}")
        yield from ("", f"{words.function} {words.short} {to}{ending}(float number)", "{", f"    {words.short} bits;")
        yield from (f"    {line}" for line in words.to_half)
        yield from ("    return bits;", "}")


def _definitions_of_bf16(words: Words, ending: str) -> Iterator[str]:
    (from_, to), short, integer = NARROW[Scalar.BF16], words.short, words.integers[0]
    yield ""
    yield f"{words.function} float {from_}{ending}({short} a)"
    yield "{"
    yield f"    {integer} bits = ({integer})a << 16;"
    yield "    float number;"
    yield f"    {words.copy}(&number, &bits, 4);"
    yield "    return number;"
    yield "}"
    yield ""
    yield f"{words.function} {short} {to}{ending}(float a)"
    yield "{"
    yield f"    {integer} bits;"
    yield f"    {words.copy}(&bits, &a, 4);"
    yield f"    return ({short})({ROUNDED});"
    yield "}"


ROUNDED = "a != a ? bits >> 16 | 64 : (bits + 32767 + (bits >> 16 & 1)) >> 16"
"""The upper half of the bits of `a`."""


def narrow_vectors(vectors: Iterable[Vector]) -> tuple[Vector, ...]:
    """The vectors of narrow numbers among them, wherever they may start."""
    narrow = (replace(each, is_unaligned=False) for each in vectors if each.element.is_narrow and each.width > 1)
    return tuple(dict.fromkeys(narrow))


def opencl_of_vectors(vector: Vector) -> Iterator[str]:
    """What reads and makes vectors of narrow numbers in OpenCL C."""
    width, (from_, to) = vector.width, of_vectors(vector)
    number, bits = f"float{width}", f"ushort{width}"
    if vector.element is Scalar.F16:
        read = (f"return vload_half{width}(0, (const half *)&bits);",)
        made = (f"{bits} bits;", f"vstore_half{width}_rte(number, 0, (half *)&bits);", "return bits;")
    else:
        read = (f"return as_{number}(convert_uint{width}(bits) << 16);",)
        made = (
            f"uint{width} bits = as_uint{width}(number), kept = bits >> 16 | 64;",
            "bits = (bits + 32767 + (bits >> 16 & 1)) >> 16;",
            f"return convert_{bits}(select(bits, kept, number != number));",
        )
    yield from ("", f"{number} {from_}({bits} bits)", "{", *(f"    {line}" for line in read), "}")
    yield from ("", f"{bits} {to}({number} number)", "{", *(f"    {line}" for line in made), "}")


def _by_f16c(
    width: int, number: str, bits: str, read: tuple[str, ...], made: tuple[str, ...]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The same by instructions of x86 for eight entries: of vectors, GCC converts entry by entry."""
    to_number, to_bits = "__builtin_ia32_vcvtph2ps256", "__builtin_ia32_vcvtps2ph256"
    if width == 8:
        reading: tuple[str, ...] = (f"return {to_number}((halves)bits);",)
        making: tuple[str, ...] = (f"return ({bits}){to_bits}(number, 0);",)
    else:
        low, high, both = (", ".join(map(str, lanes)) for lanes in (range(8), range(8, 16), range(16)))
        halves = (f"(halves)__builtin_shufflevector(bits, bits, {lanes})" for lanes in (low, high))
        numbers = (f"{to_bits}(__builtin_shufflevector(number, number, {lanes}), 0)" for lanes in (low, high))
        reading = (f"return __builtin_shufflevector({', '.join(f'{to_number}({each})' for each in halves)}, {both});",)
        making = (f"return ({bits})__builtin_shufflevector({', '.join(numbers)}, {both});",)
    begin = "#if defined(__F16C__) && !defined(__clang__)"
    halves_type = "typedef short halves __attribute__((vector_size(16)));"
    return (begin, halves_type, *reading, "#else", *read, "#endif"), (begin, *making, "#else", *made, "#endif")


def c_of_vectors(vector: Vector, ending: str, name: Callable[[Vector], str]) -> Iterator[str]:
    """The same in C with vectors of its compilers; `name` spells types."""
    width, (from_, to) = vector.width, of_vectors(vector)
    number, bits = name(Vector(Scalar.F32, width)), name(vector)
    if vector.element is Scalar.F16:
        half = f"typedef _Float16 half __attribute__((vector_size({2 * width})));"
        read: tuple[str, ...] = (half, f"return __builtin_convertvector((half)bits, {number});")
        made: tuple[str, ...] = (half, f"return ({bits})__builtin_convertvector(number, half);")
        if width >= 8:
            read, made = _by_f16c(width, number, bits, read, made)
    else:
        wide = f"typedef uint32_t wide __attribute__((vector_size({4 * width})));"
        read = (wide, f"return ({number})(__builtin_convertvector(bits, wide) << 16);")
        made = (
            wide,
            "wide all = (wide)number, kept = all >> 16 | 64, no_number = (wide)(number != number);",
            "all = (all + 32767 + (all >> 16 & 1)) >> 16;",
            f"return __builtin_convertvector((all & ~no_number) | (kept & no_number), {bits});",
        )
    head = "static inline"
    yield from ("", f"{head} {number} {from_}{ending}({bits} bits)", "{", *(f"    {line}" for line in read), "}")
    yield from ("", f"{head} {bits} {to}{ending}({number} number)", "{", *(f"    {line}" for line in made), "}")


OPENCL_NARROW = {
    Scalar.BF16: f"""
float {NARROW[Scalar.BF16][0]}(ushort a)
{{
    return as_float((uint)a << 16);
}}

ushort {NARROW[Scalar.BF16][1]}(float a)
{{
    uint bits = as_uint(a);
    return {ROUNDED};
}}
""",
    Scalar.F16: f"""
float {NARROW[Scalar.F16][0]}(ushort bits)
{{
    return vload_half(0, (const half *)&bits);
}}

ushort {NARROW[Scalar.F16][1]}(float number)
{{
    ushort bits;
    vstore_half_rte(number, 0, (half *)&bits);
    return bits;
}}
""",
}
"""The same in OpenCL C."""


def narrow_cast(vector: Vector, source: Type) -> str | None:
    """The function that makes such a vector of one of a narrow type, or the other way round; None if neither is."""
    if vector.element.is_narrow:
        return of_vectors(vector)[1]
    return of_vectors(source)[0] if isinstance(source, Vector) and source.element.is_narrow else None


def comment_text(text: str) -> str:
    """One line of ASCII without a backslash, which at the end of a line would make the next one a comment too."""
    words = " ".join(text.split())
    return words.replace("\\", "/").encode("ascii", "backslashreplace").decode().replace("\\", "?")


def name_of(function: tree.MathFunction | Function, type_: Scalar) -> str:
    """`power_of_two_f64`."""
    return f"{FUNCTIONS[function]}_{type_.value}"


def _changed(function: tree.MathFunction, type_: Scalar) -> str:
    _, bits, bias = BITS[type_]
    match function:
        case tree.MathFunction.POWER_OF_TWO:
            return f"bits << {bits}"
        case tree.MathFunction.EXPONENT:
            return f"(bits >> {bits}) | {(bits + bias) << bits:#x}"
        case tree.MathFunction.SIGNIFICAND:
            return f"(bits & {2**bits - 1:#x}) | {bias << bits:#x}"
        case tree.MathFunction.MINIMUM | tree.MathFunction.REMAINDER:
            raise CompilerBug(f"{function.name} is not of bits")
