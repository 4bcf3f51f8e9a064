"""Names of indices: a letter for all modes that are walked together."""

from collections.abc import Iterable

from einsum_front.ir import Position, Window
from einsum_front.mlir import nodes as mlir
from einsum_front.mlir.to_graph.dimensions import Dimensions, Mode
from einsum_front.mlir.to_graph.symbolic import At

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
