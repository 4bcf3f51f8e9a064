"""Kernels for the layouts of the arrays that they are called with.

A tensor whose text says no layout takes that of the caller's array: the kernel is translated for it at the first call
and kept. A layout that the text says is a promise: arrays in another one are copied, and the caller is told once.

What counts of an array are the strides of one element, in entries, and how many modes vary faster than the batch: the
shape is declared and the distance from one element to the next follows. Strides that no declaration could have
(backwards, repeated, with something between two elements) are no layout. Such an array is copied, with its modes in
their order.
"""

import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import accumulate, pairwise
from math import prod
from operator import mul
from threading import Lock

import numpy as np

from einsum_front import ir
from einsum_front.core.dataclass import dataclass
from einsum_front.core.diagnostics import CompileError
from einsum_front.core.extent import Extent, Polynomial
from einsum_front.core.storage import Storage
from einsum_front.core.words import listed
from einsum_front.driver import Lying, NotationStages, Stages
from einsum_front.notation.checked import Tensor, packed
from einsum_front.options import Level
from einsum_front.runtime import (
    ELEMENT_TYPES,
    Device,
    Kernel,
    PyopenclArray,
    declared_layout,
    expected_shape,
    fits_shape,
    layout_in_place,
)
from einsum_front.runtime.artifact import ArrayParameter, GroupParameter, ScalarParameter, TensorParameter, needs_zeros

MOST_KERNELS = 32
"""As many layouts of its arguments one kernel is kept for; the one that was made first goes first."""

MOST_CALLS = 256
"""As many kinds of calls are remembered for a kernel; one more, and all are forgotten."""

FEW_BYTES = 2**16
"""To copy so many takes less time than to start a kernel: not worth a word."""

Key = tuple[Lying | None, ...]
"""The layouts of arguments that a kernel is for, None where it has them."""

Translate = Callable[[NotationStages, Mapping[str, Lying]], Stages]
"""A kernel once more, for tensors that lie so."""


class CopyWarning(UserWarning):
    """An array is copied in each call, because it does not lie as the kernel takes it."""


@dataclass(frozen=True, slots=True)
class _Specialised:
    """A kernel for certain layouts of its arguments."""

    translation: Stages
    kernel: Kernel


@dataclass(frozen=True, slots=True)
class _Look:
    """The shape and strides (in bytes) of an argument, or of the first member of a list; `count` arrays are like it.

    `lead` is 1 if the first axis counts elements.
    """

    shape: tuple[int, ...]
    strides: tuple[int, ...]
    lead: int
    count: int
    is_on_device: bool


@dataclass(frozen=True, slots=True)
class _Copy:
    """An argument that each call copies: its strides and those that the kernel takes, and what helps."""

    name: str
    found: str
    taken: str
    way_out: str
    way_out_of_many: str


_CALLER = 6
"""Frames from a warning to the line that calls a kernel: `for_call`, `_kernel_for`, two of `on_views`, `__call__`."""


def overwritten(translation: Stages) -> frozenset[str]:
    """The arguments all of whose entries a call writes, whatever they were before; no others where that is open."""
    graph = translation.at(Level.GRAPH)
    if not isinstance(graph, ir.Graph):
        return frozenset()
    arrays = (each for each in translation.artifact.arguments if isinstance(each, TensorParameter))
    return frozenset(each.name for each in arrays if each.is_written and each.name not in graph.read_before)


class Specialisations:
    """One kernel for all layouts: translations for those that it was called with, by the strides of its tensors."""

    def __init__(self, translation: Stages, device: Callable[[], Device], translate: Translate | None) -> None:
        """Without `translate` there is only the kernel itself. The device is looked for when there is a call."""
        self._translation = translation
        self._device = device
        self._translate = translate
        self._parameters = _arrays(translation)
        declared = translation.program.tensors if isinstance(translation, NotationStages) else ()
        self._tensors = {tensor.name: tensor for tensor in declared}
        self._kernels: dict[Key, _Specialised] = {}
        self._calls: dict[tuple[object, ...], Kernel] = {}
        self._told: set[str] = set()
        self._lock = Lock()

    def for_call(self, arguments: Mapping[str, object]) -> Kernel:
        """The kernel for arguments that lie like these; what is wrong with them it says itself.

        Raises CompileError if the kernel cannot be translated for them. Who called the kernel hears of copies, once.
        """
        signature = tuple(_signature(arguments.get(parameter.name)) for parameter in self._parameters)
        kernel = self._calls.get(signature)
        if kernel is not None:
            return kernel
        with self._lock:
            looks = self._looks(arguments)
            found = self._find(looks)
            if len(self._calls) >= MOST_CALLS:
                self._calls.clear()
            self._calls[signature] = found.kernel
            told = [self._copy(parameter, looks.get(parameter.name)) for parameter in _arrays(found.translation)]
        for text in _copy_texts(self._translation.name, [copy for copy in told if copy is not None]):
            warnings.warn(text, CopyWarning, stacklevel=_CALLER)
        return found.kernel

    def knows(self, arguments: Mapping[str, object]) -> bool:
        """True if a call with arguments like these has had its kernel."""
        return tuple([_signature(arguments.get(parameter.name)) for parameter in self._parameters]) in self._calls

    def key(self, arguments: Mapping[str, object]) -> Key:
        """The layouts that a call with these arguments has a kernel for."""
        return self._key(self._looks(arguments))

    def for_build(self, arguments: Mapping[str, object]) -> Kernel:
        """The kernel for arguments that lie like these, of which nobody hears that they are copied."""
        with self._lock:
            return self._find(self._looks(arguments)).kernel

    def translation(self, arguments: Mapping[str, object]) -> Stages:
        """The translation of the kernel for arguments that lie like these."""
        with self._lock:
            return self._find(self._looks(arguments)).translation

    def _looks(self, arguments: Mapping[str, object]) -> dict[str, _Look]:
        looks = {each.name: _look(each, arguments.get(each.name)) for each in self._parameters}
        return {name: look for name, look in looks.items() if look is not None}

    def _find(self, looks: Mapping[str, _Look]) -> _Specialised:
        """Under the lock: a second thread waits, and finds what the first one has made."""
        lying = self._key(looks)
        if lying not in self._kernels:
            pairs = zip(self._parameters, lying, strict=True)
            wanted = {parameter.name: each for parameter, each in pairs if each is not None}
            translation = self._translation
            if wanted and self._translate is not None and isinstance(translation, NotationStages):
                translation = _translated(self._translate, translation, wanted)
            if len(self._kernels) >= MOST_KERNELS:
                del self._kernels[next(iter(self._kernels))]
                self._calls.clear()
            kernel = Kernel(translation.artifact, self._device(), overwritten=overwritten(translation))
            self._kernels[lying] = _Specialised(translation, kernel)
        return self._kernels[lying]

    def _key(self, looks: Mapping[str, _Look]) -> Key:
        return tuple([self._lying(each, looks.get(each.name)) for each in self._parameters])

    def _lying(self, parameter: ArrayParameter, look: _Look | None) -> Lying | None:
        """The layout that the kernel should be made for, None for that which it has."""
        tensor = self._tensors.get(parameter.name)
        if self._translate is None or tensor is None or tensor.has_layout or look is None:
            return None
        if _lies_in_place(parameter, look):
            return None
        is_copied = needs_zeros(parameter) and not look.is_on_device
        lying = None if is_copied else _lying(tensor, look, ELEMENT_TYPES[parameter.type].itemsize)
        lying = Lying(_packed(tensor, look)) if lying is None else lying
        triples = zip(tensor.shape, lying.strides, tensor.strides, strict=True)
        is_same = all(wanted == has for size, wanted, has in triples if size != 1)
        return None if is_same and lying.batch_after == tensor.batch_after else lying

    def _copy(self, parameter: ArrayParameter, look: _Look | None) -> "_Copy | None":
        """What is said of an argument that is copied because of its layout."""
        if look is None or look.is_on_device or needs_zeros(parameter) or parameter.name in self._told:
            return None
        nbytes = look.count * prod(look.shape) * ELEMENT_TYPES[parameter.type].itemsize
        if nbytes < FEW_BYTES or _lies_in_place(parameter, look):
            return None
        self._told.add(parameter.name)
        lead = look.lead if isinstance(parameter, GroupParameter) else 0
        taken = declared_layout(parameter, look.shape[lead:]).array_strides
        itemsize = ELEMENT_TYPES[parameter.type].itemsize
        found = ", ".join(f"{stride / itemsize:g}" for stride in look.strides[lead:])
        way_out = self._way_out(parameter, look)
        return _Copy(parameter.name, f"({found})", f"({', '.join(map(str, taken))})", *way_out)

    def _way_out(self, parameter: ArrayParameter, look: _Look) -> tuple[str, str]:
        """The advice for one argument, and for several."""
        tensor = self._tensors.get(parameter.name)
        if tensor is not None and self._translate is not None:
            if not tensor.has_layout:
                makes = "`numpy.ascontiguousarray` makes"
                return f"{makes} an array that is used in place", f"{makes} arrays that are used in place"
            lying = _lying(tensor, look, ELEMENT_TYPES[parameter.type].itemsize)
            if lying is not None:
                word = f"`{_word(tensor, lying)}`, or without a layout: then the kernel takes"
                return f"declare it {word} it as it lies", f"declare them {word} them as they lie"
        makes = "`empty` of the kernel makes"
        return f"{makes} an array that is used in place", f"{makes} arrays that are used in place"


def _translated(translate: Translate, translation: NotationStages, wanted: Mapping[str, Lying]) -> Stages:
    """The kernel for tensors that lie so; for elements behind all modes if the schedule asked for takes no others."""
    try:
        return translate(translation, wanted)
    except CompileError as error:
        behind = {name: Lying(each.strides) for name, each in wanted.items()}
        if behind == wanted or any(each.code != "E0305" for each in error.diagnostics):
            raise
    return translate(translation, behind)


def _arrays(translation: Stages) -> list[ArrayParameter]:
    return [each for each in translation.artifact.arguments if not isinstance(each, ScalarParameter)]


def _signature(argument: object) -> object:
    """Properties of an argument that decide about the kernel."""
    if isinstance(argument, np.ndarray | PyopenclArray):
        return type(argument), argument.dtype, argument.shape, argument.strides
    if isinstance(argument, list | tuple) and argument:
        return len(argument), _signature(argument[0])
    return None


def _look(parameter: ArrayParameter, argument: object) -> _Look | None:
    """None for what has no strides, or not the declared shape and type."""
    lead, count, expected = 1, 1, expected_shape(parameter)
    if isinstance(parameter, GroupParameter):
        if isinstance(argument, list | tuple) and argument:
            lead, count, argument = 0, len(argument), argument[0]
        else:
            expected = (None, *expected)
    elif not parameter.batched:
        lead = 0
    if not isinstance(argument, np.ndarray | PyopenclArray) or argument.dtype != ELEMENT_TYPES[parameter.type]:
        return None
    if not fits_shape(argument.shape, expected):
        return None
    return _Look(argument.shape, argument.strides, lead, count, isinstance(argument, PyopenclArray))


def _lies_in_place(parameter: ArrayParameter, look: _Look) -> bool:
    """True if the kernel can work on the array, as far as its strides decide."""
    lead = look.lead if isinstance(parameter, GroupParameter) else 0  # each member of a group is an array of its own
    return layout_in_place(parameter, look.shape[lead:], look.strides[lead:]) is not None


def _lying(tensor: Tensor, look: _Look, itemsize: int) -> Lying | None:
    """The layout as a declaration could have it, its strides in entries; None if it could not.

    Modes of size 1 have stride 1, so that arrays that differ there only have one kernel. Where sizes are known only at
    the launch, these are the strides without gaps, with the modes in the order of the array.
    """
    shape, strides = look.shape[look.lead :], look.strides[look.lead :]
    if any(stride % itemsize for stride in strides):
        return None
    lying = tuple(stride // itemsize if size > 1 else 1 for stride, size in zip(strides, shape, strict=True))
    order = [mode for mode in _order(look) if shape[mode] > 1]
    if min(lying, default=1) < 1 or any(lying[outer] < lying[inner] * shape[inner] for inner, outer in pairwise(order)):
        return None
    distance = max((size * stride for size, stride in zip(shape, lying, strict=True)), default=1)
    if tensor.storage is Storage.BATCHED and look.shape[0] > 1 and look.strides[0] != distance * itemsize:
        return _lying_among(tensor, look, order, itemsize)
    return Lying(_packed(tensor, look) if _is_dynamic(tensor) else lying)


def _lying_among(tensor: Tensor, look: _Look, order: list[int], itemsize: int) -> Lying | None:
    """The layout if the elements lie among the modes: no gaps within the modes on each side of the batch.

    `order` are the modes of more than one position, the fastest first.
    """
    shape, strides = look.shape[look.lead :], look.strides[look.lead :]
    sizes, apart = [shape[mode] for mode in order], [strides[mode] for mode in order]
    after = sum(stride < look.strides[0] for stride in apart)
    least = [*accumulate(sizes[:after], mul, initial=itemsize)]
    if apart[:after] != least[:-1] or look.strides[0] != least[-1] or after == len(order):
        return None
    behind = [*accumulate(sizes[after:-1], mul, initial=apart[after])]
    if apart[after:] != behind or apart[after] < look.shape[0] * look.strides[0]:
        return None
    return Lying(_packed(tensor, look), after + len(shape) - len(order))  # modes of one position come first


def _packed(tensor: Tensor, look: _Look) -> tuple[Extent, ...]:
    """The strides of a copy, with the modes in their order."""
    if _is_dynamic(tensor):
        return packed(tensor.shape, _order(look))
    return packed(tensor.shape, (mode for mode in _order(look) if tensor.shape[mode] != 1))


def _is_dynamic(tensor: Tensor) -> bool:
    """True if an extent of the tensor depends on sizes."""
    return any(isinstance(extent, Polynomial) for extent in tensor.shape)


def _order(look: _Look) -> list[int]:
    """The modes from the fastest to the slowest; those with the same stride are in C order."""
    strides = look.strides[look.lead :]
    return sorted(range(len(strides)), key=lambda mode: (abs(strides[mode]), -mode))


def _copy_texts(kernel: str, copies: Sequence[_Copy]) -> Iterator[str]:
    """One warning for all arguments of a call for which the same helps."""
    for way_out, way_out_of_many in dict.fromkeys((copy.way_out, copy.way_out_of_many) for copy in copies):
        first, *others = (copy for copy in copies if copy.way_out == way_out)
        if not others:
            yield (
                f"`{kernel}` copies argument `{first.name}` in every call: the array has strides {first.found},"
                f" and the kernel takes {first.taken}, counted in entries; {way_out}"
            )
        else:
            names = listed(f"`{copy.name}`" for copy in (first, *others))
            yield (
                f"`{kernel}` copies arguments {names} in every call: `{first.name}` has strides {first.found},"
                f" and the kernel takes {first.taken}, counted in entries; {way_out_of_many}"
            )


def _word(tensor: Tensor, lying: Lying) -> str:
    """The attributes that declare a layout."""
    modes, strides = range(len(tensor.shape)), lying.strides
    batch = "" if lying.batch_after is None else f" batch_after<{lying.batch_after}>"
    if strides == packed(tensor.shape, modes):
        return f"column_major{batch}"
    is_row_major = strides == packed(tensor.shape, reversed(modes))
    return f"row_major{batch}" if is_row_major else f"strided<{', '.join(map(str, strides))}>{batch}"
