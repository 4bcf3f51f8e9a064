"""A contraction that is too much for one work-group, step by step: its temporaries become arrays.

Where an index string has no batch, one work-group computes all of its steps, one after the other. So that more cores
have work, each step of the plan becomes an index string of its own, whose kernel finds a batch or cuts its result into
tiles.

    ij,jk,kl->il        tmp0 = ij,jk->ik        D = ik,kl->il

So does a path that the caller gives.
"""

from collections.abc import Mapping, Sequence
from math import prod
from typing import Any

import numpy as np

from einsum_front.core.dataclass import dataclass
from einsum_front.index_string.subscripts import letters

Positions = tuple[tuple[int, ...], ...]
"""A path: which operands each product takes, by their places among what is left; the product goes to the end."""


@dataclass(frozen=True, slots=True)
class Part:
    """An array by name, and where it is held: a position for each mode, or the whole of it."""

    name: str
    held: tuple[int | slice, ...]

    @property
    def key(self) -> tuple[Any, ...]:
        """The index that gives the part of the array: of NumPy's, `...` gives an array where a number is left."""
        return (*self.held, ...)


@dataclass(frozen=True, slots=True)
class StringStep:
    """`target = einsum(subscripts, *operands)`; `dead` are temporaries that nobody needs after it."""

    subscripts: str
    operands: tuple[Part, ...]
    target: str
    dead: tuple[str, ...]


def steps_of_path(
    terms: Sequence[tuple[str, ...]], output: tuple[str, ...], names: Sequence[str], result: str, path: Positions
) -> tuple[StringStep, ...]:
    """The products of a path as index strings, `result` the target of the last one.

    `terms` are the names of the indices of each operand, `output` those of the result, `names` the operands. A product
    keeps the indices that the result or what is left has. Letters are its own, so that equal products are one kernel.
    """
    left = list(zip(names, terms, strict=True))
    steps = []
    for number, places in enumerate(path):
        taken = [left[place] for place in places]
        left = [each for place, each in enumerate(left) if place not in places]
        needed = {*output, *(name for _, term in left for name in term)}
        found = dict.fromkeys(name for _, term in taken for name in term)
        symbols = dict(zip(found, letters(), strict=False))
        is_last = number == len(path) - 1
        kept = output if is_last else tuple(name for name in found if name in needed)
        target = result if is_last else f"product{number}"
        written = ",".join("".join(symbols[name] for name in term) for _, term in taken)
        operands = tuple(Part(name, (slice(None),) * len(term)) for name, term in taken)
        dead = tuple(name for name, _ in taken if name.startswith("product"))
        steps.append(StringStep(f"{written}->{''.join(symbols[name] for name in kept)}", operands, target, dead))
        left.append((target, kept))
    return tuple(steps)


def check_step(step: StringStep, shape: tuple[int, ...], dtype: np.dtype[Any]) -> None:
    """Raises CompileError (E0516) for an array between two steps that the memory cannot hold."""
    from einsum_front.runtime import check_room, told  # noqa: PLC0415 - they load OpenCL

    if not shape:
        return
    part = told(prod(shape) * dtype.itemsize // max(shape))
    notes = (
        f"it is the product `{step.subscripts}` of the order of the contraction; `memory_limit=` finds another order, "
        "or computes in slices",
        f"a loop in Python over one of its indices, with a position of it in all operands, needs {part} at a time",
    )
    check_room(shape, dtype, f"what stands between two products, of shape {shape}", notes)


# -- as JSON -----------------------------------------------------------------------------------------------------------


def step_value(step: StringStep) -> Mapping[str, object]:
    """A step as JSON; None stands for the whole of a mode."""
    operands = [
        [part.name, [None if isinstance(each, slice) else each for each in part.held]] for part in step.operands
    ]
    return {"subscripts": step.subscripts, "operands": operands, "target": step.target, "dead": step.dead}


def step_from_value(value: Mapping[str, Any]) -> StringStep:
    """The step of which this is the JSON; raises `KeyError`, `TypeError` or `ValueError` if it is of none."""
    operands = tuple(
        Part(name, tuple(slice(None) if each is None else int(each) for each in key)) for name, key in value["operands"]
    )
    return StringStep(str(value["subscripts"]), operands, str(value["target"]), tuple(value["dead"]))
