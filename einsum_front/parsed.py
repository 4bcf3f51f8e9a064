"""Values that a user holds between `parse` and `compile`: a text of any level, or formulas of Python."""

from pathlib import Path

from einsum_front import notebook
from einsum_front.core.dataclass import dataclass
from einsum_front.core.diagnostics import Source
from einsum_front.notation import syntax
from einsum_front.options import Level

MOST_NAMES = 8
"""So many kernels are named where a program is printed; a file can have hundreds."""


@dataclass(frozen=True, slots=True)
class Program:
    """A text that can be compiled: what `parse` and `program` return.

    Parameters
    ----------
    source : Source
        The text and its name.
    level : Level
        The language of the text.
    directory : Path
        The folder that paths in the text start from.
    notation : syntax.Program or None
        The tree, where the text is in the notation.

    Examples
    --------
    >>> import einsum_front as ef
    >>> ef.parse("tensor A[4] kernel double { A[i] = 2 * A[i] }")
    <program: double>
    """

    source: Source
    level: Level
    directory: Path
    notation: syntax.Program | None

    def __repr__(self) -> str:
        """`<program wave.ein: volume>`; kernels are known of the notation only, other levels are read when compiled."""
        items = () if self.notation is None else self.notation.items
        kernels = [item.name for item in items if isinstance(item, syntax.Kernel)]
        shown = [*kernels[:MOST_NAMES], *(["…"] if len(kernels) > MOST_NAMES else [])]
        file = "" if self.source.name.startswith("<") else f" {self.source.name}"
        return f"<program{file}: {', '.join(shown)}>" if shown else f"<program{file}>"

    def _repr_html_(self) -> str:
        return notebook.source_html(self.source.text, self.level)
