"""Printing of formulas, and the tensors in them, as scripts ask for it."""

from collections.abc import Iterable
from pathlib import Path

import numpy as np

from einsum_front.files import write_text
from einsum_front.yateto.formula import Node, entries_of
from einsum_front.yateto.type import Tensor

Visited = Node | Iterable[Node]


class PrettyPrinter:
    """Prints a formula, or the statements of a kernel, as a tree."""

    def visit(self, node: Visited) -> None:
        """Prints to the standard output, one node a line."""
        for each in _listed(node):
            _print(each, "")


class FindTensors:
    """Finds the tensors in a formula, or in the statements of a kernel."""

    def visit(self, node: Visited) -> dict[str, Tensor]:
        """The tensors by name; temporaries are no arguments and left out."""
        found = (entries.tensor for each in _listed(node) for entries in entries_of(each))
        return {tensor.name(): tensor for tensor in found if isinstance(tensor, Tensor) and not tensor.temporary}


class PrintEquivalentSparsityPatterns:
    """Writes the patterns of the tensors in a statement."""

    def __init__(self, directory: str) -> None:
        self._directory = Path(directory)

    def visit(self, node: Visited) -> None:
        """One text for each tensor, with a row of `*` and `.` for each position of all modes but the last."""
        for name, tensor in FindTensors().visit(node).items():
            mask = tensor.spp().as_ndarray()
            rows = np.where(mask.reshape(-1, mask.shape[-1] if mask.ndim else 1), "*", ".")
            path = self._directory / f"{name}.txt"
            write_text(path, "".join(f"{''.join(row)}\n" for row in rows.tolist()))


def _listed(node: Visited) -> list[Node]:
    return [node] if isinstance(node, Node) else list(node)


def _print(node: Node, indent: str) -> None:
    print(f"{indent}{node}")  # noqa: T201 - what the script asks for
    for child in node:
        _print(child, indent + "  ")
