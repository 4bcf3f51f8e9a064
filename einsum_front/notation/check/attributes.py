"""The words after a tensor's shape: storage, layout, and what is known about its entries."""

from collections.abc import Mapping
from difflib import get_close_matches
from itertools import pairwise

from einsum_front.core.dataclass import dataclass
from einsum_front.core.diagnostics import Origin
from einsum_front.core.extent import Extent, Polynomial, capacity
from einsum_front.core.storage import COMPLEX, ElementType, Storage
from einsum_front.core.words import counted
from einsum_front.notation.check.mistakes import gather, mistake
from einsum_front.notation.check.numbers import integer
from einsum_front.notation.check.scope import Scope
from einsum_front.notation.checked import packed
from einsum_front.notation.syntax import Attribute, File, Numbers, Places, Tensor
from einsum_front.notation.words import misspelt

_STORAGES = {storage.value: storage for storage in (Storage.BATCHED, Storage.CONSTANT, Storage.GROUPED)}
SHARED = "shared"
"""The word for one tensor for all elements, to which kernels add where integers say."""

ATOMIC = "atomic"
"""The word for such sums in any order."""

_LAYOUTS = {"column_major", "row_major", "strided"}
_FACTS = {"nonzeros", "values"}
_BATCHES = {"batch_fastest", "batch_after"}
ANY_COMPLEX = "complex"
"""The word for complex numbers whose parts are of the type of the program."""

_TYPES = {each.value: each for each in ElementType} | COMPLEX
_NO_ARGUMENT = {*_STORAGES, SHARED, ATOMIC, "column_major", "row_major", "batch_fastest", *_TYPES, ANY_COMPLEX}
_ARGUMENTS: Mapping[str, tuple[tuple[type, ...], str]] = {
    **{name: ((type(None),), f"`{name}` alone") for name in sorted(_NO_ARGUMENT)},
    "strided": ((Numbers,), "`strided<1, 64>` with one stride a mode"),
    "batch_after": ((Numbers,), "`batch_after<1>` with the number of modes that vary faster than the batch"),
    "nonzeros": ((File, Places), '`nonzeros "file.npy"` or `nonzeros [(0,1), (2,0)]`'),
    "values": ((File, Numbers), '`values "file.npy"` or `values<1, 0.5, 0>`'),
}


@dataclass(frozen=True, slots=True)
class Attributes:
    """The attributes of one declaration, free of contradictions."""

    storage: Storage
    layout: Attribute | None
    batch: Attribute | None
    memory: ElementType | None
    is_complex: bool
    facts: Attribute | None
    is_shared: bool
    is_atomic: bool


def understand(declaration: Tensor, element_type: ElementType) -> Attributes:
    """Meaning of a declaration's attributes in a program that computes with `element_type`."""
    _reject_misspelt_keyword(declaration.attributes)
    gather(_reject_malformed, declaration.attributes)
    gather(lambda pair: _reject_contradiction(*pair), _pairs(declaration.attributes))
    words = {attribute.name: attribute for attribute in declaration.attributes}
    for name in sorted(words.keys() & {*COMPLEX, ANY_COMPLEX}):
        reject_complex_integers(name, words[name].origin, element_type)
    _reject_on_temporary(declaration, words, element_type)
    return Attributes(
        _storage(declaration, words),
        next((words[name] for name in sorted(_LAYOUTS & words.keys())), None),
        next((words[name] for name in sorted(_BATCHES & words.keys())), None),
        next((type_ for name, type_ in _TYPES.items() if name in words), None),
        not words.keys().isdisjoint((*COMPLEX, ANY_COMPLEX)),
        next((words[name] for name in sorted(_FACTS & words.keys())), None),
        SHARED in words,
        ATOMIC in words,
    )


def batch_after(batch: Attribute | None, order: int, scope: Scope) -> int | None:
    """How many modes vary faster than the batch; None: all of them."""
    if batch is None or order == 0:
        return None
    if not isinstance(batch.argument, Numbers):
        return 0
    given = gather(lambda value: integer(value, scope, "a number of modes"), batch.argument.values)
    if len(given) != 1 or not 0 <= given[0] <= order:
        message = f"the batch lies behind so many of the {counted(order, 'mode')}: one number from 0 to {order}"
        raise mistake("E0226", message, (batch.origin, ""))
    return None if given[0] == order else given[0]


def strides(layout: Attribute | None, shape: tuple[Extent, ...], scope: Scope) -> tuple[Extent, ...]:
    """The distance in elements between neighbours along each mode."""
    modes = range(len(shape))
    if layout is None or layout.name == "column_major":
        return packed(shape, modes)
    if isinstance(layout.argument, Numbers):
        return _explicit(layout, layout.argument, shape, scope)
    return packed(shape, reversed(modes))


def _reject_misspelt_keyword(attributes: tuple[Attribute, ...]) -> None:
    """In `tensor A[3] scaler dt` two attributes are read: the next declaration was meant."""
    for attribute in attributes:
        if attribute.name not in _ARGUMENTS and (near := misspelt(attribute.name)) is not None:
            message = f"no declaration and no kernel begins with `{attribute.name}`, and no attribute is called so"
            raise mistake("E0210", message, (attribute.origin, f"did you mean `{near}`?"))


def _reject_malformed(attribute: Attribute) -> None:
    if attribute.name not in _ARGUMENTS:
        near = get_close_matches(attribute.name, _ARGUMENTS, n=1)
        notes = (f"the attributes of a tensor are {', '.join(f'`{name}`' for name in _ARGUMENTS)}",)
        label = f"did you mean `{near[0]}`?" if near else ""
        raise mistake("E0210", f"no attribute is called `{attribute.name}`", (attribute.origin, label), notes=notes)
    kinds, form = _ARGUMENTS[attribute.name]
    if not isinstance(attribute.argument, kinds):
        raise mistake("E0210", f"the form of this attribute is {form}", (attribute.origin, ""))


def _pairs(attributes: tuple[Attribute, ...]) -> list[tuple[Attribute, Attribute]]:
    return [(first, second) for i, second in enumerate(attributes) for first in attributes[:i]]


def _reject_contradiction(first: Attribute, second: Attribute) -> None:
    names = {first.name, second.name}
    places = (second.origin, ""), (first.origin, "the other one")
    if len(names) == 1:
        raise mistake("E0211", f"`{first.name}` is given twice", *places)
    excluded_by_values = names - {"values"} <= {"batched", "grouped", SHARED, "nonzeros", ATOMIC}
    is_without_batch = bool(names & _BATCHES) and bool(names & {"constant", "grouped", SHARED, "values", "strided"})
    types = {*_TYPES, ANY_COMPLEX}
    is_fixed = ATOMIC in names and bool(names & {"constant", "grouped"})
    is_twice = is_fixed or names <= {*_STORAGES, SHARED} or names <= _LAYOUTS or names <= _BATCHES or names <= types
    is_in_code = "values" in names and bool(names & (_TYPES.keys() - COMPLEX.keys()))  # and not in memory
    if is_twice or is_without_batch or is_in_code or ("values" in names and excluded_by_values):
        raise mistake("E0211", f"`{second.name}` contradicts `{first.name}`", *places)


def _reject_on_temporary(declaration: Tensor, words: Mapping[str, Attribute], element_type: ElementType) -> None:
    real_types = _TYPES.keys() - COMPLEX.keys()
    for name, attribute in words.items():
        if name in COMPLEX and (declaration.is_temporary or "values" in words):
            reject_other_parts(attribute.name, attribute.origin, element_type)
        if declaration.is_temporary and (name in {*_STORAGES, *_BATCHES, *real_types, "values", SHARED, ATOMIC}):
            message = f"`{name}` contradicts `temp`: what lives inside the kernel only is no argument"
            raise mistake("E0211", message, (attribute.origin, ""))


def reject_complex_integers(word: str, origin: Origin, element_type: ElementType) -> None:
    """Parts of complex numbers are real numbers."""
    if element_type.is_integer:
        message = f"`{word}` is of complex numbers, and the program computes with {element_type.value}"
        raise mistake("E0211", message, (origin, "parts of complex numbers are real"))


def reject_other_parts(word: str, origin: Origin, element_type: ElementType) -> None:
    """What is in no memory has the type that is computed with, and so have its parts."""
    if COMPLEX.get(word, element_type) is not element_type:
        message = f"`{word}` has parts of {COMPLEX[word].value}, and the program computes with {element_type.value}"
        note = f"`{ANY_COMPLEX}` has parts of the type of the program; what lies in memory may have others"
        raise mistake("E0211", message, (origin, ""), notes=(note,))


def _storage(declaration: Tensor, words: Mapping[str, Attribute]) -> Storage:
    if declaration.is_temporary:
        return Storage.TEMPORARY
    if "values" in words or SHARED in words:
        return Storage.CONSTANT
    return next((storage for name, storage in _STORAGES.items() if name in words), Storage.BATCHED)


def _explicit(layout: Attribute, argument: Numbers, shape: tuple[Extent, ...], scope: Scope) -> tuple[int, ...]:
    given = gather(lambda value: integer(value, scope, "a stride"), argument.values)
    if len(given) != len(shape):
        message = f"{counted(len(given), 'stride')} for {counted(len(shape), 'mode')}"
        raise mistake("E0226", message, (layout.origin, "one stride a mode"))
    for mode, (stride, value) in enumerate(zip(given, argument.values, strict=True)):
        if stride < 1:
            raise mistake("E0226", "a stride is at least 1", (value.origin, f"mode {mode}: {stride}"))
    _reject_overlap(layout, given, shape)
    return given


def _reject_overlap(layout: Attribute, given: tuple[int, ...], shape: tuple[Extent, ...]) -> None:
    """Each mode steps over all entries of the modes with smaller strides; then no two entries share a place."""
    by_stride = sorted(mode for mode, extent in enumerate(shape) if extent != 1)
    by_stride.sort(key=lambda mode: given[mode])
    for inner, outer in pairwise(by_stride):
        room = given[inner] * _most(layout, inner, shape[inner])
        if given[outer] < room:
            message = f"stride {given[outer]} of mode {outer} is smaller than {room}, the room that mode {inner} takes"
            note = f"mode {inner} has {shape[inner]} entries, {given[inner]} apart"
            raise mistake("E0226", message, (layout.origin, "entries would overlap"), notes=(note,))


def _most(layout: Attribute, mode: int, extent: Extent) -> int:
    """The largest that the extent of a mode can be, for which there has to be room."""
    most = capacity(extent)
    if isinstance(most, Polynomial):
        message = f"mode {mode} has the extent {extent}, which has no bound: no stride leaves room for it"
        note = "`size n <= 64` declares the most that a size can be"
        raise mistake("E0226", message, (layout.origin, ""), notes=(note,))
    return most
