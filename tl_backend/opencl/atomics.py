"""Atomic updates of one entry of 32 or 64 bits, in global or local memory.

    beta = 0    *target = value            an exchange
    beta = 1    *target += value           an atomic addition, for integers
    otherwise   *target = beta * *target + value, without the old value if beta is 0: it may be NaN

OpenCL adds integers of 32 and 64 bits only. Everything else computes with what the entry is thought to be and exchanges
the bits if that was right, again and again with what was seen there. Compared are bits, so that NaN ends the loop, too.
The first thought is 0: a plain read would race with the exchanges of others, and may tear where it has 64 bits.
"""

from dataclasses import dataclass
from enum import Enum

from einsum_front.tl_backend.opencl.scalar import convert, number
from einsum_front.tl_backend.opencl.target import size_of
from einsum_front.tl_backend.opencl.tree import (
    AddressSpace,
    Assign,
    Binary,
    BinaryOperator,
    Call,
    Cast,
    Conditional,
    Declare,
    DoWhile,
    Evaluate,
    Expression,
    Function,
    Name,
    Parameter,
    Pointer,
    Scalar,
    Statements,
)

INT64_EXTENSION = "cl_khr_int64_base_atomics"


class Update(Enum):
    """How the old value of the entry enters the new one; the value is the start of the helper's name."""

    STORE = "atomic_store"
    ADD = "atomic_add"
    SCALE_ADD = "atomic_scale_add"


@dataclass(frozen=True, slots=True)
class AtomicUpdate:
    """An atomic update of an entry of type `memory`, with values and arithmetic of type `compute`."""

    update: Update
    memory: Scalar
    compute: Scalar
    space: AddressSpace

    @property
    def name(self) -> str:
        """The name of the helper function: `atomic_add_double_global`."""
        types = [self.memory.value] if self.memory is self.compute else [self.memory.value, self.compute.value]
        return "_".join((self.update.value, *types, self.space.value))

    @property
    def bits(self) -> Scalar:
        """The unsigned type of the entry's width."""
        return Scalar.ULONG if size_of(self.memory) == 8 else Scalar.UINT

    @property
    def prefix(self) -> str:
        """How the functions of this width start: those of 64 bits came with an extension and are called `atom_`."""
        return "atom" if self.bits is Scalar.ULONG else "atomic"


COMPUTED = (Scalar.UINT, Scalar.ULONG, Scalar.FLOAT, Scalar.DOUBLE)
STORED = (*COMPUTED, Scalar.INT, Scalar.LONG)

HELPER_NAMES = frozenset(
    AtomicUpdate(update, memory, compute, space).name
    for update in Update
    for memory in STORED
    for compute in COMPUTED
    for space in (AddressSpace.GLOBAL, AddressSpace.LOCAL)
)
"""All names that helpers can have, so that nothing else gets them."""


def helper(update: AtomicUpdate) -> Function:
    """The function `(target, value)`, or `(target, value, beta)`, that does the update."""
    target = Parameter(Pointer(update.memory, update.space, is_volatile=True), "target")
    value = Parameter(update.compute, "value")
    beta = Parameter(update.compute, "beta")
    parameters = (target, value, beta) if update.update is Update.SCALE_ADD else (target, value)
    return Function(update.name, parameters, _body(update))


def _body(update: AtomicUpdate) -> Statements:
    pointer = Pointer(update.bits, update.space, is_volatile=True)
    entry = Declare(pointer, "entry", Cast(pointer, Name("target")))
    value = convert(Name("value"), update.compute, update.memory)
    if update.update is Update.STORE:
        return entry, _call(update, "xchg", _to_bits(value, update))
    if update.update is Update.ADD and not (update.memory.is_floating or update.compute.is_floating):
        return entry, _call(update, "add", _to_bits(value, update))
    return entry, *_compare_and_swap(update)


def _call(update: AtomicUpdate, operation: str, bits: Expression) -> Evaluate:
    return Evaluate(Call(f"{update.prefix}_{operation}", (Name("entry"), bits)))


def _compare_and_swap(update: AtomicUpdate) -> Statements:
    seen, old = Name("seen"), Name("old")
    exchange = Call(f"{update.prefix}_cmpxchg", (Name("entry"), old, _to_bits(_new_value(update), update)))
    return (
        Declare(update.bits, "old"),
        Declare(update.bits, "seen", number(0, update.bits)),
        DoWhile((Assign(old, seen), Assign(seen, exchange)), Binary(BinaryOperator.NOT_EQUAL, seen, old)),
    )


def _new_value(update: AtomicUpdate) -> Expression:
    old = convert(_from_bits(Name("old"), update), update.memory, update.compute)
    scaled = _scaled(old, update.compute) if update.update is Update.SCALE_ADD else old
    return convert(Binary(BinaryOperator.ADD, scaled, Name("value")), update.compute, update.memory)


def _scaled(old: Expression, compute: Scalar) -> Expression:
    beta, zero = Name("beta"), number(0, compute)
    scaled = Binary(BinaryOperator.MULTIPLY, beta, old)
    return Conditional(Binary(BinaryOperator.EQUAL, beta, zero), zero, scaled)


def _to_bits(value: Expression, update: AtomicUpdate) -> Expression:
    return _reinterpret(value, update.memory, update.bits)


def _from_bits(bits: Expression, update: AtomicUpdate) -> Expression:
    return _reinterpret(bits, update.bits, update.memory)


def _reinterpret(value: Expression, from_: Scalar, to: Scalar) -> Expression:
    return value if from_ is to else Call(f"as_{to.value}", (value,))
