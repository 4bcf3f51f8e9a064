"""Zero patterns of a kernel: which entries of each tensor and each value may differ from zero and matter."""

from collections.abc import Iterator, Mapping

import numpy as np
from numpy.typing import NDArray

from einsum_front import ir, notebook
from einsum_front.core.words import counted

Mask = NDArray[np.bool_]


class ZeroPatterns(Mapping[str, Mask]):
    """Boolean arrays by the name of a tensor, or by the number of a node of the contraction graph: `%7`.

    Only those that have zeros. In a notebook they are pictures.
    """

    def __init__(self, graph: ir.Graph) -> None:
        """The patterns of a graph, those of tensors under their names."""
        patterns = ir.analyse(graph).equivalent
        self._name = graph.name
        self._patterns = {
            graph.describe(key) if not graph.operands(key) else f"%{key}": pattern
            for (key, _), pattern in zip(graph.nodes, patterns, strict=True)
            if pattern.ndim and not pattern.is_empty and not pattern.is_full  # of what is not read, no entry matters
        }

    def __getitem__(self, name: str) -> Mask:
        return np.array(self._patterns[name].array())

    def __iter__(self) -> Iterator[str]:
        return iter(self._patterns)

    def __len__(self) -> int:
        return len(self._patterns)

    def __repr__(self) -> str:
        return f"<zero patterns of {self._name}: {counted(len(self), 'value')} with zeros>"

    def _repr_html_(self) -> str:
        return notebook.patterns_html(self._patterns)
