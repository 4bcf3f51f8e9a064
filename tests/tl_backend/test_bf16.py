"""Numbers of bf16: in memory only, widened where they are read, rounded to the nearest where they are written."""

from contextlib import nullcontext
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

import einsum_front as ef
from einsum_front.core.diagnostics import CompileError, Source
from einsum_front.core.numbers import BF16_MAX, EPSILONS, bf16, is_bf16
from einsum_front.core.storage import ElementType
from einsum_front.data import load_arguments
from einsum_front.ir import GraphBuilder
from einsum_front.tl_backend.parse import parse
from einsum_front.tl_backend.program import Edition, Program
from einsum_front.tl_backend.scalars import cast
from einsum_front.tl_backend.types import ScalarType
from einsum_front.tl_backend.unparse import unparse
from einsum_front.tl_backend.verify import verify
from tests.tl_backend.opencl.harness import function_of
from tests.tl_backend.opencl.test_scalars import check_elementwise, elementwise

BITS = np.arange(2**16, dtype=np.uint16)
NUMBERS = BITS[BITS & 0x7FFF <= 0x7F80].view(bf16())
"""All but those that are no numbers."""


def between() -> NDArray[np.float32]:
    """Numbers of f32 on, just beside and in the middle between neighbours, and those that are none or not finite."""
    upper = np.append(np.arange(0, 2**16, 37), [0x7F7F, 0x7F80, 0xFF7F, 0xFF80, 0x7FC0, 0x8000]).astype(np.uint32) << 16
    lower = np.array([0, 1, 0x7FFF, 0x8000, 0x8001, 0xFFFF], np.uint32)
    found = (upper[:, None] | lower).ravel()
    is_quiet = (found & 0x7FFFFFFF <= 0x7F800000) | (found & 0x00400000 != 0)
    numbers: NDArray[np.float32] = found[is_quiet].view(np.float32)
    return numbers


CASTS = [("wide", "cast %a : bf16 -> f32", "f32")]
BACK = [("narrow", "cast %a : f32 -> bf16", "bf16")]


def rounded(numbers: NDArray[np.float32]) -> NDArray[np.float32]:
    """To the nearest, ties to even, by the definition: of the two neighbours the one that is less far."""
    bits = numbers.view(np.uint32)
    below = (bits & 0xFFFF0000).view(np.float32).astype(np.float64)
    step = np.where(bits >> 31, -1.0, 1.0) * 2.0 ** np.maximum(
        np.floor(np.log2(np.maximum(abs(below), 2e-38))) - 7, -133
    )
    above = below + step
    is_above = (abs(above - numbers) < abs(numbers - below)) | (
        (abs(above - numbers) == abs(numbers - below)) & (bits >> 16 & 1 == 1)
    )
    found = np.where(is_above, above, below)
    return np.where(abs(found) > BF16_MAX, np.copysign(np.inf, numbers), found).astype(np.float32)


def test_the_interpreter_rounds_to_the_nearest() -> None:
    numbers = between()
    numbers = numbers[np.isfinite(numbers)]
    found = np.array([cast(each, ScalarType.BF16) for each in numbers]).astype(np.float32)
    np.testing.assert_array_equal(found, rounded(numbers))


def test_the_device_does_what_the_interpreter_does() -> None:
    check_elementwise(CASTS, {"a": ("bf16", NUMBERS)})
    check_elementwise(BACK, {"a": ("f32", between())}, (4, 1))


def test_so_it_does_with_f16() -> None:
    """All but those that are no numbers; numbers of f32 around all of them, too large ones, and halves of the least."""
    halves = BITS[BITS & 0x7FFF <= 0x7C00].view(np.float16)
    check_elementwise([("wide", "cast %a : f16 -> f32", "f32")], {"a": ("f16", halves)})
    middle = halves[abs(halves) < 65504].astype(np.float32)
    step = np.spacing(middle.astype(np.float16)).astype(np.float32) / 2
    above = np.nextafter(middle + step, np.float32(np.inf))
    around = np.concatenate([middle, middle + step, above, middle * 70000, np.array([65520, 65519], np.float32)])
    check_elementwise([("narrow", "cast %a : f32 -> f16", "f16")], {"a": ("f32", around)}, (4, 1))


def program(folder: Path, suffix: str, text: str, device: str = "auto") -> ef.CompiledProgram:
    path = folder / f"f.{suffix}"
    path.write_text(text, encoding="utf-8")
    return ef.compile(ef.parse(path), device=device)


def test_so_does_c(tmp_path: Path) -> None:
    """And what is no number stays none."""
    for operations, given, kind in ((CASTS, NUMBERS, "bf16"), (BACK, between(), "f32")):
        text = elementwise(operations, {"a": (kind, given)}, given.size)
        name, _, made = operations[0]
        found = np.zeros(given.size, bf16() if made == "bf16" else np.float32)
        program(tmp_path, "tl", text, "c")["f"](**{"as": given, f"out_{name}": found})
        np.testing.assert_array_equal(found.astype(np.float32), given.astype(found.dtype).astype(np.float32))


@pytest.mark.parametrize(
    "line",
    [
        "%x = arith.add %a, %a : bf16",
        "%x = arith.neg %a : bf16",
        "%x = cmp.lt %a, %a : bf16",
        "%x = math.exp %a : bf16",
        "%x = cast %a : bf16 -> f64",
        "%x = cast 1 : i32 -> bf16",
    ],
)
def test_no_kernel_computes_with_them(line: str, tmp_path: Path) -> None:
    text = f"func @f(%A: memref<bf16x8>) {{\n  %a = load %A[0] : memref<bf16x8>\n  {line}\n}}\n"
    with pytest.raises(CompileError) as error:
        program(tmp_path, "tl", text)
    (found,) = error.value.diagnostics
    assert (found.code, found.message) == ("E0616", "kernels do not compute with `bf16`")


MEMREFS = {"bf16": "memref<bf16x4>", "f32": "memref<f32x4>"}


def collective(word: str, *types: str) -> str:
    """A text whose one instruction has vectors of these types, the target last."""
    arguments = ", ".join(f"%{n}: {MEMREFS[type_]}" for n, type_ in enumerate(types))
    names = ", ".join(f"%{n}" for n in range(len(types) - 1))
    *inputs, target = (MEMREFS[type_] for type_ in types)
    said = f"f32, {', '.join(inputs)}, f32, {target}"
    return f"func @f({arguments}) {{\n  {word} 2.0, {names}, 1.0, %{len(types) - 1} : {said}\n}}\n"


@pytest.mark.parametrize(
    ("word", "types", "is_legal"),
    [
        ("axpby.n", ("bf16", "bf16"), True),
        ("axpby.n", ("bf16", "f32"), True),
        ("axpby.n", ("f32", "bf16"), True),
        ("hadamard_product", ("bf16", "bf16", "bf16"), False),
        ("hadamard_product", ("bf16", "bf16", "f32"), True),
        ("hadamard_product", ("f32", "bf16", "bf16"), True),
    ],
)
def test_with_them_alone_collective_instructions_copy(
    word: str, types: tuple[str, ...], is_legal: bool, tmp_path: Path
) -> None:
    text = collective(word, *types)
    assert verify(parse(Source("f.tl", text))) == ()
    with nullcontext() if is_legal else pytest.raises(CompileError, match="E0616"):
        program(tmp_path, "tl", text)


@pytest.mark.parametrize("text", ["A[ij] = relu(A[ij])", "A[ij] = B[ik] * B[kj]"])
def test_programs_do_not_compute_in_them(text: str) -> None:
    """Neither a text nor an option nor a front end makes a program of this type."""
    declared = f"tensor A[4,4] tensor B[4,4] kernel k {{ {text} }}"
    for source, real in ((f"real bf16 {declared}", None), (declared, "bf16")):
        with pytest.raises(CompileError, match="`bf16` is no element type"):
            ef.compile(ef.parse(source), real=real)
    with pytest.raises(CompileError, match="nothing computes with `bf16`"):
        GraphBuilder("k", ElementType.BF16)


def test_they_are_no_single_argument_and_in_no_edition(tmp_path: Path) -> None:
    with pytest.raises(CompileError, match="kernels do not compute with `bf16`"):
        program(tmp_path, "tl", "func @f(%a: bf16) {\n}\n")
    function = function_of("func @f(%A: memref<bf16x8>) {\n}\n", (1, 1))
    for edition in (each for each in Edition if not each.is_dialect):
        with pytest.raises(CompileError, match="no `bf16`"):
            unparse(Program((function,)), edition)


PRODUCT = """
func.func @f(%a: memref<9x8xbf16>, %w: memref<8x11xbf16> {einsum_front.constant}, %b: memref<11xf32>,
             %c: memref<9x11xbf16>, %d: memref<9x11xbf16>) {
  %t = memref.alloc() : memref<9x11xf32>
  %p = memref.alloc() : memref<4x11x2xbf16>
  tpp.pack_vnni ins(%w : memref<8x11xbf16>) outs(%p : memref<4x11x2xbf16>)
  tpp.broadcast ins(%b : memref<11xf32>) outs(%t : memref<9x11xf32>)
  tpp.matmul ins(%a : memref<9x8xbf16>, %p : memref<4x11x2xbf16>, %t : memref<9x11xf32>) outs(%t : memref<9x11xf32>)
  tpp.relu ins(%t : memref<9x11xf32>) outs(%t : memref<9x11xf32>)
  tpp.add ins(%d : memref<9x11xbf16>, %d : memref<9x11xbf16>) outs(%d : memref<9x11xbf16>)
  tpp.matmul ins(%a : memref<9x8xbf16>, %w : memref<8x11xbf16>) outs(%c : memref<9x11xbf16>)
  return
}
"""


@pytest.mark.parametrize("device", ["auto", "c"])
def test_kernels_of_primitives_round_once(device: str, tmp_path: Path) -> None:
    """An argument that is written is rounded at the end, whatever lies between; constants are widened once."""
    kernel = program(tmp_path, "tpp", PRODUCT, device)["f"]
    assert kernel.artifact.prologue is not None
    random = np.random.default_rng(3)
    shapes = {"a": (50, 9, 8), "w": (8, 11), "d": (50, 9, 11), "c": (50, 9, 11)}
    given = {name: random.uniform(-1, 1, shape).astype(bf16()) for name, shape in shapes.items()}
    given["d"][:, 0, :4] = [np.nan, np.inf, -0.0, 1e-40]
    doubled = (2 * given["d"].astype(np.float32)).astype(bf16())
    kernel(**given, b=np.zeros((50, 11), np.float32))
    product = given["a"].astype(np.float32) @ given["w"].astype(np.float32)
    np.testing.assert_array_equal(given["d"].astype(np.float32), doubled.astype(np.float32))
    assert abs(given["c"].astype(np.float32) - product).max() <= EPSILONS["bf16"] / 2 * abs(product).max() * 1.01


def test_other_arrays_are_refused_by_name(tmp_path: Path) -> None:
    kernel = program(
        tmp_path, "tpp", "func.func @f(%a: memref<4x5xbf16>) {\n  tpp.relu outs(%a) : memref<4x5xbf16>\n  return\n}\n"
    )["f"]
    with pytest.raises(CompileError, match="element type uint16, expected bfloat16"):
        kernel(a=np.zeros((3, 4, 5), np.uint16))


def test_files_have_them_as_two_bytes(tmp_path: Path) -> None:
    path = tmp_path / "a.npz"
    np.savez(path, a=NUMBERS)
    found = load_arguments(path, ["a"])["a"]
    assert isinstance(found, np.ndarray)
    assert is_bf16(found.dtype)
    assert found.tobytes() == NUMBERS.tobytes()
