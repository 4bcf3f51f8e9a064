"""Values while a graph is built: a coefficient times a product of nodes, which is no node yet."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field, replace

from einsum_front.core.coefficient import Coefficient
from einsum_front.core.dataclass import dataclass
from einsum_front.core.diagnostics import CompileError, Diagnostic, Label, Origin
from einsum_front.core.extent import Extent, capacity, is_at_most
from einsum_front.core.names import fresh_numbered
from einsum_front.core.storage import Storage
from einsum_front.ir.index import Index, names
from einsum_front.ir.tensor import Tensor

SUMMED = "#"
"""What stands between the name of an index that is summed and its number, until the product becomes a node."""


@dataclass(frozen=True, slots=True)
class Factor:
    """A node, and the index that walks each of its modes."""

    node: int
    indices: tuple[Index, ...]


@dataclass(frozen=True, slots=True)
class Value:
    """A coefficient times the product of some nodes, summed over the indices `summed`; no node: the coefficient alone.

    It is bound to the builder that made it. A product becomes one node when it is added, assigned or `evaluated`; until
    then, a product that it is a factor of takes all its factors, and the planner is free to order them.
    """

    coefficient: Coefficient
    factors: tuple[Factor, ...]
    summed: tuple[Index, ...] = ()
    origin: Origin = field(default=(), compare=False, repr=False)

    @property
    def indices(self) -> tuple[Index, ...]:
        """The indices of its modes, in the order of the factors."""
        found = dict.fromkeys(index for factor in self.factors for index in factor.indices)
        return tuple(index for index in found if index not in self.summed)


def mistake(code: str, message: str, origin: Origin) -> CompileError:
    """The error of one mistake of a front end."""
    return CompileError([Diagnostic(code, message, tuple(Label(span) for span in origin[:1]))])


def extents_of(indices: Iterable[Index], origin: Origin) -> Mapping[str, Extent]:
    """The extent of each index, in the order in which they come; each has one."""
    extents: dict[str, Extent] = {}
    for index in indices:
        if extents.setdefault(index.name, index.extent) != index.extent:
            message = f"index `{index.name}` has {index.extent} positions here, but {extents[index.name]} there"
            raise mistake("E0151", message, origin)
    return extents


def renamed(factor: Factor, renaming: Mapping[str, str]) -> Factor:
    """The factor walked by indices of other names."""
    return replace(factor, indices=tuple(Index(renaming.get(i.name, i.name), i.extent) for i in factor.indices))


def named_apart(value: Value) -> tuple[tuple[Factor, ...], tuple[Index, ...]]:
    """The factors and the indices that they are summed over, with names that no other index of the product has."""
    taken = set(names(value.indices))
    renaming: dict[str, str] = {}
    for index in value.summed:
        renaming[index.name] = fresh_numbered(index.name.partition(SUMMED)[0], taken)
        taken.add(renaming[index.name])
    summed = tuple(Index(renaming[index.name], index.extent) for index in value.summed)
    return tuple(renamed(factor, renaming) for factor in value.factors), summed


# -- how tensors lie if nothing is said of it, and strides that mean nothing -------------------------------------------


def column_major(shape: Sequence[Extent], storage: Storage) -> tuple[Extent, ...]:
    """The strides of a tensor without gaps, the first mode fastest; a temporary has room for the largest extents."""
    strides: list[Extent] = []
    stride: Extent = 1
    for extent in shape:
        strides.append(stride)
        stride = stride * (capacity(extent) if storage is Storage.TEMPORARY else extent)
    return tuple(strides)


def nested(tensor: Tensor) -> tuple[Extent, ...]:
    """The strides, where a mode of one position that would end inside of another mode has stride 1.

    Its stride means nothing, and memrefs have to be column-major.
    """
    nested = list(tensor.strides)
    end: Extent = 1
    for mode in tensor.modes_by_stride:
        if tensor.shape[mode] == 1 and not is_at_most(capacity(end), capacity(nested[mode])):
            nested[mode] = 2 if tensor.is_complex else 1  # behind the parts
        else:
            end = nested[mode] * tensor.shape[mode]
    return tuple(nested)
