"""Random programs mean the same at every level and on the device as in numpy.einsum."""

from collections.abc import Callable

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from einsum_front.core.diagnostics import Source
from einsum_front.driver import NotationStages, Session, translate_program
from einsum_front.driver.targets import target_of
from einsum_front.driver.verification import groups, levels
from einsum_front.notation.parse import parse
from einsum_front.notation.syntax import Program
from einsum_front.options import Options
from einsum_front.runtime.devices.device import find_device
from tests.einsum_front.oracle import results_by_oracle
from tests.einsum_front.strategies import Arguments, arguments_for, programs
from tests.profiles import share

ROUNDINGS = 1000
"""More roundings than lie on the way of any single entry: sums here have some hundred terms."""

CASES = {
    "text": programs(),
    "real": st.sampled_from(["f32", "f64"]),
    "batch": st.integers(0, 3),
    "seed": st.integers(0, 2**16),
}


@share(1)
@given(**CASES)
def test_every_level_agrees_with_einsum(text: str, real: str, batch: int, seed: int) -> None:
    program, translation, arguments = _prepare(text, real, batch, seed)
    _compare(program, translation, arguments, batch, lambda level: level != "device")


@share(0.3)
@given(**CASES)
def test_the_device_agrees_with_einsum(text: str, real: str, batch: int, seed: int) -> None:
    """Fewer examples: OpenCL compilers take most of a second for each."""
    program, translation, arguments = _prepare(text, real, batch, seed)
    _compare(program, translation, arguments, batch, lambda level: level == "device")


def _prepare(text: str, real: str, batch: int, seed: int) -> tuple[Program, NotationStages, Arguments]:
    program = parse(Source("random.ein", text))
    (translation,) = translate_program(Session(target_of(find_device().facts), Options(real=real)), program)
    checked = translation.program
    names = {parameter.name for parameter in translation.artifact.arguments}
    return program, translation, {n: a for n, a in arguments_for(checked, batch, seed).items() if n in names}


def _compare(
    program: Program, translation: NotationStages, arguments: Arguments, batch: int, chosen: Callable[[str], bool]
) -> None:
    checked = translation.program
    expected = results_by_oracle(program, checked, arguments, batch)
    magnitude = results_by_oracle(program, checked, arguments, batch, magnitudes=True)
    for level, run in levels(translation, find_device(), groups(translation.artifact, batch)):
        if not chosen(level):
            continue
        is_device = level == "device"  # kernels neither read nor write declared zeros, or have copies without them
        values = {name: _copied(value) if is_device else _without_nan(value) for name, value in arguments.items()}
        run(values)
        for name, value in values.items():
            if isinstance(value, np.ndarray):
                bound = ROUNDINGS * np.finfo(value.dtype).eps * magnitude[name]
                unused = np.isnan(arguments[name]) if is_device else np.False_
                assert (unused | (np.abs(value - expected[name]) <= bound)).all(), f"{name} differs at level {level}"
                assert not is_device or np.isnan(value[unused]).all(), f"declared zeros of {name} were written"


def _copied(value: object) -> object:
    return value.copy() if isinstance(value, np.ndarray) else value


def _without_nan(value: object) -> object:
    return np.asarray(np.nan_to_num(value)) if isinstance(value, np.ndarray) else value
