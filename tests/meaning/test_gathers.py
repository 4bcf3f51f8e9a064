"""Entries that integers say: the same at every level, on both devices and in all schedules as one after the other."""

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from einsum_front.core.diagnostics import Source
from einsum_front.driver import Session, translate_program
from einsum_front.driver.targets import target_of
from einsum_front.driver.verification import groups, levels
from einsum_front.notation.parse import parse
from einsum_front.notation.unparse import unparse
from einsum_front.options import Options
from einsum_front.runtime.devices.device import Device, find_device
from tests.einsum_front.oracle import results_by_oracle
from tests.einsum_front.strategies import arguments_for, programs

ROUNDINGS = 1000
"""More roundings than lie on the way of any single entry: sums here have some hundred terms."""

CASES = {
    "text": programs(gathers=5),
    "real": st.sampled_from(["f32", "f64"]),
    "batch": st.integers(0, 3),
    "seed": st.integers(0, 2**16),
}


@given(text=CASES["text"])
def test_the_text_is_read_back(text: str) -> None:
    program = parse(Source("random.ein", text))
    assert parse(Source("again.ein", unparse(program))) == program


@pytest.mark.generated
@settings(max_examples=100)
@given(**CASES)
def test_every_level_reads_where_integers_say(text: str, real: str, batch: int, seed: int) -> None:
    _check(text, real, batch, seed, find_device(), lambda level: level != "device")


@pytest.mark.generated
@pytest.mark.parametrize("device", ["c", "PoCL"])
@settings(max_examples=15)
@given(**CASES)
def test_so_do_devices(device: str, text: str, real: str, batch: int, seed: int) -> None:
    _check(text, real, batch, seed, find_device(device), lambda level: level == "device")


def _check(text: str, real: str, batch: int, seed: int, device: Device, chosen: Callable[[str], bool]) -> None:
    program = parse(Source("random.ein", text))
    (translation,) = translate_program(Session(target_of(device.facts), Options(real=real)), program)
    names = {parameter.name for parameter in translation.artifact.arguments}
    checked = translation.program
    arguments = {n: a for n, a in arguments_for(checked, batch, seed).items() if n in names}
    expected = results_by_oracle(program, checked, arguments, batch)
    magnitude = results_by_oracle(program, checked, arguments, batch, magnitudes=True)
    for level, run in levels(translation, device, groups(translation.artifact, batch)):
        if not chosen(level):
            continue
        values: dict[str, object] = {
            name: np.asarray(np.nan_to_num(value)) if isinstance(value, np.ndarray) else value
            for name, value in arguments.items()
        }
        run(values)
        for name, value in values.items():
            if isinstance(value, np.ndarray) and value.dtype.kind == "f":
                bound = ROUNDINGS * np.finfo(value.dtype).eps * magnitude[name]
                assert (np.abs(value - expected[name]) <= bound).all(), f"{name} differs at level {level}"
