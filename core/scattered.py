"""What elements add to a tensor where integers say: data of every level, and its meaning in NumPy."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field, replace
from functools import reduce
from typing import Any

import numpy as np
from numpy.typing import NDArray

from einsum_front.core.dataclass import dataclass
from einsum_front.core.diagnostics import Origin

Array = NDArray[Any]


@dataclass(frozen=True, slots=True)
class Walked:
    """A mode walked by an index, from the position `first` on."""

    index: str
    first: int = 0


@dataclass(frozen=True, slots=True)
class Said:
    """The integer that an entry of a tensor is: it says a place."""

    tensor: str
    places: tuple[Walked | int, ...]


Place = Walked | int | Said


@dataclass(frozen=True, slots=True)
class Scatter:
    """`target[places] += source[indices]`, once all statements are done, but where one of the integers is negative.

    The source has an entry for each value of the indices, of each element: it belongs to the kernel, and no caller
    gives it. A mode of the target is walked by an index, all of it, held at a position, or at what an integer says.
    `element` says of which element of the batch the target is; without it, it is one's own, or one for all.
    Entries are added in the order of the batch, those of an element with the last index the fastest; in any order if
    the sum `is_atomic`.
    """

    source: str
    indices: tuple[str, ...]
    target: str
    places: tuple[Place, ...]
    element: Said | None = None
    is_atomic: bool = False
    origin: Origin = field(default=(), compare=False, repr=False)

    @property
    def argument(self) -> str:
        """The argument of a function that a fact like this is about."""
        return self.source

    @property
    def integers(self) -> tuple[Said, ...]:
        """What says places: of the modes, and the element."""
        of_modes = tuple(place for place in self.places if isinstance(place, Said))
        return of_modes if self.element is None else (*of_modes, self.element)

    @property
    def tensors(self) -> tuple[str, ...]:
        """The target and the tensors of integers."""
        return tuple(dict.fromkeys((self.target, *(said.tensor for said in self.integers))))

    def with_modes(self, modes: Callable[[str], Sequence[int]]) -> "Scatter":
        """The same where mode i of a tensor is mode `modes(name)[i]` of what it was."""

        def said(each: Said) -> Said:
            return Said(each.tensor, tuple(each.places[mode] for mode in modes(each.tensor)))

        places = (self.places[mode] for mode in modes(self.target))
        return replace(
            self,
            indices=tuple(self.indices[mode] for mode in modes(self.source)),
            places=tuple(said(each) if isinstance(each, Said) else each for each in places),
            element=None if self.element is None else said(self.element),
        )


def add(scatter: Scatter, source: Array, arrays: Mapping[str, Any]) -> None:
    """Adds the entries of the source, an array (elements, *modes), to the target among the arrays by name.

    What is stored in another type is summed in that of the source, and rounded once.
    """
    target: Array = arrays[scatter.target]
    axes = [np.broadcast_to(axis, source.shape) for axis in axes_of(scatter, source.shape, arrays)]
    is_there = reduce(np.logical_and, (axis >= 0 for axis in axes))
    sums = target.astype(source.dtype, copy=False)
    np.add.at(sums, tuple(axis[is_there] for axis in axes), source[is_there])
    if sums is not target:
        target[...] = sums


def axes_of(scatter: Scatter, shape: tuple[int, ...], arrays: Mapping[str, Any]) -> list[Array]:
    """For each axis of the target where the entries of a source of this shape go; all fit that shape.

    Arrays have the elements in front, if they have one for each.
    """
    named = dict(zip(scatter.indices, shape[1:], strict=True))
    order = {name: axis for axis, name in enumerate(("", *scatter.indices))}  # the elements have no name

    def along(name: str, numbers: Array) -> Array:
        return numbers.reshape([-1 if axis == order[name] else 1 for axis in range(len(shape))])

    def integers(said: Said) -> Array:
        array = np.asarray(arrays[said.tensor]).astype(np.int64, copy=False)
        parts = [
            slice(each.first, each.first + named[each.index]) if isinstance(each, Walked) else each
            for each in said.places
        ]
        leading = [""] if array.ndim > len(parts) else []
        names = leading + [each.index for each in said.places if isinstance(each, Walked)]
        return _spread(array[(*(slice(None) for _ in leading), *parts)], [order[name] for name in names], len(shape))

    axes: list[Array] = []
    if np.ndim(arrays[scatter.target]) > len(scatter.places):
        own = along("", np.arange(shape[0]))
        axes.append(own if scatter.element is None else integers(scatter.element))
    for place in scatter.places:
        match place:
            case Walked(index=index, first=first):
                axes.append(along(index, np.arange(first, first + named[index])))
            case Said():
                axes.append(integers(place))
            case int():
                axes.append(np.full((1,) * len(shape), place))
    return axes


def _spread(array: Array, axes: Sequence[int], count: int) -> Array:
    """The array with its axes at these places among so many; of an axis that stands twice, the diagonal."""
    for axis in {each for each in axes if axes.count(each) > 1}:
        first, second = (number for number, each in enumerate(axes) if each == axis)
        array = np.diagonal(array, axis1=first, axis2=second)
        axes = [*(each for number, each in enumerate(axes) if number not in (first, second)), axis]
    moved = array.transpose(np.argsort(axes))
    sizes = dict(zip(sorted(axes), moved.shape, strict=True))
    return moved.reshape([sizes.get(axis, 1) for axis in range(count)])
