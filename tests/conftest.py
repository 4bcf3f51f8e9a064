"""Settings for all tests."""

import gc
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from einsum_front.core.private_folders import NO_CACHE_VARIABLE
from einsum_front.index_string.builds import DEVICE_VARIABLE
from einsum_front.runtime.devices import c_compiler
from tests.profiles import register

register()
os.environ.setdefault("EINSUM_FRONT_BUILD", "now")  # tests of kernels shall not test NumPy
os.environ[NO_CACHE_VARIABLE] = "1"  # what was measured on this machine must not change what is tested


def pytest_collection_finish() -> None:
    """The collector of cycles walks what tests make, not modules, and less often: few objects are in a cycle."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 10, 10)


@pytest.fixture(scope="module")
def no_device_by_name() -> Iterator[None]:
    """Calls leave the device to `ef.einsum`: one that the environment names would ask for a kernel at once."""
    with pytest.MonkeyPatch.context() as environment:
        environment.delenv(DEVICE_VARIABLE, raising=False)
        yield


BUILD_OPTIONS = "PYOPENCL_BUILD_OPTIONS"
QUICK = "-cl-opt-disable"
VENDORS = Path("/etc/OpenCL/vendors")
"""Where drivers of vendors are registered."""

has_other_drivers = DEVICE_VARIABLE in os.environ or "OCL_ICD_VENDORS" in os.environ or any(VENDORS.glob("*.icd"))
is_optimized = os.environ.get("TEST_BUILDS") == "optimized"
library_flags = c_compiler.LIBRARY_FLAGS
if not is_optimized:  # compilers make kernels with the same numbers in a third of the time
    c_compiler.LIBRARY_FLAGS = tuple("-O0" if flag == "-O3" else flag for flag in library_flags)
    if not has_other_drivers:
        os.environ.setdefault(BUILD_OPTIONS, QUICK)


@pytest.fixture(scope="class")  # of a function outside of classes, and of a property once for all of its examples
def optimized_builds() -> Iterator[None]:
    """Compilers optimize kernels, as they do for users: for tests of what they make of them."""
    with pytest.MonkeyPatch.context() as context:
        context.setattr(c_compiler, "LIBRARY_FLAGS", library_flags)
        if os.environ.get(BUILD_OPTIONS) == QUICK:
            context.delenv(BUILD_OPTIONS)
        yield
