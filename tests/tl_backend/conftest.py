"""Whatever a test lowers, its kernel tree keeps the restrictions."""

from collections.abc import Iterator
from typing import Any

import pytest

from einsum_front.tl_backend import emit
from einsum_front.tl_backend.kernel.verify import check
from einsum_front.tl_backend.opencl.kernel import Kernel


@pytest.fixture(scope="session", autouse=True)
def _trees_are_verified() -> Iterator[None]:
    lower = emit.lower

    def verified(*arguments: Any, **named: Any) -> Kernel:
        kernel = lower(*arguments, **named)
        check(kernel.file)
        return kernel

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(emit, "lower", verified)
        yield
