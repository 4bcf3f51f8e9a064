"""Tensors of a function that need memory of the kernel: those that are read at shifted positions, or in parts."""

from collections.abc import Callable, Container, Mapping
from dataclasses import field

from einsum_front.core.dataclass import dataclass
from einsum_front.core.extent import Extent
from einsum_front.core.names import fresh_numbered
from einsum_front.ir import GraphBuilder, Storage
from einsum_front.mlir import nodes as mlir
from einsum_front.mlir.to_graph.dimensions import Dimensions, Mode


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
