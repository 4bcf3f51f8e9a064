"""What is known of a function before anything is decided, or why elements cannot stand side by side in it."""

from collections.abc import Iterable, Iterator, Mapping
from math import prod

import numpy as np

from einsum_front.core.dataclass import dataclass
from einsum_front.core.machine import Machine
from einsum_front.core.machines import GENERIC
from einsum_front.tl_backend import instructions as tl
from einsum_front.tl_backend.analysis.effects import argument_access
from einsum_front.tl_backend.analysis.operations import operations
from einsum_front.tl_backend.program import Function
from einsum_front.tl_backend.result_types import result_type
from einsum_front.tl_backend.schedules.positions.places import Places, UnsuitableError, find_places
from einsum_front.tl_backend.schedules.positions.product import ProductSum, product_of
from einsum_front.tl_backend.schedules.positions.storage import (
    Sharing,
    Storages,
    check_inside,
    find_sharing,
    find_storages,
)
from einsum_front.tl_backend.schedules.positions.stored import Stored, without_conversions
from einsum_front.tl_backend.schedules.positions.zeros import Known, Patterns, find_known, find_patterns, summands
from einsum_front.tl_backend.schedules.schedule import Reason
from einsum_front.tl_backend.traverse import operands, regions, typed_operands, walked
from einsum_front.tl_backend.types import GroupType, ScalarType


@dataclass(frozen=True, slots=True)
class Facts:
    """Meanings of the names of a function, and facts about its memory.

    `function` is what all this is about: it computes in one type, and `stored` are the types in memory of the arguments
    that have another one there. `known` are the numbers in memory that are known when compiling. `counts` says how many
    summands of each collective instruction may differ from zero. `machine` is that of the target: what is decided here
    depends on its times. `is_outlined` if the loops are in a function of their own, with instructions that the kernel
    does without; `is_wide` if vectors have 64 bytes.
    """

    function: Function
    stored: Stored
    places: Places
    sharing: Sharing
    storages: Storages
    patterns: Patterns
    known: Known
    counts: Mapping[tl.Collective, int]
    machine: Machine = GENERIC
    is_outlined: bool = False
    is_wide: bool = False

    @property
    def registers(self) -> int:
        """Vectors that the innermost loops may keep in registers."""
        tables = self.machine.batch_simd.tables
        return tables.outlined if self.is_outlined else tables.wide if self.is_wide else tables.registers

    @property
    def element(self) -> ScalarType:
        """The type of all entries."""
        return next(iter(self.storages.values())).element

    def stored_as(self, base: str) -> ScalarType:
        """The type of its entries in memory."""
        return self.stored.get(base, self.element)

    def is_uniform(self, base: str) -> bool:
        """True if the memory is batch-invariant."""
        return self.storages[base].is_uniform

    def differs(self, operand: tl.Operand) -> bool:
        """True if a scalar differs from lane to lane."""
        return isinstance(operand, tl.Local) and operand.name in self.sharing.scalars


MOST_ITERATIONS = 1 << 16
"""Iterations of nested loops whose indices are followed."""

MOST_POINTS = 1 << 22
"""Rows times columns times depth of a product, before zeros are left out."""

MOST_SUMMANDS = 250_000
"""Summands of all products: each may stand in a table."""


def suitability(function: Function) -> Facts | Reason:
    """Facts about a function, or why this schedule cannot run it."""
    try:
        return find_facts(function)
    except UnsuitableError as error:
        return Reason(str(error))


def find_facts(function: Function) -> Facts:
    """Facts about a function; raises `UnsuitableError` if this schedule cannot run it."""
    _check_launch(function)
    if operations(function) > 2 * MOST_POINTS:  # before anything is followed
        raise UnsuitableError("a product is too large for the registers of one work-item")
    places = find_places(function)
    function, stored = without_conversions(function, places)
    if stored:
        places = find_places(function)
    _check_loops(function, places)
    _check_group_ids(function, places)
    sharing = find_sharing(function, places)
    storages = find_storages(function, places, sharing)
    check_inside(function, places, storages)
    _check_types(function, storages)
    _check_memory(function, storages)
    _check_scalars(function, sharing)
    products = {each: product_of(each, places) for each in _collectives(function)}
    _check_points(products.values())
    patterns = find_patterns(function, places, storages)
    counts = {each: _count_summands(product, patterns) for each, product in products.items()}
    _check_summands(counts[each] for each in _collectives(function))
    return Facts(function, stored, places, sharing, storages, patterns, find_known(function, storages), counts)


def _check_launch(function: Function) -> None:
    if prod(function.work_items) > 1 or function.subgroup_size is not None:
        raise UnsuitableError("the function asks for work-groups of its own")


def _check_loops(function: Function, places: Places) -> None:
    if _iterations(function.body, places) > MOST_ITERATIONS:
        raise UnsuitableError(f"its loops have more than {MOST_ITERATIONS} iterations")


def _iterations(region: tl.Region, places: Places) -> int:
    """The most iterations of loops inside each other."""
    most = 1
    for instruction in region:
        inner = max((_iterations(body, places) for body in regions(instruction)), default=1)
        if isinstance(instruction, tl.For | tl.Foreach):
            inner *= len(places.loops[instruction.variable.name])
        most = max(most, inner)
    return most


def _check_group_ids(function: Function, places: Places) -> None:
    if not places.batch_modes:
        raise UnsuitableError("no argument is one for each element")
    for instruction in walked(function):
        is_taking = isinstance(instruction, tl.Subview) or _is_group_load(instruction)
        used = {operand.name for operand in operands(instruction) if isinstance(operand, tl.Local)}
        if used & places.group_ids and not is_taking:
            raise UnsuitableError("the number of the work-group is used for more than taking elements")


def _is_group_load(instruction: tl.Instruction) -> bool:
    return isinstance(instruction, tl.Load) and isinstance(instruction.type, GroupType)


def _check_types(function: Function, storages: Storages) -> None:
    """One floating type for all memory and all coefficients: it decides how many lanes there are."""
    elements = {storage.element for storage in storages.values()}
    elements |= {operand.type for each in _collectives(function) for operand in _scalars(each)}
    if len(elements) > 1:
        names = " and ".join(sorted(f"`{element.value}`" for element in elements))
        raise UnsuitableError(f"it mixes {names}")
    if not all(element.is_floating for element in elements):
        raise UnsuitableError("it computes with integers")


def _collectives(function: Function) -> Iterator[tl.Collective]:
    return (each for each in walked(function) if isinstance(each, tl.Collective))


def _scalars(instruction: tl.Collective) -> Iterator[tl.TypedScalar]:
    return (operand for operand in typed_operands(instruction) if isinstance(operand, tl.TypedScalar))


def _check_memory(function: Function, storages: Storages) -> None:
    """Elements in the lanes write memory of their own only."""
    access = argument_access(function)
    for name, storage in storages.items():
        if storage.is_argument and storage.is_uniform and access[name].is_written:
            raise UnsuitableError(f"all elements write into `%{name}`")
    if any(instruction.atomic for instruction in _collectives(function)):
        raise UnsuitableError("it updates memory atomically, which elements may share")


def _check_scalars(function: Function, sharing: Sharing) -> None:
    """Rule: a value that differs from lane to lane is a number of the element type, and nothing branches on it."""
    for instruction in walked(function):
        if not isinstance(instruction, tl.ValueInstruction | tl.If):
            continue
        if any(isinstance(each, tl.Local) and each.name in sharing.scalars for each in operands(instruction)):
            _check_vector_operation(instruction)


def _check_vector_operation(instruction: tl.ValueInstruction | tl.If) -> None:
    if isinstance(instruction, tl.If):
        raise UnsuitableError("it branches on what differs from element to element")
    if isinstance(instruction, tl.Cast):
        raise UnsuitableError("it converts what differs from element to element")
    if isinstance(instruction, tl.ArithBinary) and instruction.operator is tl.BinaryOperator.REM:
        raise UnsuitableError("it takes remainders of what differs from element to element")
    if result_type(instruction) is ScalarType.BOOL:
        raise UnsuitableError("it compares what differs from element to element")


def _check_points(products: Iterable[ProductSum]) -> None:
    if any(prod(term.shape) > MOST_POINTS for product in products for term in product.terms):
        raise UnsuitableError("a product is too large for the registers of one work-item")


def _count_summands(product: ProductSum, patterns: Patterns) -> int:
    return sum(int(np.count_nonzero(summands(term, patterns))) for term in product.terms)


def _check_summands(counts: Iterable[int]) -> None:
    if sum(counts) > MOST_SUMMANDS:
        raise UnsuitableError(f"it has more than {MOST_SUMMANDS} multiplications for one element")
