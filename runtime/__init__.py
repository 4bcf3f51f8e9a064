"""Devices, arguments and launches: the only package that touches OpenCL.

The front has all that others may use, and importing it loads no OpenCL. Beside it stands `artifact`:
data, what a launch needs to know of a kernel.
"""

from typing import TYPE_CHECKING

from einsum_front.core.facade import facade

if TYPE_CHECKING:
    from einsum_front.runtime.arrays.allocation import array_mistake as array_mistake
    from einsum_front.runtime.arrays.allocation import release_mistake as release_mistake
    from einsum_front.runtime.arrays.arguments import known_array as known_array
    from einsum_front.runtime.arrays.arguments import no_places as no_places
    from einsum_front.runtime.arrays.arguments import sizes_shown as sizes_shown
    from einsum_front.runtime.arrays.batch import Place as Place
    from einsum_front.runtime.arrays.bus import SLOT as SLOT
    from einsum_front.runtime.arrays.bus import copiers as copiers
    from einsum_front.runtime.arrays.bus_speed import BusSpeed as BusSpeed
    from einsum_front.runtime.arrays.bus_speed import bus_speed as bus_speed
    from einsum_front.runtime.arrays.cuda import CudaArray as CudaArray
    from einsum_front.runtime.arrays.cuda import CudaKernel as CudaKernel
    from einsum_front.runtime.arrays.cuda import CudaMemory as CudaMemory
    from einsum_front.runtime.arrays.cuda import cuda_views as cuda_views
    from einsum_front.runtime.arrays.cuda import is_on_cuda as is_on_cuda
    from einsum_front.runtime.arrays.description import artifact_description as artifact_description
    from einsum_front.runtime.arrays.foreign import host_view as host_view
    from einsum_front.runtime.arrays.foreign import host_views as host_views
    from einsum_front.runtime.arrays.foreign import is_foreign as is_foreign
    from einsum_front.runtime.arrays.foreign import library as library
    from einsum_front.runtime.arrays.foreign import like as like
    from einsum_front.runtime.arrays.foreign import on_views as on_views
    from einsum_front.runtime.arrays.foreign import refusal as refusal
    from einsum_front.runtime.arrays.host_arrays import described_mistakes as described_mistakes
    from einsum_front.runtime.arrays.host_arrays import fits_shape as fits_shape
    from einsum_front.runtime.arrays.host_arrays import start_alignment as start_alignment
    from einsum_front.runtime.arrays.layout import ELEMENT_TYPES as ELEMENT_TYPES
    from einsum_front.runtime.arrays.layout import Layout as Layout
    from einsum_front.runtime.arrays.layout import declared_layout as declared_layout
    from einsum_front.runtime.arrays.layout import distance as distance
    from einsum_front.runtime.arrays.layout import element_mask as element_mask
    from einsum_front.runtime.arrays.layout import element_shape as element_shape
    from einsum_front.runtime.arrays.layout import element_text as element_text
    from einsum_front.runtime.arrays.layout import expected_shape as expected_shape
    from einsum_front.runtime.arrays.layout import has_run_time_extents as has_run_time_extents
    from einsum_front.runtime.arrays.layout import layout_in_place as layout_in_place
    from einsum_front.runtime.arrays.layout import memref_axes as memref_axes
    from einsum_front.runtime.arrays.layout import modes_of_element as modes_of_element
    from einsum_front.runtime.arrays.layout import nonzero_mask as nonzero_mask
    from einsum_front.runtime.arrays.layout import shape_text as shape_text
    from einsum_front.runtime.arrays.layout import spaced_layout as spaced_layout
    from einsum_front.runtime.arrays.layout import span as span
    from einsum_front.runtime.arrays.overlap import byte_range as byte_range
    from einsum_front.runtime.arrays.overlap import overlaps_itself as overlaps_itself
    from einsum_front.runtime.arrays.plain_tensors import plain_tensor as plain_tensor
    from einsum_front.runtime.arrays.plain_tensors import plain_torch as plain_torch
    from einsum_front.runtime.arrays.signature import KernelArgument as KernelArgument
    from einsum_front.runtime.arrays.signature import Kind as Kind
    from einsum_front.runtime.arrays.signature import kernel_arguments as kernel_arguments
    from einsum_front.runtime.arrays.staging import staging_array as staging_array
    from einsum_front.runtime.arrays.staging import staging_bytes as staging_bytes
    from einsum_front.runtime.arrays.storage import aligned_bytes as aligned_bytes
    from einsum_front.runtime.arrays.transfers import PyopenclArray as PyopenclArray
    from einsum_front.runtime.arrays.transfers import download as download
    from einsum_front.runtime.arrays.transfers import to_host as to_host
    from einsum_front.runtime.arrays.transfers import upload as upload
    from einsum_front.runtime.caches.cache import Broken as Broken
    from einsum_front.runtime.caches.cache import Cache as Cache
    from einsum_front.runtime.caches.cache import Entry as Entry
    from einsum_front.runtime.caches.cache import as_value as as_value
    from einsum_front.runtime.caches.cache import from_value as from_value
    from einsum_front.runtime.caches.cache import sources_key as sources_key
    from einsum_front.runtime.caches.cache import stored_kernels as stored_kernels
    from einsum_front.runtime.caches.cache import tuned_key as tuned_key
    from einsum_front.runtime.caches.cache import tuning_cache as tuning_cache
    from einsum_front.runtime.caches.folders import remove_caches as remove_caches
    from einsum_front.runtime.caches.shelf import clear_shelf as clear_shelf
    from einsum_front.runtime.caches.shelf import names_on_shelf as names_on_shelf
    from einsum_front.runtime.caches.shelf import put_on_shelf as put_on_shelf
    from einsum_front.runtime.devices.c_compiler import c_libraries as c_libraries
    from einsum_front.runtime.devices.c_compiler import remove_c_libraries as remove_c_libraries
    from einsum_front.runtime.devices.c_compiler import remove_unfinished as remove_unfinished
    from einsum_front.runtime.devices.c_compiler import stop_compiling as stop_compiling
    from einsum_front.runtime.devices.c_device import c_facts as c_facts
    from einsum_front.runtime.devices.c_device import is_device_c as is_device_c
    from einsum_front.runtime.devices.device import DEVICE_VARIABLE as DEVICE_VARIABLE
    from einsum_front.runtime.devices.device import Device as Device
    from einsum_front.runtime.devices.device import available_devices as available_devices
    from einsum_front.runtime.devices.device import device_like as device_like
    from einsum_front.runtime.devices.device import device_of as device_of
    from einsum_front.runtime.devices.device import find_device as find_device
    from einsum_front.runtime.devices.device import find_processor as find_processor
    from einsum_front.runtime.devices.device import short_calls_in_c as short_calls_in_c
    from einsum_front.runtime.devices.errors import allocating as allocating
    from einsum_front.runtime.devices.errors import failure as failure
    from einsum_front.runtime.devices.facts import DeviceFacts as DeviceFacts
    from einsum_front.runtime.devices.processor import processor_instructions as processor_instructions
    from einsum_front.runtime.devices.room import LARGE as LARGE
    from einsum_front.runtime.devices.room import check_room as check_room
    from einsum_front.runtime.devices.room import told as told
    from einsum_front.runtime.devices.room import whole_memory as whole_memory
    from einsum_front.runtime.launches.build import check_source as check_source
    from einsum_front.runtime.launches.device_sums import RowSums as RowSums
    from einsum_front.runtime.launches.engine import Direct as Direct
    from einsum_front.runtime.launches.engine import Launch as Launch
    from einsum_front.runtime.launches.launch import Kernel as Kernel
    from einsum_front.runtime.launches.memory import AnyArray as AnyArray
    from einsum_front.runtime.launches.memory import DeviceMemory as DeviceMemory
    from einsum_front.runtime.launches.memory import HostMemory as HostMemory
    from einsum_front.runtime.launches.memory import Memory as Memory
    from einsum_front.runtime.launches.memory import devices_of as devices_of
    from einsum_front.runtime.launches.memory import is_on_device as is_on_device
    from einsum_front.runtime.launches.memory import is_writable as is_writable
    from einsum_front.runtime.launches.memory import memory_of as memory_of
    from einsum_front.runtime.launches.memory import uploaded_beside as uploaded_beside
    from einsum_front.runtime.launches.timing import Timing as Timing
    from einsum_front.runtime.launches.timing import measure as measure
    from einsum_front.runtime.launches.timing import measure_in_turns as measure_in_turns

__getattr__, __dir__, __all__ = facade(
    __name__,
    {
        ".arrays.allocation": ("array_mistake", "release_mistake"),
        ".arrays.batch": ("Place",),
        ".arrays.bus": ("SLOT", "copiers"),
        ".arrays.bus_speed": ("BusSpeed", "bus_speed"),
        ".launches.build": ("check_source",),
        ".devices.c_compiler": ("c_libraries", "remove_c_libraries", "remove_unfinished", "stop_compiling"),
        ".devices.c_device": ("c_facts", "is_device_c"),
        ".caches.cache": (
            "Broken",
            "Cache",
            "Entry",
            "as_value",
            "from_value",
            "sources_key",
            "stored_kernels",
            "tuned_key",
            "tuning_cache",
        ),
        ".arrays.cuda": ("CudaArray", "CudaKernel", "CudaMemory", "cuda_views", "is_on_cuda"),
        ".arrays.description": ("artifact_description",),
        ".devices.device": (
            "DEVICE_VARIABLE",
            "Device",
            "available_devices",
            "device_like",
            "device_of",
            "find_device",
            "find_processor",
            "short_calls_in_c",
        ),
        ".arrays.host_arrays": ("described_mistakes", "fits_shape", "start_alignment"),
        ".launches.device_sums": ("RowSums",),
        ".launches.engine": ("Direct", "Launch"),
        ".devices.errors": ("allocating", "failure"),
        ".devices.facts": ("DeviceFacts",),
        ".caches.folders": ("remove_caches",),
        ".arrays.foreign": ("host_view", "host_views", "is_foreign", "library", "like", "on_views", "refusal"),
        ".arrays.arguments": ("known_array", "no_places", "sizes_shown"),
        ".launches.launch": ("Kernel",),
        ".arrays.layout": (
            "ELEMENT_TYPES",
            "Layout",
            "declared_layout",
            "distance",
            "element_shape",
            "element_text",
            "expected_shape",
            "has_run_time_extents",
            "layout_in_place",
            "memref_axes",
            "modes_of_element",
            "element_mask",
            "nonzero_mask",
            "shape_text",
            "spaced_layout",
            "span",
        ),
        ".launches.memory": (
            "AnyArray",
            "DeviceMemory",
            "HostMemory",
            "Memory",
            "devices_of",
            "is_on_device",
            "is_writable",
            "memory_of",
            "uploaded_beside",
        ),
        ".arrays.overlap": ("byte_range", "overlaps_itself"),
        ".arrays.plain_tensors": ("plain_tensor", "plain_torch"),
        ".devices.room": ("LARGE", "check_room", "told", "whole_memory"),
        ".devices.processor": ("processor_instructions",),
        ".caches.shelf": ("clear_shelf", "names_on_shelf", "put_on_shelf"),
        ".arrays.signature": ("KernelArgument", "Kind", "kernel_arguments"),
        ".arrays.staging": ("staging_array", "staging_bytes"),
        ".arrays.storage": ("aligned_bytes",),
        ".launches.timing": ("Timing", "measure", "measure_in_turns"),
        ".arrays.transfers": ("PyopenclArray", "download", "to_host", "upload"),
    },
)
