"""Random programs with functions of entries mean the same at every level and on the device as in NumPy."""

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from einsum_front.core.diagnostics import Source
from einsum_front.driver import Session, translate_program
from einsum_front.driver.choice import chooser
from einsum_front.driver.targets import target_of
from einsum_front.driver.verification import groups, levels
from einsum_front.notation.parse import parse
from einsum_front.options import ScheduleOptions
from einsum_front.runtime.devices.device import find_device
from tests.einsum_front.function_programs import FunctionProgram, function_programs
from tests.profiles import share

TOLERANCES = {np.float32: 1e-4, np.float64: 1e-11}
"""Of values of moderate size; a few tens of functions lie on the way of each."""


@pytest.mark.generated
@share(0.4, of_long=1.0)
@given(function_programs(), st.integers(1, 3), st.integers(0, 2**16))
def test_every_level_agrees_with_numpy(program: FunctionProgram, batch: int, seed: int) -> None:
    _compare(program, batch, seed, None, lambda level: level != "device")


@pytest.mark.generated
@pytest.mark.parametrize("schedule", ["work_group", "batch_simd"])
@share(0.06)
@given(function_programs(), st.integers(1, 9), st.integers(0, 2**16))
def test_the_device_agrees_with_numpy(schedule: str, program: FunctionProgram, batch: int, seed: int) -> None:
    """Fewer examples: OpenCL compilers take most of a second for each."""
    _compare(program, batch, seed, schedule, lambda level: level == "device")


def _compare(
    program: FunctionProgram, batch: int, seed: int, schedule: str | None, chosen: Callable[[str], bool]
) -> None:
    session = Session(target_of(find_device().facts), decide=chooser(ScheduleOptions(schedule), None))
    (translation,) = translate_program(session, parse(Source("random.ein", program.text)))
    kind = np.float32 if "real f32" in program.text else np.float64
    names = {parameter.name for parameter in translation.artifact.arguments}
    arguments = {n: a.astype(kind) for n, a in program.arguments(batch, seed).items() if n in names}
    everything = {**program.arguments(batch, seed), **{n: a.astype(np.float64) for n, a in arguments.items()}}
    expected = program.expected(everything)
    for level, run in levels(translation, find_device(), groups(translation.artifact, batch)):
        if not chosen(level):
            continue
        known = np.array if level == "device" else np.nan_to_num  # interpreters read what is declared to be zero
        values: dict[str, object] = {name: known(array) for name, array in arguments.items()}
        run(values)
        for name, wanted in expected.items():
            found = np.where(np.isnan(everything[name]), wanted, np.asarray(values[name]))
            error = np.abs(found - wanted) / (1 + np.abs(wanted))
            assert not (error > TOLERANCES[kind]).any(), f"{name} differs at level {level}"
            assert np.isfinite(found).all(), f"{name} is not finite at level {level}"
