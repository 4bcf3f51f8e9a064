"""The speed of the bus is measured once, and kept."""

from dataclasses import replace
from pathlib import Path

import pytest

from einsum_front.runtime.arrays import bus_speed as module
from einsum_front.runtime.arrays.bus_speed import BusSpeed, bus_speed
from tests.runtime.kernels import DEVICE


def test_it_is_measured_once(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(module, "user_caches", lambda: tmp_path)
    monkeypatch.setattr(module, "is_off", lambda: False)
    monkeypatch.setattr(module, "SLOTS", 1)
    bus_speed.cache_clear()
    first = bus_speed(DEVICE)
    assert min(first.sent, first.fetched) > 1e6
    monkeypatch.setattr(module, "_measured", None)
    bus_speed.cache_clear()
    assert bus_speed(DEVICE) == first
    (entry,) = (tmp_path / "buses").glob("*.json")
    entry.write_text('{"sent": "fast"}')
    bus_speed.cache_clear()
    monkeypatch.setattr(module, "_measured", lambda *_: BusSpeed(1.0, 2.0))
    assert bus_speed(DEVICE) == BusSpeed(1.0, 2.0)
    other = replace(DEVICE, facts=replace(DEVICE.facts, driver_version="another"))
    assert bus_speed(other) == BusSpeed(1.0, 2.0)
    bus_speed.cache_clear()


def test_both_ways_share_the_threads() -> None:
    assert BusSpeed(10.0, 20.0).seconds(100, 100) == 15.0
