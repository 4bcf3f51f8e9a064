"""Calls here leave the device to `ef.einsum`."""

import pytest


@pytest.fixture(autouse=True, scope="module")
def no_device(no_device_by_name: None) -> None:
    """For each module."""
