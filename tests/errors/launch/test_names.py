"""Arguments that are missing, unknown or misspelt."""

from dataclasses import replace

import numpy as np
import pytest

from einsum_front.core.diagnostics import CompileError
from tests.runtime.kernels import FILL, VOLUME, N, group, kernel, words

K, I, Q = np.zeros((4, 5)), np.zeros((2, 5, 3)), np.zeros((2, 4, 3))  # noqa: E741 - the names of the kernel


def test_missing() -> None:
    assert (
        words(kernel(VOLUME), K=K, I=I)
        == """\
error[E0501]: argument `dt` is missing: a number, f64

error[E0501]: argument `Q` is missing: an array of float64, shape (batch, 4, 3)"""
    )


def test_missing_group() -> None:
    grouped = replace(VOLUME, parameters=(*VOLUME.parameters[:3], group("Q", (4, None), "rw", sizes=(None, N))))
    assert (
        words(kernel(grouped), dt=1.0, K=K, I=I)
        == """\
error[E0501]: argument `Q` is missing: an array of float64, shape (batch, 4, n)"""
    )


def test_unknown() -> None:
    assert (
        words(kernel(VOLUME), dt=1.0, K=K, I=I, Q=Q, dx=0.1)
        == """\
error[E0502]: `volume` has no argument `dx`
  = note: it has `dt`, `K`, `I` and `Q`"""
    )


def test_unknown_where_there_are_none() -> None:
    assert (
        words(kernel(replace(FILL, parameters=())), C=Q)
        == """\
error[E0502]: `fill` has no argument `C`
  = note: it has none"""
    )


def test_misspelt() -> None:
    assert (
        words(kernel(VOLUME), dT=1.0, k=K, I=I, Q=Q)
        == """\
error[E0502]: `volume` has no argument `dT`
  = help: `dt` is missing: pass the argument as `dt`

error[E0502]: `volume` has no argument `k`
  = help: `K` is missing: pass the argument as `K`"""
    )


def test_almost_a_name_but_no_such_argument() -> None:
    """Only what would be accepted in its place is taken for a slip."""
    assert (
        words(kernel(VOLUME), dt=1.0, k=Q, I=I, Q=Q)
        == """\
error[E0502]: `volume` has no argument `k`
  = note: it has `dt`, `K`, `I` and `Q`

error[E0501]: argument `K` is missing: an array of float64, shape (4, 5)"""
    )


def test_empty_of_an_unknown_name() -> None:
    assert (
        words(kernel(VOLUME).empty, name="dt")
        == """\
error[E0502]: `volume` has no array argument `dt`
  = note: it has `K`, `I` and `Q`"""
    )


def test_empty_of_an_unknown_shape() -> None:
    dynamic = kernel(replace(VOLUME, parameters=(group("Q", (4, None), "rw", sizes=(None, N)),)))
    assert (
        words(dynamic.empty, name="Q")
        == """\
error[E0505]: an element of `Q` has shape (4, n), which (4,) does not fit"""
    )
    assert (
        words(dynamic.empty, name="Q", shape=(3, 9))
        == """\
error[E0505]: an element of `Q` has shape (4, n), which (3, 9) does not fit"""
    )


def test_arguments_have_no_places() -> None:
    volume = kernel(VOLUME)
    assert (
        words(volume, Q, K=K, I=I, dt=1.0)  # type: ignore[arg-type] # that is the test
        == """\
error[E0502]: `volume` takes its arguments by name, and 1 is given without
  = note: they are given as in `volume(dt=…, K=…, I=…, Q=…)`"""
    )
    for call in (volume, volume.prepare):
        with pytest.raises(CompileError, match="by name, and 4 are given without") as error:
            call(1.0, K, I, Q)  # type: ignore[arg-type] # that is the test
        assert isinstance(error.value, TypeError)


def test_a_family_is_told_once() -> None:
    members = tuple(replace(VOLUME.parameters[1], name=f"K_{number}") for number in (0, 2))
    families = replace(VOLUME, parameters=(VOLUME.parameters[0], *members, *VOLUME.parameters[2:]))
    assert (
        words(kernel(families), dt=1.0, K=K, I=I, Q=Q)
        == """\
error[E0502]: `volume` has no argument `K`, but the members of this family that it uses
  = note: each member is an argument: `K_0=…, K_2=…`"""
    )
