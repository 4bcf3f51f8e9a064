"""Short calls that leave the device to us are computed by device `c`, as long as there is a compiler that builds."""

from collections.abc import Iterator

import numpy as np
import pytest

import einsum_front as ef
from einsum_front.index_string import builds, contract, ways
from einsum_front.index_string.program import IndexString, StringKernel, read_einsum
from einsum_front.index_string.ways import Choice, short_choice
from einsum_front.options import ScheduleOptions
from einsum_front.runtime import Kernel, failure, find_device, short_calls_in_c
from einsum_front.runtime.devices import device as devices

AUTO = Choice("auto", ScheduleOptions(), None)
pytestmark = pytest.mark.skipif(not short_calls_in_c(), reason="no C compiler beside a driver of the processor")


@pytest.fixture(autouse=True)
def _afresh(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(ways, "_given_up", [])
    builds.REMEMBERED.entries.clear()
    contract.known_string.cache_clear()
    yield
    contract.known_string.cache_clear()


def products(batch: int, rows: int = 4) -> IndexString:
    return read_einsum("bik,kj->bij", ((batch, rows, rows), (rows, rows)))


def device_of_call(batch: int, device: str = "auto") -> str:
    """The device that the kernel of a call was made for."""
    A, B = np.random.default_rng(1).random((batch, 4, 4)), np.eye(4)
    result = ef.einsum("bik,kj->bij", A, B, device=device)
    np.testing.assert_array_equal(result, A)
    (way,) = contract.known_string("bik,kj->bij", (A.shape, B.shape)).ways.values()
    assert isinstance(way, Kernel)
    return way.device.facts.selector


def test_short_calls_go_to_the_compiler_of_c_and_long_ones_to_the_driver() -> None:
    assert device_of_call(10) == find_device("c").facts.selector
    assert device_of_call(100_000) == find_device().facts.selector


@pytest.mark.parametrize(
    ("batch", "rows", "is_short"),
    [(0, 9, True), (1, 9, True), (1438, 9, True), (1439, 9, False), (15, 41, True), (16, 41, False)],
)
def test_short_is_counted_in_multiplications(batch: int, rows: int, is_short: bool) -> None:
    assert (short_choice(products(batch, rows), AUTO).device == "c") is is_short


def test_short_is_counted_in_entries() -> None:
    assert short_choice(read_einsum("i,i->", ((2**18 - 1,), (2**18 - 1,))), AUTO).device == "c"
    assert short_choice(read_einsum("i,i->", ((2**18,), (2**18,))), AUTO) is AUTO


def test_what_the_caller_says_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    opencl = find_device().facts.selector
    for choice in (Choice(opencl, ScheduleOptions(), None), Choice("auto", ScheduleOptions("work_group"), None)):
        assert short_choice(products(10), choice) is choice
    assert device_of_call(10, device=opencl) == opencl
    monkeypatch.setenv("EINSUM_FRONT_DEVICE", opencl)
    assert short_choice(products(10), AUTO) is AUTO


def test_a_machine_without_a_compiler_keeps_to_its_driver(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing() -> None:
        raise failure("E0613", "device `c` needs a C compiler, and this machine has none")

    monkeypatch.setattr(devices, "c_facts", missing)
    devices._has_c_beside_auto.cache_clear()
    try:
        assert device_of_call(10) == find_device().facts.selector
    finally:
        devices._has_c_beside_auto.cache_clear()


def test_a_compiler_that_fails_is_asked_once(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    find_way = ways.find_way

    def failing(kernel: StringKernel, real: str, choice: Choice) -> ways.Way:
        if choice.device == "c":
            asked.append(choice.device)
            raise failure("E0615", "a kernel was built, and cannot be loaded")
        return find_way(kernel, real, choice)

    monkeypatch.setattr(contract, "find_way", failing)
    assert device_of_call(10) == find_device().facts.selector
    assert device_of_call(11) == find_device().facts.selector
    assert asked == ["c"]


def test_mistakes_of_the_caller_are_no_reason_to_give_up() -> None:
    with pytest.raises(ef.CompileError, match="operand"):
        ef.einsum("bik,kj->bij", np.zeros((10, 4, 4)), np.zeros((5, 4)))
    assert not ways._given_up
    assert device_of_call(10) == find_device("c").facts.selector
