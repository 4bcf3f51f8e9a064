"""Kernels of random programs give what NumPy gives on arrays in any layout, and copy only what no layout describes."""

from collections.abc import Mapping
from types import EllipsisType
from typing import Any

import numpy as np
import pyopencl.array as cl_array
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

import einsum_front as ef
from einsum_front.core.diagnostics import Source
from einsum_front.core.storage import Storage
from einsum_front.notation.check import check
from einsum_front.notation.checked import CheckedProgram, Tensor
from einsum_front.notation.parse import parse
from einsum_front.notation.syntax import Program
from einsum_front.runtime.arrays.layout import ELEMENT_TYPES
from einsum_front.runtime.artifact import GroupParameter
from einsum_front.runtime.devices.device import find_device
from tests.copies import counted
from tests.einsum_front.oracle import results_by_oracle
from tests.einsum_front.strategies import Arguments, arguments_for, programs
from tests.meaning.opened import opened_programs
from tests.profiles import share

ROUNDINGS = 1000
"""More roundings than lie on the way of any single entry: sums here have some hundred terms."""

Array = NDArray[np.floating]


@pytest.mark.generated
@share(0.4)
@given(programs(), st.integers(0, 3), st.integers(0, 2**16))
def test_arrays_of_numpy(text: str, batch: int, seed: int) -> None:
    program, checked, arguments, kernel = _prepared(text, batch, seed)
    random = np.random.default_rng(seed)
    lying, in_place = dict(arguments), set()
    for tensor in checked.tensors:
        if tensor.name in arguments:
            has_layout, lying[tensor.name] = _lying(tensor, np.asarray(arguments[tensor.name]), random)
            if has_layout and not tensor.has_layout and tensor.nonzeros is None:
                in_place.add(tensor.name)
    with counted() as copies:
        kernel(**_passed(kernel, lying))
    _compare(program, checked, arguments, lying, batch)
    if find_device().facts.shares_host_memory:
        assert in_place.isdisjoint(copies.names)


@pytest.mark.generated
@share(0.2)
@given(programs(), st.integers(1, 3), st.integers(0, 2**16))
def test_arrays_of_a_device_in_c_order(text: str, batch: int, seed: int) -> None:
    program, checked, arguments, kernel = _prepared(text, batch, seed)
    there = {
        tensor.name: cl_array.to_device(kernel.device.queue, np.array(arguments[tensor.name], order="C"))
        for tensor in checked.tensors
        if tensor.name in arguments and not tensor.has_layout and tensor.storage is not Storage.GROUPED
    }
    own = {name: value.copy() if isinstance(value, np.ndarray) else value for name, value in arguments.items()}
    kernel(**_passed(kernel, {**own, **there}))
    _compare(program, checked, arguments, own | {name: array.get() for name, array in there.items()}, batch)


@pytest.mark.generated
@share(0.2)
@given(opened_programs(), st.integers(1, 3), st.integers(0, 2**16))
def test_sizes_that_only_the_launch_knows(texts: tuple[str, str], batch: int, seed: int) -> None:
    known, opened = texts
    program, checked, arguments, kernel = _prepared(known, batch, seed)
    kernel = ef.compile(ef.parse(opened))["f"]
    random = np.random.default_rng(seed)
    lying = dict(arguments)
    for tensor in checked.tensors:
        if tensor.name in arguments:
            _, lying[tensor.name] = _lying(tensor, np.asarray(arguments[tensor.name]), random)
    types = {parameter.name: ELEMENT_TYPES[parameter.type] for parameter in kernel.artifact.arguments}
    extents = {"showsaa": 1, "showsbb": 2, "showscc": 3, "showsdd": 4}  # of tensors that only show a size
    shown: Arguments = {name: np.zeros((batch, size), types[name]) for name, size in extents.items() if name in types}
    kernel(**_passed(kernel, lying | shown))
    _compare(program, checked, arguments, lying, batch)


def _prepared(text: str, batch: int, seed: int) -> tuple[Program, CheckedProgram, Arguments, ef.CompiledKernel]:
    """A program, and its kernel with arguments: zeros stand where a tensor is declared to be zero."""
    program = parse(Source("random.ein", text))
    checked = check(program)
    arguments = arguments_for(checked, batch, seed)
    arrays = {name: np.asarray(np.nan_to_num(a)) for name, a in arguments.items() if isinstance(a, np.ndarray)}
    return program, checked, arguments | arrays, ef.compile(ef.parse(text))["f"]


def _lying(tensor: Tensor, array: Array, random: np.random.Generator) -> tuple[bool, Array]:
    """A copy of an argument, its modes in any order; and whether a declaration could say how it lies.

    There may be room behind the entries of a mode, or the batch inside, or strides that no declaration has: room
    between elements, modes that run backwards.
    """
    lead = 0 if tensor.storage is Storage.CONSTANT else 1
    order = [*range(lead), *(lead + random.permutation(array.ndim - lead))]
    kind = random.choice(["packed", "packed", "room", "spaced", "backwards", "inside"])
    if kind == "inside":
        order = list(random.permutation(array.ndim))
    shape = [array.shape[axis] for axis in order]
    room = list(shape)
    outer = [position for position in range(lead, len(shape)) if shape[position] > 1][: kind == "room"]
    for position in range(outer[0] + 1 if outer else lead, len(shape)):
        room[position] += int(random.integers(0, 3)) if kind == "spaced" or (kind == "room" and outer) else 0
    memory = np.full(room, 7, array.dtype)
    front: tuple[slice | EllipsisType, ...] = (*map(slice, shape), ...)  # with `...` a number is a view, too
    back: tuple[slice | EllipsisType, ...] = (*(slice(None, None, -1) for _ in order), ...)
    view = memory[front].transpose(np.argsort(order))
    view = view[back] if kind == "backwards" else view
    view[...] = array
    return kind in {"packed", "room"} or (kind == "inside" and tensor.storage is not Storage.GROUPED), view


def _passed(kernel: ef.CompiledKernel, arguments: Mapping[str, object]) -> dict[str, Any]:
    """The arguments that the kernel has and the program declares; groups of an odd number of members as lists."""
    passed: dict[str, Any] = {}
    for parameter in (each for each in kernel.artifact.arguments if each.name in arguments):
        value = arguments[parameter.name]
        if isinstance(parameter, GroupParameter) and isinstance(value, np.ndarray) and len(value) % 2 == 1:
            value = [value[member, ...] for member in range(len(value))]
        passed[parameter.name] = value
    return passed


def _compare(program: Program, checked: CheckedProgram, given: Arguments, found: Arguments, batch: int) -> None:
    expected = results_by_oracle(program, checked, given, batch)
    magnitude = results_by_oracle(program, checked, given, batch, magnitudes=True)
    for name, value in found.items():
        if isinstance(value, np.ndarray):
            bound = ROUNDINGS * np.finfo(value.dtype).eps * magnitude[name]
            assert (np.abs(value - expected[name]) <= bound).all(), name
