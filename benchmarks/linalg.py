"""Batched contractions in linalg, in turns: ours, IREE and torch-mlir's JIT.

    python -m benchmarks.linalg --peers PYTHON

PYTHON is a Python that has IREE (`iree-base-compiler`, `iree-base-runtime`); torch-mlir is looked for in this one (the
extra `mlir`). All get the same text and the same arrays of NumPy, which are made theirs before anything is timed, and
compile for this processor with all its threads. A turn of each is some calls; what is printed are medians of turns.
"""

import argparse
import ctypes
import importlib.util
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from statistics import median

import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.table import Table

import einsum_front as ef
from benchmarks.measure import PAUSE_SECONDS

Array = NDArray[np.floating]
Run = Callable[[int], float]
"""Makes so many calls; the seconds of one."""

TURNS, TURN_SECONDS = 9, 0.1

CASES = (
    ("kl,blp->bkp", (20, 20), (10_000, 20, 9)),
    ("blp,pq->blq", (10_000, 20, 9), (9, 9)),
    ("bik,bkj->bij", (5_000, 16, 16), (5_000, 16, 16)),
    ("bik,bkj->bij", (500, 64, 64), (500, 64, 64)),
    ("eijk,ai->eajk", (2_000, 8, 8, 8), (8, 8)),
    ("kl,blp->bkp", (20, 20), (1_000, 20, 9)),
    ("bik,bkj->bij", (500, 16, 16), (500, 16, 16)),
    ("eijk,ai->eajk", (200, 8, 8, 8), (8, 8)),
)
"""Index strings and shapes; the batch leads. The last three fit into caches, the others are read from memory."""

IREE = """
import sys, time
import numpy as np
from iree import compiler, runtime
with open(sys.argv[1], encoding="utf-8") as text:
    binary = compiler.compile_str(
        text.read(), target_backends=["llvm-cpu"], input_type="none",
        extra_args=["--iree-input-demote-f64-to-f32=false", "--iree-llvmcpu-target-cpu=host", "--iree-opt-level=O3"],
    )
config = runtime.Config("local-task")
context = runtime.SystemContext(config=config)
context.add_vm_module(runtime.VmModule.copy_buffer(context.instance, binary))
given = np.load(sys.argv[2])
arrays = [runtime.asdevicearray(config.device, given[name]) for name in sorted(given)]
f = context.modules.module["f"]
np.save(sys.argv[3], f(*arrays).to_host())
print("ready", flush=True)
for line in sys.stdin:
    start = time.perf_counter()
    for _ in range(int(line)):
        f(*arrays)
    print((time.perf_counter() - start) / int(line), flush=True)
"""


def text_of(subscripts: str, shapes: Sequence[tuple[int, ...]], real: str) -> str:
    """The contraction as a `linalg.generic` on tensors, added to zeros."""
    inputs, output = subscripts.split("->")
    terms = [*inputs.split(","), output]
    letters = "".join(terms[:-1])
    sizes = dict(zip(letters, (size for shape in shapes for size in shape), strict=True))
    order = [*output, *(letter for letter in sizes if letter not in output)]
    maps = [f"affine_map<({', '.join(order)}) -> ({', '.join(term)})>" for term in terms]
    kinds = ['"parallel"' if letter in output else '"reduction"' for letter in order]
    types = [f"tensor<{'x'.join(str(sizes[letter]) for letter in term)}x{real}>" for term in terms]
    return f"""\
func.func @f(%a: {types[0]}, %b: {types[1]}) -> {types[2]} {{
  %zero = arith.constant 0.0 : {real}
  %empty = tensor.empty() : {types[2]}
  %zeros = linalg.fill ins(%zero : {real}) outs(%empty : {types[2]}) -> {types[2]}
  %r = linalg.generic {{indexing_maps = [{", ".join(maps)}], iterator_types = [{", ".join(kinds)}]}}
      ins(%a, %b : {types[0]}, {types[1]}) outs(%zeros : {types[2]}) {{
  ^bb0(%x: {real}, %y: {real}, %z: {real}):
    %p = arith.mulf %x, %y : {real}
    %s = arith.addf %z, %p : {real}
    linalg.yield %s : {real}
  }} -> {types[2]}
  return %r : {types[2]}
}}
"""


def calls(call: Callable[[], object]) -> Run:
    def run(count: int) -> float:
        start = time.perf_counter()
        for _ in range(count):
            call()
        return (time.perf_counter() - start) / count

    return run


def ours(file: Path, arrays: Sequence[Array], result: Array, device: str) -> Run:
    """The kernel of the text, called with NumPy's arrays."""
    kernel = ef.compile(ef.parse(file), device=device)["f"]
    given = {"a": arrays[0], "b": arrays[1], "result": result}
    return calls(lambda: kernel(**given))


@contextmanager
def iree(python: str, file: Path, arrays: Sequence[Array], result: Array) -> Iterator[Run]:
    """A process with IREE, which makes calls when it is told."""
    given, found = file.with_suffix(".npz"), file.with_suffix(".npy")
    np.savez(given, a=arrays[0], b=arrays[1])
    command = [python, "-c", IREE, str(file), str(given), str(found)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n", "IREE failed"
        result[...] = np.load(found)

        def run(count: int) -> float:
            print(count, file=process.stdin, flush=True)
            return float(process.stdout.readline())  # type: ignore[union-attr] # it was asked for

        yield run
        process.stdin.close()


def torch_mlir(file: Path, arrays: Sequence[Array], result: Array) -> Run:
    """The JIT of torch-mlir's reference back end: loops, and LLVM at -O3."""
    from torch_mlir import ir, passmanager  # noqa: PLC0415
    from torch_mlir.execution_engine import ExecutionEngine  # noqa: PLC0415
    from torch_mlir.runtime import get_ranked_memref_descriptor  # noqa: PLC0415

    buffers = "one-shot-bufferize{bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map}"
    passes = (
        buffers,
        "buffer-results-to-out-params{modify-public-functions=true hoist-static-allocs=true}",
        "convert-linalg-to-loops,convert-scf-to-cf,expand-strided-metadata,lower-affine,convert-arith-to-llvm",
        "finalize-memref-to-llvm,convert-func-to-llvm,convert-cf-to-llvm,reconcile-unrealized-casts",
    )
    with ir.Context():
        module = ir.Module.parse(file.read_text(encoding="utf-8"))
        for function in module.body.operations:
            function.attributes["llvm.emit_c_interface"] = ir.UnitAttr.get()
        passmanager.PassManager.parse(f"builtin.module({','.join(passes)})").run(module.operation)
        engine = ExecutionEngine(module, opt_level=3)
    pointers = [ctypes.pointer(ctypes.pointer(get_ranked_memref_descriptor(each))) for each in (*arrays, result)]
    return calls(lambda: engine.invoke("f", *pointers))


def in_turns(runs: Sequence[Run]) -> list[float]:
    """The median of some turns of each; all take turns, so that what disturbs one disturbs all."""
    counts = [max(1, round(TURN_SECONDS / max(run(2), 1e-6))) for run in runs]
    turns = [[_rested(run, count) for run, count in zip(runs, counts, strict=True)] for _ in range(TURNS)]
    return [median(times) for times in zip(*turns, strict=True)]


def _rested(run: Run, count: int) -> float:
    """Threads of others spin for a while after their work."""
    time.sleep(PAUSE_SECONDS)
    run(1)
    return run(count)


def measured(case: tuple[str, tuple[int, ...], tuple[int, ...]], real: str, peers: str | None) -> dict[str, float]:
    """Seconds of a call by name; raises AssertionError if somebody computes something else."""
    subscripts, *shapes = case
    random, kind = np.random.default_rng(0), {"f32": np.float32, "f64": np.float64}[real]
    arrays = [random.uniform(-1, 1, shape).astype(kind) for shape in shapes]
    want = np.einsum(subscripts, *arrays, optimize=True)
    results: dict[str, Array] = {}
    runs: dict[str, Run] = {}
    with ExitStack() as stack, tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "f.mlir"
        file.write_text(text_of(subscripts, shapes, real), encoding="utf-8")
        for device in ("auto", "c"):
            results[f"ours, {device}"] = np.empty(want.shape, kind)
            runs[f"ours, {device}"] = ours(file, arrays, results[f"ours, {device}"], device)
        if peers is not None:
            results["IREE"] = np.empty(want.shape, kind)
            runs["IREE"] = stack.enter_context(iree(peers, file, arrays, results["IREE"]))
        if importlib.util.find_spec("torch_mlir") is not None:
            results["torch-mlir"] = np.empty(want.shape, kind)
            runs["torch-mlir"] = torch_mlir(file, arrays, results["torch-mlir"])
        times = in_turns(list(runs.values()))
    for name, found in results.items():
        np.testing.assert_allclose(found, want, rtol=0, atol=1e-12 if real == "f64" else 1e-3, err_msg=name)
    return dict(zip(runs, times, strict=True))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--peers", metavar="PYTHON", help="a Python that has IREE")
    parser.add_argument("--real", choices=("f32", "f64"), nargs="+", default=["f64", "f32"])
    options = parser.parse_args()
    table: Table | None = None
    for real in options.real:
        for case in CASES:
            times = measured(case, real, options.peers)
            others = [each for name, each in times.items() if not name.startswith("ours")]
            if table is None:
                table = Table("contraction", "", *times, "best of others over ours", title="microseconds a call")
            ratio = f"{min(others) / times['ours, auto']:.2f}" if others else ""
            shapes = " ".join("x".join(map(str, shape)) for shape in case[1:])
            table.add_row(f"{case[0]} {shapes}", real, *(f"{each * 1e6:.0f}" for each in times.values()), ratio)
    Console(width=120).print(table)
    return 0


if __name__ == "__main__":
    sys.exit(main())
