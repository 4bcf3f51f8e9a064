"""A program with dynamic sizes gives what the same program with numbers gives, at every level."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import einsum_front as ef
from einsum_front.core.diagnostics import Source
from einsum_front.driver import NotationStages, Session, Stages, translate_program, translate_text
from einsum_front.driver.targets import target_of
from einsum_front.driver.texts import text as text_of
from einsum_front.driver.verification import groups, levels
from einsum_front.notation.parse import parse
from einsum_front.options import Level
from einsum_front.runtime.devices.device import find_device
from tests.einsum_front.oracle import results_by_oracle
from tests.einsum_front.strategies import Arguments, arguments_for
from tests.meaning.opened import opened_programs
from tests.profiles import share

ROUNDINGS = 1000


@pytest.mark.generated
@share(0.4)
@given(opened_programs(), st.integers(0, 3), st.integers(0, 2**16))
def test_every_level_gives_what_the_program_with_numbers_gives(texts: tuple[str, str], batch: int, seed: int) -> None:
    _compare(texts, batch, seed, on_device=False)


@pytest.mark.generated
@share(0.2)
@given(opened_programs(), st.integers(0, 3), st.integers(0, 2**16))
def test_so_does_the_device(texts: tuple[str, str], batch: int, seed: int) -> None:
    _compare(texts, batch, seed, on_device=True)


@pytest.mark.generated
@share(0.3)
@given(opened_programs())
def test_texts_of_lower_levels_are_read_back(texts: tuple[str, str]) -> None:
    translation = _translated(texts[1])
    for level in (Level.YIR, Level.TL):
        text = _text(translation, level)
        (again,) = translate_text(Session(target_of(find_device().facts)), Source("again", text), level)
        assert _text(again, level) == text
        assert again.artifact.parameters == translation.artifact.parameters
        assert again.artifact.limits == translation.artifact.limits


def _compare(texts: tuple[str, str], batch: int, seed: int, *, on_device: bool) -> None:
    known, opened = texts
    program, translation = parse(Source("known.ein", known)), _translated(opened)
    (checked,) = [t.program for t in translate_program(Session(target_of(find_device().facts)), program)]
    assert checked is not None
    arguments = arguments_for(checked, batch, seed)
    expected = results_by_oracle(program, checked, arguments, batch)
    magnitude = results_by_oracle(program, checked, arguments, batch, magnitudes=True)
    given_ = {p.name: arguments[p.name] for p in translation.artifact.parameters if p.name in arguments}
    given_ |= _shown(translation, batch)
    for level, run in levels(translation, find_device(), groups(translation.artifact, batch)):
        if (level == "device") == on_device:
            values = {name: _without_nan(value) for name, value in given_.items()}
            run(values)
            for name, value in values.items():
                if isinstance(value, np.ndarray) and name in expected:
                    bound = ROUNDINGS * np.finfo(value.dtype).eps * magnitude[name]
                    assert (np.abs(value - expected[name]) <= bound).all(), f"{name} differs at level {level}"


def _translated(text: str) -> NotationStages:
    (translation,) = translate_program(Session(target_of(find_device().facts)), parse(Source("opened.ein", text)))
    return translation


def _shown(translation: NotationStages, batch: int) -> Arguments:
    """Arrays that only show a size: the extents of the program are 2 to 5, and `showsaa` has one position less."""
    real = {p.name: p.type for p in translation.artifact.parameters}
    extents = {"showsaa": 1, "showsbb": 2, "showscc": 3, "showsdd": 4}
    types = {"f32": np.float32, "f64": np.float64}
    return {name: np.zeros((batch, size), types[real[name]]) for name, size in extents.items() if name in real}


def _text(translation: Stages, level: Level) -> str:
    found = text_of(translation, level)
    assert found is not None
    return found


def _without_nan(value: object) -> object:
    """Zeros where NaN marks entries that are declared to be zero."""
    return np.asarray(np.nan_to_num(value)) if isinstance(value, np.ndarray) else value


@pytest.mark.parametrize("extent", ["param n = 9", "size n <= 9", "size n"])
def test_a_stride_that_means_nothing_is_read_back(extent: str) -> None:
    """A mode of one position inside of another mode; memrefs are column-major."""
    text = f"{extent}\ntensor A[1, n] strided<4, 1>\ntensor C[1, n]\nkernel k {{ C[ij] = 2 * A[ij] }}"
    translation = _translated(text)
    for level in (Level.YIR, Level.TL):
        lower = _text(translation, level)
        (again,) = translate_text(Session(target_of(find_device().facts)), Source("again", lower), level)
        assert _text(again, level) == lower
    given_ = np.arange(18.0).reshape(2, 1, 9)
    result = np.zeros((2, 1, 9))
    ef.compile(ef.parse(text))["k"](A=given_, C=result)
    np.testing.assert_array_equal(result, 2 * given_)
