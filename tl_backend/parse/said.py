"""Text of Tiny Tensor Compiler 0.4 as it stands: instructions before the types of their operands are known."""

import re
from collections.abc import Iterator
from dataclasses import field, replace

from einsum_front.core.dataclass import dataclass
from einsum_front.core.diagnostics import Diagnostic, Label, Origin, Source, Span
from einsum_front.core.parsing import Placed
from einsum_front.tl_backend import instructions as tl
from einsum_front.tl_backend.types import MemrefType, ScalarType, Type

REFUSED = (
    "atomic_add", "atomic_max", "atomic_min", "cooperative_matrix_atomic_add", "cooperative_matrix_atomic_max",
    "cooperative_matrix_atomic_min", "cos", "cumsum", "native_cos", "native_sin", "sin", "subgroup_add",
    "subgroup_exclusive_scan_", "subgroup_inclusive_scan_", "subgroup_max", "subgroup_min", "subgroup_reduce_",
)  # fmt: skip
"""Words that the tensor language has no counterpart for; with an underscore at the end, all that begin so."""
MARKS = re.compile(
    r"\bconstant\b|\b(?:group_id|num_groups)\.[xyz]\b|\bparallel\b|\battributes\s*\{|\b(?:yield|foreach)\s*\("
    r"|\balloca\b[^\n-]*:|,\s*(?:local|global)\s*>|\batomic_(?:load|store)|=\s*associated\b|\bsubgroup_\w+\s*[:%.]"
    r"|\bcoopmatrix\s*<|\bcooperative_matrix_|=\s*(?:min|max|abs|exp2?|log2?|conj|im|re|native_\w+)\s+%|\bforeach_tile\b|\bnum_subgroups\b"
)
"""What only that language has."""


@dataclass(frozen=True, slots=True)
class Cooperative:
    """A cooperative matrix: a value whose entries all work-items of a sub-group have together.

    `use` is its word for the place in a product. `place` is the memory that has the entries here; types that are only
    written have none.
    """

    element: ScalarType
    rows: int
    columns: int
    use: str
    place: tl.Local | None = None

    def __str__(self) -> str:
        return f"coopmatrix<{self.element.value}x{self.rows}x{self.columns},{self.use}>"

    @property
    def memref(self) -> MemrefType:
        return MemrefType.packed(self.element, (self.rows, self.columns))

    def at(self, place: tl.Local | None) -> "Cooperative":
        return replace(self, place=place)


@dataclass(frozen=True, slots=True)
class ShapeOfMode:
    """`1 -> 2x8` between the brackets of an `expand`."""

    mode: tl.IntegerConstant
    shape: tuple[tl.IndexOperand, ...]


@dataclass(frozen=True, slots=True)
class Subscripted:
    """`%A[%i, 0:4]`: what the subscripts mean depends on the instruction."""

    value: tl.Local
    subscripts: tuple[tl.Position | tl.Slice | ShapeOfMode, ...]
    origin: Origin = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Said:
    """An instruction as it stands in the text, before the types of its operands are known.

    `words` are the parts of its name between the dots, `names` what a loop counts with, `types` what it says that it
    returns.
    """

    words: tuple[str, ...]
    word: Span
    origin: Origin
    results: tuple[tl.Local, ...] = ()
    operands: tuple[tl.Operand | Subscripted, ...] = ()
    types: tuple[Placed[Type | Cooperative], ...] = ()
    names: tuple[tl.Local, ...] = ()
    regions: tuple[tuple["Said", ...], ...] = ()
    carried: tuple[tl.Local, ...] = ()
    """Names that a loop gives to what it carries, or a loop over tiles to the sizes of a tile."""


SUBGROUP = ("subgroup_id", "subgroup_linear_id", "subgroup_local_id")
"""Words that ask which work-item of the group it is."""
PREFIX = "cooperative_matrix_"
OF_ONE_ITEM = (f"{PREFIX}extract", f"{PREFIX}insert")
"""What a work-item does with a cooperative matrix for itself."""


def is_cooperative(said: Said) -> bool:
    """True if the instruction takes or makes a cooperative matrix, as far as its text shows."""
    return said.words[0].startswith(PREFIX) or any(isinstance(each.value, Cooperative) for each in said.types)


def asks_for_item(said: Said) -> bool:
    """True if the instruction depends on which work-item runs it."""
    return said.words[0] in (*SUBGROUP, *OF_ONE_ITEM)


def walk(said: tuple[Said, ...]) -> Iterator[Said]:
    """All instructions, those of regions too."""
    for each in said:
        yield each
        for region in each.regions:
            yield from walk(region)


def is_refused(word: str) -> bool:
    """True if Tiny Tensor Compiler 0.4 has the word, and the tensor language nothing that it could mean."""
    return any(word == each or (each.endswith("_") and word.startswith(each)) for each in REFUSED)


def refused(source: Source, found: Span) -> Diagnostic | None:
    """The error for a place where the grammar ends because of something that has no counterpart."""
    place = found
    if not is_refused(found.text):
        start = source.text.rfind("\n", 0, found.start) + 1
        line = source.text[start : found.start]
        names = (match for match in re.finditer(r"(?<![%@\w])[a-z][a-z0-9_]*", line) if is_refused(match[0]))
        match = next(names, None)
        if match is None:
            return None
        place = Span(source, start + match.start(), start + match.end())
    return Diagnostic("E0409", f"`{place.text}` of Tiny Tensor Compiler 0.4 has no counterpart here", (Label(place),))
