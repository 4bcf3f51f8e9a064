"""Atomic updates of one entry of 32 or 64 bits in OpenCL C, as functions.

    STORE       *target = value            an exchange
    ADD         *target += value           an atomic addition, for integers
    otherwise   *target = beta * *target + value, without the old value if beta is 0: it may be NaN

OpenCL adds integers of 32 and 64 bits only. Everything else computes with what the entry is thought to be and exchanges
the bits if that was right, again and again with what was seen there. Compared are bits, so that NaN ends the loop, too.
The first thought is 0: a plain read would race with the exchanges of others, and may tear where it has 64 bits.
"""

from collections.abc import Iterator

from einsum_front.core.dataclass import dataclass
from einsum_front.tl_backend.kernel import tree
from einsum_front.tl_backend.kernel.features import Update
from einsum_front.tl_backend.kernel.types import AddressSpace, Scalar, size_of
from einsum_front.tl_backend.targets.opencl_words import SCALARS, SPACES


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
