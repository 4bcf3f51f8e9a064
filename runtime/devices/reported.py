"""Properties that a device of OpenCL reports, or its driver is known for."""

from einsum_front.runtime.devices import processor
from einsum_front.runtime.devices.drivers import Driver, driver_of, native_vector_bytes, vector_bytes
from einsum_front.runtime.devices.facts import DeviceFacts, DeviceKind, SharedMemory
from einsum_front.runtime.devices.opencl import cl


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
