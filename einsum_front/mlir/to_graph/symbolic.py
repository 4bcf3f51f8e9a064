"""Tensors before anything is computed: how to read their entries at positions.

A position of a mode is a position of each of its atoms (`Dimensions.atoms`): an index, an integer or a window. The
batch has none.
"""

from collections.abc import Callable, Container, Iterable, Mapping
from dataclasses import field, replace

from einsum_front.core.coefficient import Coefficient, Number
from einsum_front.core.dataclass import dataclass
from einsum_front.core.diagnostics import Origin
from einsum_front.core.extent import Extent
from einsum_front.core.names import fresh_numbered
from einsum_front.ir import GraphBuilder, Position, Storage, Value, Window
from einsum_front.mlir import nodes
from einsum_front.mlir import nodes as mlir
from einsum_front.mlir.to_graph.dimensions import Dimensions, Mode
from einsum_front.mlir.to_graph.payload import number as number_of
from einsum_front.mlir.to_graph.refuse import refused

At = tuple[Position, ...]
"""A position of one mode: one for each of its atoms that is not the batch."""


@dataclass(frozen=True, slots=True)
class Uniform:
    """All entries are one number."""

    number: Coefficient


@dataclass(frozen=True, slots=True)
class Undefined:
    """Entries that nobody has written."""

    name: str


@dataclass(frozen=True, slots=True)
class Computed:
    """Entries that `read` computes from others; `uses` is how often the value is used.

    `value` is the value that they are entries of, or of a view of it, and `key` tells its computations in loops apart.
    """

    value: nodes.Value
    key: str
    read: Callable[[tuple[At, ...]], Value]
    uses: int = 1


@dataclass(frozen=True, slots=True)
class Walked:
    """A mode of a stored tensor that an atom of mode `mode` of a view walks from `offset` on.

    `extent` is None for all of it.
    """

    mode: int
    atom: int = 0
    offset: int = 0
    extent: int | None = None


@dataclass(frozen=True, slots=True)
class Stored:
    """A tensor of the graph, or a part of it: for each of its modes, a fixed position or the view's mode that walks."""

    tensor: str
    modes: tuple[Walked | int, ...]
    name: str


Symbolic = Uniform | Undefined | Computed | Stored


def whole(tensor: str, modes: tuple[tuple[int, int], ...], name: str) -> Stored:
    """A stored tensor; each of its modes is walked by an atom of a mode of the value."""
    return Stored(tensor, tuple(Walked(mode, atom) for mode, atom in modes), name)


def positions_of(view: Stored, at: tuple[At, ...], origin: Origin) -> tuple[Position, ...]:
    """The positions in the stored tensor. Raises `CompileError` if a mode is read in parts that were put together."""
    found: list[Position] = []
    counts = {each.mode: each.atom + 1 for each in view.modes if isinstance(each, Walked)}
    for mode in view.modes:
        if isinstance(mode, int):
            found.append(mode)
            continue
        parts = at[mode.mode]
        if len(parts) != counts[mode.mode]:
            message = f"mode {mode.mode} of `%{view.name}` lies in memory, and is taken apart or put together"
            note = "only what is computed is reshaped: `expand_shape` and `collapse_shape` cost nothing there"
            raise refused(message, origin, note)
        found.append(shifted(parts[mode.atom], mode))
    return tuple(found)


def walked_by(symbolic: Symbolic, at: tuple[At, ...]) -> tuple[At, ...]:
    """The same places of a view: a mode of one position that no mode of the stored tensor has is held there."""
    if not isinstance(symbolic, Stored):
        return at
    walked = {each.mode for each in symbolic.modes if isinstance(each, Walked)}
    return tuple(each if mode in walked else (0,) * len(each) for mode, each in enumerate(at))


def shifted(position: Position, walked: Walked) -> Position:
    """A position of a view in the mode that it walks."""
    match position:
        case int():
            return position + walked.offset
        case Window(index=index, start=start, extent=extent):
            return Window(index, start + walked.offset, extent)
        case str():
            if walked.extent is None:
                return position
            return Window(position, walked.offset, walked.extent)


def read(builder: GraphBuilder, symbolic: Symbolic, at: tuple[At, ...], origin: Origin) -> Value:
    """The entries at positions. Raises `CompileError` (E0829) if nobody has written them."""
    match symbolic:
        case Uniform(number=number):
            return (
                number_of(builder, number.value, origin)
                if isinstance(number, Number)
                else builder.number(number, origin)
            )
        case Undefined(name=name):
            message = f"entries of `%{name}` are read, and nobody has written them"
            raise refused(message, origin, "`linalg.fill` writes them, and so does `tpp.zero`", code="E0829")
        case Stored(tensor=tensor):
            return builder.read(tensor, positions_of(symbolic, at, origin), origin)
        case Computed(uses=uses):
            value = symbolic.read(at)
            return builder.evaluated(value) if uses > 1 else value


def narrowed(view: Stored, modes: dict[int, Walked | int]) -> Stored:
    """A part of a view: `modes` are what its modes become, with the numbers of the part's modes."""
    found: list[Walked | int] = []
    for mode in view.modes:
        if isinstance(mode, int):
            found.append(mode)
            continue
        match modes[mode.mode]:
            case int() as position:
                found.append(position + mode.offset)
            case Walked() as part:
                offset, extent = part.offset + mode.offset, part.extent or mode.extent
                found.append(replace(part, atom=mode.atom, offset=offset, extent=extent))
    return replace(view, modes=tuple(found))


# -- names of indices: a letter for all modes that are walked together -------------------------------------------------

LETTERS = "ijklmnpqrstuvwabcdefgh"


class Indices:
    """Names for the atoms of modes; the batch has none."""

    def __init__(self, dimensions: Dimensions, batch: Mode | None) -> None:
        self.dimensions = dimensions
        self._batch = batch
        self._letters: dict[Mode, str] = {}

    def atoms(self, value: mlir.Value, mode: int) -> tuple[Mode, ...]:
        """The atoms of a mode that have an index."""
        return tuple(each for each in self.dimensions.atoms(value, mode) if each != self._batch)

    def atoms_of(self, root: Mode) -> tuple[Mode, ...]:
        """The same of a mode that stands for others."""
        return tuple(each for each in self.dimensions.atoms_of(root) if each != self._batch)

    def slots(self, value: mlir.Value) -> tuple[tuple[int, int], ...]:
        """The modes of a tensor that holds a value: mode and atom of each."""
        modes = range(len(value.shape))
        return tuple((mode, atom) for mode in modes for atom in range(len(self.atoms(value, mode))))

    def fresh(self, root: Mode, taken: set[str]) -> str:
        """A name for an index that walks a mode; it is taken then."""
        letter = self._letters.get(root)
        if letter is None:
            number = len(self._letters)
            letter = LETTERS[number] if number < len(LETTERS) else f"x{number}"
            self._letters[root] = letter
        name, count = letter, 1
        while name in taken:
            count += 1
            name = f"{letter}{count}"
        taken.add(name)
        return name

    def whole(self, value: mlir.Value) -> tuple[At, ...]:
        """An index for each atom of each mode."""
        taken: set[str] = set()
        modes = range(len(value.shape))
        return tuple(tuple(self.fresh(root, taken) for root in self.atoms(value, mode)) for mode in modes)


def names_in(at: Iterable[At]) -> set[str]:
    """The names of the indices of positions."""
    positions = (position for parts in at for position in parts)
    return {name for position in positions if (name := _name(position)) is not None}


def _name(position: Position) -> str | None:
    match position:
        case str():
            return position
        case Window(index=index):
            return index
        case int():
            return None


# -- tensors of a function that need memory of the kernel --------------------------------------------------------------
# Those that are read at shifted positions, or in parts.


class TemporaryNeeded(Exception):  # noqa: N818 - it is no error: another attempt declares it
    """A value needs memory that was not declared."""

    def __init__(self, name: str, value: mlir.Value) -> None:
        """`name` is that of the value and the number of its computation, since loops compute it again."""
        super().__init__(name)
        self.name = name
        self.value = value


@dataclass(frozen=True, slots=True)
class Temporaries:
    """The values that are known to need memory, by the names of `TemporaryNeeded`."""

    values: Mapping[str, mlir.Value] = field(default_factory=dict)

    def with_name(self, name: str, value: mlir.Value) -> "Temporaries":
        """One more of them, and as many behind it: what a loop computes again is likely to need memory again."""
        stem, _, times = name.rpartition("@")
        more = (f"{stem}@{number}" for number in range(int(times), 2 * int(times)))
        return Temporaries({**self.values, name: value, **dict.fromkeys(more, value)})

    def used(self, names: Container[str]) -> "Temporaries":
        """Those that turned out to be needed."""
        return Temporaries({name: value for name, value in self.values.items() if name in names})

    def declare(
        self,
        builder: GraphBuilder,
        taken: set[str],
        extent: Callable[[Mode], Extent],
        dimensions: Dimensions,
        batch: Mode | None,
    ) -> Mapping[str, str]:
        """Declares them, and gives the name of the tensor of each."""
        found: dict[str, str] = {}
        for name, value in self.values.items():
            tensor = fresh_numbered("t", taken)
            taken.add(tensor)
            atoms = (dimensions.atoms(value, mode) for mode in range(len(value.shape)))
            shape = [extent(root) for roots in atoms for root in roots if root != batch]
            builder.tensor(tensor, shape, Storage.TEMPORARY, origin=value.origin)
            found[name] = tensor
        return found
