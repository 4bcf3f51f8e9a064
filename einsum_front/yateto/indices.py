"""Index lists: letters, each with its extent, in an order."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from einsum_front.core.words import counted
from einsum_front.yateto.mistakes import rejected


class Indices:
    """Distinct letters in an order, with extents; a letter is a character, or any member of a sequence of words."""

    def __init__(self, indexNames: Iterable[str] = "", shape: Sequence[int] = ()) -> None:
        letters = tuple(indexNames)
        if len(set(letters)) < len(letters):
            raise rejected("E0172", f"an index stands twice in `{_text(letters)}`", "diagonals have no index list here")
        if len(letters) != len(shape):
            indices, modes = counted(len(letters), "index", "indices"), counted(len(shape), "mode")
            raise rejected("E0172", f"`{_text(letters)}` has {indices} for {modes}, of shape {tuple(shape)}")
        self._sizes = dict(zip(letters, (int(size) for size in shape), strict=True))

    @classmethod
    def of(cls, sizes: Mapping[str, int]) -> "Indices":
        """The letters of a mapping to extents, in its order."""
        return cls(tuple(sizes), tuple(sizes.values()))

    def size(self) -> dict[str, int]:
        """The extent by the letter."""
        return dict(self._sizes)

    def indexSize(self, index: str) -> int:
        """The extent of a letter."""
        return self._sizes[index]

    def shape(self) -> tuple[int, ...]:
        """The extents in order."""
        return tuple(self._sizes.values())

    def subShape(self, indexNames: Iterable[str]) -> tuple[int, ...]:
        """The extents of some letters."""
        return tuple(self._sizes[index] for index in indexNames)

    def find(self, index: str) -> int:
        """The place of a letter in the order."""
        return list(self._sizes).index(index)

    def permuted(self, indexNames: Iterable[str]) -> "Indices":
        """The same letters in another order."""
        letters = tuple(indexNames)
        return Indices(letters, self.subShape(letters))

    def tostring(self) -> str:
        """The letters without their extents."""
        return "".join(self._sizes)

    def __str__(self) -> str:
        return self.tostring()

    def __repr__(self) -> str:
        return f"({','.join(f'{index}={size}' for index, size in self._sizes.items())})"

    def __iter__(self) -> Iterator[str]:
        return iter(self._sizes)

    def __getitem__(self, place: int) -> str:
        return list(self._sizes)[place]

    def __len__(self) -> int:
        return len(self._sizes)

    def __contains__(self, index: object) -> bool:
        return index in self._sizes

    def __le__(self, other: "Indices") -> bool:
        return self._sizes.items() <= other._sizes.items()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Indices) and list(self._sizes.items()) == list(other._sizes.items())

    def __hash__(self) -> int:
        return hash(tuple(self._sizes.items()))


def _text(letters: tuple[str, ...]) -> str:
    return "".join(map(str, letters))
