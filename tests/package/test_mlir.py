"""Programs of MLIR call our kernels by descriptors of memrefs, as `mlir-runner-22` and a caller in Python pass them."""

import ctypes
import shutil
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from einsum_front.cli import main
from tests.package.building import compiled, needs

PRODUCT = """\
#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>
func.func @multiply(%A: memref<MxKxf64, strided<[12, 1], offset: 1>>, %B: memref<KxNxf64>, %C: memref<MxNxf64>) {
  linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"],
                  library_call = "product"}
      ins(%A, %B : memref<MxKxf64, strided<[12, 1], offset: 1>>, memref<KxNxf64>) outs(%C : memref<MxNxf64>) {
  ^bb0(%x: f64, %y: f64, %z: f64):
    %p = arith.mulf %x, %y : f64
    %s = arith.addf %z, %p : f64
    linalg.yield %s : f64
  }
  return
}
"""
MAIN = """\
func.func @filled(%to: memref<?x?xf64>, %value: f64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.dim %to, %c0 : memref<?x?xf64>
  %n = memref.dim %to, %c1 : memref<?x?xf64>
  scf.for %i = %c0 to %m step %c1 {
    scf.for %j = %c0 to %n step %c1 {
      memref.store %value, %to[%i, %j] : memref<?x?xf64>
    }
  }
  return
}
func.func @main() -> f32 {
  %one = arith.constant 1.0 : f64
  %two = arith.constant 2.0 : f64
  %three = arith.constant 3.0 : f64
  %A = memref.alloc() : memref<20x12xf64>
  %B = memref.alloc() : memref<9x20xf64>
  %C = memref.alloc() : memref<20x20xf64>
  %a = memref.cast %A : memref<20x12xf64> to memref<?x?xf64>
  %b = memref.cast %B : memref<9x20xf64> to memref<?x?xf64>
  %c = memref.cast %C : memref<20x20xf64> to memref<?x?xf64>
  func.call @filled(%a, %two) : (memref<?x?xf64>, f64) -> ()
  func.call @filled(%b, %three) : (memref<?x?xf64>, f64) -> ()
  func.call @filled(%c, %one) : (memref<?x?xf64>, f64) -> ()
  %part = memref.subview %A[0, 1] [20, 9] [1, 1] : memref<20x12xf64> to memref<20x9xf64, strided<[12, 1], offset: 1>>
  func.call @multiply(%part, %B, %C)
      : (memref<20x9xf64, strided<[12, 1], offset: 1>>, memref<9x20xf64>, memref<20x20xf64>) -> ()
  %place = arith.constant 7 : index
  %entry = memref.load %C[%place, %place] : memref<20x20xf64>
  %short = arith.truncf %entry : f64 to f32
  return %short : f32
}
"""
LOWERING = (
    "--convert-linalg-to-std",
    "--convert-scf-to-cf",
    "--expand-strided-metadata",
    "--lower-affine",
    "--convert-arith-to-llvm",
    "--finalize-memref-to-llvm",
    "--convert-func-to-llvm",
    "--convert-cf-to-llvm",
    "--reconcile-unrealized-casts",
)


def product(rows: str, columns: str, depth: str) -> str:
    return (
        PRODUCT.replace("MxK", f"{rows}x{depth}")
        .replace("KxN", f"{depth}x{columns}")
        .replace("MxN", f"{rows}x{columns}")
    )


def library(folder: Path, text: str, *options: str) -> Path:
    """The library of what a text calls, with warnings as errors."""
    (folder / "calls.mlir").write_text(text, encoding="utf-8")
    assert main(["package", str(folder / "calls.mlir"), "--target", "c", "-o", str(folder / "made"), *options]) == 0
    found = folder / "libcalls.so"
    flags = ["-std=c11", "-Wall", "-Wextra", "-pedantic", "-Werror", "-O1", "-shared", "-fPIC", "-fopenmp"]
    includes = [f"-I{folder / 'made' / name}" for name in ("include", "src")]
    sources = sorted((folder / "made" / "src").glob("*.c"))
    done = compiled([needs("gcc"), *flags, *includes, *sources, "-o", found, "-lm"])
    assert done.returncode == 0, done.stderr
    return found


def descriptor(array: np.ndarray[Any, Any]) -> Any:
    """A memref as MLIR passes it, with an offset."""

    class Memref(ctypes.Structure):
        _fields_ = (
            ("allocated", ctypes.c_void_p),
            ("aligned", ctypes.c_void_p),
            ("offset", ctypes.c_int64),
            ("numbers", ctypes.c_int64 * (2 * array.ndim)),
        )

    steps = [each // array.itemsize for each in array.strides]
    start = array.ctypes.data - 3 * array.itemsize
    return ctypes.byref(Memref(None, start, 3, (ctypes.c_int64 * (2 * array.ndim))(*array.shape, *steps)))


@pytest.mark.parametrize("sizes", [("20", "20", "9"), ("?", "?", "?")])
def test_descriptors_of_any_strides(tmp_path: Path, sizes: tuple[str, str, str]) -> None:
    function = ctypes.CDLL(str(library(tmp_path, product(*sizes))))._mlir_ciface_product
    random = np.random.default_rng(1)
    for rows, columns, depth in ((20, 20, 9), (7, 3, 5)) if "?" in sizes[2] else ((20, 20, 9),):
        a, b = random.random((rows, 2 * depth))[:, ::2], random.random((columns, depth)).T
        for c in (np.ones((rows, columns)), np.ones((columns, 3 * rows))[:, ::3].T):
            want = c + a @ b
            function(descriptor(a), descriptor(b), descriptor(c))
            np.testing.assert_allclose(c, want, rtol=1e-13)


def test_a_program_of_mlir_calls_it(tmp_path: Path) -> None:
    if shutil.which("mlir-runner-22") is None or shutil.which("mlir-opt-22") is None:
        pytest.skip("mlir-runner-22 is not installed: apt-get install mlir-22-tools")
    calls = library(tmp_path, product("20", "20", "9"))
    (tmp_path / "program.mlir").write_text(product("20", "20", "9") + MAIN, encoding="utf-8")
    lowered = compiled(["mlir-opt-22", tmp_path / "program.mlir", *LOWERING])
    assert lowered.returncode == 0, lowered.stderr
    command = ["mlir-runner-22", "-e", "main", "--entry-point-result=f32", f"--shared-libs={calls}"]
    done = subprocess.run(command, input=lowered.stdout, capture_output=True, text=True, check=False)
    assert (done.returncode, float(done.stdout)) == (0, 1 + 9 * 2 * 3), done.stderr


def test_tiles_of_a_script_are_calls(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What `library_call` has set is packaged: tiles are called with the extents that they have."""
    (tmp_path / "p.ein").write_text(
        "tensor A[20,9] tensor B[9,20] tensor C[20,20]\nkernel k { C[ij] = A[ik] * B[kj] }\n", encoding="utf-8"
    )
    (tmp_path / "s.steps").write_text("tile_using_for matmul [8, 8, 0]\nlibrary_call matmul tile\n", encoding="utf-8")
    files = [str(tmp_path / name) for name in ("p.ein", "s.steps")]
    assert main(["compile", files[0], "--emit", "linalg-loops", "--steps", files[1]]) == 0
    text = capsys.readouterr().out
    function = ctypes.CDLL(str(library(tmp_path, text)))._mlir_ciface_tile
    a, b, c = np.ones((4, 9)), np.ones((9, 8)), np.zeros((4, 8))
    function(descriptor(a), descriptor(b), descriptor(c))
    np.testing.assert_array_equal(c, np.full((4, 8), 9.0))


@pytest.mark.parametrize(
    ("text", "start"),
    [
        (product("20", "20", "9") + product("20", "20", "8").replace("@multiply", "@other").split("\n", 3)[3], "E0848"),
        (
            "func.func @f(%a: tensor<4xf64>, %o: tensor<4xf64>) -> tensor<4xf64> {\n"
            "  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],\n"
            '      iterator_types = ["parallel"], library_call = "g"}\n'
            "      ins(%a : tensor<4xf64>) outs(%o : tensor<4xf64>) {\n"
            "  ^bb0(%x: f64, %y: f64):\n    linalg.yield %x : f64\n  } -> tensor<4xf64>\n"
            "  return %r : tensor<4xf64>\n}\n",
            "E0847",
        ),
    ],
)
def test_what_cannot_be_called(tmp_path: Path, text: str, start: str, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "calls.mlir").write_text(text, encoding="utf-8")
    assert main(["package", str(tmp_path / "calls.mlir"), "--target", "c", "-o", str(tmp_path / "made")]) == 1
    assert capsys.readouterr().err.startswith(f"error[{start}]: ")
