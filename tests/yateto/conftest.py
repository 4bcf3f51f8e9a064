"""One architecture for all tests of YATeTo's interface, which keeps it for the whole process."""

from collections.abc import Iterator

import pytest

from einsum_front.yateto import DenseMemoryLayout, useArchitectureIdentifiedBy


@pytest.fixture(autouse=True)
def _architecture() -> Iterator[None]:
    before = DenseMemoryLayout.ALIGNMENT_ARCH
    useArchitectureIdentifiedBy("dhsw")
    yield
    DenseMemoryLayout.ALIGNMENT_ARCH = before
