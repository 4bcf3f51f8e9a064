"""Where arrays lie changes nothing: random programs on arrays of any layout give what NumPy gives, and only that.

Sizes are numbers or known at the launch only, elements f32 or f64, and the kernel has any schedule that it can have.
Every array lies in memory of its own, of which each byte that is no entry of an output must be as before.
"""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

import einsum_front as ef
from einsum_front.core.diagnostics import CompileError, Source
from einsum_front.driver import Decision, NotationStages, Session, translate_program
from einsum_front.driver.layouts import Arrangement
from einsum_front.driver.targets import target_of
from einsum_front.driver.verification import compare_levels, groups
from einsum_front.notation.checked import CheckedProgram
from einsum_front.notation.parse import parse
from einsum_front.runtime.arrays.batch import Place
from einsum_front.runtime.arrays.layout import memref_axes, spaced_layout
from einsum_front.runtime.arrays.transfers import PyopenclArray, download, upload
from einsum_front.runtime.artifact import ArrayParameter, GroupParameter, ScalarParameter
from einsum_front.runtime.devices.device import find_device
from einsum_front.runtime.launches.launch import Kernel
from einsum_front.tl_backend.schedules.tuning import ScheduleKind, Tuning
from tests.einsum_front.oracle import results_by_oracle
from tests.einsum_front.strategies import Arguments, arguments_for
from tests.meaning.opened import opened_programs
from tests.profiles import share

ROUNDINGS = 1000
"""More roundings than lie on the way of any single entry: sums here have some hundred terms."""

MOST_AXES = 5
ROOM = 256
"""Bytes in front of an array and behind it: where parts of a buffer may start, on every device that we know."""

Array = NDArray[Any]


@dataclass(frozen=True, slots=True)
class Lie:
    """How one array lies.

    `order` has ranks of axes, the fastest first, None for the order of the memref. Behind axes are gaps of elements;
    some run backwards, or stand still if the array is only read. One `on_device` has the gaps that the kernel takes.
    """

    order: tuple[int, ...] | None
    gaps: tuple[int, ...]
    backwards: frozenset[int]
    still: frozenset[int]
    on_device: bool


def _few(axes: int) -> st.SearchStrategy[frozenset[int]]:
    return st.one_of(st.just(frozenset()), st.frozensets(st.integers(0, axes - 1), max_size=axes))


LIES = st.builds(
    Lie,
    order=st.one_of(st.none(), st.permutations(range(MOST_AXES)).map(tuple)),
    gaps=st.tuples(*[st.sampled_from((0, 0, 1, 3))] * MOST_AXES),
    backwards=_few(MOST_AXES),
    still=_few(MOST_AXES),
    on_device=st.sampled_from((False, False, True)),
)


@dataclass(slots=True)
class Block:
    """An array in the middle of watched memory, and a copy of both on the device."""

    array: Array
    memory: NDArray[np.uint8]
    before: NDArray[np.uint8]
    copy: PyopenclArray | None = None

    @property
    def argument(self) -> Array | PyopenclArray:
        return self.array if self.copy is None else self.copy

    def bring_back(self) -> None:
        if self.copy is not None:
            download(self.copy, self.memory)

    def is_as_before_but_for_entries(self) -> bool:
        start = self.array.ctypes.data - self.memory.ctypes.data
        old = np.ndarray(self.array.shape, self.array.dtype, self.before.data, start, self.array.strides)
        old[...] = self.array
        return self.is_as_before()

    def is_as_before(self) -> bool:
        return np.array_equal(self.memory, self.before)


def laid(parameter: ArrayParameter, entries: Array, lie: Lie, watched: int) -> Block:
    on_device = lie.on_device and not isinstance(parameter, GroupParameter)
    if on_device:
        steps = spaced_layout(parameter, entries.shape, max(lie.gaps)).array_strides
    else:
        steps = _steps(parameter, entries.shape, lie)
    reaches = [step * (size - 1) for step, size in zip(steps, entries.shape, strict=True)] if entries.size else []
    low, high = (sum(pick(0, reach) for reach in reaches) * entries.itemsize for pick in (min, max))
    memory = np.full(high - low + entries.itemsize + 2 * ROOM, watched, np.uint8)
    strides = tuple(step * entries.itemsize for step in steps)
    array: Array = np.ndarray(entries.shape, entries.dtype, memory.data, ROOM - low, strides)
    array[...] = entries
    block = Block(array, memory, memory.copy())
    if on_device:
        device = find_device()
        block.copy = upload(array, memory, Place(device.context, device.queue, device.facts))
    return block


def _steps(parameter: ArrayParameter, shape: tuple[int, ...], lie: Lie) -> tuple[int, ...]:
    """The strides of the axes in elements."""
    order = memref_axes(parameter) if lie.order is None else [axis for axis in lie.order if axis < len(shape)]
    steps, least = [0] * len(shape), 1
    for axis in order:
        if axis in lie.still and not parameter.is_written:
            continue
        steps[axis] = -least if axis in lie.backwards else least
        least = least * max(1, shape[axis]) + lie.gaps[axis]
    return tuple(steps)


def _stand_still(arguments: Arguments, translation: NotationStages, known: CheckedProgram, lies: list[Lie]) -> None:
    """Where the stride of an array is 0, its entries are the same."""
    free = {tensor.name for tensor in known.tensors if tensor.nonzeros is None and tensor.values is None}
    for number, parameter in enumerate(translation.artifact.arguments):
        value = arguments.get(parameter.name)
        if isinstance(parameter, ScalarParameter) or not isinstance(value, np.ndarray) or parameter.is_written:
            continue
        first = 1 if isinstance(parameter, GroupParameter) else 0
        for axis in range(first, value.ndim):
            if parameter.name in free and axis - first in lies[number % len(lies)].still and value.shape[axis]:
                value = np.repeat(np.take(value, [0], axis), value.shape[axis], axis)
        arguments[parameter.name] = value


@pytest.mark.generated
@share(0.5, of_long=1)
@given(
    opened_programs(),
    st.booleans(),
    st.sampled_from((None, *ScheduleKind)),
    st.lists(LIES, min_size=4, max_size=4),
    st.sampled_from((0, 1, 2, 3, 9)),
    st.integers(0, 2**16),
)
def test_results_and_memory_around_them(
    texts: tuple[str, str], has_numbers: bool, kind: ScheduleKind | None, lies: list[Lie], batch: int, seed: int
) -> None:
    program = parse(Source("known.ein", texts[0]))
    checked = _translated(texts[0], None).program
    translation = _translated(texts[0] if has_numbers else texts[1], kind)
    arguments = arguments_for(checked, batch, seed)
    _stand_still(arguments, translation, checked, lies)
    expected = results_by_oracle(program, checked, arguments, batch)
    magnitude = results_by_oracle(program, checked, arguments, batch, magnitudes=True)
    arguments |= _shown(translation, batch)
    given_: dict[str, object] = {}
    blocks: dict[str, list[Block]] = {}
    for number, parameter in enumerate(translation.artifact.arguments):
        if parameter.name not in arguments:
            continue  # a part of a known matrix, which the kernel has
        value = arguments[parameter.name]
        if isinstance(parameter, ScalarParameter):
            given_[parameter.name] = value
            continue
        array, lie = np.nan_to_num(value), lies[number % len(lies)]
        if checked_values(checked, parameter.name):
            lie = replace(lie, still=frozenset())
        is_group = isinstance(parameter, GroupParameter)
        parts = list(array) if is_group else [array]
        found = [laid(parameter, np.asarray(part), lie, 0xFF - number % 8) for part in parts]
        blocks[parameter.name] = found
        given_[parameter.name] = [block.argument for block in found] if is_group else found[0].argument
    Kernel(translation.artifact, find_device())(groups(translation.artifact, batch), **given_)
    for parameter in translation.artifact.arguments:
        if isinstance(parameter, ScalarParameter) or parameter.name not in blocks:
            continue
        for block in blocks[parameter.name]:
            block.bring_back()
        found = blocks[parameter.name]
        if not parameter.is_written:
            assert all(block.is_as_before() for block in found), f"{parameter.name} was changed"
            continue
        assert all(block.is_as_before_but_for_entries() for block in found), f"gaps of {parameter.name} were changed"
        if parameter.name in expected:
            shape = expected[parameter.name].shape
            result = np.reshape([block.array for block in found], shape)
            bound = ROUNDINGS * np.finfo(result.dtype).eps * magnitude[parameter.name]
            assert (np.abs(result - expected[parameter.name]) <= bound).all(), f"{parameter.name} differs"


def checked_values(program: CheckedProgram, name: str) -> bool:
    """Whether entries of a tensor cannot be repeated: zeros, or all of them, are declared."""
    return any(t.name == name and (t.nonzeros is not None or t.values is not None) for t in program.tensors)


def _translated(text: str, kind: ScheduleKind | None) -> NotationStages:
    """The program in the schedule that is wanted, or in one of the model's if it cannot have that."""
    program, target = parse(Source("opened.ein", text)), target_of(find_device().facts)
    decision = Decision(None if kind is None else Tuning(kind))
    try:
        (translation,) = translate_program(Session(target, decide=lambda _function, _target: decision), program)
    except CompileError as error:
        if kind is None or {each.code for each in error.diagnostics} != {"E0305"}:
            raise
        return _translated(text, None)
    return translation


def _shown(translation: NotationStages, batch: int) -> Arguments:
    """Arrays that only show a size: the extents of the program are 2 to 5, and `showsaa` has one position less."""
    types = {p.name: p.type for p in translation.artifact.parameters}
    extents = {"showsaa": 1, "showsbb": 2, "showscc": 3, "showsdd": 4}
    numpy_types = {"f32": np.float32, "f64": np.float64}
    return {name: np.zeros((batch, size), numpy_types[types[name]]) for name, size in extents.items() if name in types}


COPY = "size m <= 9\ntensor H[m,3]\ntensor y[m,3]\nkernel k { y[ij] = H[ij] }"


def test_gaps_of_a_copy_with_an_open_size() -> None:
    """Modes that the kernel walks as one lie close, or the array is copied."""
    copy = ef.compile(ef.parse(COPY), cache=False)["k"]
    for rows in (1, 4):
        around = np.full((2, 3, 6), 7.0)
        source, target = np.full((2, rows, 6), np.nan)[:, :, ::2], around[:, :, :rows].transpose(0, 2, 1)
        source[...] = np.arange(6.0 * rows).reshape(2, rows, 3)
        copy(H=source, y=target)
        np.testing.assert_array_equal(target, source)
        assert (around[:, :, rows:] == 7).all()


def test_verification_finds_what_padding_breaks() -> None:
    """A kernel that does not say which modes it walks as one is wrong for padded arrays alone."""
    (translation,) = translate_program(Session(target_of(find_device().facts)), parse(Source("copy.ein", COPY)))
    artifact = translation.artifact
    silent = tuple(p if isinstance(p, ScalarParameter) else replace(p, fused=()) for p in artifact.parameters)
    broken = replace(translation, artifact=replace(artifact, parameters=silent))
    arguments = {name: np.arange(24.0).reshape(2, 4, 3) for name in ("H", "y")}
    assert all(each.agrees for each in compare_levels(translation, find_device(), arguments, 2))
    found = [each for each in compare_levels(broken, find_device(), arguments, 2) if not each.agrees]
    padded = [Arrangement.PADDED.value] if find_device().facts.shares_host_memory else []  # else copies have no padding
    assert [each.layout for each in found] == [*padded, Arrangement.DEVICE.value]
    assert all(each.damaged == ("y",) for each in found)
