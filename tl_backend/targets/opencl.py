"""OpenCL C 1.2: its words, built-in functions and extensions.

A work-group is counted in the third dimension of the launch, its work-items in the first two. Functions of the target
itself, `atomic_…`, stand above those of the file that needs them.
"""

from collections.abc import Iterator
from dataclasses import replace

from einsum_front.core.dataclass import dataclass
from einsum_front.core.diagnostics import CompilerBug
from einsum_front.core.functions import Function as EntryFunction
from einsum_front.tl_backend.kernel import tree
from einsum_front.tl_backend.kernel.features import Features, Update, features_of_function
from einsum_front.tl_backend.kernel.types import AddressSpace, Pointer, Scalar, Type, Vector, size_of
from einsum_front.tl_backend.kernel.typing import type_of
from einsum_front.tl_backend.targets import ptx, streams
from einsum_front.tl_backend.targets.c_family import Effect, Language, Printer
from einsum_front.tl_backend.targets.c_operators import (
    ADDITIVE,
    BITS,
    FUNCTIONS,
    MULTIPLICATIVE,
    NARROW_NAMES,
    OF_BITS,
    OPENCL_NARROW,
    POSTFIX,
    PRAGMAS,
    PREFIX,
    Text,
    narrow_cast,
    narrow_vectors,
    of_bits,
    opencl_of_vectors,
)
from einsum_front.tl_backend.targets.reserved import RESERVED

# -- how OpenCL C spells types -----------------------------------------------------------------------------------------

SCALARS = {
    Scalar.BOOL: "bool",
    Scalar.I8: "char",
    Scalar.U8: "uchar",
    Scalar.I16: "short",
    Scalar.U16: "ushort",
    Scalar.I32: "int",
    Scalar.U32: "uint",
    Scalar.I64: "long",
    Scalar.U64: "ulong",
    Scalar.F32: "float",
    Scalar.F64: "double",
    Scalar.BF16: "ushort",
    Scalar.F16: "ushort",
}

SPACES = {
    AddressSpace.GLOBAL: "global",
    AddressSpace.CONSTANT: "constant",
    AddressSpace.LOCAL: "local",
    AddressSpace.PRIVATE: "",
}


# -- atomic updates of one entry of 32 or 64 bits in OpenCL C, as functions --------------------------------------------
#     STORE       *target = value            an exchange
#     ADD         *target += value           an atomic addition, for integers
#     otherwise   *target = beta * *target + value, without the old value if beta is 0: it may be NaN
#
# OpenCL adds integers of 32 and 64 bits only. Everything else computes with what the entry is thought to be and
# exchanges the bits if that was right, again and again with what was seen there. Compared are bits, so that NaN ends
# the loop, too. The first thought is 0: a plain read would race with the exchanges of others, and may tear where it
# has 64 bits.


HALVED = 256
"""Bits of the vectors that Clang makes of wider ones in functions that neither get nor return them."""


@dataclass(frozen=True, slots=True)
class Helper:
    """The function for an update of an entry of type `memory`, with values and arithmetic of type `compute`."""

    update: tree.Update
    memory: Scalar
    compute: Scalar
    space: AddressSpace

    @property
    def name(self) -> str:
        """`atomic_add_double_global`."""
        types = dict.fromkeys((SCALARS[self.memory], SCALARS[self.compute]))
        return "_".join(("atomic", self.update.value, *types, SPACES[self.space]))

    @property
    def bits(self) -> Scalar:
        """The unsigned type of the entry's width."""
        return Scalar.U64 if size_of(self.memory) == 8 else Scalar.U32

    @property
    def prefix(self) -> str:
        """How the functions of this width start: those of 64 bits came with an extension and are called `atom_`."""
        return "atom" if self.bits is Scalar.U64 else "atomic"


COMPUTED = (Scalar.U32, Scalar.U64, Scalar.F32, Scalar.F64)
STORED = (*COMPUTED, Scalar.I32, Scalar.I64)

NAMES = frozenset(
    Helper(update, memory, compute, space).name
    for update in tree.Update
    for memory in STORED
    for compute in COMPUTED
    for space in (AddressSpace.GLOBAL, AddressSpace.LOCAL)
)
"""All names that such functions can have, so that nothing else gets them."""


def helper_of(update: Update | tree.AtomicUpdate) -> Helper:
    """The function that does the update."""
    return Helper(update.update, update.memory, update.compute, update.space)


def definition(helper: Helper) -> Iterator[str]:
    """The lines of `(target, value)`, or `(target, value, beta)`."""
    compute, bits, space = SCALARS[helper.compute], SCALARS[helper.bits], SPACES[helper.space]
    beta = f", {compute} beta" if helper.update is tree.Update.SCALE_ADD else ""
    yield f"void {helper.name}(volatile {space} {SCALARS[helper.memory]} *target, {compute} value{beta})"
    yield "{"
    yield f"    volatile {space} {bits} *entry = (volatile {space} {bits} *)target;"
    yield from (f"    {line}" for line in _body(helper))
    yield "}"


def _body(helper: Helper) -> Iterator[str]:
    is_floating = helper.memory.is_floating or helper.compute.is_floating
    value = _to_bits(_converted("value", helper.compute, helper.memory), helper)
    if helper.update is tree.Update.STORE:
        yield f"{helper.prefix}_xchg(entry, {value});"
    elif helper.update is tree.Update.ADD and not is_floating:
        yield f"{helper.prefix}_add(entry, {value});"
    else:
        yield f"{SCALARS[helper.bits]} old;"
        yield f"{SCALARS[helper.bits]} seen = {_zero(helper.bits)};"
        yield "do {"
        yield "    old = seen;"
        yield f"    seen = {helper.prefix}_cmpxchg(entry, old, {_to_bits(_new_value(helper), helper)});"
        yield "} while (seen != old);"


def _new_value(helper: Helper) -> str:
    old = "old" if helper.memory is helper.bits else f"as_{SCALARS[helper.memory]}(old)"
    old = _converted(old, helper.memory, helper.compute)
    if helper.update is tree.Update.SCALE_ADD:
        zero = _zero(helper.compute)
        old = f"(beta == {zero} ? {zero} : beta * {old})"
    total = f"{old} + value"
    is_same = helper.compute is helper.memory
    return total if is_same else _converted(f"({total})", helper.compute, helper.memory)


def _converted(value: str, from_: Scalar, to: Scalar) -> str:
    return value if from_ is to else f"({SCALARS[to]}){value}"


def _to_bits(value: str, helper: Helper) -> str:
    return value if helper.memory is helper.bits else f"as_{SCALARS[helper.bits]}({value})"


def _zero(type_: Scalar) -> str:
    return {Scalar.U32: "0u", Scalar.U64: "0UL", Scalar.F32: "0.0f", Scalar.F64: "0.0"}[type_]


SUFFIXES = {
    Scalar.BOOL: "",
    Scalar.I32: "",
    Scalar.U32: "u",
    Scalar.I64: "L",
    Scalar.U64: "UL",
    Scalar.F32: "f",
    Scalar.F64: "",
}

FENCES = {AddressSpace.LOCAL: "CLK_LOCAL_MEM_FENCE", AddressSpace.GLOBAL: "CLK_GLOBAL_MEM_FENCE"}

MASKS = {1: Scalar.U8, 2: Scalar.U16, 4: Scalar.U32, 8: Scalar.U64}
"""What numbers of lanes are for `shuffle2`, by the bytes of a lane."""

FP64_EXTENSION, INT64_EXTENSION = "cl_khr_fp64", "cl_khr_int64_base_atomics"


class OpenClC(Printer):
    """The printer for OpenCL C."""

    scalars = SCALARS
    suffixes = SUFFIXES
    spaces = SPACES
    functions = FUNCTIONS
    unrolling = PRAGMAS
    without_vectors = "#pragma clang loop vectorize(disable)"
    restrict = "restrict"
    stream, fence = streams.STREAM, streams.FENCE

    def preamble(self, file: tree.File, found: Features) -> Iterator[str]:
        """Extensions, and a name for each vector that may start at any of its entries."""
        if Scalar.F64 in found.elements:
            yield _enable(FP64_EXTENSION)
        if any(size_of(update.memory) == 8 for update in found.updates):
            yield _enable(INT64_EXTENSION)
        for vector in (each for each in found.vectors if each.is_unaligned):
            aligned = self.vector(replace(vector, is_unaligned=False))
            yield f"typedef {aligned} {self.vector(vector)} __attribute__((aligned({size_of(vector.element)})));"
        if found.streams:
            yield from streams.of_opencl()

    def support(self, found: Features) -> Iterator[str]:
        """The functions for atomic updates and for narrow numbers."""
        for narrow in (each for each in OPENCL_NARROW if each in found.elements):
            yield from OPENCL_NARROW[narrow].rstrip().splitlines()
        for vector in narrow_vectors(found.vectors):
            yield from opencl_of_vectors(vector)
        for helper in map(helper_of, found.updates):
            yield ""
            yield from definition(helper)

    def math(self, math: tree.Math) -> Text:
        """A function of the language; for bits, `as_double4` and `as_long4`.

        A vector's `pow` is called for each lane: PoCL 3.0 mixes them up where one is infinite.
        """
        if math.function is EntryFunction.POW and isinstance(type_ := type_of(math, self._names), Vector):
            base, exponent = (self.operand(each, POSTFIX) for each in math.operands)
            each_lane = (f"pow({base}.s{lane:x}, {exponent}.s{lane:x})" for lane in range(type_.width))
            return f"({self.vector(type_)})({', '.join(each_lane)})", POSTFIX
        if math.function not in OF_BITS:
            return super().math(math)
        type_ = type_of(math, self._names)
        element, width = (type_.element, type_.width) if isinstance(type_, Vector) else (type_, 1)
        if not isinstance(element, Scalar):
            raise CompilerBug(f"a {math.function.name} of {type_}")
        lanes = "" if width == 1 else str(width)
        to, of = (f"as_{SCALARS[each]}{lanes}" for each in (BITS[element][0], element))
        text = of_bits(math.function, element, self.operand(math.operands[0], ADDITIVE), to, of, SUFFIXES[element])
        return text, ADDITIVE if math.function is tree.MathFunction.EXPONENT else POSTFIX

    def attributes(self, function: tree.Function) -> Iterator[str]:
        """What makes a kernel, and a function that is compiled with other instructions."""
        if function.work_group_size is not None:
            size = ", ".join(map(str, function.work_group_size))
            yield f"kernel __attribute__((reqd_work_group_size({size})))"
        if function.instructions is not None:
            yield f'__attribute__((noinline, target("{function.instructions}")))'
        elif function.outlined is not None:
            found = function.get(features_of_function).vectors
            widest = max((8 * size_of(each.element) * each.width for each in found), default=0)
            kept = f", min_vector_width({widest})" if widest > HALVED else ""
            yield f"__attribute__((noinline{kept}))"

    def vector(self, vector: Vector) -> str:
        """`double4`, or `double4_u` where it may start at any entry."""
        return f"{SCALARS[vector.element]}{vector.width}{'_u' if vector.is_unaligned else ''}"

    def table_space(self) -> str:
        """The memory for constants."""
        return "constant"

    def geometry(self, expression: tree.GroupId | tree.GroupCount | tree.ItemId) -> Text:
        """Calls with the number of a dimension."""
        match expression:
            case tree.GroupId():
                return "get_group_id(2)", POSTFIX
            case tree.GroupCount():
                return "get_num_groups(2)", POSTFIX
            case tree.ItemId(dimension=dimension):
                return f"get_local_id({dimension})", POSTFIX

    def cast(self, type_: Type, operand: tree.Expression) -> Text:
        """Constant memory is a space of its own, which only an integer leads out of."""
        if isinstance(type_, Pointer) and isinstance(operand, tree.Name) and operand.text in self._tables:
            return f"({self.type_name(type_)})(ulong){operand.text}", PREFIX
        return super().cast(type_, operand)

    def pack(self, pack: tree.Pack) -> Text:
        """`(double4)(a, b)`."""
        return f"({self.type_name(pack.type)})({', '.join(map(self.expression, pack.parts))})", PREFIX

    def cast_vector(self, vector: Vector, operand: tree.Expression) -> Text:
        """`convert_double4(a)`, or a function for narrow numbers."""
        if (name := narrow_cast(vector, type_of(operand, self._names))) is not None:
            return f"{name}({self.expression(operand)})", POSTFIX
        return f"convert_{self.vector(replace(vector, is_unaligned=False))}({self.expression(operand)})", POSTFIX

    def shuffle(self, shuffle: tree.Shuffle) -> Text:
        """`shuffle2`, whose mask is a vector."""
        mask = Vector(MASKS[size_of(shuffle.type.element)], shuffle.type.width)
        lanes = f"({self.vector(mask)})({', '.join(map(str, shuffle.lanes))})"
        return f"shuffle2({self.expression(shuffle.first)}, {self.expression(shuffle.second)}, {lanes})", POSTFIX

    def lanes(self, lanes: tree.Lanes) -> Text:
        """`a.s01`."""
        return f"{self.operand(lanes.operand, POSTFIX)}.s{''.join(f'{lane:x}' for lane in lanes.lanes)}", POSTFIX

    def effect(self, statement: Effect) -> str:
        """A call."""
        match statement:
            case tree.AtomicUpdate(entry=entry, value=value, beta=beta):
                arguments = (value,) if beta is None else (value, beta)
                texts = f"&{self.operand(entry, PREFIX)}", *map(self.expression, arguments)
                return f"{helper_of(statement).name}({', '.join(texts)})"
            case tree.MatrixMultiplyAdd():
                return ptx.multiply(statement, self.expression)
            case tree.Barrier(spaces=spaces):
                return f"barrier({' | '.join(FENCES[space] for space in spaces)})"
            case tree.Prefetch(address=address, offset=offset):
                return self._prefetch(self.operand(address, PREFIX), self.operand(offset, MULTIPLICATIVE))

    def _prefetch(self, address: str, offset: str) -> str:
        """To read (0), for the second-level cache (locality 2); the compiler's function knows private pointers only."""
        return f"__builtin_prefetch((const char *)(ulong){address} + {offset}, 0, 2)"


def _enable(extension: str) -> str:
    return f"#pragma OPENCL EXTENSION {extension} : enable"


OPENCL_C = Language("OpenCL C", RESERVED | NAMES | NARROW_NAMES | streams.WORDS, OpenClC)
"""Reserved are words of the language, and functions of this target."""
