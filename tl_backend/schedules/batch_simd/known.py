"""Numbers in memory that are known when compiling."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from einsum_front.core.facts import Values
from einsum_front.tl_backend.program import Function
from einsum_front.tl_backend.scalars import DTYPES
from einsum_front.tl_backend.schedules.batch_simd.storage import Storage, Storages
from einsum_front.tl_backend.schedules.batch_simd.zeros import memory_positions

Numbers = NDArray[np.floating[Any]]
"""Numbers of the element type."""

Known = Mapping[str, Numbers]
"""For the arguments whose values are known, the number at every position; between entries it is 0."""


def find_known(function: Function, storages: Storages) -> Known:
    """Facts about the values of arguments."""
    facts = [fact for fact in function.facts if isinstance(fact, Values) and fact.argument in storages]
    return {fact.argument: _numbers(fact, storages[fact.argument]) for fact in facts}


def _numbers(fact: Values, storage: Storage) -> Numbers:
    numbers = np.zeros(storage.span, DTYPES[storage.element])
    if fact.entries:
        entries, values = zip(*fact.entries, strict=True)
        numbers[memory_positions(storage)[list(entries)]] = values
    return numbers
