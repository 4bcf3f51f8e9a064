"""From torch to OpenCL: a module goes through torch-mlir to linalg, and from there to a kernel for a batch.

    python -m examples.torch_to_opencl            needs torch and torch-mlir: pip install torch 'einsum-front[mlir]'

torch-mlir takes an einsum apart into transposes, reshapes and products of matrices. Read back, they are the contraction
that was meant: the planner orders its factors, and the batch of torch is the batch of the kernel.
"""

import sys
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

import einsum_front as ef

BATCH, ROWS, INNER, COLUMNS = 64, 12, 20, 16
SHAPES = (BATCH, ROWS, INNER), (INNER, INNER), (INNER, COLUMNS), (COLUMNS,)
LARGEST_ERROR = 1e-5


def main() -> int:
    missing = [name for name in ("torch", "torch_mlir") if find_spec(name) is None]
    if missing:
        print(f"not installed: {' and '.join(missing)}; pip install torch 'einsum-front[mlir]'")
        return 0
    torch = import_module("torch")
    torch.manual_seed(0)
    given = [torch.rand(*shape) - 0.5 for shape in SHAPES]
    layer = layer_of(torch)
    kernel = compiled(str(exported(layer, given)))
    print(kernel.graph)
    result = np.zeros((BATCH, ROWS, COLUMNS), np.float32)
    kernel(result=result, **{f"arg{number}": value.numpy() for number, value in enumerate(given)})
    expected = layer(*given).numpy()
    error = float(np.abs(result - expected).max() / np.abs(expected).max())
    print(f"largest difference from torch, relative: {error:.1e}")
    return int(error > LARGEST_ERROR)


def layer_of(torch: Any) -> Any:
    """relu(x·w·v + bias), with the weights as arguments."""

    class Layer(torch.nn.Module):  # type: ignore[misc]  # torch need not be there
        def forward(self, x: Any, w: Any, v: Any, bias: Any) -> Any:
            return torch.relu(torch.einsum("bik,kl,lj->bij", x, w, v) + bias)

    return Layer()


def exported(module: Any, given: list[Any]) -> object:
    """The module in linalg on tensors, as torch-mlir makes it."""
    fx = import_module("torch_mlir.fx")
    return fx.export_and_import(module, *given, output_type="linalg-on-tensors", func_name="layer")


def compiled(text: str) -> ef.CompiledKernel:
    """The kernel of the function `layer` of a text."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "layer.mlir"
        path.write_text(text, encoding="utf-8")
        return ef.compile(ef.parse(path))["layer"]


if __name__ == "__main__":
    sys.exit(main())
