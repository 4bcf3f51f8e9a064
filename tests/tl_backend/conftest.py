"""Whatever kernel a test makes, its tree keeps the restrictions."""

from collections.abc import Iterator
from typing import Any

import pytest

from einsum_front.runtime.artifact import Artifact
from einsum_front.tl_backend import emit
from einsum_front.tl_backend.kernel.verify import check
from einsum_front.tl_backend.opencl.kernel import Kernel
from einsum_front.tl_backend.program import Function


@pytest.fixture(scope="session", autouse=True)
def _trees_are_verified() -> Iterator[None]:
    artifact = emit._artifact

    def verified(function: Function, kernel: Kernel, *more: Any) -> Artifact:
        check(kernel.file)
        return artifact(function, kernel, *more)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(emit, "_artifact", verified)
        yield
