"""An index string with the shapes of its operands, read once: extents and the batch.

Which index is the batch. Kernels run over a batch, so one index of the string may become it: the one that leads the
output and leads every operand that has it, once in each, provided that

- all operands have it (`"bij,bjk->bik"`, `"bi->b"`), or
- there are three operands or more, and those that lack it are small and not summed with each other
  (`"eijk,ai,bj,ck->eabc"`): all that is computed on the way belongs to one position of the index, or
- an operand that has it keeps another index of the output (`"bik,kj->bij"`): in `"ik,kj->ij"` the index `i` is the
  row of a matrix product and stays. So it does in a product of two operands of which one lacks it, if there are more
  than `MANY_MULTIPLICATIONS` for each of its positions: one large contraction uses the common operand more often than
  many would.

Operands that have the batch index are batched tensors of the other modes, those that lack it are constants. Without
such an index the whole string describes one element of a batch, and every operand is batched.
"""

from collections.abc import Sequence
from functools import lru_cache
from math import prod
from string import ascii_uppercase

from einsum_front.core.dataclass import dataclass
from einsum_front.core.diagnostics import CompileError, Diagnostic, Label, Origin
from einsum_front.index_string.subscripts import Letter, Subscripts, Term, read_subscripts

KERNEL = "einsum"

MOST_READ = 4096
"""Strings that are not read again."""

MANY_MULTIPLICATIONS = 2**17
"""As many as make the tiles of a large contraction worth their copies."""


FEW_ENTRIES = 2**12
"""As many as a first-level cache holds in f64."""


@dataclass(frozen=True, slots=True)
class Mode:
    """A mode of an operand; one of length 1 that others stretch is not run through."""

    letter: Letter
    extent: int
    is_stretched: bool = False


Modes = tuple[Mode, ...]


@dataclass(frozen=True, slots=True)
class Argument:
    """A tensor of the kernel: its modes without the batch, and whether that is the first axis of the caller's array."""

    name: str
    modes: Modes
    is_batched: bool
    origin: Origin


@dataclass(frozen=True, slots=True)
class StringKernel:
    """Computation of an index string for one element of the batch, whatever the size of the batch.

    If `has_batch_index`, the first axis of batched operands and of the output is that index; otherwise the caller adds
    a first axis of length 1.
    """

    operands: tuple[Argument, ...]
    output: Argument
    has_batch_index: bool
    subscripts: Subscripts

    @property
    def origin(self) -> Origin:
        """The whole string."""
        return (self.subscripts.operands[0].span.to(self.subscripts.output.span),)


def extents_of(kernel: StringKernel) -> dict[str, int]:
    """The extents of indices inside of an element of the batch; the index of the batch counts as 1."""
    found = {name: 1 for term in kernel.subscripts.operands for name in term.names}
    for argument in (*kernel.operands, kernel.output):
        found |= {mode.letter.name: mode.extent for mode in argument.modes if not mode.is_stretched}
    return found


@dataclass(frozen=True, slots=True)
class IndexString:
    """An index string for operands of certain shapes: its kernel, and the extents of its indices."""

    kernel: StringKernel
    extents: dict[str, int]

    @property
    def shape(self) -> tuple[int, ...]:
        """That of the result, as `numpy.einsum` would return it."""
        return tuple(self.extents[name] for name in self.kernel.subscripts.output.names)


def read_einsum(text: str, shapes: Sequence[tuple[int, ...]]) -> IndexString:
    """Meaning of an index string for operands of these shapes (in C order, as NumPy's are by default).

    Raises `CompileError` with places in the string. Any extent may be 0.
    """
    subscripts = _read(text, tuple([len(shape) for shape in shapes]))
    extents = _extents(subscripts, shapes)
    operands = tuple(_modes(term, shape, extents) for term, shape in zip(subscripts.operands, shapes, strict=True))
    output = tuple(Mode(letter, extents[letter.name]) for letter in subscripts.output.letters)
    batch = _batch_index(operands, output)
    *names, result = _names(len(shapes) + 1)
    arguments = tuple(
        Argument(name, _without(batch, modes), batch is None or batch in running(modes), (term.span,))
        for name, modes, term in zip(names, operands, subscripts.operands, strict=True)
    )
    written = Argument(result, _without(batch, output), True, (subscripts.output.span,))
    return IndexString(StringKernel(arguments, written, batch is not None, subscripts), extents)


def repetitions(whole: IndexString, short: IndexString) -> int:
    """How often each entry is added where it is the same along indices that `short` does not run through."""
    output = whole.kernel.subscripts.output.names
    summed = (name for name, extent in whole.extents.items() if name not in output and short.extents[name] != extent)
    return prod(whole.extents[name] for name in summed)


Names = tuple[str, ...]


def read_terms(text: str, shapes: Sequence[tuple[int, ...]]) -> tuple[tuple[Names, ...], Names, dict[str, int]]:
    """The indices of each operand and of the result, and their extents: `read_einsum` for those who need no kernel."""
    subscripts, terms = _read_names(text, tuple([len(shape) for shape in shapes]))
    extents: dict[str, int] = {}
    for term, shape in zip(terms, shapes, strict=True):
        for name, extent in zip(term, shape, strict=True):
            if extents.setdefault(name, extent) != extent:
                extents = _extents(subscripts, shapes)  # lengths of 1, or a mistake
                return terms, subscripts.output.names, extents
    return terms, subscripts.output.names, extents


_read = lru_cache(maxsize=MOST_READ)(read_subscripts)
"""A string is read once for operands with so many modes: it takes a third of the time to plan it."""


@lru_cache(maxsize=MOST_READ)
def _read_names(text: str, orders: tuple[int, ...]) -> tuple[Subscripts, tuple[Names, ...]]:
    subscripts = _read(text, orders)
    return subscripts, tuple([term.names for term in subscripts.operands])


def check_extents(argument: Argument) -> None:
    """Raises `CompileError` if a tensor of the kernel has no entries."""
    for mode in argument.modes:
        if mode.extent < 1:
            message = "only the batch may be empty"
            raise CompileError([Diagnostic("E0227", message, (Label(mode.letter.span, f"size {mode.extent}"),))])


def _names(count: int) -> list[str]:
    """`A`, `B`, …, the result last."""
    return list(ascii_uppercase[:count]) if count <= len(ascii_uppercase) else [f"T{i}" for i in range(count)]


def _extents(subscripts: Subscripts, shapes: Sequence[tuple[int, ...]]) -> dict[str, int]:
    """The extent of every index; length 1 in one operand gives way to any other in another one."""
    first: dict[str, _Place] = {}
    for number, (term, shape) in enumerate(zip(subscripts.operands, shapes, strict=True)):
        in_operand: dict[str, _Place] = {}
        for letter, extent in zip(term.letters, shape, strict=True):
            here = _Place(letter, extent, number)
            before = in_operand.setdefault(letter.name, here)
            if extent != before.extent:
                raise _clash(here, before)
        for name, here in in_operand.items():
            before = first.setdefault(name, here)
            if 1 not in (here.extent, before.extent) and here.extent != before.extent:
                raise _clash(here, before)
            if before.extent == 1:
                first[name] = here
    return {name: place.extent for name, place in first.items()}


@dataclass(frozen=True, slots=True)
class _Place:
    """An index in a mode of an operand."""

    letter: Letter
    extent: int
    operand: int


def _clash(here: _Place, before: _Place) -> CompileError:
    places = f"{here.extent} in operand {here.operand} but {before.extent} in operand {before.operand}"
    message = f"{here.letter.shown} has size {places}"
    labels = Label(here.letter.span, str(here.extent)), Label(before.letter.span, str(before.extent))
    return CompileError([Diagnostic("E0227", message, labels)])


def _modes(term: Term, shape: tuple[int, ...], extents: dict[str, int]) -> Modes:
    return tuple(
        Mode(letter, extent, is_stretched=extent != extents[letter.name])
        for letter, extent in zip(term.letters, shape, strict=True)
    )


def running(modes: Modes) -> tuple[str, ...]:
    """The indices of modes that are run through."""
    return tuple(mode.letter.name for mode in modes if not mode.is_stretched)


# -- the batch ---------------------------------------------------------------------------------------------------------


def _batch_index(operands: tuple[Modes, ...], output: Modes) -> str | None:
    """The index that becomes the batch by the rule at the top, if there is one."""
    if not output:
        return None
    index = output[0].letter.name
    having = [modes for modes in operands if index in running(modes)]
    leads_all = all(not modes[0].is_stretched and modes[0].letter.name == index for modes in having)
    once_in_all = all(running(modes).count(index) == 1 for modes in having)
    others = set(running(output)) - {index}
    is_kept = any(others & set(running(modes)) for modes in having) and not _is_large(index, operands, output)
    worthwhile = len(having) == len(operands) or is_kept or _are_apart(index, operands, others)
    return index if leads_all and once_in_all and worthwhile else None


def _are_apart(index: str, operands: tuple[Modes, ...], others: set[str]) -> bool:
    """True if there are steps on the way, which all need an operand with the index, and all else fits a near cache."""
    having = {name for modes in operands if index in running(modes) for name in running(modes)}
    lacking = [modes for modes in operands if index not in running(modes)]
    summed = [name for modes in lacking for name in set(running(modes)) - having - others]
    entries = sum(prod(mode.extent for mode in modes) for modes in lacking)
    return len(operands) > 2 and len(summed) == len(set(summed)) and entries <= FEW_ENTRIES


def _is_large(index: str, operands: tuple[Modes, ...], output: Modes) -> bool:
    """True if each position of the index stands for a large contraction of two operands."""
    extents = {mode.letter.name: mode.extent for modes in operands for mode in modes if not mode.is_stretched}
    is_contraction = len(operands) == 2 and extents.keys() > set(running(output))
    return is_contraction and prod(extents.values()) > MANY_MULTIPLICATIONS * extents[index]


def _without(batch: str | None, modes: Modes) -> Modes:
    return tuple(mode for mode in modes if mode.is_stretched or mode.letter.name != batch)
