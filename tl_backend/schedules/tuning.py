"""Names and parameters of schedules as users write them: `work_group:block=2x3`, `batch_simd:prefetch=off`.

tuning    ::= schedule [":" parameter {"," parameter}]
schedule  ::= "work_group" | "batch_simd" | "packed" | "tiled" | "columns" | "loops"
parameter ::= "block=" size                            work_group, packed, tiled
            | "work_group=" size                       work_group
            | "prefetch=" ("on" | "off")               batch_simd
          | "elements=" number                       columns
          | "literals=" ("on" | "off")               columns
          | "lines=" number                          columns
          | "stages=" number                         columns
size      ::= number "x" number
"""

import re
from enum import Enum
from typing import TYPE_CHECKING

from einsum_front.core.dataclass import dataclass
from einsum_front.core.diagnostics import CompileError, Diagnostic

if TYPE_CHECKING:
    from einsum_front.tl_backend.transforms.recipe import Recipe


class ScheduleKind(Enum):
    """How the elements of a batch are spread over the device; the value is its name for users."""

    WORK_GROUP = "work_group"
    BATCH_SIMD = "batch_simd"
    PACKED = "packed"
    TILED = "tiled"
    COLUMNS = "columns"
    LOOPS = "loops"


@dataclass(frozen=True, slots=True)
class RegisterBlock:
    """The part of a result whose sums a work-item keeps in registers: `rows` times `columns`.

    Rows are vectors where a work-item is alone, and entries where several share the result.
    """

    rows: int
    columns: int

    def __str__(self) -> str:
        return f"{self.rows}x{self.columns}"


@dataclass(frozen=True, slots=True)
class Tuning:
    """A schedule and its parameters; those that it does not have, and those that a model chooses, are None.

    The schedule `loops` has a `recipe`, of which the short text says nothing: without steps it is the function as
    it is written.
    """

    kind: ScheduleKind
    block: RegisterBlock | None = None
    prefetch: bool | None = None
    work_group: tuple[int, int] | None = None
    elements: int | None = None
    literals: bool | None = None
    lines: int | None = None
    stages: int | None = None
    recipe: "Recipe | None" = None

    def __str__(self) -> str:
        work_group = None if self.work_group is None else "{}x{}".format(*self.work_group)
        values = {
            "work_group": work_group, "block": self.block, "prefetch": _switch(self.prefetch),
            "elements": self.elements, "literals": _switch(self.literals),
            "lines": self.lines, "stages": self.stages,
        }  # fmt: skip
        parameters = ",".join(f"{name}={value}" for name, value in values.items() if value is not None)
        return f"{self.kind.value}:{parameters}" if parameters else self.kind.value


def _switch(value: bool | None) -> str | None:
    return None if value is None else "on" if value else "off"


Blocks = tuple[RegisterBlock, ...]

MANY_REGISTERS = 32
"""Vector registers from which on larger blocks are worth a measurement."""


def sizes(text: str) -> tuple[tuple[int, int], ...]:
    """Pairs of rows and columns: `1x4 2x2`."""
    pairs = (size.split("x") for size in text.split())
    return tuple((int(rows), int(columns)) for rows, columns in pairs)


def blocks(text: str) -> Blocks:
    """The same as blocks of registers."""
    return tuple(RegisterBlock(rows, columns) for rows, columns in sizes(text))


LARGEST_BLOCK = 64
"""Rows times columns of a block: registers are full before, and code is unrolled for each."""

LARGEST_WORK_GROUP = 1024
"""Work-items of a group: what most devices allow."""

PARAMETERS = {
    ScheduleKind.WORK_GROUP: ("work_group", "block"),
    ScheduleKind.BATCH_SIMD: ("prefetch",),
    ScheduleKind.PACKED: ("block",),
    ScheduleKind.TILED: ("block",),
    ScheduleKind.COLUMNS: ("elements", "literals", "lines", "stages"),
    ScheduleKind.LOOPS: (),
}
"""The parameters that each schedule has."""


def read_tuning(text: str) -> Tuning:
    """Tuning in the text; raises `CompileError` (E0304) if it is not of the grammar above."""
    word, colon, rest = text.partition(":")
    kind = next((kind for kind in ScheduleKind if kind.value == word), None)
    if kind is None:
        known = ", ".join(f"`{kind.value}`" for kind in ScheduleKind)
        raise _mistake(
            f"there is no schedule `{word}`: the schedules are {known}; a file of recipes ends with `.sched`"
        )
    values: dict[str, str] = {}
    for parameter in rest.split(",") if colon else ():
        name, _, value = parameter.partition("=")
        if name not in PARAMETERS[kind]:
            known = ", ".join(f"`{name}`" for name in PARAMETERS[kind])
            raise _mistake(f"the schedule `{kind.value}` has no parameter `{name}`: it has {known}")
        if name in values:
            raise _mistake(f"`{name}` is given twice in `{text}`")
        values[name] = value
    if kind is ScheduleKind.LOOPS:
        from einsum_front.tl_backend.transforms.recipe import Recipe  # noqa: PLC0415 - few kernels have a recipe

        return Tuning(kind, recipe=Recipe(""))
    block = _size("block", values.get("block"), LARGEST_BLOCK)
    work_group = _size("work_group", values.get("work_group"), LARGEST_WORK_GROUP)
    prefetch, literals = (_read_switch(name, values.get(name)) for name in ("prefetch", "literals"))
    elements, lines, stages = (_number(name, values.get(name)) for name in ("elements", "lines", "stages"))
    return Tuning(kind, block and RegisterBlock(*block), prefetch, work_group, elements, literals, lines, stages)


def _size(name: str, text: str | None, largest: int) -> tuple[int, int] | None:
    if text is None:
        return None
    found = re.fullmatch(r"([1-9][0-9]{0,3})x([1-9][0-9]{0,3})", text)
    if found is None:
        raise _mistake(f"`{name}={text}` does not say how many rows and columns, as in `{name}=2x3`")
    rows, columns = int(found[1]), int(found[2])
    if rows * columns > largest:
        raise _mistake(f"`{name}={text}` is too large: rows times columns are {largest} at most")
    return rows, columns


def _number(name: str, text: str | None) -> int | None:
    if text is None:
        return None
    if re.fullmatch(r"[1-9][0-9]{0,3}", text) is None or int(text) > LARGEST_WORK_GROUP:
        raise _mistake(f"`{name}={text}` is no number from 1 to {LARGEST_WORK_GROUP}")
    return int(text)


def _read_switch(name: str, text: str | None) -> bool | None:
    if text not in (None, "on", "off"):
        raise _mistake(f"`{name}={text}` is neither `{name}=on` nor `{name}=off`")
    return None if text is None else text == "on"


def _mistake(message: str) -> CompileError:
    return CompileError([Diagnostic("E0304", message)])
