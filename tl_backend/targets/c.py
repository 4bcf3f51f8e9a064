"""C11 with the vectors of GCC and Clang: functions for one set of instructions, which one text can have several of.

    #if defined(__x86_64__)
    … the instructions, for these functions only
    typedef double f64x4 __attribute__((vector_size(32)));

    static void volume_avx2(int64_t group, int64_t groups, double *restrict Q, …, int64_t elements)
    {
        …
    }
    #endif

A work-group is a call and has one work-item. `HEADER` stands once above such texts. Compilers are told `FLAGS`: to
contract products and sums, and that memory of one type may be read as another.
"""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from itertools import product

from einsum_front.core.diagnostics import CompilerBug
from einsum_front.core.functions import Function
from einsum_front.core.instruction_sets import InstructionSet
from einsum_front.runtime.artifact import C_FLAGS
from einsum_front.tl_backend.kernel import tree
from einsum_front.tl_backend.kernel.features import Features, arity
from einsum_front.tl_backend.kernel.types import LINE, AddressSpace, Pointer, Scalar, Type, Vector, size_of
from einsum_front.tl_backend.kernel.typing import type_of
from einsum_front.tl_backend.targets import streams
from einsum_front.tl_backend.targets.c_family import Effect, Language, Printer
from einsum_front.tl_backend.targets.c_operators import (
    BINARY,
    C_WORDS,
    FLOATING,
    FUNCTIONS,
    MULTIPLICATIVE,
    OF_BITS,
    POSTFIX,
    PREFIX,
    SUFFIXES,
    VECTOR_NAMES,
    Text,
    c_of_vectors,
    definitions,
    definitions_of_narrow,
    name_of,
    narrow_cast,
    narrow_vectors,
    of_bits,
)

FLAGS = C_FLAGS
"""What compilers are told. ISO modes of GCC compute products and sums one by one, which takes twice as long."""

HEADER = """#include <stdint.h>

#define MINIMUM(left, right) ((left) < (right) ? (left) : (right))
#define CHOOSE(type, mask, then, otherwise) \\
    ((type)(((mask) & (__typeof__(mask))(then)) | (~(mask) & (__typeof__(mask))(otherwise))))
#if defined(__clang__)
#define UNROLLED _Pragma("clang loop unroll(full)")
#define NEVER_UNROLLED _Pragma("clang loop unroll(disable)")
#define WITHOUT_VECTORS _Pragma("clang loop vectorize(disable)")
#else
#define UNROLLED _Pragma("GCC unroll 65534")
#define NEVER_UNROLLED _Pragma("GCC unroll 1")
#define WITHOUT_VECTORS
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized" /* these are found in loops that never run */
#pragma GCC diagnostic ignored "-Waggressive-loop-optimizations"
#pragma GCC diagnostic ignored "-Warray-bounds"
#endif
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wunused-parameter"
#pragma GCC diagnostic ignored "-Wunused-variable"
#pragma GCC diagnostic ignored "-Wunused-but-set-variable"
"""
"""What all functions need."""


SCALARS = {
    Scalar.BOOL: "_Bool",
    Scalar.I8: "int8_t",
    Scalar.U8: "uint8_t",
    Scalar.I16: "int16_t",
    Scalar.U16: "uint16_t",
    Scalar.BF16: "uint16_t",
    Scalar.F16: "uint16_t",
    Scalar.I32: "int32_t",
    Scalar.U32: "uint32_t",
    Scalar.I64: "int64_t",
    Scalar.U64: "uint64_t",
    Scalar.F32: "float",
    Scalar.F64: "double",
}

OPERANDS = "ab"
"""The names of the operands of a function of vectors."""

SUFFIX_OF_FUNCTIONS = {Scalar.F32: "f", Scalar.F64: ""}

_WORDS = """
    auto break case char const continue default do double else enum extern float for goto if inline int long register
    restrict return short signed sizeof static struct switch typedef union unsigned void volatile while asm typeof
    _Bool _Complex _Imaginary _Noreturn _Static_assert _Alignas _Alignof _Atomic _Generic _Thread_local _Pragma
    bool true false complex imaginary I NULL linux unix main offsetof size_t ptrdiff_t wchar_t max_align_t
    intptr_t uintptr_t intmax_t uintmax_t WCHAR_MIN WCHAR_MAX WINT_MIN WINT_MAX SIZE_MAX PTRDIFF_MIN PTRDIFF_MAX
    SIG_ATOMIC_MIN SIG_ATOMIC_MAX INTPTR_MIN INTPTR_MAX UINTPTR_MAX INTMAX_MIN INTMAX_MAX UINTMAX_MAX
    INTMAX_C UINTMAX_C MINIMUM CHOOSE UNROLLED NEVER_UNROLLED WITHOUT_VECTORS group groups
"""


def _reserved() -> frozenset[str]:
    """Words of C11 and of `<stdint.h>`, what `HEADER` defines, and names of this printer."""
    bits = ("8", "16", "32", "64")
    kinds = [f"{kind}{width}" for kind in ("", "_least", "_fast") for width in bits]
    types = {f"{sign}int{kind}_t" for kind in kinds for sign in ("", "u")}
    limits = {f"{sign}INT{kind.upper()}_{end}" for kind in kinds for sign in ("", "U") for end in ("MIN", "MAX")}
    constants = {f"{sign}INT{width}_C" for width in bits for sign in ("", "U")}
    return frozenset({*_WORDS.split(), *types, *limits, *constants}) | VECTOR_NAMES | streams.WORDS


RESERVED = _reserved()


class C(Printer):
    """The printer for one set of instructions."""

    scalars = SCALARS
    suffixes = SUFFIXES
    spaces = dict.fromkeys(AddressSpace, "")  # constant
    functions = {tree.MathFunction.MINIMUM: "MINIMUM"}  # noqa: RUF012 # constant
    unrolling = {tree.Unroll.FULLY: "UNROLLED", tree.Unroll.NEVER: "NEVER_UNROLLED"}  # noqa: RUF012 # macros of `HEADER`
    without_vectors = "WITHOUT_VECTORS"
    restrict = "restrict"
    stream, fence = streams.STREAM, streams.FENCE

    def __init__(self, instructions: InstructionSet, ending: str, *, has_header: bool = False) -> None:
        super().__init__()
        self.instructions = instructions
        self.ending = ending
        self.has_header = has_header

    def preamble(self, file: tree.File, found: Features) -> Iterator[str]:
        """The instructions, and a name for each vector. Where one may start at any entry, values of it are aligned."""
        if self.has_header:
            yield from HEADER.splitlines()
            yield ""
        yield f"#if {self.instructions.guard}"
        if self.instructions.features:
            of_halves = ("f16c",) if Scalar.F16 in found.elements else ()  # which all processors with AVX2 have
            features = ",".join((*self.instructions.features, *of_halves))
            yield "#if defined(__clang__)"
            yield f'#pragma clang attribute push(__attribute__((target("{features}"))), apply_to = function)'
            yield "#else"
            yield "#pragma GCC push_options"
            yield f'#pragma GCC target("{features}")'
            yield "#endif"
        of_values = (replace(each, is_unaligned=False) for each in found.vectors)
        for vector in dict.fromkeys((*found.vectors, *of_values)):
            size = f"vector_size({size_of(vector)})"
            aligned = f", aligned({size_of(vector.element)})" if vector.is_unaligned else ""
            yield f"typedef {SCALARS[vector.element]} {self.vector(vector)} __attribute__(({size}{aligned}));"
        if found.streams:
            yield from streams.of_c(has_vectors=self.instructions.vector_bytes >= LINE)

    def closing(self) -> Iterator[str]:
        """The end of what the preamble opens."""
        if self.instructions.features:
            yield from ("", "#if defined(__clang__)", "#pragma clang attribute pop", "#else")
            yield from ("#pragma GCC pop_options", "#endif")
        yield "#endif"

    def support(self, found: Features) -> Iterator[str]:
        """The functions for atomic updates, narrow numbers, and vectors, which become calls for single entries."""
        yield from definitions_of_narrow(found.elements, C_WORDS, self.ending)
        for narrow in narrow_vectors(found.vectors):
            yield from c_of_vectors(narrow, self.ending, self.vector)
        for bits_of in (each for each in found.functions if isinstance(each, tree.MathFunction)):
            of_f32, of_f64 = (f"{name_of(bits_of, each)}{self.ending}" for each in FLOATING)
            yield from definitions(bits_of, of_f32, of_f64, C_WORDS)
        for function, vector in product(found.functions, _floating_vectors(found)):
            kind, name = self.vector(vector), self._function_name(function, vector)
            yield ""
            names = OPERANDS[: arity(function)]
            yield f"static inline {kind} {name}({', '.join(f'{kind} {each}' for each in names)})"
            yield "{"
            if not isinstance(function, Function):
                bits = "(__typeof__(a == a))"
                ending = SUFFIXES[vector.element]
                yield f"    return {of_bits(function, vector.element, 'a', bits, f'({kind})', ending)};"
                yield "}"
                continue
            yield f"    for (int i = 0; i < {vector.width}; ++i)"
            yield f"        a[i] = {_built_in(function, vector.element)}({', '.join(f'{each}[i]' for each in names)});"
            yield "    return a;"
            yield "}"
        for update in dict.fromkeys((each.update, each.memory, each.compute) for each in found.updates):
            yield ""
            yield from self._atomic(*update)

    def _atomic(self, update: tree.Update, memory: Scalar, compute: Scalar) -> Iterator[str]:
        """Computes with what the entry was, and exchanges the bits if it still is that."""
        to, of = SCALARS[memory], SCALARS[compute]
        old = "old" if memory is compute else f"({of})old"
        total = {
            tree.Update.STORE: "value",
            tree.Update.ADD: f"{old} + value",
            tree.Update.SCALE_ADD: f"(beta == 0 ? 0 : beta * {old}) + value",
        }[update]
        beta = f", {of} beta" if update is tree.Update.SCALE_ADD else ""
        yield f"static inline void {self._atomic_name(update, memory, compute)}({to} *entry, {of} value{beta})"
        yield "{"
        yield f"    {to} old, changed;"
        yield "    __atomic_load(entry, &old, __ATOMIC_RELAXED);"
        yield "    do {"
        yield f"        changed = ({to})({total});"
        yield "    } while (!__atomic_compare_exchange(entry, &old, &changed, 1, __ATOMIC_RELAXED, __ATOMIC_RELAXED));"
        yield "}"

    def _atomic_name(self, update: tree.Update, memory: Scalar, compute: Scalar) -> str:
        return f"atomic_{update.value}_{memory.value}_{compute.value}{self.ending}"

    def attributes(self, function: tree.Function) -> Iterator[str]:
        """None. What schedules say of instructions is for other languages."""
        yield from ()

    def head(self, function: tree.Function) -> tuple[str, tuple[str, ...]]:
        """A kernel is told which call it is of how many."""
        if function.outlined is not None:
            return "static __attribute__((noinline)) void", ()
        if function.work_group_size is None:
            return "static inline void", ()
        if function.work_group_size != (1, 1, 1):
            raise CompilerBug(f"`{function.name}` has work-items, which C does not")
        return "static void", ("int64_t group", "int64_t groups")

    def table_space(self) -> str:
        """The memory for constants."""
        return "static const"

    def hold(self, name: str) -> Iterator[str]:
        """No instruction, after which the compiler does not know what the register of a vector has."""
        if self.instructions.register:
            yield f'__asm__("" : "+{self.instructions.register}"({name}))'

    def geometry(self, expression: tree.GroupId | tree.GroupCount | tree.ItemId) -> Text:
        """Parameters; the only work-item is the first one."""
        match expression:
            case tree.GroupId():
                return "group", POSTFIX
            case tree.GroupCount():
                return "groups", POSTFIX
            case tree.ItemId():
                return "0", POSTFIX

    def converted(self, value: tree.Expression, to: Type | tree.Place) -> str:
        """A scalar goes to all entries of a vector."""
        is_type = isinstance(to, Scalar | Vector | Pointer)
        type_ = to if is_type else self._value_type(to)  # type: ignore[arg-type] # the other kinds are places
        return self._spread(value, type_)[0] if isinstance(type_, Vector) else self.expression(value)

    def _value_type(self, value: tree.Expression) -> Type:
        """The type of a value, of which the tree says what it is in most cases."""
        match value:
            case tree.Access(pointer=Pointer(target=target)):
                pass
            case tree.Subscript(base=tree.Name(text=text)) if isinstance(array := self._names[text].type, Pointer):
                target = array.target
            case tree.Name(text=text):
                return self._names[text].type
            case _:  # open: what is computed
                return type_of(value, self._names)
        return target if isinstance(target, Scalar) or target.width > 1 else target.element

    def _spread(self, value: tree.Expression, vector: Vector) -> Text:
        """The value as a vector; a difference keeps -0.0."""
        if vector.width == 1 or isinstance(self._value_type(value), Vector):
            return self.expression(value), 0
        zero = f"({self.vector(Vector(vector.element, vector.width))}){{0}}"
        if isinstance(value, tree.Floating) and str(value.value) == "0.0":
            return zero, POSTFIX
        sign, precedence = BINARY[tree.BinaryOperator.SUBTRACT]
        return f"{self.operand(value, precedence)} {sign} {zero}", precedence

    def math(self, math: tree.Math) -> Text:
        """A macro, a function of the compiler, or one of `support` for vectors."""
        if math.function in self.functions:
            return super().math(math)
        type_ = type_of(math, self._names)
        operands = ", ".join(map(self.expression, math.operands))
        if isinstance(type_, Vector) and type_.width > 1:
            return f"{self._function_name(math.function, type_)}({operands})", POSTFIX
        if not isinstance(type_, Scalar):
            raise CompilerBug(f"a {math.function.name} of {type_}")
        if math.function in OF_BITS:
            return f"{name_of(math.function, type_)}{self.ending}({operands})", POSTFIX
        return f"{_built_in(math.function, type_)}({operands})", POSTFIX

    def _function_name(self, function: tree.MathFunction | Function, vector: Vector) -> str:
        return f"{FUNCTIONS[function]}_{self.vector(replace(vector, is_unaligned=False))}{self.ending}"

    def conditional(self, conditional: tree.Conditional) -> Text:
        """Vectors of conditions are masks."""
        type_ = type_of(conditional, self._names)
        if not isinstance(type_, Vector) or type_.width == 1:
            return super().conditional(conditional)
        branches = [self._spread(each, type_)[0] for each in (conditional.then, conditional.otherwise)]
        condition = self.expression(conditional.condition)
        if isinstance(type_of(conditional.condition, self._names), Vector):
            vector = self.vector(replace(type_, is_unaligned=False))
            return f"CHOOSE({vector}, {condition}, {branches[0]}, {branches[1]})", POSTFIX
        return f"(({condition}) ? ({branches[0]}) : ({branches[1]}))", POSTFIX

    def pack(self, pack: tree.Pack) -> Text:
        """`(f64x4){a, b, c, d}`."""
        if len(pack.parts) == 1:
            return self._spread(pack.parts[0], pack.type)
        entries = ", ".join(entry for part in pack.parts for entry in self._entries(part))
        return f"({self.vector(replace(pack.type, is_unaligned=False))}){{{entries}}}", POSTFIX

    def _entries(self, part: tree.Expression) -> Iterator[str]:
        type_ = type_of(part, self._names)
        if isinstance(type_, Vector) and type_.width > 1:
            yield from (f"{self.operand(part, POSTFIX)}[{lane}]" for lane in range(type_.width))
        else:
            yield self.expression(part)

    def cast_vector(self, vector: Vector, operand: tree.Expression) -> Text:
        """A function of the compiler, or one for narrow numbers."""
        if (name := narrow_cast(vector, type_of(operand, self._names))) is not None:
            return f"{name}{self.ending}({self.expression(operand)})", POSTFIX
        plain = self.vector(replace(vector, is_unaligned=False))
        return f"__builtin_convertvector({self.expression(operand)}, {plain})", POSTFIX

    def shuffle(self, shuffle: tree.Shuffle) -> Text:
        """A function of the compiler."""
        operands = f"{self.expression(shuffle.first)}, {self.expression(shuffle.second)}"
        return f"__builtin_shufflevector({operands}, {', '.join(map(str, shuffle.lanes))})", POSTFIX

    def lanes(self, lanes: tree.Lanes) -> Text:
        """`a[1]`, or a shuffle."""
        if len(lanes.lanes) == 1:
            return f"{self.operand(lanes.operand, POSTFIX)}[{lanes.lanes[0]}]", POSTFIX
        operand = self.expression(lanes.operand)
        return f"__builtin_shufflevector({operand}, {operand}, {', '.join(map(str, lanes.lanes))})", POSTFIX

    def effect(self, statement: Effect) -> str:
        """A call; the only work-item of a group waits for nobody."""
        match statement:
            case tree.AtomicUpdate(entry=entry, value=value, beta=beta):
                name = self._atomic_name(statement.update, statement.memory, statement.compute)
                arguments = (value,) if beta is None else (value, beta)
                texts = f"&{self.operand(entry, PREFIX)}", *map(self.expression, arguments)
                return f"{name}({', '.join(texts)})"
            case tree.MatrixMultiplyAdd():
                raise CompilerBug("work-items of C are alone, and multiply no matrices together")
            case tree.Barrier():
                return "(void)0"
            case tree.Prefetch(address=address, offset=offset):
                # as numbers: it may lie outside of everything
                place = f"(uintptr_t){self.operand(address, PREFIX)} + {self.operand(offset, MULTIPLICATIVE)}"
                return f"__builtin_prefetch((const char *)({place}), 0, 2)"


def _built_in(function: tree.MathFunction | Function, type_: Scalar) -> str:
    """The function of the compiler for numbers of a type."""
    return f"__builtin_{FUNCTIONS[function]}{SUFFIX_OF_FUNCTIONS[type_]}"


def _floating_vectors(found: Features) -> tuple[Vector, ...]:
    """The vectors of floating numbers in a file, each once."""
    vectors = (replace(each, is_unaligned=False) for each in found.vectors if each.element.is_floating)
    return tuple(dict.fromkeys(vectors))


def c(instructions: InstructionSet, role: str = "", *, has_header: bool = False) -> Language:
    """The language for functions with these instructions; `role` tells apart several kernels of one text.

    A file that is a text by itself has the header.
    """
    ending = f"_{role}{instructions.name}"
    printer = partial(C, instructions, ending, has_header=has_header)
    return Language(f"C for {instructions.name}", RESERVED, printer, ending)
