"""Functions and programs of the tensor language, and the facts that travel with a function.

    program    = { function }
    function   = { fact } "func" global "(" [ local ":" type { "," local ":" type } ] ")" { attribute } region
    attribute  = "work_group_size" "(" integer "," integer ")" | "subgroup_size" "(" integer ")"
    fact       = ";!" "batched" local [ integer ]
               | ";!" "modes" local { integer }
               | ";!" "nonzeros" local { integer [ ":" integer ] }
               | ";!" "values" local { [ integer ":" ] number }
               | ";!" "prefetched" local
               | ";!" "sizes" local { "_" | sum of products of names and numbers, without spaces }
               | ";!" "indices" local { "_" | sum of products of names and numbers, without spaces }
               | ";!" "scattered" local words of `core.scatter_text`
               | ";!" "limit" name integer ":" [ integer ] [ integer ]
               | ";!" "prologue" global

Facts say what the language has no words for. They are comments to other readers; without them a kernel is as right,
perhaps slower, and its arguments are arrays in the order of the memref's modes, all of them given by the caller.

The function that `prologue` names runs before each launch, for one work-group. What it writes belongs to the launch,
and is zero before; arguments of the same names have it. In a program it is a part of the function that it is for.
An argument that is `scattered` belongs to the launch, too: after the function its entries are added to another one.
"""

from collections.abc import Sequence
from dataclasses import field
from enum import Enum
from typing import TypeVar

from einsum_front.core.dataclass import dataclass
from einsum_front.core.diagnostics import Origin
from einsum_front.core.extent import Polynomial
from einsum_front.core.facts import Indices, Limit, Modes, Nonzeros, Values
from einsum_front.core.results import Analysed, Results
from einsum_front.core.scattered import Scatter
from einsum_front.tl_backend import instructions as tl
from einsum_front.tl_backend.types import MemrefType, Type

T = TypeVar("T")


class Edition(Enum):
    """The spellings of the language: of the two references, and of the released compilers that read it."""

    E2023 = "2023"
    E2024 = "2024"
    TINYTC_0_2 = "tinytc-0.2"
    TINYTC_0_3 = "tinytc-0.3"
    TINYTC_0_4 = "tinytc-0.4"

    @property
    def is_released(self) -> bool:
        """True if it is what a released compiler of the references' language reads, faults included."""
        return self in (Edition.TINYTC_0_2, Edition.TINYTC_0_3)

    @property
    def is_dialect(self) -> bool:
        """True if it is a language of its own: constants are values there, and operands have no types."""
        return self is Edition.TINYTC_0_4


@dataclass(frozen=True, slots=True)
class Batched:
    """A mode of the memref counts the elements of the batch, one for each work-group: `mode`, or the last one (None).

    Modes behind it follow each other without gaps.
    """

    argument: str
    mode: int | None = None
    origin: Origin = field(default=(), compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Sizes:
    """Dynamic extents of the memref's modes (without the batch mode): `n`, `2*n+1`; None where nothing is said.

    Modes of one extent have one size, and those of the sizes in it say what it is: the caller sees to that.
    """

    argument: str
    extents: tuple[Polynomial | None, ...]
    origin: Origin = field(default=(), compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Prefetched:
    """The memory of the argument is fetched into a cache while the function runs, which neither reads nor writes it.

    Its address may be 0: then there is nothing to fetch.
    """

    argument: str
    origin: Origin = field(default=(), compare=False, repr=False)


Fact = Batched | Indices | Modes | Nonzeros | Prefetched | Scatter | Values | Sizes


@dataclass(frozen=True, slots=True)
class Argument:
    """An argument of a function with its type."""

    name: tl.Local
    type: Type
    origin: Origin = field(default=(), compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Function(Analysed):
    """A kernel: callable from the host, launched for a batch of work-groups."""

    name: str
    arguments: tuple[Argument, ...]
    body: tl.Region
    work_group_size: tuple[int, int] | None = None
    subgroup_size: int | None = None
    facts: tuple[Fact, ...] = ()
    limits: tuple[Limit, ...] = ()
    prologue: "Function | None" = None
    origin: Origin = field(default=(), compare=False, repr=False)
    _results: Results = field(default_factory=Results, init=False, compare=False, repr=False)

    @property
    def work_items(self) -> tuple[int, int]:
        """Rows and columns of work-items in the work-group; one is alone unless the function asks for more."""
        return self.work_group_size or (1, 1)

    @property
    def batch_modes(self) -> dict[str, int]:
        """The mode that counts the elements of the batch, for each argument that has one."""
        return self.get(_batch_modes)


def _batch_modes(function: Function) -> dict[str, int]:
    modes = {fact.argument: fact.mode for fact in function.facts if isinstance(fact, Batched)}
    orders = {each.name.name: each.type.order for each in function.arguments if isinstance(each.type, MemrefType)}
    return {name: orders[name] - 1 if mode is None else mode for name, mode in modes.items() if orders.get(name)}


def close_modes(order: int, batch_mode: int | None) -> tuple[tuple[int, int], ...]:
    """The pairs of modes that follow each other without gaps, because the batch is in front of them."""
    first = order if batch_mode is None else batch_mode + 1
    return tuple((mode, mode + 1) for mode in range(first, order - 1))


def of_element(extents: Sequence[T], batch_mode: int | None) -> tuple[T, ...]:
    """What is said of each mode, without the one that counts the elements."""
    return tuple(each for mode, each in enumerate(extents) if mode != batch_mode)


@dataclass(frozen=True, slots=True)
class Program:
    """The functions of a file, in the order of the text; prologues are parts of theirs."""

    functions: tuple[Function, ...]
