"""torch-mlir's JIT: the kernel's graph in linalg, elementwise operations fused, lowered to loops and compiled by LLVM.

Between operations on the whole share lie arrays in memory, as its passes make them: it neither tiles nor packs.

Each thread runs the compiled function on its share of the batch. The function sees arrays with the batch first, then
the modes from the slowest to the fastest, without gaps.
"""

import ctypes
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module
from importlib.util import find_spec
from itertools import pairwise
from typing import Any

import numpy as np

from benchmarks.arguments import Arguments
from benchmarks.case import Arrays, Case, FileSource
from benchmarks.chain import Array
from benchmarks.measure import Stopwatch
from benchmarks.peers.peer import Peer
from einsum_front.core.diagnostics import CompileError
from einsum_front.core.texts import read_source
from einsum_front.driver import Session, plan_program
from einsum_front.driver.targets import DEFAULT
from einsum_front.ir import Graph
from einsum_front.mlir.from_graph import module_of
from einsum_front.mlir.unparse import unparse
from einsum_front.notation.parse import parse
from einsum_front.options import Options

BUFFERS = ",".join(
    (
        "func.func(linalg-generalize-named-ops)",
        "func.func(linalg-fuse-elementwise-ops)",
        "one-shot-bufferize{bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map}",
        "buffer-results-to-out-params{modify-public-functions=true hoist-static-allocs=true}",
        "func.func(buffer-loop-hoisting)",
        "func.func(promote-buffers-to-stack)",
    )
)
LOOPS = ",".join(
    (
        "convert-linalg-to-loops",
        "func.func(scf-for-loop-canonicalization)",
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
OPTIMIZATION = 3
"""LLVM's level."""


class _TorchMlir:
    """The compiled function, with the memory of each thread's share described once."""

    def __init__(self, graph: Graph, arguments: Arguments, threads: int) -> None:
        self._arguments, self._tensors = arguments, {each.name: each for each in graph.arguments}
        module = module_of(graph)
        self._engine = _compiled(unparse(module))
        self._name = graph.name
        held = {name: np.ascontiguousarray(self._lying(name)) for name in self._tensors}
        self._results = {name: np.zeros_like(held[name]) for name in graph.assigned}
        bounds = np.linspace(0, arguments.batch, threads + 1).astype(int)
        inputs = [(each.name, held[each.name]) for each in module.functions[-1].arguments]
        outputs = list(self._results.items())
        self._calls = [
            _descriptors([self._share(*each, start, stop) for each in (*inputs, *outputs)])
            for start, stop in pairwise(bounds)
            if stop > start
        ]
        self._pool = ThreadPoolExecutor(threads)

    def run(self) -> float:
        watch = Stopwatch()
        list(self._pool.map(lambda call: self._engine.invoke(self._name, *call), self._calls))
        return watch.seconds

    def outputs(self) -> Arrays:
        found = {}
        for name, array in self._results.items():
            order = self._order(name, array.ndim)
            found[name] = array.transpose(np.argsort(order))
        return found

    def _lying(self, name: str) -> Array:
        array = self._arguments.array(name)
        return array.transpose(self._order(name, array.ndim))

    def _order(self, name: str, rank: int) -> tuple[int, ...]:
        tensor = self._tensors[name]
        own = rank - len(tensor.shape)
        return (*range(own), *(axis + own for axis in reversed(tensor.modes_by_stride)))

    def _share(self, name: str, array: Array, start: int, stop: int) -> Array:
        return array[start:stop] if name in self._arguments.batched else array


def _descriptors(arrays: Sequence[Array]) -> list[Any]:
    describe: Callable[[Array], Any] = import_module("torch_mlir.runtime").get_ranked_memref_descriptor
    return [ctypes.pointer(ctypes.pointer(describe(each))) for each in arrays]


def _compiled(text: str) -> Any:
    """The function by their JIT."""
    ir, passes = import_module("torch_mlir.ir"), import_module("torch_mlir.passmanager")
    engine = import_module("torch_mlir.execution_engine")
    with ir.Context():
        module = ir.Module.parse(text)
        for function in module.body.operations:
            function.attributes["llvm.emit_c_interface"] = ir.UnitAttr.get()
        for pipeline in (BUFFERS, LOOPS):
            passes.PassManager.parse(f"builtin.module({pipeline})").run(module.operation)
        return engine.ExecutionEngine(module, opt_level=OPTIMIZATION)


def _why_missing() -> str | None:
    return None if find_spec("torch_mlir") else "`pip install torch-mlir`"


def _prepare(case: Case, arguments: Arguments, threads: int) -> _TorchMlir | None:
    """A runner; None for what is no case of primitives, and for kernels that linalg has no form for."""
    if not case.has_primitives or not isinstance(case.source, FileSource):
        return None
    source = case.source
    options = Options(defines={name: str(value) for name, value in source.defines.items()}, real=case.real)
    program = parse(read_source(source.path))
    (graph,) = (
        each.graph
        for each in plan_program(Session(DEFAULT, options), program, source.path.parent)
        if each.graph.name == source.kernel
    )
    try:
        return _TorchMlir(graph, arguments, threads)
    except CompileError:
        return None


TORCH_MLIR = Peer("torch-mlir", _why_missing, _prepare)
