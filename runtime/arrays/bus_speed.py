"""How fast arrays of the host go to a device and come back: measured once, and kept with the user's caches."""

import os
from contextlib import suppress
from functools import cache
from time import perf_counter

import numpy as np

from einsum_front.core.dataclass import dataclass
from einsum_front.core.private_folders import is_off, user_caches
from einsum_front.runtime.arrays.bus import SLOT, Bus, bus_of
from einsum_front.runtime.arrays.layout import Layout
from einsum_front.runtime.arrays.storage import Fit
from einsum_front.runtime.caches.cache import Cache
from einsum_front.runtime.devices.device import Device
from einsum_front.runtime.devices.facts import DeviceFacts
from einsum_front.runtime.devices.opencl import cl

SLOTS, TURNS = 8, 3
"""The array that is measured has so many slots; of so many turns the fastest counts."""


@dataclass(frozen=True, slots=True)
class BusSpeed:
    """Bytes a second of NumPy's arrays on the way in and out, the copies of threads on the host included."""

    sent: float
    fetched: float

    def seconds(self, sent: int, fetched: int) -> float:
        """For so many bytes in and out; both share the threads."""
        return sent / self.sent + fetched / self.fetched


@cache
def bus_speed(device: Device) -> BusSpeed:
    """Of a device with memory of its own; takes 0.1 s where nobody has measured before. Raises CompileError (E060x)."""
    kept = None if is_off() else Cache(user_caches() / "buses")
    key = f"{device.facts.description} {device.facts.driver_version} {os.cpu_count()}"
    found = None if kept is None else kept.find(key)
    if isinstance(found, dict) and (known := _read(found)) is not None:
        return known
    measured = _measured(bus_of(device.context, device.handle), device.facts, device.context)
    if kept is not None:
        with suppress(OSError):
            kept.keep(key, {"sent": measured.sent, "fetched": measured.fetched})
    return measured


def _read(entry: dict[str, object]) -> BusSpeed | None:
    """None if it is none."""
    sent, fetched = entry.get("sent"), entry.get("fetched")
    is_right = isinstance(sent, float) and isinstance(fetched, float) and min(sent, fetched) > 0
    return BusSpeed(sent, fetched) if is_right else None  # type: ignore[arg-type] # they are numbers


def _measured(bus: Bus, facts: DeviceFacts, context: cl.Context) -> BusSpeed:
    array = np.ones(SLOTS * SLOT // 8)
    layout = Layout((array.size,), (1,), (0,))
    how = Fit(layout, True, layout, None, (), (0,))
    buffer = cl.Buffer(context, cl.mem_flags.READ_WRITE, array.nbytes)
    sent, fetched = [], []
    for _ in range(TURNS):
        times = [perf_counter()]
        bus.carry_in(buffer, array, how)
        times.append(perf_counter())
        bus.carry_out(array, buffer, how)
        times.append(perf_counter())
        sent.append(times[1] - times[0])
        fetched.append(times[2] - times[1])
    return BusSpeed(array.nbytes / min(sent), array.nbytes / min(fetched))
