"""Calls here leave the device to `ef.einsum`: one that the environment names would ask for a kernel at once."""

from collections.abc import Iterator

import pytest

from einsum_front.index_string.numpy_calls import DEVICE_VARIABLE


@pytest.fixture(autouse=True, scope="module")
def no_device_by_name() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as environment:
        environment.delenv(DEVICE_VARIABLE, raising=False)
        yield
