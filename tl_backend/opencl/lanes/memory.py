"""Where the entries of each base are in C: parameters, private scalars, or parts of one private array of vectors."""

from collections.abc import Mapping

import numpy as np

from tl_backend.opencl import index
from tl_backend.opencl.lanes.context import Array, Context, Facts
from tl_backend.opencl.lanes.storage import Storage
from tl_backend.opencl.lanes.zeros import Mask
from tl_backend.opencl.names import Names, local_name
from tl_backend.opencl.tree import AddressSpace, Declare, DeclareArray, Name, Pointer, Statements


def plan_arrays(facts: Facts, parameters: Mapping[str, str], width: int, names: Names) -> dict[str, Array]:
    """An array for every base; `parameters` are the C names of the arguments.

    Arrays hold the positions from the first to the last that may differ from zero, and room for one vector.
    """
    arrays, place = {}, 0
    for name, storage in facts.storages.items():
        low, size = _extent(storage, facts.patterns[name], width)
        if storage.is_argument and storage.is_uniform:
            arrays[name] = Array(parameters[name], 0, storage.span)
        elif storage.is_uniform:
            arrays[name] = Array(names.fresh(local_name(name)), low, size)
        else:
            wish = f"{local_name(name)}_lanes" if storage.is_argument else local_name(name)
            arrays[name] = Array(names.fresh(wish), low, size, place)
            place += size
    return arrays


def lane_entries(facts: Facts) -> int:
    """Vectors in the arrays of what differs from lane to lane."""
    lanes = [name for name, storage in facts.storages.items() if not storage.is_uniform]
    return sum(_extent(facts.storages[name], facts.patterns[name], 1)[1] for name in lanes)


def _extent(storage: Storage, pattern: Mask, width: int) -> tuple[int, int]:
    """The first position of the array and the number of positions."""
    positions = np.flatnonzero(pattern)
    if positions.size == 0:
        return 0, 1
    low, high = int(positions[0]), int(positions[-1]) + 1
    high = min(max(high, low + width), storage.span)
    low = max(0, min(low, high - width))
    return low, high - low


def declare_arrays(context: Context) -> Statements:
    """The array of all vectors, a pointer to the part of every base, and the arrays of scalars."""
    storages = context.facts.storages
    parts = {name: array for name, array in context.arrays.items() if not storages[name].is_uniform}
    size = sum(array.size for array in parts.values())
    scalars = [context.arrays[name] for name, each in storages.items() if each.is_uniform and not each.is_argument]
    pointer = Pointer(context.vector_type, AddressSpace.PRIVATE)
    return (
        DeclareArray(context.vector_type, context.lanes, size, AddressSpace.PRIVATE),
        *(
            Declare(pointer, array.name, index.add(Name(context.lanes), index.constant(array.place)))
            for array in parts.values()
        ),
        *(DeclareArray(context.scalar_type, array.name, array.size, AddressSpace.PRIVATE) for array in scalars),
    )
