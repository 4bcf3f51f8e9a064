"""Values that are known when compiling: from the text through every level to a launch that does not ask for them."""

from pathlib import Path

import numpy as np
import pytest

import einsum_front as ef
from einsum_front.compiled import CompiledKernel
from einsum_front.core.diagnostics import CompileError, Source, render_all
from einsum_front.core.facts import Values
from einsum_front.ir.yateto.parse import parse as parse_yateto
from einsum_front.runtime.artifact import TensorParameter
from einsum_front.tl_backend.parse import parse as parse_tensor_language

TEXT = """
tensor A[3, 2] values<0.5, 0, 0.25, 0, 0, -1> {layout}
tensor x[2]
tensor y[3]
kernel f {{ y[i] = A[i,j] * x[j] }}
"""
A = np.array([[0.5, 0.0], [0.0, 0.0], [0.25, -1.0]])


def compiled(layout: str = "", real: str = "f64") -> CompiledKernel:
    return ef.compile(ef.parse(TEXT.format(layout=layout)), real=real)["f"]


def facts(text: str) -> list[str]:
    return [line for line in text.splitlines() if line.startswith(";! ") and "batched" not in line]


@pytest.mark.parametrize(
    ("layout", "expected"),
    [
        ("", [";! nonzeros %A 0 2 5", ";! values %A 0.5 2:0.25 5:-1.0"]),
        ("strided<1, 8>", [";! nonzeros %A 0 2 5", ";! values %A 0.5 2:0.25 5:-1.0"]),
        ("row_major", [";! modes %A 1 0", ";! nonzeros %A 0 4:6", ";! values %A 0.5 4:0.25 -1.0"]),
    ],
)
def test_the_values_are_facts_in_the_order_of_the_modes_in_memory(layout: str, expected: list[str]) -> None:
    kernel = compiled(layout)
    assert "leaf A : f64 3x2 constant, 3 nonzeros, values known" in (kernel.graph or "")
    assert facts(kernel.yateto or "") == expected
    assert facts(kernel.tensor_language) == expected


@pytest.mark.parametrize("layout", ["", "row_major", "strided<4, 1>", "strided<1, 8>"])
@pytest.mark.parametrize("real", ["f32", "f64"])
@pytest.mark.parametrize("batch", [0, 1, 3])
def test_a_call_needs_no_argument(layout: str, real: str, batch: int) -> None:
    kernel = compiled(layout, real)
    dtype = {"f32": np.float32, "f64": np.float64}[real]
    x, y = np.random.default_rng(batch).integers(-4, 5, (batch, 2)).astype(dtype), np.zeros((batch, 3), dtype)
    kernel(x=x, y=y)
    np.testing.assert_array_equal(y, x @ A.T.astype(dtype))
    kernel(x=x, y=y, A=A.astype(dtype))
    np.testing.assert_array_equal(y, x @ A.T.astype(dtype))


def test_another_array_is_refused_in_the_modes_of_the_caller() -> None:
    wrong = A.copy()
    wrong[2, 0] = 2.0
    with pytest.raises(CompileError) as error:
        compiled("row_major")(x=np.zeros((1, 2)), y=np.zeros((1, 3)), A=wrong)
    assert (
        render_all(error.value.diagnostics)
        == """\
error[E0515]: argument `A` is 2.0 at (2, 0), but was 0.25 when the kernel was compiled
  = note: 1 of 6 entries differ
  = help: leave `A` out: its values are known"""
    )


@pytest.mark.parametrize("layout", ["", "row_major"])
def test_every_level_agrees(layout: str) -> None:
    assert all(comparison.agrees for comparison in compiled(layout).verify())


@pytest.mark.parametrize("layout", ["", "row_major"])
@pytest.mark.parametrize("suffix", ["yir", "tl"])
def test_a_later_level_knows_the_values_again(layout: str, suffix: str, tmp_path: Path) -> None:
    kernel = compiled(layout)
    path = tmp_path / f"f.{suffix}"
    path.write_text((kernel.yateto if suffix == "yir" else kernel.tensor_language) or "")
    again = ef.compile(ef.parse(path))["f"]
    assert again.artifact.parameters == kernel.artifact.parameters
    x, y = np.array([[2.0, 3.0]]), np.zeros((1, 3))
    again(x=x, y=y)
    np.testing.assert_array_equal(y, x @ A.T)
    assert all(comparison.agrees for comparison in again.verify())


def test_values_are_exact_at_every_level(tmp_path: Path) -> None:
    numbers = np.random.default_rng(0).standard_normal((20, 20)) * 10.0 ** np.arange(-10, 10)
    np.save(tmp_path / "A.npy", numbers)
    (tmp_path / "f.ein").write_text(
        'tensor A[20, 20] values "A.npy"\ntensor x[20]\nkernel f { x[i] = A[i,j] * x[j] }\n'
    )
    kernel = ef.compile(ef.parse(tmp_path / "f.ein"))["f"]
    flat = dict(enumerate(numbers.ravel(order="F").tolist()))
    for text, parse in ((kernel.yateto or "", parse_yateto), (kernel.tensor_language, parse_tensor_language)):
        facts = parse(Source("f", text)).functions[0].facts
        (read,) = (fact.entries for fact in facts if isinstance(fact, Values))
        assert dict(read) == flat
    (parameter,) = (each for each in kernel.artifact.parameters if each.name == "A")
    assert isinstance(parameter, TensorParameter)
    assert parameter.values == tuple(flat.values())


def test_constants_that_are_made_when_translating_need_no_argument() -> None:
    text = """
    tensor K[2, 2] values<0, 2, 1, 0>
    tensor L[2, 2] values<1, 0, 3, 0.5>
    tensor x[2]
    tensor y[2]
    kernel f { y[i] = K[i,j] * L[j,k] * x[k] }
    """
    kernel = ef.compile(ef.parse(text))["f"]
    assert facts(kernel.tensor_language)[-1] == ";! values %K_L 1:2.0 0.5 6.0"
    x, y = np.array([[1.0, 2.0], [3.0, 4.0]]), np.zeros((2, 2))
    kernel(x=x, y=y)
    product = np.array([[0.0, 1.0], [2.0, 0.0]]) @ np.array([[1.0, 3.0], [0.0, 0.5]])
    np.testing.assert_array_equal(y, x @ product.T)
    kernel(x=x, y=y, L=np.array([[1.0, 3.0], [0.0, 0.5]]))
    np.testing.assert_array_equal(y, x @ product.T)
