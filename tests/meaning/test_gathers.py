"""Entries that integers say: the same at every level, on both devices and in all schedules as one after the other."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from einsum_front.core.diagnostics import Source
from einsum_front.driver import Decide, Decision, NotationStages, Session, by_model, translate_program
from einsum_front.driver.gpus import gpu_target
from einsum_front.driver.targets import target_of
from einsum_front.driver.verification import compare_kernel_tree, groups, levels
from einsum_front.notation.parse import parse
from einsum_front.notation.syntax import Program
from einsum_front.notation.unparse import unparse
from einsum_front.options import Options
from einsum_front.runtime.devices.device import Device, find_device
from einsum_front.tl_backend.opencl.target import Target
from einsum_front.tl_backend.program import Function
from einsum_front.tl_backend.schedules.choice import is_possible
from einsum_front.tl_backend.schedules.tuning import ScheduleKind, Tuning
from tests.einsum_front.oracle import results_by_oracle
from tests.einsum_front.strategies import arguments_for, programs
from tests.profiles import share

ROUNDINGS = 1000
"""More roundings than lie on the way of any single entry: sums here have some hundred terms."""

IN_LANES = Tuning(ScheduleKind.BATCH_SIMD)
IN_COLUMNS = Tuning(ScheduleKind.COLUMNS)

CASES = {
    "text": programs(gathers=5, scatters=3),
    "real": st.sampled_from(["f32", "f64"]),
    "batch": st.integers(0, 3),
    "seed": st.integers(0, 2**16),
}


STORED = programs(gathers=5, types=("f32", "f64", "bf16"))


@given(text=CASES["text"])
def test_the_text_is_read_back(text: str) -> None:
    program = parse(Source("random.ein", text))
    assert parse(Source("again.ein", unparse(program))) == program


@pytest.mark.generated
@share(0.8, of_long=1)
@given(**CASES)
def test_every_level_reads_where_integers_say(text: str, real: str, batch: int, seed: int) -> None:
    _check(text, real, batch, seed, find_device(), lambda level: level != "device")


@pytest.mark.generated
@share(0.5)
@given(**{**CASES, "text": programs(gathers=2, scatters=9)})
def test_every_level_adds_where_integers_say(text: str, real: str, batch: int, seed: int) -> None:
    _check(text, real, batch, seed, find_device(), lambda level: level != "device")


@pytest.mark.generated
@pytest.mark.parametrize("device", ["c", "PoCL"])
@share(0.2)
@given(**CASES)
def test_so_do_devices(device: str, text: str, real: str, batch: int, seed: int) -> None:
    _check(text, real, batch, seed, find_device(device), lambda level: level == "device")


@pytest.mark.generated
@share(0.25)
@given(**{**CASES, "batch": st.integers(1, 3)})
def test_work_items_of_a_gpu_do_not_race(text: str, real: str, batch: int, seed: int) -> None:
    """Work-groups of many items in the kernel tree's interpreter, which sees races and barriers that some miss."""
    _check_gpu(text, real, batch, seed, by_model)


@pytest.mark.generated
@share(0.25, of_long=1)
@given(**{**CASES, "text": STORED | CASES["text"], "batch": st.integers(1, 9)})
def test_nor_do_those_with_columns(text: str, real: str, batch: int, seed: int) -> None:
    _check_gpu(text, real, batch, seed, in_columns)


MEMBERS = """
tensor Q[3,2]
tensor I[4,2]
tensor P{2}[3,3] constant
tensor R{3}[3,4] constant values<1, 0, 2, 0, 3, 0, 0, 0, 4, 5, 0, 6>
tensor S{3}[3,4] constant values<7, 1, 0, 0, 0, 2, 3, 0, 0, 0, 0, 1>
tensor next[2] i32
tensor side[2] i32
kernel k {
    Q[k,p] += sum{f in 0:2}( P{side[(f)]}[k,m] * R{side[(f)]}[m,l] * I[l,p]@next[(f)] + S{side[(f)]}[k,l] * I[l,p] )
}
"""


@pytest.mark.parametrize("real", ["f32", "f64"])
@pytest.mark.parametrize("batch", [1, 6, 33])
def test_one_of_several_known_matrices_is_chosen(real: str, batch: int) -> None:
    """Integers of both signs choose among matrices whose numbers are in the code, and among others."""
    _check_gpu(MEMBERS, real, batch, 1, in_columns)


def in_columns(function: Function, target: Target) -> Decision:
    """A column for each work-item where that is possible."""
    return Decision(IN_COLUMNS) if is_possible(function, target, IN_COLUMNS) else by_model(function, target)


def translated(text: str, target: Target, real: str, decide: Decide) -> tuple[Program, NotationStages]:
    """The program of a text, and all that its kernel becomes."""
    program = parse(Source("random.ein", text))
    (translation,) = translate_program(Session(target, Options(real=real), decide=decide), program)
    return program, translation


def without_nan(value: Any) -> Any:
    """A copy of an array whose declared zeros are 0: of any type, which `numpy.nan_to_num` does not know."""
    if not isinstance(value, np.ndarray):
        return value
    copy = value.copy(order="K")
    copy[np.isnan(copy)] = 0
    return copy


def _check_gpu(text: str, real: str, batch: int, seed: int, decide: Decide) -> None:
    _, translation = translated(text, gpu_target("sm_80", "opencl"), real, decide)
    names = {parameter.name for parameter in translation.artifact.arguments}
    given_ = {n: a for n, a in arguments_for(translation.program, batch, seed).items() if n in names}
    arguments = {n: without_nan(a) for n, a in given_.items()}
    count = groups(translation.artifact, batch)
    (run,) = (run for level, run in levels(translation, find_device("c"), count) if level == "tl")
    results: dict[str, Any] = {n: np.copy(a) if isinstance(a, np.ndarray) else a for n, a in arguments.items()}
    run(results)
    written = {each.name for each in translation.artifact.arguments if getattr(each, "is_written", False)}
    found = compare_kernel_tree(translation, arguments, count, {name: results[name] for name in written})
    assert found.agrees or found.left_out


@pytest.mark.generated
@pytest.mark.parametrize("device", ["c", "PoCL"])
@share(0.3, of_long=1)  # a kernel is built for each
@given(**{**CASES, "batch": st.integers(1, 19)})
def test_so_do_elements_in_lanes(device: str, text: str, real: str, batch: int, seed: int) -> None:
    """In the schedule `batch_simd`, which all of them can have."""
    _check(text, real, batch, seed, find_device(device), lambda level: level in ("kernel", "device"), in_lanes)


def in_lanes(function: Function, target: Target) -> Decision:
    """Elements in lanes where that is possible; few of what is read in sums is another type, or branches."""
    assume(is_possible(function, target, IN_LANES))
    return Decision(IN_LANES)


def _check(
    text: str,
    real: str,
    batch: int,
    seed: int,
    device: Device,
    chosen: Callable[[str], bool],
    decide: Decide = by_model,
) -> None:
    program, translation = translated(text, target_of(device.facts), real, decide)
    names = {parameter.name for parameter in translation.artifact.arguments}
    checked = translation.program
    arguments = {n: a for n, a in arguments_for(checked, batch, seed).items() if n in names}
    expected = results_by_oracle(program, checked, arguments, batch)
    magnitude = results_by_oracle(program, checked, arguments, batch, magnitudes=True)
    for level, run in levels(translation, device, groups(translation.artifact, batch)):
        if not chosen(level):
            continue
        values: dict[str, object] = {name: without_nan(value) for name, value in arguments.items()}
        run(values)
        for name, value in values.items():
            if isinstance(value, np.ndarray) and value.dtype.kind == "f":
                bound = ROUNDINGS * np.finfo(value.dtype).eps * magnitude[name]
                assert (np.abs(value - expected[name]) <= bound).all(), f"{name} differs at level {level}"
