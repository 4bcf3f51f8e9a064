"""Arrays that `empty` cannot make."""

import pytest

from einsum_front.core.diagnostics import CompileError, render_all
from tests.runtime.kernels import VOLUME, kernel


def words(name: str, batch: int) -> str:
    with pytest.raises(CompileError) as error:
        kernel(VOLUME).empty(name, batch)
    return render_all(error.value.diagnostics)


def test_no_such_array() -> None:
    assert words("dt", 2) == ("error[E0502]: `volume` has no array argument `dt`\n  = note: it has `K`, `I` and `Q`")


def test_fewer_than_no_elements() -> None:
    assert words("Q", -1) == "error[E0511]: an array has no batch of -1 elements"


@pytest.mark.parametrize("batch", [10**15, 10**30])
def test_more_than_any_memory(batch: int) -> None:
    assert words("Q", batch) == f"error[E0516]: this machine has no memory for an array of shape ({batch}, 4, 3)"


def test_a_batch_is_an_integer() -> None:
    with pytest.raises(TypeError, match="'float' object cannot be interpreted as an integer"):
        kernel(VOLUME).empty("Q", 2.5)  # type: ignore[arg-type] # that is the test
