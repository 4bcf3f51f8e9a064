"""What elements add where integers say: the same bits in every run, in whatever layouts, and what a call says of it."""

import pickle
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import einsum_front as ef
from einsum_front.core.diagnostics import CompileError

TEXT = """
size nodes
tensor y[nodes]   shared {word}
tensor Q[3, 2]    {word}
tensor node[4]    i32
tensor next[2]    i64
tensor u[4]
scalar dt
kernel nodal {{ y[node[i]] += dt * u[i] }}
kernel faces {{ Q[k,p]@next[f] -= u[k=0:3] * 1[p] * 1[f] }}
"""

Array = NDArray[Any]
DEVICES = ["c", "auto"]


def kernels(word: str = "", device: str = "c") -> Any:
    return ef.compile(ef.parse(TEXT.format(word=word)), device, build="now")


def nodal(batch: int = 50, nodes: int = 20) -> dict[str, Any]:
    generator = np.random.default_rng(2)
    node = generator.integers(-1, nodes, (batch, 4)).astype(np.int32)
    node[:, 1] = node[:, 0]  # the same place twice in an element
    numbers = {"y": generator.normal(size=nodes), "u": generator.normal(size=(batch, 4))}
    return {**numbers, "node": node, "dt": 0.5}


def expected(given: dict[str, Any]) -> Array:
    wanted: Array = given["y"].copy()
    is_there = given["node"] >= 0
    np.add.at(wanted, given["node"][is_there], given["dt"] * given["u"][is_there])
    return wanted


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("word", ["", "atomic"])
def test_places_that_are_said_often_get_all(device: str, word: str) -> None:
    given = nodal()
    wanted = expected(given)
    kernels(word, device)["nodal"](**given)
    np.testing.assert_allclose(given["y"], wanted, rtol=1e-13, atol=1e-13)


@pytest.mark.parametrize("device", DEVICES)
def test_in_the_order_of_elements_every_bit_is_that_of_numpy(device: str) -> None:
    """`numpy.add.at` adds in the order of the batch as well."""
    kernel = kernels(device=device)["nodal"]
    for _ in range(3):
        given = nodal(batch=500)
        wanted = expected(given)
        kernel(**given)
        assert (given["y"] == wanted).all()


@pytest.mark.parametrize("device", DEVICES)
def test_a_launch_is_run_again_with_other_numbers(device: str) -> None:
    given = nodal()
    once = expected({**given, "y": np.zeros_like(given["y"])})
    before = given["y"].copy()
    launch = kernels(device=device)["nodal"].prepare(**given)
    launch.run()
    launch.set(dt=-0.5)
    launch.run()
    launch.run()
    launch.finish()
    np.testing.assert_allclose(given["y"], before - once, rtol=1e-12, atol=1e-12)
    given["y"][...] = 0
    launch.run()
    launch.finish()
    np.testing.assert_allclose(given["y"], -once, rtol=1e-12, atol=1e-12)
    assert "nodal" in repr(launch)


@pytest.mark.parametrize("device", DEVICES)
def test_calls_see_integers_that_have_changed(device: str) -> None:
    kernel, given = kernels(device=device)["nodal"], nodal()
    for _ in range(12):
        wanted = expected(given)
        kernel(**given)
        assert (given["y"] == wanted).all()
        given["node"][...] = np.roll(given["node"], 1, axis=0)


@pytest.mark.parametrize("device", DEVICES)
def test_arrays_lie_as_they_like(device: str) -> None:
    kernel, given = kernels(device=device)["nodal"], nodal()
    wanted = expected(given)
    backwards, spaced = np.empty_like(given["y"])[::-1], np.empty(3 * len(given["y"]))[::3]
    for array in (backwards, spaced):
        array[...] = given["y"]
        node = np.asfortranarray(given["node"])
        kernel(y=array, u=given["u"][::1].copy(order="F"), node=node, dt=0.5)
        assert (array == wanted).all()


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("word", ["", "atomic", "row_major", "batch_fastest"])
def test_other_elements_get_whole_tensors(device: str, word: str) -> None:
    generator = np.random.default_rng(3)
    Q, u = generator.normal(size=(30, 3, 2)), generator.normal(size=(30, 4))
    next_ = generator.integers(-1, 30, (30, 2))
    wanted = Q.copy()
    for element, face in np.argwhere(next_ >= 0):
        wanted[next_[element, face]] -= u[element, :3, None]
    text = TEXT.format(word=word).replace("shared batch_fastest", "shared")
    ef.compile(ef.parse(text), device, build="now", kernel="faces")["faces"](Q=Q, u=u, next=next_)
    np.testing.assert_allclose(Q, wanted, rtol=1e-13, atol=1e-13)


def test_arrays_of_a_device_stay_there() -> None:
    kernel, given = kernels(device="auto")["nodal"], nodal()
    wanted = expected(given)
    there = {name: kernel.to_device(name, given[name]) for name in ("y", "u", "node")}
    kernel(**there, dt=0.5)
    assert (ef.to_host(there["y"]) == wanted).all()
    launch = kernel.prepare(**there, dt=-0.5)
    launch.run()
    launch.finish()
    np.testing.assert_allclose(ef.to_host(there["y"]), given["y"], rtol=1e-12, atol=1e-12)


def test_numpy_leaves_such_calls_to_kernels() -> None:
    given = nodal()
    wanted = expected(given)
    ef.compile(ef.parse(TEXT.format(word="atomic")))["nodal"](**given)
    np.testing.assert_allclose(given["y"], wanted, rtol=1e-13, atol=1e-13)


@pytest.mark.parametrize("batch", [0, 1])
def test_nothing_is_added_where_nothing_is(batch: int) -> None:
    given = nodal(batch)
    given["node"][...] = -1
    before = given["y"].copy()
    kernels()["nodal"](**given)
    assert (given["y"] == before).all()


@pytest.mark.parametrize("word", ["", "atomic"])
@pytest.mark.parametrize(
    ("name", "change", "code"),
    [
        ("node", lambda a: np.where(a == a.max(), 99, a).astype(np.int32), "E0531"),
        ("node", lambda a: a.astype(np.int64), "E0504"),
        ("node", lambda a: a[:, :3].copy(), "E0505"),
        ("node", lambda a: a[1:].copy(), "E0508"),
        ("y", lambda a: np.broadcast_to(a[:1], a.shape), "E0507"),
    ],
)
def test_what_is_wrong_is_said_before_anything_is_written(word: str, name: str, change: Any, code: str) -> None:
    given = nodal()
    given[name] = change(given[name])
    before = np.array(given["y"])
    with pytest.raises(CompileError) as caught:
        kernels(word)["nodal"](**given)
    assert [each.code for each in caught.value.diagnostics] == [code]
    assert (given["y"] == before).all()


def test_the_sum_shares_no_memory_with_what_is_added() -> None:
    given = nodal(batch=5)
    given["y"] = given["u"].reshape(-1)
    with pytest.raises(CompileError, match="E0510"):
        kernels()["nodal"](**given)


def test_parts_belong_to_the_kernel() -> None:
    kernel = kernels()["nodal"]
    assert [each.name for each in kernel.artifact.arguments] == ["y", "node", "u", "dt"]
    with pytest.raises(CompileError, match="E0502"):
        kernel(**nodal(), y_parts=np.zeros((50, 4)))


def test_chunks_and_elements_elsewhere_are_refused() -> None:
    both, given = kernels(), nodal()
    with pytest.raises(CompileError, match="`y` is one for all elements"):
        both["nodal"].chunked(chunk=10)(**given)
    arrays = {"Q": np.zeros((50, 3, 2)), "next": np.zeros((50, 2), np.int64), "u": given["u"]}
    with pytest.raises(CompileError, match="say elements, which may be in another chunk"):
        both["faces"].chunked(chunk=10)(**arrays)


OWN = "tensor Q[3,4] {word}\ntensor at[4] i64\ntensor u[4]\nkernel own {{ Q[at[i],i] += u[i] }}\n"


def own(batch: int = 50) -> tuple[dict[str, Array], Array]:
    """An index walks a mode and an integer, in a tensor of one's own."""
    generator = np.random.default_rng(4)
    Q, u, at = (
        generator.normal(size=(batch, 3, 4)),
        generator.normal(size=(batch, 4)),
        generator.integers(-1, 3, (batch, 4)),
    )
    wanted = Q.copy()
    for element, i in np.argwhere(at >= 0):
        wanted[element, at[element, i], i] += u[element, i]
    return {"Q": Q, "at": at, "u": u}, wanted


@pytest.mark.parametrize("word", ["", "atomic"])
@pytest.mark.parametrize("order", ["C", "F"])
def test_an_index_may_walk_a_mode_and_an_integer(word: str, order: Any) -> None:
    kernel = ef.compile(ef.parse(OWN.format(word=word)), "c", build="now")["own"]
    given, wanted = own()
    given["Q"] = np.moveaxis(np.asarray(np.moveaxis(given["Q"], 0, -1), order=order), -1, 0)
    kernel(**given)
    np.testing.assert_allclose(given["Q"], wanted, rtol=1e-13, atol=1e-13)


def test_chunks_add_in_any_order_only() -> None:
    given, wanted = own()
    ef.compile(ef.parse(OWN.format(word="atomic")), "c", build="now")["own"].chunked(chunk=7)(**given)
    np.testing.assert_allclose(given["Q"], wanted, rtol=1e-13, atol=1e-13)
    with pytest.raises(CompileError, match="adds to `Q` in the order of the elements"):
        ef.compile(ef.parse(OWN.format(word="")), "c", build="now")["own"].chunked(chunk=7)(**given)


@pytest.mark.parametrize("word", ["", "atomic"])
def test_what_is_measured_adds_as_well(word: str) -> None:
    given, wanted = own()
    ef.compile(ef.parse(OWN.format(word=word)), "c", tune=True, cache=False)["own"](**given)
    np.testing.assert_allclose(given["Q"], wanted, rtol=1e-13, atol=1e-13)


def test_launches_are_copied() -> None:
    given = nodal()
    wanted = expected(given)
    launch = pickle.loads(pickle.dumps(kernels()["nodal"].prepare(**given)))
    launch.run()
    launch.finish()
    assert (launch._source[2]["y"] == wanted).all()
