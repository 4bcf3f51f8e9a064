"""`--verify` of texts: numbers that are not finite, integers of 8 and 16 bits, bf16, sizes that are arguments."""

from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import einsum_front as ef
from einsum_front.cli import main
from einsum_front.core.diagnostics import CompileError
from einsum_front.driver.verification import compare_levels, largest_error

Array = NDArray[Any]

BIG = 80


def kernel(folder: Path, suffix: str, text: str, **options: Any) -> ef.CompiledKernel:
    path = folder / f"f.{suffix}"
    path.write_text(text, encoding="utf-8")
    (found,) = ef.compile(ef.parse(path), **options).values()
    return found


def assert_agrees(found: ef.CompiledKernel) -> None:
    for each in found.verify():
        assert each.agrees, each


NUMBERS = (1.0, 2.0, np.nan, np.inf, -np.inf)


@pytest.mark.parametrize(("one", "other"), [*product(NUMBERS, NUMBERS)])
@pytest.mark.parametrize("kind", [np.float32, np.float64])
def test_numbers_that_are_not_finite_differ_from_all_but_themselves(kind: type, one: float, other: float) -> None:
    """Beside an entry that is rounded otherwise, which alone would agree."""
    eps = float(np.finfo(kind).eps)
    found: Array = np.array([one, 4 * (1 + eps)], kind)
    right: Array = np.array([other, 4], kind)
    error = largest_error({"y": found}, {"y": right})
    if np.array_equal([one], [other], equal_nan=True):
        assert 0 < error <= 2 * eps
    elif np.isfinite(one) and np.isfinite(other):
        assert error == pytest.approx(0.25, rel=1e-5)
    else:
        assert error == np.inf


def test_nothing_but_infinities_agrees_with_itself() -> None:
    array = np.array([np.inf, -np.inf, np.nan])
    assert largest_error({"y": array}, {"y": array.copy()}) == 0
    assert largest_error({"y": array}, {"y": -array}) == np.inf


def test_nan_beside_a_rounding_is_no_difference(tmp_path: Path) -> None:
    text = """func.func @f(%a: memref<64xf32>, %c: memref<64xf32>) {
      linalg.log ins(%a : memref<64xf32>) outs(%c : memref<64xf32>)
      return
    }"""
    assert_agrees(kernel(tmp_path, "mlir", text, batch_dim="none"))


INTEGERS = ("i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "index")
TYPES = ("i1", *INTEGERS, "f32", "f64")


def constant(type_: str) -> str:
    """A number that all types hold, but for its sign and its fraction."""
    if type_ in ("f32", "f64"):
        return "-42.0"
    return "true" if type_ == "i1" else "42" if type_[0] == "u" else "-42"


@pytest.mark.parametrize("device", ["auto", "c"])
@pytest.mark.parametrize("type_", TYPES)
def test_casts_of_constants(tmp_path: Path, type_: str, device: str) -> None:
    """From every type and to every type, in all levels; a negative number is none of an unsigned type."""
    lines, targets = [], []
    for number, other in enumerate(TYPES):
        number_of = constant(type_)
        if other in ("u8", "u16", "u32", "u64") and type_ in ("f32", "f64"):
            number_of = "42.0"
        targets.append(f"%{other}s: memref<{other}x4>")
        lines.append(f"%v{number} = cast {number_of} : {type_} -> {other}")
        lines.append(f"store %v{number}, %{other}s[1] : memref<{other}x4>")
    if type_ not in ("i1", "f32", "f64"):
        lines += [
            f"%w{n} = arith.{op} {constant(type_)}, 3 : {type_}" for n, op in enumerate(("add", "mul", "div", "rem"))
        ]
        lines += [f"%n = arith.neg %w1 : {type_}", f"store %n, %{type_}s[2] : memref<{type_}x4>"]
        lines += [f"%c = cmp.lt {constant(type_)}, %w0 : {type_}"]
        lines += [f"%y = if %c -> ({type_}) {{ yield {constant(type_)} : {type_} }} else {{ yield %w2 : {type_} }}"]
        lines += [
            f"store %y, %{type_}s[3] : memref<{type_}x4>",
            "",
        ]
    newline = "\n  "
    assert_agrees(
        kernel(tmp_path, "tl", f"func @f({', '.join(targets)}) {{\n  {newline.join(lines)}\n}}\n", device=device)
    )


@pytest.mark.parametrize(("depth", "target"), [(BIG, "bf16"), (3, "bf16"), (BIG, "f32")])
def test_sums_of_bf16_are_rounded_once_in_all_levels(tmp_path: Path, depth: int, target: str) -> None:
    a, b, c = f"tensor<4x{depth}xbf16>", f"tensor<{depth}x6xbf16>", f"tensor<4x6x{target}>"
    text = f"""func.func @f(%a: {a}, %b: {b}, %c: {c}) -> {c} {{
      %r = linalg.matmul ins(%a, %b : {a}, {b}) outs(%c : {c}) -> {c}
      return %r : {c}
    }}"""
    assert_agrees(kernel(tmp_path, "mlir", text))


SIZES = {
    "unused": ("tensor<?x?xf64>", "%c: tensor<?x?xf64>, %n: index", "", "%c"),
    "size of the output": ("tensor<?x5xf64>", "%n: index", "%e = tensor.empty(%n) : tensor<?x5xf64>", "%e"),
    "two sizes": (
        "tensor<?x?xf64>",
        "%n: index, %m: index",
        "%e = tensor.empty(%m, %n) : tensor<?x?xf64>",
        "%e",
    ),
}


@pytest.mark.parametrize("case", SIZES)
def test_sizes_that_are_arguments_are_those_of_arrays(tmp_path: Path, case: str) -> None:
    type_, arguments, line, target = SIZES[case]
    text = f"""func.func @f(%a: {type_}, {arguments}) -> {type_} {{
      {line}
      %r = linalg.exp ins(%a : {type_}) outs({target} : {type_}) -> {type_}
      return %r : {type_}
    }}"""
    assert_agrees(kernel(tmp_path, "mlir", text))


def test_a_temporary_that_is_written_in_part_is_an_error(tmp_path: Path) -> None:
    text = """func @f(%A: memref<f64x4>) {
      %t = alloca -> memref<f64x4>
      %x = load %A[0] : memref<f64x4>
      store %x, %t[0] : memref<f64x4>
      axpby.n 1.0, %t, 1.0, %A : f64, memref<f64x4>, f64, memref<f64x4>
    }"""
    with pytest.raises(CompileError, match=r"where nothing has written it"):
        kernel(tmp_path, "tl", text).verify()


def test_data_that_are_not_finite_are_compared(tmp_path: Path) -> None:
    found = kernel(tmp_path, "ein", "tensor x[4] tensor y[4] kernel f { y[i] = x[i] - x[i] + exp(x[i]) }")
    x = np.array([[1.0, np.nan, np.inf, -np.inf]])
    for each in compare_levels(found.translation, found.device, {"x": x, "y": np.zeros((1, 4))}, 1):
        assert each.agrees, each


def test_a_reduction_into_a_mode_of_one_position_needs_no_bound(tmp_path: Path) -> None:
    text = """func.func @f(%a: memref<?x8xf32>, %c: memref<?x1xf32>) {
      tpp.reduce_max ins(%a : memref<?x8xf32>) outs(%c : memref<?x1xf32>)
      return
    }"""
    assert_agrees(kernel(tmp_path, "tpp", text))
    assert_agrees(
        kernel(tmp_path, "ein", "size n tensor A[n,8] tensor c[n,1] kernel f { c[i,j] = max{k}(A[i,k]) * 1[j] }")
    )


def test_arrays_of_data_that_no_kernel_has_are_an_error(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, data = tmp_path / "f.ein", tmp_path / "data.npz"
    path.write_text("tensor x[4] tensor y[4] tensor z[4] kernel f { y[i] = x[i] } kernel g { z[i] = x[i] }")
    arrays = {"x": np.ones((2, 4)), "y": np.ones((2, 4)), "z": np.ones((2, 4))}
    np.savez(data, **arrays)  # type: ignore[arg-type] # numpy's stub takes any keyword for `allow_pickle`
    assert main(["run", str(path), "--data", str(data)]) == 0
    assert main(["run", str(path), "--data", str(data), "--kernel", "f"]) == 0
    np.savez(data, **arrays, w=np.ones(3), zz=np.ones(3))  # type: ignore[arg-type]
    capsys.readouterr()
    assert main(["run", str(path), "--data", str(data), "--kernel", "f"]) == 1
    words = capsys.readouterr().err
    assert "has an array `w`, and no kernel has an argument of this name" in words
    assert "arguments are `x`, `y` and `z`" in words
    assert "did you mean `z`?" in words
