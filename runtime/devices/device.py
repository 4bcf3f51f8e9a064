"""Which devices there are, and which one is meant.

A device is chosen by its number in `available_devices()`, its kind, or a part of the name of its driver or platform.
Only if no device has that, it is a part of its description (name, driver, version, kind): `intel` is Intel's driver,
although PoCL calls its device by the name of the processor. `c` is the processor without OpenCL, through a compiler of
C (`c_device`). Upper and lower case are alike. "auto" is the device that
EINSUM_FRONT_DEVICE names, else the first of the best kind among those that this process can still use, else `c`.
"""

import os
import warnings
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from functools import cache

from einsum_front.core.dataclass import dataclass
from einsum_front.core.diagnostics import CompileError
from einsum_front.runtime.devices import processor
from einsum_front.runtime.devices.c_device import c_facts, is_device_c
from einsum_front.runtime.devices.context import context_of, excluded_by, new_queue, queue_of
from einsum_front.runtime.devices.drivers import Driver, driver_of, native_vector_bytes, vector_bytes
from einsum_front.runtime.devices.errors import failure
from einsum_front.runtime.devices.facts import DeviceFacts, DeviceKind, SharedMemory
from einsum_front.runtime.devices.opencl import ABSENCE, cl, use_drivers
from einsum_front.runtime.devices.registration import VARIABLES, prepare

DEVICE_VARIABLE = "EINSUM_FRONT_DEVICE"


NO_DEVICE = "this machine has no OpenCL device"
WITHOUT = "device `c` needs no driver, but a C compiler"
INSTALL = "`pip install pyopencl[pocl]` makes the CPU one (Linux on x86-64); GPUs come with their vendor's driver"


@dataclass(frozen=True, slots=True)
class Device:
    """A device to run kernels on; `opencl` is what pyopencl knows it by, None for device `c`."""

    facts: DeviceFacts
    opencl: cl.Device | None

    def __repr__(self) -> str:
        return f"<device {self.facts.name}>"

    @property
    def handle(self) -> cl.Device:
        """What pyopencl knows it by; raises CompileError (E0614) for device `c`, as all that is OpenCL's does."""
        if self.opencl is None:
            notes = ("it runs kernels on the memory of NumPy's arrays, without contexts, queues and arrays of OpenCL",)
            raise failure("E0614", f"device `{self.facts.selector}` is none of OpenCL", notes)
        return self.opencl

    @property
    def context(self) -> cl.Context:
        """The OpenCL context that our arrays and programs live in; make your `pyopencl.array.Array`s in it."""
        return context_of(self.handle)

    @property
    def queue(self) -> cl.CommandQueue:
        """The queue that kernels with NumPy arguments run on."""
        return queue_of(self.context, self.handle)

    def new_queue(self) -> cl.CommandQueue | None:
        """Another queue, in the same context: what is in it overlaps with what is in others. Device `c` has none."""
        return None if self.opencl is None else new_queue(self.opencl)


def available_devices() -> tuple[DeviceFacts, ...]:
    """All devices of this machine, in the order of the OpenCL platforms; none is not an error here.

    Changes the environment before it asks for the first time; see `runtime.devices.registration`.
    """
    return tuple(device.facts for device in _devices())


def find_device(name: str | int = "auto", *, needs_opencl: bool = False) -> Device:
    """The device that is meant; raises CompileError with the list of devices if that is none or several.

    Without any driver, `auto` is device `c`, or an error if what runs there `needs_opencl`.
    """
    asked = os.environ.get(DEVICE_VARIABLE, "auto") if name == "auto" else str(name)
    if is_device_c(asked):
        return Device(c_facts(asked), None)
    devices = _devices()
    if not devices:
        if asked == "auto" and not needs_opencl:
            return _without_opencl()
        raise failure("E0601", NO_DEVICE, (INSTALL, WITHOUT, *_where_drivers_are_looked_for()))
    wanted, source = str(name), ""
    if name == "auto":
        wanted, source = os.environ.get(DEVICE_VARIABLE, "auto"), f" (from {DEVICE_VARIABLE})"
    if wanted == "auto":
        return min(devices, key=lambda device: (excluded_by(device.facts.driver) is not None, *_rank(device.facts)))
    found = _meant(wanted, devices)
    if len(found) == 1:
        return found[0]
    listed = tuple(f"device {device.facts.number}: {device.facts.description}" for device in found or devices)
    if found:
        raise failure("E0603", f"`{wanted}`{source} is the name of {len(found)} OpenCL devices", listed)
    raise failure(
        "E0602", f"there is no OpenCL device `{wanted}`{source}", listed if needs_opencl else (*listed, WITHOUT)
    )


def _without_opencl() -> Device:
    """Device `c`, which a warning says once; raises CompileError (E0601) if there is no C compiler either."""
    global _is_told  # noqa: PLW0603 - a fact about the process
    try:
        facts = c_facts()
    except CompileError as error:
        (mistake, *_) = error.diagnostics
        notes = (INSTALL, mistake.message, *mistake.notes, *_where_drivers_are_looked_for())
        raise failure("E0601", NO_DEVICE, notes) from None
    if not _is_told:
        _is_told = True
        why = "" if ABSENCE is None else f" ({ABSENCE})"
        words = f"{NO_DEVICE}{why}: kernels run on the processor, through the C compiler (device `c`)"
        warnings.warn(words, RuntimeWarning, stacklevel=3)
    return Device(facts, None)


_is_told = False


def device_like(facts: DeviceFacts) -> Device | None:
    """The device of this process that equals one of another process in all but its number; None if there is none."""
    if facts.instruction_set is not None:
        with suppress(CompileError):
            here = Device(c_facts(facts.selector), None)
            return here if replace(here.facts, number=0) == replace(facts, number=0) else None
        return None
    return next((each for each in _devices() if replace(each.facts, number=0) == replace(facts, number=0)), None)


def find_processor() -> Device:
    """What `auto` is for arrays of the host where there is no GPU; raises CompileError (E0601, E0613) without any."""
    found = [device for device in _devices() if device.facts.is_cpu and excluded_by(device.facts.driver) is None]
    return min(found, key=lambda device: _rank(device.facts)) if found else Device(c_facts(), None)


def short_calls_in_c() -> bool:
    """True if `auto` is a driver of the processor or a GPU, and device `c` is there, whose calls wake no threads."""
    return os.environ.get(DEVICE_VARIABLE, "auto") == "auto" and _has_c_beside_auto()


@cache
def _has_c_beside_auto() -> bool:
    try:
        c_facts()
        return find_device().facts.kind is not DeviceKind.OTHER
    except CompileError:
        return False


@cache
def device_of(handle: cl.Device) -> Device | None:
    """The device of `available_devices()` that pyopencl knows by this handle; None for others, as parts of a device."""
    return next((device for device in _devices() if device.opencl == handle), None)


def _where_drivers_are_looked_for() -> Iterator[str]:
    """A variable that the user has set may be why no driver is found, and so may pyopencl."""
    if ABSENCE is not None:
        yield ABSENCE
    for variable in VARIABLES:
        if variable in os.environ:
            yield f"drivers are looked for where `{variable}` says: `{os.environ[variable]}`"


def _meant(wanted: str, devices: list[Device]) -> list[Device]:
    """Those that the name fits best."""
    if wanted.isdecimal():
        return [device for device in devices if wanted.lstrip("0") == str(device.facts.number).lstrip("0")]
    name = wanted.casefold()
    of_kind = [device for device in devices if name == device.facts.kind.value.casefold()]
    of_driver = [device for device in devices if _has(name, device.facts.driver.name, device.facts.platform)]
    kind, _, place = name.rpartition(":")
    if kind and place.isdecimal():  # `gpu:1` is the second one
        alike = _meant(kind, devices)
        return [alike[int(place)]] if int(place) < len(alike) else []
    return of_kind or of_driver or [device for device in devices if _has(name, device.facts.description)]


def _has(name: str, *texts: str) -> bool:
    return any(name in text.casefold() for text in texts)


def _rank(facts: DeviceFacts) -> tuple[int, int]:
    """GPUs, then the fastest drivers of CPUs as measured on dense and on sparse kernels."""
    order = ("Intel CPU runtime", "PoCL", "PoCL 3.0 (Python wheel)")
    if facts.kind is DeviceKind.GPU:
        return 0, facts.number
    return 1 + (order.index(facts.driver.name) if facts.driver.name in order else len(order)), facts.number


def _devices() -> list[Device]:
    use_drivers()
    prepare()
    handles: list[cl.Device] = []
    try:
        for platform in cl.get_platforms():
            handles += _devices_of(platform)
    except cl.Error:  # the loader reports the absence of platforms as an error
        return []
    return [device for number, handle in enumerate(handles) for device in _known(number, handle)]


def _known(number: int, handle: cl.Device) -> Iterator[Device]:
    """The device, unless its driver is broken and does not even say what it is."""
    with suppress(cl.Error):
        yield Device(read_facts(number, handle), handle)


def _devices_of(platform: cl.Platform) -> list[cl.Device]:
    try:
        return list(platform.get_devices())
    except cl.Error:  # a platform without a device says DEVICE_NOT_FOUND
        return []


# -- properties that a device of OpenCL reports, or its driver is known for --------------------------------------------


def read_facts(number: int, device: cl.Device) -> DeviceFacts:
    """Ask a device; `number` is its place in the list of all devices."""
    platform = device.platform
    driver = driver_of(platform.name.strip(), platform.version)
    extensions = device.extensions.split()
    reported = max(device.native_vector_width_float * 4, device.native_vector_width_double * 8)
    widest = vector_bytes(driver, device.name, reported)
    kind = _KINDS.get(device.type & (cl.device_type.CPU | cl.device_type.GPU), DeviceKind.OTHER)
    return DeviceFacts(
        number=number,
        name=device.name.strip(),
        platform=platform.name.strip(),
        version=_short_version(platform.version),
        driver_version=device.driver_version.strip(),
        driver=driver,
        opencl_c=device.opencl_c_version.strip(),
        kind=kind,
        compute_units=device.max_compute_units,
        vector_bytes=widest,
        native_vector_bytes=native_vector_bytes(device.name, widest),
        instructions=told_of(kind, driver),
        max_work_group_size=device.max_work_group_size,
        max_work_item_sizes=tuple(device.max_work_item_sizes),
        max_parameter_bytes=_room_for_arguments(kind, driver, device),
        local_memory=device.local_mem_size,
        global_memory=device.global_mem_size,
        max_allocation=device.max_mem_alloc_size,
        base_alignment=driver.buffer_alignment or device.mem_base_addr_align // 8,
        cache=device.global_mem_cache_size,
        cache_line=device.global_mem_cacheline_size,
        has_fp64="cl_khr_fp64" in extensions,
        has_int64_atomics="cl_khr_int64_base_atomics" in extensions,
        has_subgroups="cl_khr_subgroups" in extensions or _number(device, "max_num_sub_groups") > 0,
        subgroup_sizes=_subgroup_sizes(device, driver),
        shares_host_memory=kind is DeviceKind.CPU and bool(device.host_unified_memory),
        shared_memory=_shared_memory(device, driver),
        architecture=_architecture(device),
    )


def _room_for_arguments(kind: DeviceKind, driver: Driver, device: cl.Device) -> int:
    """Bytes; what is known of drivers is known on processors."""
    known = driver.max_parameter_bytes if kind is DeviceKind.CPU else None
    return known or device.max_parameter_size


def told_of(kind: DeviceKind, driver: Driver) -> tuple[str, ...]:
    """The instructions that the driver's compiler must be told of, if the processor has all of them.

    The width of vectors that the device reports is no proof: there are processors with a part of AVX-512.
    """
    has_all = kind is DeviceKind.CPU and processor.processor_instructions().issuperset(driver.instructions)
    return driver.instructions if has_all else ()


_KINDS: dict[int, DeviceKind] = {cl.device_type.CPU: DeviceKind.CPU, cl.device_type.GPU: DeviceKind.GPU}


def _short_version(version: str) -> str:
    """`OpenCL 3.0 PoCL 3.1+debian  Linux, …, LLVM 15.0.6, …` is cut before the list of build options."""
    return version.partition("  ")[0].partition(",")[0].strip()


def _subgroup_sizes(device: cl.Device, driver: Driver) -> tuple[int, ...]:
    warp = _number(device, "warp_size_nv")
    return (warp,) if warp else driver.subgroup_sizes


def _architecture(device: cl.Device) -> str:
    major, minor = (_number(device, f"compute_capability_{word}_nv") for word in ("major", "minor"))
    return f"sm_{major}{minor}" if major else ""


def _shared_memory(device: cl.Device, driver: Driver) -> SharedMemory:
    offered = _number(device, "svm_capabilities")
    if offered & cl.device_svm_capabilities.FINE_GRAIN_SYSTEM or driver.reads_host_pointers:
        return SharedMemory.ALL
    return SharedMemory.ALLOCATED if offered & cl.device_svm_capabilities.COARSE_GRAIN_BUFFER else SharedMemory.NONE


def _number(device: cl.Device, query: str) -> int:
    """A fact that older drivers do not know: 0 there."""
    try:
        return int(getattr(device, query))
    except (AttributeError, cl.Error):
        return 0
