"""Programs of integers and of `bool` mean the same at every level and on devices, to the last bit, wherever they wrap.

The oracle computes with Python's integers, and wraps around once, at the end.
"""

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from einsum_front.core.diagnostics import Source
from einsum_front.core.storage import ElementType
from einsum_front.driver import Session, translate_program
from einsum_front.driver.targets import target_of
from einsum_front.driver.verification import groups, levels
from einsum_front.notation.parse import parse
from einsum_front.options import Options
from einsum_front.runtime.devices.device import Device, find_device
from tests.einsum_front.oracle import results_by_oracle, stored_integers
from tests.einsum_front.strategies import arguments_for, programs
from tests.profiles import share

INTEGERS = tuple(each.value for each in ElementType if each.is_integer)

CASES = {
    "text": st.one_of(programs(computed=INTEGERS), programs(computed=INTEGERS, types=INTEGERS)),
    "batch": st.integers(0, 3),
    "seed": st.integers(0, 2**16),
}


@pytest.mark.generated
@settings(share(1))
@given(**CASES)
def test_every_level_is_exact(text: str, batch: int, seed: int) -> None:
    _check(text, batch, seed, find_device(), lambda level: level != "device")


@pytest.mark.generated
@pytest.mark.parametrize("device", ["c", "PoCL"])
@settings(share(0.3))
@given(**CASES)
def test_so_are_devices(device: str, text: str, batch: int, seed: int) -> None:
    _check(text, batch, seed, find_device(device), lambda level: level == "device")


def _check(text: str, batch: int, seed: int, device: Device, chosen: Callable[[str], bool]) -> None:
    program = parse(Source("random.ein", text))
    (translation,) = translate_program(Session(target_of(device.facts), Options()), program)
    checked = translation.program
    names = {parameter.name for parameter in translation.artifact.arguments}
    arguments = {n: a for n, a in arguments_for(checked, batch, seed).items() if n in names}
    exact = results_by_oracle(program, checked, arguments, batch)
    tensors = {tensor.name: tensor for tensor in checked.tensors}
    written = {
        parameter.name for parameter in translation.artifact.arguments if getattr(parameter, "is_written", False)
    }
    for level, run in levels(translation, device, groups(translation.artifact, batch)):
        if not chosen(level):
            continue
        values: dict[str, object] = {n: a.copy() if isinstance(a, np.ndarray) else a for n, a in arguments.items()}
        run(values)
        for name, value in values.items():
            if isinstance(value, np.ndarray):
                expected = stored_integers(tensors[name], exact[name]) if name in written else arguments[name]
                assert np.array_equal(value, expected), f"{name} differs at level {level}"
