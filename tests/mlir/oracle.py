"""torch-mlir as an oracle: it verifies, prints and runs texts of MLIR."""

import ctypes
import re
from collections.abc import Sequence

import numpy as np
import pytest

from tests.mlir.programs import Array

pytest.importorskip("torch_mlir", reason="torch-mlir is not installed: pip install einsum-front[mlir]")

from torch_mlir import ir, passmanager
from torch_mlir.dialects import linalg
from torch_mlir.execution_engine import ExecutionEngine
from torch_mlir.runtime import get_ranked_memref_descriptor

BUFFERIZATION = ",".join(
    (
        "one-shot-bufferize{bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map}",
        "buffer-results-to-out-params{modify-public-functions=true}",
    )
)
COPY = re.compile(r"memref\.copy (%[\w#]+), (%[\w#]+) : (.*) to (.*)")

LOWERING = ",".join(
    (
        "convert-linalg-to-loops",
        "convert-scf-to-cf",
        "expand-strided-metadata",
        "lower-affine",
        "convert-math-to-llvm",
        "convert-math-to-libm",
        "convert-arith-to-llvm",
        "finalize-memref-to-llvm",
        "convert-func-to-llvm",
        "convert-cf-to-llvm",
        "reconcile-unrealized-casts",
    )
)


def printed(text: str, *, generic: bool, places: bool = False) -> str:
    """The text as their printer writes it; raises if their verifier has something against it."""
    with ir.Context():
        module = ir.Module.parse(text)
        assert module.operation.verify()
        return str(module.operation.get_asm(print_generic_op_form=generic, enable_debug_info=places))


def run(text: str, name: str, arguments: Sequence[Array], results: Sequence[Array]) -> list[Array]:
    """What their JIT computes; `results` have the shapes. Arguments in memory that the function writes are not kept."""
    found = [np.zeros_like(each) for each in results]
    _run(text, name, [*(each.copy() for each in arguments), *found])
    return found


def run_in_place(text: str, name: str, arguments: Sequence[Array]) -> list[Array]:
    """What the arguments are behind a function that writes some of them."""
    found = [each.copy() for each in arguments]
    _run(text, name, found)
    return found


def _run(text: str, name: str, arrays: Sequence[Array]) -> None:
    with ir.Context():
        module = ir.Module.parse(text)
        for function in module.body.operations:
            function.attributes["llvm.emit_c_interface"] = ir.UnitAttr.get()
        passmanager.PassManager.parse(f"builtin.module({BUFFERIZATION})").run(module.operation)
        # copies of parts call a library that the wheel lacks
        module = ir.Module.parse(COPY.sub(r"linalg.copy ins(\1 : \3) outs(\2 : \4)", str(module)))
        passmanager.PassManager.parse(f"builtin.module({LOWERING})").run(module.operation)
        engine = ExecutionEngine(module, opt_level=2)
        pointers = [ctypes.pointer(ctypes.pointer(get_ranked_memref_descriptor(each))) for each in arrays]
        engine.invoke(name, *pointers)


def contraction_dimensions(text: str) -> tuple[tuple[int, ...], ...] | None:
    """Batch, m, n and k of the first structured operation of the first function; None if it is no contraction."""
    with ir.Context():
        module = ir.Module.parse(text)
        operations = module.body.operations[0].regions[0].blocks[0].operations
        operation = next(each for each in operations if each.operation.name == "linalg.generic")
        if not linalg.isa_contraction_op(operation.operation):
            return None
        found = linalg.infer_contraction_dimensions(operation.operation)
        return None if found is None else tuple(tuple(each) for each in (found.batch, found.m, found.n, found.k))
