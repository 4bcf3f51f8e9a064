"""One context and one queue for each device (two, if times are asked for), for the life of the process.

PoCL's wheel can abort when a second context is made for a device or one is destroyed, so contexts are made late, kept
for ever, and a context that the caller made first is kept instead of making another. Drivers that bring their own LLVM
crash beside each other; the first one that gets a context excludes the others from the process.
"""

from threading import RLock

from einsum_front.runtime.devices.drivers import Driver, driver_of
from einsum_front.runtime.devices.errors import failure
from einsum_front.runtime.devices.opencl import cl, driver_errors, use_drivers
from einsum_front.runtime.devices.unknown_processor import told_name

_CONTEXTS: dict[cl.Device, cl.Context] = {}
_QUEUES: dict[tuple[cl.Context, cl.Device, bool], cl.CommandQueue] = {}
_MAKING = RLock()
"""Threads that ask for a context or a queue at the same time get the same one."""


def context_of(device: cl.Device) -> cl.Context:
    """The context of a device: the first that was made or adopted for it."""
    use_drivers()
    with _MAKING:
        if device not in _CONTEXTS:
            _admit(device)
            with driver_errors("E0601", f"device `{device.name.strip()}` cannot be used"):
                _CONTEXTS[device] = cl.Context([device])
        return _CONTEXTS[device]


def adopt(context: cl.Context) -> None:
    """Keep a context that the caller made, and use it for its devices unless they have one already."""
    use_drivers()
    with _MAKING:
        for device in context.devices:
            if device not in _CONTEXTS:
                _admit(device)
                _CONTEXTS[device] = context


def queue_of(context: cl.Context, device: cl.Device) -> cl.CommandQueue:
    """Our in-order queue. It has no clock: a launch takes 10 microseconds on an NVIDIA H100, and 16 with one."""
    return _queue(context, device, has_clock=False)


def timed_queue(queue: cl.CommandQueue) -> cl.CommandQueue:
    """Our in-order queue with a clock for the same context and device; the queue itself if it is not ours."""
    plain = _QUEUES.get((queue.context, queue.device, False))
    return _queue(queue.context, queue.device, has_clock=True) if queue == plain else queue


def _queue(context: cl.Context, device: cl.Device, *, has_clock: bool) -> cl.CommandQueue:
    use_drivers()
    key = (context, device, has_clock)
    with _MAKING:
        if key not in _QUEUES:
            with driver_errors("E0601", f"device `{device.name.strip()}` cannot be used"):
                properties = [cl.command_queue_properties.PROFILING_ENABLE] if has_clock else []
                _QUEUES[key] = cl.CommandQueue(context, device, *properties)
        return _QUEUES[key]


def new_queue(device: cl.Device) -> cl.CommandQueue:
    """Another queue, in order and with a clock, in the context of the device: what is in it overlaps with others."""
    context = context_of(device)
    with driver_errors("E0601", f"device `{device.name.strip()}` cannot be used"):
        return cl.CommandQueue(context, device, cl.command_queue_properties.PROFILING_ENABLE)


def excluded_by(driver: Driver) -> Driver | None:
    """The driver in use that this one crashes beside, if there is one."""
    used = (driver_of(device.platform.name.strip(), device.platform.version) for device in _CONTEXTS)
    return next((each for each in used if driver.is_alone and each.is_alone and each != driver), None)


def _admit(device: cl.Device) -> None:
    """Before the first context: refuses a second compiler (E0604), and names the processor to one that has no name."""
    driver = driver_of(device.platform.name.strip(), device.platform.version)
    used = excluded_by(driver)
    if used is not None:
        raise failure(
            "E0604",
            f"`{driver.name}` cannot be used in this process, which already uses `{used.name}`",
            ("each of the two brings its own compiler, and both in one process crash",),
        )
    told_name(device)
