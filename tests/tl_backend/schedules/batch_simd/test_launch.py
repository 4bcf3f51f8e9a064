"""Kernels of the ADER-DG solver through the runtime: any number of elements, both precisions, always the same bits.

CPUs get this schedule without being asked; other devices are asked to have it.
"""

from copy import deepcopy
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest

from einsum_front.core.diagnostics import Source
from einsum_front.core.facts import Nonzeros
from einsum_front.driver import Decision, Session, Stages, translate_text
from einsum_front.driver.targets import target_of
from einsum_front.options import Level, Options
from einsum_front.runtime.artifact import ScalarParameter, TensorParameter
from einsum_front.runtime.devices.device import find_device
from einsum_front.runtime.launches.launch import Kernel
from einsum_front.tl_backend.interpret import interpret
from einsum_front.tl_backend.opencl.target import DEFAULT
from einsum_front.tl_backend.schedules.tuning import ScheduleKind, Tuning
from examples.ader_dg import matrices

KERNELS = [
    ("volume", "volume"),
    ("local_flux", "localFlux_1"),
    ("local_flux", "localFluxAll"),
    ("neighboring_flux", "neighboringFlux_1_2_3"),
    ("derivative", "derivative"),
]
MOST_ELEMENTS = 13
"""Three vectors of four lanes, and one element; with eight lanes one vector and a part."""

LANES = Decision(Tuning(ScheduleKind.BATCH_SIMD), "as asked for")

Arguments = dict[str, Any]


@cache
def translation(file: str, kernel: str, order: int, real: str) -> Stages:
    matrices.write(order)
    path = matrices.HERE / f"{file}.ein"
    options = Options(kernel=kernel, defines={"O": order}, real=real)
    source = Source(str(path), path.read_text(encoding="utf-8"))
    target = target_of(find_device().facts)
    if target.is_cpu:
        told = replace(DEFAULT, instructions=target.instructions)
        (found,) = translate_text(Session(told, options), source, Level.EIN)
    else:
        (found,) = translate_text(Session(target, options, decide=lambda _function, _target: LANES), source, Level.EIN)
    assert found.artifact.source.startswith("// schedule `batch_simd`")
    return found


def arguments_for(found: Stages, elements: int, dtype: type) -> Arguments:
    """Random arguments where values are not known; what is known to be zero is NaN: nothing may read it."""
    random = np.random.default_rng(elements)
    known = {fact.argument: fact.runs for fact in found.tensor_language.facts if isinstance(fact, Nonzeros)}
    arguments: Arguments = {}
    for parameter in found.artifact.arguments:
        if isinstance(parameter, ScalarParameter):
            arguments[parameter.name] = float(random.standard_normal())
            continue
        shape = tuple(elements if size is None else size for size in parameter.shape)
        if isinstance(parameter, TensorParameter) and parameter.values is not None:
            arguments[parameter.name] = np.reshape(parameter.values, shape, order="F").astype(dtype)
            continue
        values: Any = np.asfortranarray(random.standard_normal(shape).astype(dtype))
        if parameter.name in known:
            item = shape[:-1] if parameter.shape[-1] is None else shape
            zero = np.ones(np.prod(item), np.bool_)
            for start, stop in known[parameter.name]:
                zero[start:stop] = False
            values[zero.reshape(item, order="F")] = np.nan
        arguments[parameter.name] = values
    return arguments


def after_launch(found: Stages, arguments: Arguments) -> Arguments:
    """The arguments behind a launch, the batch first as the caller has it."""
    given = {name: as_caller(found, name, value) for name, value in arguments.items()}
    Kernel(found.artifact, find_device())(**given)
    return given


def as_caller(found: Stages, name: str, value: Any) -> Any:
    if not isinstance(value, np.ndarray):
        return value
    parameter = next(each for each in found.artifact.arguments if each.name == name)
    assert not isinstance(parameter, ScalarParameter)
    is_batch = parameter.shape[-1] is None
    item = np.moveaxis(value, -1, 0) if is_batch else value
    modes = [mode + is_batch for mode in np.argsort(parameter.modes)]
    return item.transpose([0, *modes] if is_batch else modes).copy()


@pytest.mark.parametrize(("real", "dtype", "tolerance"), [("f64", np.float64, 1e-13), ("f32", np.float32, 1e-5)])
@pytest.mark.parametrize("order", [2, 3])
@pytest.mark.parametrize(("file", "kernel"), KERNELS, ids=[kernel for _, kernel in KERNELS])
def test_kernels(file: str, kernel: str, order: int, real: str, dtype: type, tolerance: float) -> None:
    found = translation(file, kernel, order, real)
    for elements in (1, 4, 7) if order > 2 else range(1, MOST_ELEMENTS + 1):
        arguments = arguments_for(found, elements, dtype)
        expected = {
            name: np.nan_to_num(value) if isinstance(value, np.ndarray) else value for name, value in arguments.items()
        }
        interpret(found.tensor_language, expected, elements)
        for name, result in after_launch(found, arguments).items():
            if isinstance(result, np.ndarray):
                known = np.isfinite(as_caller(found, name, arguments[name]))
                right = as_caller(found, name, expected[name])
                np.testing.assert_allclose(result[known], right[known], rtol=0, atol=tolerance * np.abs(right).max())
                assert np.isnan(result[~known]).all()


def test_no_elements() -> None:
    found = translation("volume", "volume", 2, "f64")
    after_launch(found, arguments_for(found, 0, np.float64))


def test_results_do_not_depend_on_the_lane_or_the_launch() -> None:
    found = translation("volume", "volume", 3, "f64")
    arguments = arguments_for(found, 11, np.float64)
    whole = after_launch(found, deepcopy(arguments))["Q"]
    np.testing.assert_array_equal(after_launch(found, deepcopy(arguments))["Q"], whole)
    for first, stop in ((1, 11), (3, 6), (10, 11)):
        part = {
            name: value[..., first:stop] if isinstance(value, np.ndarray) and value.shape[-1] == 11 else value
            for name, value in arguments.items()
        }
        np.testing.assert_array_equal(after_launch(found, part)["Q"], whole[first:stop])
