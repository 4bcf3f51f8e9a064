"""Integers that say places: what a call says of those that say none, and that nothing is written then."""

import numpy as np
import pytest
from numpy.typing import NDArray

import einsum_front as ef
from einsum_front.core.diagnostics import CompileError

TEXT = """
size nodes
tensor x[nodes] constant
tensor node[3] i32
tensor next[2] i64
tensor side[] i32
tensor F{2}[3] constant
tensor I[3]
tensor y[3]
kernel f { y[i] += x[node[i]] + I[i]@next[(1)] * F{side[]}[i] }
"""

Arguments = dict[str, NDArray[np.float64] | NDArray[np.int32] | NDArray[np.int64]]


def arguments() -> Arguments:
    generator = np.random.default_rng(1)
    numbers = {"x": (5,), "F_0": (3,), "F_1": (3,), "I": (4, 3), "y": (4, 3)}
    given: Arguments = {name: generator.uniform(-1, 1, shape) for name, shape in numbers.items()}
    given["node"] = generator.integers(-1, 5, (4, 3)).astype(np.int32)
    given["next"] = generator.integers(-1, 4, (4, 2))
    given["side"] = generator.integers(0, 2, 4).astype(np.int32)
    return given


def expected(given: Arguments) -> NDArray[np.float64]:
    x = np.where(given["node"] < 0, 0, given["x"][given["node"]])
    beside = given["next"][:, 1]
    there = np.where(beside[:, None] < 0, 0, given["I"][beside])
    wanted: NDArray[np.float64] = given["y"] + x + there * np.stack((given["F_0"], given["F_1"]))[given["side"]]
    return wanted


@pytest.mark.parametrize("device", ["c", "PoCL"])
def test_places_that_are_there(device: str) -> None:
    kernel = ef.compile(ef.parse(TEXT), device=device)["f"]
    for _ in range(3):  # the later ones are like the first, and faster
        given = arguments()
        wanted = expected(given)
        kernel(**given)
        np.testing.assert_allclose(given["y"], wanted, rtol=1e-14)


@pytest.mark.parametrize("device", ["auto", "c", "PoCL"])
@pytest.mark.parametrize(
    ("name", "entry", "number", "words"),
    [
        ("node", (2, 1), 5, "argument `node` is 5 at (2, 1), and there are 5 places"),
        ("next", (0, 0), 4, "argument `next` is 4 at (0, 0), and there are 4 elements in the batch"),
        ("side", (3,), 2, "argument `side` is 2 at (3,), and there are 2 places"),
    ],
)
def test_places_that_are_not(device: str, name: str, entry: tuple[int, ...], number: int, words: str) -> None:
    kernel = ef.compile(ef.parse(TEXT), device=device)["f"]
    kernel(**arguments())
    given = arguments()
    given[name][entry] = number
    before = given["y"].copy()
    with pytest.raises(ValueError, match="E0531") as error:
        kernel(**given)
    note = "\n  = note: they are counted from 0; a negative number leaves the term out"
    assert str(error.value) == f"error[E0531]: {words}{note}"
    assert (given["y"] == before).all()


def test_integers_of_another_type_and_shape() -> None:
    kernel = ef.compile(ef.parse(TEXT), device="c")["f"]
    with pytest.raises(CompileError, match="E0504"):
        kernel(**{**arguments(), "node": np.zeros((4, 3))})
    with pytest.raises(CompileError, match="E0505"):
        kernel(**{**arguments(), "node": np.zeros((4, 2), np.int32)})


def test_arrays_of_a_device_are_looked_at() -> None:
    kernel, given = ef.compile(ef.parse(TEXT), device="PoCL")["f"], arguments()
    given["node"][3, 2] = 9
    with pytest.raises(CompileError, match="`node` is 9 at"):
        kernel(**{name: kernel.to_device(name, value) for name, value in given.items()})


def test_nobody_looks_if_told_so() -> None:
    given = arguments()
    wanted = expected(given)
    kernel = ef.compile(ef.parse(TEXT), device="c", check_indices=False)["f"]
    assert not kernel.artifact.checks_indices
    kernel(**given)
    np.testing.assert_allclose(given["y"], wanted, rtol=1e-14)


def test_chunks_would_cut_elements_apart() -> None:
    kernel = ef.compile(ef.parse(TEXT), device="c")["f"]
    with pytest.raises(CompileError) as error:
        kernel.chunked()(**arguments())
    assert str(error.value) == (
        "error[E0526]: `f` cannot run in chunks of the batch: the integers of `next` say elements, which may be in "
        "another chunk\n"
        "  = note: a program that copies what neighbours have into a tensor of each element can run in chunks"
    )


@pytest.mark.parametrize(
    ("text", "note"),
    [
        (
            "tensor r[4] shared tensor n[] i32 tensor u[] kernel f { r[n[]] += u[] }",
            "each chunk can be a call that adds to a `r` of its own; the program sums these up",
        ),
        (
            "tensor r[4] tensor n[] i32 tensor u[] kernel f { r[n[]] += u[] }",
            "`atomic` after the shape of `r` allows any order",
        ),
    ],
)
def test_what_chunks_cannot_add(text: str, note: str) -> None:
    kernel = ef.compile(ef.parse(text), device="c")["f"]
    shape = (4,) if "shared" in text else (3, 4)
    with pytest.raises(CompileError, match="E0526") as error:
        kernel.chunked()(r=np.zeros(shape), n=np.zeros(3, np.int32), u=np.ones(3))
    assert str(error.value).endswith(f"\n  = note: {note}")


def test_integers_of_all_chunks_are_looked_at_before_one_is_written() -> None:
    text = "size nodes tensor x[nodes] constant tensor n[2] i32 tensor y[2] kernel f { y[i] += x[n[i]] }"
    kernel, n, y = ef.compile(ef.parse(text), device="c")["f"], np.zeros((9, 2), np.int32), np.ones((9, 2))
    n[8, 1] = 5
    with pytest.raises(CompileError, match=r"argument `n` is 5 at \(8, 1\), and there are 5 places"):
        kernel.chunked(chunk=2)(x=np.ones(5), n=n, y=y)
    assert (y == 1).all()
    n[8, 1] = 4
    kernel.chunked(chunk=2)(x=np.ones(5), n=n, y=y)
    assert (y == 2).all()


def test_members_that_lie_in_different_ways() -> None:
    text = "tensor F{2}[3,2] constant tensor s[] i32 tensor y[3,2] kernel f { y[i,j] = F{s[]}[i,j] }"
    kernel, c = ef.compile(ef.parse(text), device="c")["f"], np.ones((3, 2))
    with pytest.raises(CompileError, match="lie in different layouts"):
        kernel(F_0=c, F_1=np.asfortranarray(c), s=np.zeros(4, np.int32), y=np.zeros((4, 3, 2)))
