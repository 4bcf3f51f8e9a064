"""Settings for all tests."""

import gc
import os
from collections.abc import Iterator

import pytest

from einsum_front.core.caches import NO_CACHE_VARIABLE
from einsum_front.index_string.builds import DEVICE_VARIABLE
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


@pytest.fixture(scope="class")  # of a function outside of classes, and of a property once for all of its examples
def quick_builds() -> Iterator[None]:
    """Drivers for processors make kernels without optimizing them, in a twentieth of the time: numbers are the same."""
    from einsum_front.runtime import find_device  # noqa: PLC0415 - most folders of tests ask for no device

    with pytest.MonkeyPatch.context() as environment:
        if find_device().facts.is_cpu:
            environment.setenv("PYOPENCL_BUILD_OPTIONS", "-cl-opt-disable")
        yield
