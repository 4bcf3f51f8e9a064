"""Arguments that are stored in another type than the one that is computed with: rounded once, wherever they run."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

import einsum_front as ef
from einsum_front.core.numbers import EPSILONS, bf16
from einsum_front.driver import Decide, NotationStages, by_model
from einsum_front.driver.targets import target_of
from einsum_front.driver.verification import groups, levels
from einsum_front.notation.syntax import Program
from einsum_front.runtime.devices.device import Device, find_device
from tests.einsum_front.oracle import results_by_oracle
from tests.einsum_front.strategies import COMPLEX, Arguments, arguments_for, programs
from tests.meaning.test_gathers import in_lanes, translated, without_nan
from tests.profiles import share

Array = NDArray[Any]

ROUNDINGS = 1000
"""More roundings than lie on the way of any single entry: sums here have some hundred terms."""

SMALLEST = {"f16": 2.0**-24, "bf16": 2.0**-133, "f32": 2.0**-149, "f64": 2.0**-1074}
"""The numbers that lie closest together."""

CASES = {
    "text": programs(types=("f16", "bf16", "f32", "f64", *COMPLEX)),
    "real": st.sampled_from(["f32", "f64"]),
    "batch": st.integers(0, 3),
    "seed": st.integers(0, 2**16),
}


WHERE_INTEGERS_SAY = {**CASES, "text": programs(types=("f16", "bf16", "f32", "f64"), gathers=5, scatters=5)}


@pytest.mark.generated
@share(0.6)
@given(**CASES)
def test_every_level_rounds_once(text: str, real: str, batch: int, seed: int) -> None:
    _check(text, real, batch, seed, find_device(), lambda level: level != "device")


@pytest.mark.generated
@pytest.mark.parametrize("device", ["c", "PoCL"])
@share(0.15, 0.06)
@given(**CASES)
def test_so_do_devices(device: str, text: str, real: str, batch: int, seed: int) -> None:
    _check(text, real, batch, seed, find_device(device), lambda level: level == "device")


@pytest.mark.generated
@share(0.2, of_long=0.5)
@given(**WHERE_INTEGERS_SAY)
def test_every_level_reads_and_adds_where_integers_say(text: str, real: str, batch: int, seed: int) -> None:
    _check(text, real, batch, seed, find_device(), lambda level: level != "device")


@pytest.mark.generated
@share(0.1, of_long=0.2)
@given(**WHERE_INTEGERS_SAY)
def test_elements_in_lanes_do_so_too(text: str, real: str, batch: int, seed: int) -> None:
    levels_chosen = ("kernel", "device")
    _check(text, real, batch, seed, find_device("c"), lambda level: level in levels_chosen, in_lanes)


@pytest.mark.generated
@share(0.15, 0.06)
@given(**CASES | {"text": programs(types=("f16", "bf16", "f32", "f64"), storages=("batched", "constant"))})
def test_so_do_loops_over_elements_that_are_neighbours(text: str, real: str, batch: int, seed: int) -> None:
    """The batch is the fastest axis of all: what loops have no form of has another schedule."""
    said = re.compile(r"^(tensor \w+(?:\{\d+\})?\[[^]]*\])((?:(?!constant).)*)$", re.MULTILINE)
    placed = re.compile(r"row_major|column_major|strided<[^>]*>|batch_after<\d>|nonzeros \[[^]]*\]")
    fastest = said.sub(lambda found: f"{found[1]}{placed.sub('', found[2])} batch_fastest", text)
    _check(fastest, real, 5 * batch, seed, find_device("c"), lambda level: level == "device")


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
    _compare(program, translation, arguments_for(translation.program, batch, seed), (device, batch, real), chosen)


def _compare(
    program: Program,
    translation: NotationStages,
    arguments: Arguments,
    run: tuple[Device, int, str],
    chosen: Callable[[str], bool],
) -> None:
    (device, batch, real), checked = run, translation.program
    names = {parameter.name for parameter in translation.artifact.arguments}
    exact: Arguments = {n: _wide(a) if isinstance(a, np.ndarray) else a for n, a in arguments.items()}
    expected = results_by_oracle(program, checked, exact, batch)
    magnitude = results_by_oracle(program, checked, exact, batch, magnitudes=True)
    stored = {tensor.name: (tensor.memory or tensor.element_type).value for tensor in checked.tensors}
    for level, run_level in levels(translation, device, groups(translation.artifact, batch)):
        if not chosen(level):
            continue
        values: dict[str, object] = {n: without_nan(a) for n, a in arguments.items() if n in names}
        run_level(values)
        for name, value in values.items():
            if isinstance(value, np.ndarray) and value.dtype.kind != "i":
                kind = stored[name]
                bound = ROUNDINGS * EPSILONS[real] * magnitude[name] + EPSILONS[kind] * abs(expected[name])
                difference = np.abs(_wide(value) - expected[name])
                assert (difference <= bound + SMALLEST[kind]).all(), f"{name} differs at level {level}"


def _wide(array: Array) -> Array:
    return array if array.dtype.kind == "i" else array.astype(np.complex128 if array.dtype.kind == "c" else np.float64)


DTYPES = {"f64": np.float64, "f32": np.float32, "f16": np.float16}


@pytest.mark.parametrize("schedule", ["batch_simd", "work_group", "loops"])
@pytest.mark.parametrize("real", ["f32", "f64"])
@pytest.mark.parametrize("stored", ["f64", "f32", "f16", "bf16"])
@pytest.mark.parametrize("device", ["c", "PoCL"])
def test_a_sum_is_rounded_when_it_is_complete(
    tmp_path: Path, device: str, stored: str, real: str, schedule: str
) -> None:
    """Two statements add up what rounding in between would lose; 19 elements leave lanes over."""
    said = f"{stored} batch_fastest" if schedule == "loops" else stored
    (tmp_path / "f.ein").write_text(f"""real {real}
tensor Q[5, 4] {said} tensor I[5, 4] {said} tensor A[4, 4] {said}
kernel f {{
    Q[k,p] += I[k,q] * A[q,p]
    Q[k,p] -= I[k,q] * A[q,p]
}}
""")
    generator = np.random.default_rng(3)
    dtype = bf16() if stored == "bf16" else np.dtype(DTYPES[stored])
    q, i, a = (generator.uniform(-1, 1, (19, *shape)).astype(dtype) for shape in ((5, 4), (5, 4), (4, 4)))
    q = np.ldexp(q.astype(np.float64), -6).astype(dtype)
    if schedule == "loops":
        q, i, a = (np.moveaxis(np.moveaxis(each, 0, -1).copy(), -1, 0) for each in (q, i, a))
    before = q.astype(np.float64)
    ef.compile(ef.parse(tmp_path / "f.ein"), device=device, schedule=schedule)["f"](Q=q, I=i, A=a)
    allowed = 0.0 if EPSILONS[stored] > EPSILONS[real] else 40 * EPSILONS[real]
    assert abs(q.astype(np.float64) - before).max() <= allowed


def test_a_bounded_size_behind_another_mode() -> None:
    """The copies that are computed with have the sizes of the launch, whatever the bounds are."""
    text = "size n <= 9 tensor Z[2,n,4] f32 kernel f { Z[ijk] = 2 * Z[ijk] }"
    Z = np.asfortranarray(np.random.default_rng(0).uniform(-1, 1, (5, 2, 3, 4)).astype(np.float32))
    expected = 2 * Z
    kernel = ef.compile(ef.parse(text), device="c")["f"]
    kernel(Z=Z)
    assert np.array_equal(Z, expected)
    assert all(each.agrees for each in kernel.verify())


@pytest.mark.parametrize("width", ["", "3,"])
@pytest.mark.parametrize("device", ["c", "PoCL"])
@pytest.mark.parametrize("word", ["f32", "bf16"])
def test_sums_where_integers_say_are_rounded_once(word: str, device: str, width: str) -> None:
    """A thousand times what each rounding would lose, to single entries and to neighbours."""
    letters = "k," if width else ""
    declared = f"tensor y[{width}2] shared {word} tensor n[] i32 tensor u[{width}]"
    text = f"{declared} kernel f {{ y[{letters}n[]] += u[{letters}] }}"
    size = (3,) if width else ()
    y = np.ones((*size, 2), bf16() if word == "bf16" else np.float32)
    u = np.full((1000, *size), EPSILONS[word] / 10)
    kernel = ef.compile(ef.parse(text), device=device)["f"]
    kernel(y=y, n=np.tile(np.array([1, -1], np.int32), 500), u=u)
    expected = np.ones((*size, 2))
    expected[..., 1] += 500 * EPSILONS[word] / 10
    assert (y.astype(np.float64) == expected.astype(y.dtype).astype(np.float64)).all()
