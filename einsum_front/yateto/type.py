"""Tensors and scalars of a script, and collections of tensors by name."""

from collections.abc import Iterable, Mapping
from enum import Enum
from typing import Any

import numpy as np
from numpy.typing import NDArray

from einsum_front.core.runs import TooManyCellsError
from einsum_front.core.storage import ElementType
from einsum_front.core.zero_pattern import Pattern
from einsum_front.package.names import C_TYPES
from einsum_front.yateto import aspp
from einsum_front.yateto.aspp import ASpp
from einsum_front.yateto.formula import IndexedTensor
from einsum_front.yateto.identifiers import IdentifiedType, Scalar
from einsum_front.yateto.memory import Alignment, AlignStride, CSCMemoryLayout, DenseMemoryLayout, MemoryLayout
from einsum_front.yateto.mistakes import rejected

__all__ = ["Alignment", "Collection", "Datatype", "IdentifiedType", "Scalar", "Tensor"]

Values = Mapping[tuple[int, ...], Any]
"""Entries by position: numbers, texts of numbers, or true for an entry of a pattern."""

Facts = Values | NDArray[np.generic] | ASpp
Layout = type[DenseMemoryLayout] | type[CSCMemoryLayout]


class Datatype(Enum):
    """The type of the entries of a tensor in memory, by the names of YATeTo's branch `datatyping`."""

    BOOL = 0
    I8 = 1
    I16 = 2
    I32 = 3
    I64 = 4
    F32 = 5
    F64 = 6
    F16 = 7
    BF16 = 8
    F128 = 9

    def __str__(self) -> str:
        return self.name.lower()

    def ctype(self) -> str:
        """The type in C++; KeyError for one that memory of kernels cannot have."""
        return CTYPES[self]

    @property
    def is_integer(self) -> bool:
        """True for integers and `BOOL`."""
        return self.value <= Datatype.I64.value

    def size(self) -> int:
        """Bytes of an entry."""
        return 16 if self is Datatype.F128 else ElementType(str(self)).size


CTYPES = {Datatype.BOOL: "bool"} | {
    each: C_TYPES[str(each)]
    for each in (Datatype.I8, Datatype.I16, Datatype.I32, Datatype.I64, Datatype.F32, Datatype.F64)
}
"""Types in C++ of what kernels can have in memory there: it has no numbers of 16 bits that everybody has."""


class Tensor(IdentifiedType):
    """A tensor; `spp` are its values (numbers or texts by position, an array of floats) or its pattern.

    One with values is the same for all elements of a batch, any other there is one of for each. `temporary` lives
    inside of kernels only. Of a `datatype` are its entries in memory; None is that of the architecture, with which
    kernels compute.
    """

    def __init__(
        self,
        name: str,
        shape: tuple[int, ...],
        spp: Facts | None = None,
        memoryLayoutClass: Layout = DenseMemoryLayout,
        alignStride: AlignStride = False,
        namespace: str | None = None,
        temporary: bool = False,
        datatype: Datatype | None = None,
    ) -> None:
        super().__init__(name, namespace)
        if datatype is not None and datatype not in CTYPES:
            known = ", ".join(f"Datatype.{each.name}" for each in CTYPES)
            raise rejected("E0171", f"the entries of `{name}` are of {datatype}, not of {known}")
        self.datatype = datatype
        if not isinstance(shape, tuple):
            raise rejected("E0171", f"the shape of `{name}` must be a tuple such as (20, 9), not {shape!r}")
        if any(extent < 1 for extent in shape):
            raise rejected("E0171", f"the shape {shape} of `{name}` has an extent smaller than 1")
        self._shape = shape
        self.temporary = temporary
        self._values = _values(spp)
        self._spp = self._fitting(_pattern(name, shape, spp))
        self._groupSpp = self._spp
        self.setMemoryLayout(memoryLayoutClass, alignStride)

    def __getitem__(self, indexNames: Iterable[str]) -> IndexedTensor:
        """Its entries in a formula, one letter a mode."""
        return IndexedTensor(self, indexNames)

    def setMemoryLayout(self, memoryLayoutClass: Layout, alignStride: AlignStride = False) -> None:
        """Stores the entries of its pattern, or of its group's, so."""
        self._memoryLayout: MemoryLayout = memoryLayoutClass.fromSpp(self._groupSpp, alignStride=alignStride)

    def setGroupSpp(self, spp: ASpp) -> None:
        """Stores the entries of this pattern, which other tensors share."""
        self._groupSpp = self._fitting(spp)
        self.setMemoryLayout(type(self._memoryLayout), alignStride=self._memoryLayout.kept_alignment())

    def shape(self) -> tuple[int, ...]:
        """One extent a mode."""
        return self._shape

    def memoryLayout(self) -> MemoryLayout:
        """Where YATeTo stores its entries."""
        return self._memoryLayout

    def spp(self, groupSpp: bool = True) -> ASpp:
        """The pattern of what is stored, or its own."""
        return self._groupSpp if groupSpp else self._spp

    def values(self) -> Values | None:
        """Its values as the script gives them, by position; None if it has a pattern alone."""
        return self._values

    def values_as_ndarray(self, dtype: Any = np.float64) -> NDArray[Any] | None:
        """Its values as an array; None if it has none."""
        if not self._values:
            return None
        array = np.zeros(self._shape, dtype=dtype, order="F")
        for position, value in self._values.items():
            array[position] = value
        return array

    def is_compute_constant(self) -> bool:
        """True if it has values, and so is the same for all elements of a batch."""
        return bool(self._values)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Tensor) or self._name != other._name:
            return False
        same = self._shape == other._shape and self.datatype is other.datatype
        same = same and aspp.array_equal(self._spp, other._spp)
        if not same or self._memoryLayout != other._memoryLayout:
            note = f"one has shape {self._shape}, the other {other._shape}"
            raise rejected("E0176", f"two tensors `{self._name}` differ in shape, pattern, layout or type", note)
        return True

    __hash__ = IdentifiedType.__hash__

    def __str__(self) -> str:
        return f"{self._name}: {self._shape}"

    def _fitting(self, spp: ASpp) -> ASpp:
        if spp.shape != self._shape:
            raise rejected(
                "E0171", f"what is said of the entries of `{self._name}` has shape {spp.shape}, not {self._shape}"
            )
        return spp


class Collection:
    """Tensors as attributes: `db.kDivM` are those of a group by number, or the only one of its name."""

    def __getitem__(self, key: str) -> Any:
        return self.__dict__[key]

    def __setitem__(self, key: str, value: object) -> None:
        self.__dict__[key] = value

    def __contains__(self, key: object) -> bool:
        return key in self.__dict__

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(f"the collection has no tensor `{name}`: it has {', '.join(self.__dict__) or 'none'}")

    def update(self, collection: "Collection") -> None:
        """Adds what another collection has, in place of what has its names."""
        self.__dict__.update(collection.__dict__)

    @classmethod
    def group(cls, name: str) -> int | tuple[int, ...]:
        """The key of a member in its group: a number, or several."""
        group = Tensor.getGroup(name)
        return group[0] if len(group) == 1 else group

    def byName(self, name: str) -> Any:
        """The tensor of a name with its group, `fP(2)`."""
        found, group = self[Tensor.getBaseName(name)], self.group(name)
        return found if group == () else found[group]

    def containsName(self, name: str) -> bool:
        """True if there is a tensor of this name with its group."""
        if not Tensor.isValidName(name):
            raise rejected("E0170", f"`{name}` is no name of a tensor")
        base, group = Tensor.getBaseName(name), self.group(name)
        return base in self and (group == () or group in self[base])


def _values(spp: Facts | None) -> Values | None:
    match spp:
        case np.ndarray() if spp.dtype.kind == "f":
            return {tuple(position): str(spp[tuple(position)]) for position in np.argwhere(spp).tolist()}
        case Mapping() if not isinstance(next(iter(spp.values()), False), bool | np.bool_):
            return spp
        case _:  # open: patterns of ones have no values
            return None


def _pattern(name: str, shape: tuple[int, ...], spp: Facts | None) -> ASpp:
    match spp:
        case None:
            return aspp.dense(shape)
        case ASpp():
            return spp
        case np.ndarray():
            return aspp.general(spp)
        case Mapping():
            positions = [_inside(name, shape, position) for position in spp]
            named = (at for at, value in zip(positions, spp.values(), strict=True) if bool(value))
            try:
                return ASpp(Pattern.of_positions(shape, named))
            except TooManyCellsError as error:
                message = f"the entries of `{name}` cut it into {error.cells} parts, which is too many"
                raise rejected("E0171", message) from None
    note = "they are a dictionary by position, such as {(0, 1): 2.0}, an array, or a pattern"
    raise rejected("E0171", f"what is said of the entries of `{name}` is {spp!r}", note)


def _inside(name: str, shape: tuple[int, ...], position: tuple[int, ...]) -> tuple[int, ...]:
    is_inside = len(position) == len(shape) and all(0 <= p < extent for p, extent in zip(position, shape, strict=True))
    if not is_inside:
        raise rejected("E0171", f"entry {tuple(position)} of `{name}` is outside of its shape {shape}")
    return tuple(position)
