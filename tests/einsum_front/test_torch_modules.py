"""Modules of torch as kernels: their numbers, any length of the batch, and what a user is told."""

from importlib import import_module

import numpy as np
import pytest

import einsum_front as ef

torch = pytest.importorskip("torch", reason="torch is not installed")


@pytest.fixture
def lowered() -> None:
    pytest.importorskip("torch_mlir", reason="torch-mlir is not installed: pip install einsum-front[mlir]")


@pytest.mark.usefixtures("lowered")
def test_weights_are_constants_and_the_batch_has_any_length() -> None:
    module = torch.nn.Sequential(torch.nn.Linear(6, 8), torch.nn.GELU(), torch.nn.LayerNorm(8), torch.nn.Softmax(-1))
    layer = ef.from_torch(module, (torch.rand(5, 6),))
    assert layer.has_batch
    for rows in (5, 17):
        x = torch.rand(rows, 6)
        found, wanted = layer(x), module(x).detach()
        np.testing.assert_allclose(found.numpy(), wanted.numpy(), atol=1e-5)
    with pytest.raises(ValueError, match="the example had"):
        layer(torch.rand(5, 7))
    with pytest.raises(TypeError, match="takes 1 tensors, not 2"):
        layer(torch.rand(5, 6), torch.rand(5, 6))


@pytest.mark.usefixtures("lowered")
def test_what_is_put_together_is_taken_as_torch_has_it() -> None:
    class Halves(torch.nn.Module):  # type: ignore[misc,name-defined]  # torch need not be there
        def forward(self, x: object) -> object:
            return torch.flatten(torch.relu(x.reshape(4, 2, 3)), 1)  # type: ignore[attr-defined]

    x = torch.rand(4, 6) - 0.5
    np.testing.assert_array_equal(ef.from_torch(Halves(), (x,))(x).numpy(), torch.relu(x).numpy())


@pytest.mark.usefixtures("lowered")
def test_what_is_not_lowered_is_said() -> None:
    class Sorted(torch.nn.Module):  # type: ignore[misc,name-defined]
        def forward(self, x: object) -> object:
            return torch.linalg.svdvals(x)

    with pytest.raises(ef.CompileError) as error:
        ef.from_torch(Sorted(), (torch.rand(4, 4),))
    assert error.value.diagnostics[0].code == "E0870"


def test_no_module() -> None:
    pytest.importorskip("torch_mlir", reason="torch-mlir is not installed: pip install einsum-front[mlir]")
    with pytest.raises(TypeError, match=r"takes a torch.nn.Module, not"):
        ef.from_torch(torch.relu, (torch.rand(4),))
    with pytest.raises(TypeError, match="a list or tuple of tensors"):
        ef.from_torch(torch.nn.ReLU(), torch.rand(4))


def test_without_torch_mlir(monkeypatch: pytest.MonkeyPatch) -> None:
    def absent(module: str) -> object:
        if module.startswith("torch_mlir"):
            raise ModuleNotFoundError(name="torch_mlir")
        return import_module(module)

    monkeypatch.setattr("einsum_front.core.optional.import_module", absent)
    with pytest.raises(ef.CompileError) as error:
        ef.from_torch(torch.nn.ReLU(), (torch.rand(4),))
    assert error.value.diagnostics[0].code == "E0116"
