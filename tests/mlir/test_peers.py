"""Compilers that nobody here wrote take what we write: xDSL, MLIR 22 and IREE. Each is skipped where it is not.

xDSL and IREE have needs of their own, so they run in the Python that `MLIR_PEERS` names: `make mlir` makes one.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Container
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from einsum_front.ir import emit_yateto
from einsum_front.mlir import from_graph, from_yateto
from einsum_front.mlir import nodes as mlir
from einsum_front.mlir.named_tables import STRUCTURED
from einsum_front.mlir.unparse import unparse
from tests.mlir.test_from_kernels import KERNELS, kernel_of
from tests.mlir.transform.test_steps import HIGHER, SCRIPTS, WINDOW, applied, layer

KNOWN_TO_XDSL = ("generic", "fill", "matmul", "copy")
PYTHON = os.environ.get("MLIR_PEERS", sys.executable)
XDSL = """
import sys
from xdsl.context import Context
from xdsl.dialects import arith, builtin, func, linalg, math, memref, scf, tensor
from xdsl.parser import Parser

context = Context()
names = arith.Arith, builtin.Builtin, func.Func, linalg.Linalg, math.Math, memref.MemRef, scf.Scf, tensor.Tensor
for dialect in names:
    context.load_dialect(dialect)
for file in sys.argv[1:]:
    with open(file, encoding="utf-8") as text:
        module = Parser(context, text.read(), file).parse_module()
    module.verify()
"""
IREE = """
import sys
import numpy as np
from iree import compiler, runtime

with open(sys.argv[1], encoding="utf-8") as text:
    binary = compiler.compile_str(
        text.read(), target_backends=["llvm-cpu"], input_type="none",
        extra_args=["--iree-input-demote-f64-to-f32=false", "--iree-llvmcpu-target-cpu=generic"],
    )
config = runtime.Config("local-sync")
context = runtime.SystemContext(config=config)
context.add_vm_module(runtime.VmModule.copy_buffer(context.instance, binary))
given = np.load(sys.argv[2])
result = context.modules.module[sys.argv[3]](*(given[name] for name in sorted(given)))
np.save(sys.argv[4], result.to_host())
"""
LOWERING = (
    "--convert-linalg-to-loops",
    "--convert-scf-to-cf",
    "--expand-strided-metadata",
    "--lower-affine",
    "--convert-math-to-llvm",
    "--convert-math-to-libm",
    "--convert-arith-to-llvm",
    "--finalize-memref-to-llvm",
    "--convert-func-to-llvm",
    "--convert-cf-to-llvm",
    "--reconcile-unrealized-casts",
)
BUFFERS = "--one-shot-bufferize=bufferize-function-boundaries"


def has(module: str) -> bool:
    """True if the Python of the peers can import it."""
    call = [PYTHON, "-c", f"import {module}"]
    return subprocess.run(call, check=False, capture_output=True).returncode == 0


def run(*call: str) -> str:
    found = subprocess.run(call, check=False, capture_output=True, text=True)
    assert found.returncode == 0, found.stderr
    return found.stdout


def generalized(body: tuple[mlir.Operation, ...], known: Container[str]) -> tuple[mlir.Operation, ...]:
    """The operations with `linalg.generic` for names that are not known."""
    found: list[mlir.Operation] = []
    for each in body:
        if isinstance(each, mlir.Structured) and each.name not in known:
            found.append(replace(each, name="generic", dimensions=(), strides=(), dilations=(), kind=""))
        elif isinstance(each, mlir.For):
            found.append(replace(each, body=generalized(each.body, known)))
        else:
            found.append(each)
    return tuple(found)


def modules() -> dict[str, mlir.Module]:
    """What we write: graphs on tensors, loops over memrefs, and transformed loops."""
    found = {}
    for name, body in KERNELS.items():
        kernel = kernel_of(body, "f64")
        found[f"{name}_graph"] = from_graph.module_of(kernel.graph)
        found[f"{name}_loops"] = from_yateto.module_of(emit_yateto(kernel.plan))
    for name, script in SCRIPTS.items():
        found[name.replace(" ", "_")] = applied(layer("20", "9", "20"), script)
    found["higher"] = applied(HIGHER, "loops contract [0]")
    found["window"] = applied(WINDOW, "tile_using_for conv_2d [4, 5, 2, 0]\npromote conv_2d [0]")
    return found


def written(folder: Path, known: Container[str] = STRUCTURED) -> list[str]:
    """Files with these texts; operations that are not known to a reader are written as `linalg.generic`."""
    for name, module in modules().items():
        functions = tuple(replace(each, body=generalized(each.body or (), known)) for each in module.functions)
        (folder / f"{name}.mlir").write_text(unparse(replace(module, functions=functions)), encoding="utf-8")
    return sorted(map(str, folder.glob("*.mlir")))


def test_xdsl_verifies_what_we_write(tmp_path: Path) -> None:
    if not has("xdsl"):
        pytest.skip("xDSL is not installed: make mlir")
    run(PYTHON, "-c", XDSL, *written(tmp_path, KNOWN_TO_XDSL))


def test_xdsl_refuses_what_is_wrong(tmp_path: Path) -> None:
    """The check can fail: a map less than there are operands."""
    if not has("xdsl"):
        pytest.skip("xDSL is not installed: make mlir")
    text = unparse(from_graph.module_of(kernel_of(KERNELS["transposed"], "f64").graph))
    wrong = text.replace("indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, ", "indexing_maps = [", 1)
    assert wrong != text
    (tmp_path / "wrong.mlir").write_text(wrong, encoding="utf-8")
    with pytest.raises(AssertionError):
        run(PYTHON, "-c", XDSL, str(tmp_path / "wrong.mlir"))


def test_mlir_22_lowers_what_we_write(tmp_path: Path) -> None:
    program = shutil.which("mlir-opt-22")
    if program is None:
        pytest.skip("mlir-opt-22 is not installed: apt-get install mlir-22-tools")
    for file in written(tmp_path):
        buffers = (BUFFERS,) if "_graph" in file else ()
        assert "llvm.func" in run(program, file, *buffers, *LOWERING), file


def test_iree_runs_a_product(tmp_path: Path) -> None:
    if not has("iree.compiler"):
        pytest.skip("IREE is not installed: make mlir")
    kernel = kernel_of("Q[k,p] = K[k,l] * I[l,q] * A[q,p]", "f64")
    module = from_graph.module_of(kernel.graph)
    (function,) = module.functions
    (tmp_path / "t.mlir").write_text(unparse(module), encoding="utf-8")
    random = np.random.default_rng(0)
    arrays = {}
    for argument in function.arguments:
        shape = [5 if size is None else size for size in getattr(argument.type, "shape", ())]
        arrays[argument.name] = random.uniform(-1, 1, shape)
    ordered = {f"{n:02}": arrays[argument.name] for n, argument in enumerate(function.arguments)}
    np.savez(tmp_path / "in.npz", **ordered)  # type: ignore[arg-type]  # arrays by name
    files = [str(tmp_path / name) for name in ("t.mlir", "in.npz")]
    run(PYTHON, "-c", IREE, *files, function.name, str(tmp_path / "out.npy"))
    found = np.load(tmp_path / "out.npy")
    expected = np.einsum("lk,bql,bpq->bpk", arrays["K"], arrays["I"], arrays["A"])
    assert found.dtype == np.float64
    assert np.max(np.abs(found - expected)) < 1e-13
