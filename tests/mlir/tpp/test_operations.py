"""Each primitive on memrefs and on tensors: read, checked, written again, interpreted, and run as a kernel."""

import re
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

import einsum_front as ef
from einsum_front.core.diagnostics import CompileError, Source, render_all
from einsum_front.core.diagnostics.codes import TITLES
from einsum_front.mlir import nodes as mlir
from einsum_front.mlir.interpret import interpret
from einsum_front.mlir.parse import parse
from einsum_front.mlir.to_graph import NO_BATCH, graphs
from einsum_front.mlir.tpp.expand import expanded
from einsum_front.mlir.tpp.operations import FORMS, UNARY
from einsum_front.mlir.tpp.unparse import Spelling, unparse
from einsum_front.mlir.unparse import unparse as unparse_generic
from einsum_front.mlir.verify import check
from tests.mlir.tpp.operations import CASES, Array, Case, text_of
from tests.mlir.tpp.test_generated import PROGRAMS

KINDS = ("memref", "tensor")
TOLERANCE = {"f64": 1e-12, "f32": 2e-5}
FILES = sorted((Path(__file__).parents[2] / "errors" / "tpp").glob("*.tpp"))


def read(text: str) -> mlir.Module:
    module = parse(Source("t.tpp", text))
    check(module)
    return module


def data(case: Case, count: tuple[int, ...] = (), dtype: str = "f64") -> tuple[list[Array], list[Array]]:
    """Inputs, and what outputs have before; roots are taken of positive numbers."""
    numbers = np.random.default_rng(len(case.id))
    least = 0.1 if case.name == "sqrt" else -1.0
    drawn = [
        [numbers.uniform(least, 1.0, (*count, *shape)).astype(f"<{dtype[0]}{int(dtype[1:]) // 8}") for shape in shapes]
        for shapes in (case.inputs, case.outputs)
    ]
    return drawn[0], drawn[1]


def old_of(case: Case, outs: list[Array]) -> list[Array]:
    """What an operation on tensors reads of its outputs: `zero` their shape."""
    return outs if case.name == "zero" else outs[: case.old]


def expected(case: Case, ins: list[Array], outs: list[Array]) -> list[Array]:
    found = case.expected(*ins, *outs[: case.old])
    return list(found) if isinstance(found, list) else [np.asarray(found)]


def test_all_primitives_have_a_case() -> None:
    assert {case.name for case in CASES} == set(FORMS) - {"pack_vnni"}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
@pytest.mark.parametrize("kind", KINDS)
class TestOperation:
    def test_is_written_and_read_again(self, case: Case, kind: str) -> None:
        module = read(text_of(case, kind, "f32"))
        texts = [unparse(module, spelling) for spelling in Spelling]
        assert texts[0] != texts[1]
        for text in (*texts, unparse_generic(module)):
            assert read(text) == module

    def test_computes(self, case: Case, kind: str) -> None:
        module = read(text_of(case, kind, "f64"))
        ins, outs = data(case)
        wanted = expected(case, ins, outs)
        if kind == "memref":
            found = [each.copy() for each in outs]
            interpret(module, "f", [*ins, *found])
        else:
            found = [np.asarray(each, float) for each in interpret(module, "f", [*ins, *old_of(case, outs)])]
        for one, other in zip(found, wanted, strict=True):
            np.testing.assert_allclose(one, other, 1e-12)


@pytest.mark.parametrize("kind", ["memref", "tensor"])
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_the_image_in_linalg_keeps_the_rules(case: Case, kind: str) -> None:
    check(expanded(parse(Source("f.tpp", text_of(case, kind, "f64")))))


OPEN = [case for case in CASES if any(5 in shape for shape in case.inputs)]


@pytest.mark.parametrize("case", OPEN, ids=lambda case: case.id)
@pytest.mark.parametrize("kind", KINDS)
def test_sizes_may_be_open(case: Case, kind: str) -> None:
    module = read(re.sub("(?<=[<x])5x", "?x", text_of(case, kind, "f64")))
    ins, outs = data(case)
    found = [each.copy() for each in outs]
    given = [*ins, *(found if kind == "memref" else outs[: case.old])]
    results = interpret(module, "f", given)
    for one, other in zip(results or found, expected(case, ins, outs), strict=True):
        np.testing.assert_allclose(np.asarray(one, float), other, 1e-12)
    graphs(module, batch=NO_BATCH)


@pytest.mark.parametrize(
    "case", [case for case in CASES if () in (*case.inputs, *case.outputs)], ids=lambda each: each.id
)
@pytest.mark.parametrize("kind", KINDS)
def test_single_numbers_agree_at_every_level(case: Case, kind: str, tmp_path: Path) -> None:
    path = tmp_path / "f.tpp"
    path.write_text(text_of(case, kind, "f32"), encoding="utf-8")
    (kernel,) = ef.compile(ef.parse(path)).values()
    assert all(each.agrees for each in kernel.verify())


@pytest.mark.parametrize("case", CASES[::3] if PROGRAMS < 1000 else CASES, ids=lambda case: case.id)
@pytest.mark.parametrize(("kind", "element"), [("memref", "f32"), ("tensor", "f64")])
def test_runs(case: Case, kind: str, element: str, tmp_path: Path) -> None:
    path = tmp_path / "f.tpp"
    path.write_text(text_of(case, kind, element), encoding="utf-8")
    kernel = ef.compile(ef.parse(path))["f"]
    ins, outs = data(case, (5,), element)
    wanted = [expected(case, [each[n] for each in ins], [each[n] for each in outs]) for n in range(5)]
    found = [each.copy() for each in outs]
    arguments = {f"a{n}": each for n, each in enumerate(ins)}
    if kind == "memref":
        arguments |= {f"c{n}": each for n, each in enumerate(found)}
    else:
        arguments |= {f"c{n}": each for n, each in enumerate(old_of(case, outs))}
        arguments |= {"result" if len(found) == 1 else f"result{n}": each for n, each in enumerate(found)}
    kernel(**arguments)
    for number, one in enumerate(found):
        other = np.array([each[number] for each in wanted])
        np.testing.assert_allclose(one, other, TOLERANCE[element], TOLERANCE[element])


def test_a_result_may_know_less_than_its_input() -> None:
    given, known = "tensor<4x3xf64>", "tensor<?x3xf64>"
    text = f"""
        func.func @f(%a: {given}) -> {known} {{
          %r = tpp.relu(%a : {given}) -> {known}
          return %r : {known}
        }}"""
    (found,) = interpret(read(text), "f", [-np.ones((4, 3))])
    np.testing.assert_array_equal(np.asarray(found, float), np.zeros((4, 3)))


def test_what_is_broadcast_in_place_of_memory_has_no_size() -> None:
    text = """
        func.func @f(%s: f64, %b: memref<1x?xf64>, %c: memref<?x4xf64>, %d: memref<?x?xf64>) {
          tpp.broadcast ins(%s) outs(%c)
          tpp.broadcast ins(%b) outs(%d)
          return
        }"""
    (graph,) = graphs(read(text), batch=NO_BATCH)
    (row,) = (each for each in graph.arguments if each.name == "b")
    (whole,) = (each for each in graph.arguments if each.name == "d")
    assert row.shape[1] == whole.shape[1] != whole.shape[0]


# -- special numbers ---------------------------------------------------------------------------------------------------

SPECIAL = np.array([np.nan, np.inf, -np.inf, 0.0, -0.0, 5e-324, -5e-324, 1.0, -1.0, 710.0, -745.0, 1e308])


@pytest.mark.parametrize("name", [case.name for case in CASES if case.name in UNARY])
def test_special_numbers(name: str) -> None:
    case = next(case for case in CASES if case.name == name)
    text = f"func.func @f(%a: memref<12xf64>) {{\n  tpp.{name} outs(%a) : memref<12xf64>\n  return\n}}\n"
    found = SPECIAL.copy()
    interpret(read(text), "f", [found])
    with np.errstate(all="ignore"):
        (wanted,) = expected(case, [SPECIAL], [])
    np.testing.assert_allclose(found, wanted, 1e-15)  # gelu has its factors in another order
    kept = np.isnan(wanted) | (np.signbit(found) == np.signbit(wanted))
    assert kept.all()


def test_the_larger_of_anything_and_nan_is_nan() -> None:
    text = (
        "func.func @f(%a: memref<2x3xf64>, %c: memref<2x1xf64>) {\n"
        "  tpp.reduce_max ins(%a) outs(%c) : (memref<2x3xf64>, memref<2x1xf64>)\n  return\n}\n"
    )
    found = np.zeros((2, 1))
    interpret(read(text), "f", [np.array([[1.0, np.nan, 2.0], [-np.inf, -np.inf, -np.inf]]), found])
    np.testing.assert_array_equal(found, [[np.nan], [-np.inf]])


# -- bf16 and packing --------------------------------------------------------------------------------------------------


def rounded(values: NDArray[np.float32]) -> NDArray[np.float32]:
    """The nearest numbers of bf16, by what is far from them on either side."""
    low = (values.view(np.uint32) & np.uint32(0xFFFF0000)).view(np.float32)
    high = (low.view(np.uint32) + np.uint32(0x10000)).view(np.float32)
    below, above = abs(values - low), abs(high - values)
    is_even = (low.view(np.uint32) >> np.uint32(16)) % 2 == 0
    return np.where((below < above) | ((below == above) & is_even), low, high).astype(np.float32)


def matrix(seed: int, *shape: int) -> NDArray[np.float32]:
    return rounded(np.random.default_rng(seed).uniform(-1, 1, shape).astype(np.float32))


def test_sums_of_bf16_are_rounded_once() -> None:
    text = (
        "func.func @f(%a: memref<4x64xbf16>, %b: memref<64x6xbf16>, %c: memref<4x6xbf16>) {\n"
        "  tpp.matmul ins(%a, %b, %c) outs(%c) : (memref<4x64xbf16>, memref<64x6xbf16>, memref<4x6xbf16>)\n"
        "  return\n}\n"
    )
    a, b, c = matrix(0, 4, 64), matrix(1, 64, 6), matrix(2, 4, 6)
    found = c.copy()
    interpret(read(text), "f", [a, b, found])
    exact = a.astype(float) @ b.astype(float) + c
    assert (abs(found - exact) <= 2.0**-8 * abs(exact) + 1e-6).all()
    assert (found == rounded(found)).all()
    assert (found != exact.astype(np.float32)).any()


@pytest.mark.parametrize(("target", "name"), [("bf16", "pack_vnni"), ("f32", "vnni_pack")])
def test_vnni(target: str, name: str) -> None:
    text = f"""
        func.func @f(%a: memref<4x8xbf16>, %b: memref<8x6xbf16>, %c: memref<4x6x{target}>) {{
          %p = memref.alloc() : memref<4x6x2xbf16>
          tpp.{name} ins(%b) outs(%p) : (memref<8x6xbf16>, memref<4x6x2xbf16>)
          tpp.matmul ins(%a, %p) outs(%c) : (memref<4x8xbf16>, memref<4x6x2xbf16>) -> memref<4x6x{target}>
          return
        }}"""
    a, b, found = matrix(0, 4, 8), matrix(1, 8, 6), np.zeros((4, 6), np.float32)
    interpret(read(text), "f", [a, b, found])
    exact = a.astype(float) @ b.astype(float)
    np.testing.assert_allclose(found, exact, 2.0**-8 if target == "bf16" else 1e-6)


@pytest.mark.parametrize("dialect", ["tensor", "linalg"])
@pytest.mark.parametrize("outer", [(0, 1), (1, 0)])
def test_packing_is_undone_by_unpacking(dialect: str, outer: tuple[int, int]) -> None:
    blocks = [(6, 4)[mode] // (3, 2)[mode] for mode in outer]
    packed = f"tensor<{blocks[0]}x{blocks[1]}x3x2xf64>"
    order = f"outer_dims_perm = [{outer[0]}, {outer[1]}] inner_dims_pos = [0, 1] inner_tiles = [3, 2]"
    text = f"""
        func.func @f(%a: tensor<6x4xf64>) -> ({packed}, tensor<6x4xf64>) {{
          %0 = tensor.empty() : {packed}
          %1 = {dialect}.pack %a {order} into %0 : tensor<6x4xf64> -> {packed}
          %2 = tensor.empty() : tensor<6x4xf64>
          %3 = {dialect}.unpack %1 {order} into %2 : {packed} -> tensor<6x4xf64>
          return %1, %3 : {packed}, tensor<6x4xf64>
        }}"""
    module = read(text)
    assert read(unparse_generic(module)) == module
    a = np.arange(24.0).reshape(6, 4)
    found, back = interpret(module, "f", [a])
    blocked = a.reshape(2, 3, 2, 2).transpose(0, 2, 1, 3)
    np.testing.assert_array_equal(found, blocked if outer == (0, 1) else blocked.transpose(1, 0, 2, 3))
    np.testing.assert_array_equal(back, a)


# -- groups, other spellings -------------------------------------------------------------------------------------------

GROUP = """
    func.func @f(
        %x: tensor<8x16xf64>, %w: tensor<16x32xf64> {einsum_front.constant}, %b: tensor<32xf64>
    ) -> tensor<8x32xf64> {
      %y, %z = tpp.group {
        %bias = tpp.broadcast(%b : tensor<32xf64>) -> tensor<8x32xf64>
        %1 = tpp.gemm ins(%x, %w) : (tensor<8x16xf64>, tensor<16x32xf64>)
        %2 = tpp.add(%1, %bias)
        %3 = tpp.relu(%2)
        yield %3, %2
      }
      %r = tpp.sub(%y, %z)
      return %r : tensor<8x32xf64>
    }
"""


def test_groups_are_what_they_have() -> None:
    module = read(GROUP)
    for spelling in Spelling:
        assert read(unparse(module, spelling)) == module
    numbers = np.random.default_rng(0)
    x, w, b = (numbers.uniform(-1, 1, shape) for shape in ((8, 16), (16, 32), (32,)))
    (found,) = interpret(module, "f", [x, w, b])
    y = x @ w + b
    np.testing.assert_allclose(np.asarray(found, float), np.maximum(y, 0) - y, atol=1e-14)
    (graph,) = graphs(module, batch=NO_BATCH)
    assert [each.storage.value for each in graph.arguments] == ["batched", "constant", "batched", "batched"]


def test_forms_of_the_reference() -> None:
    """What its examples write: types of some operands only, zeros without `outs`, results behind an arrow."""
    forms = """
        func.func @f(%0: memref<4x5xf32>, %1: memref<5x6xf32>, %2: memref<4x6xf32>, %3: memref<6x4xf32>, %s: f32) {
          tpp.zero(%2) : memref<4x6xf32>
          tpp.zero outs(%2) : memref<4x6xf32>
          tpp.matmul ins(%0, %1) outs(%2) : (memref<4x5xf32>, memref<5x6xf32>) -> memref<4x6xf32>
          tpp.matmul ins(%0, %1, %2) outs(%2) : (memref<4x5xf32>, memref<5x6xf32>) -> memref<4x6xf32>
          tpp.transpose ins(%2) outs(%3) : memref<4x6xf32> -> memref<6x4xf32>
          tpp.add ins(%2, %2) outs(%2) : (memref<4x6xf32>, memref<4x6xf32>, memref<4x6xf32>) -> memref<4x6xf32>
          tpp.broadcast ins(%s) outs(%2) : (f32, memref<4x6xf32>)
          tpp.relu outs(%2) : memref<4x6xf32>
          %4 = memref.alloc : memref<4x6xf32>
          tpp.leaky_relu {alpha = 0.5} ins(%2) outs(%4) : memref<4x6xf32> -> memref<4x6xf32>
          tpp.relu(%4)
          return
        }"""
    module = read(forms)
    body = module.functions[0].body or ()
    names = [each.name for each in body if isinstance(each, mlir.Primitive)]
    assert names == [
        *("zero", "zero", "matmul", "matmul", "transpose", "add", "broadcast", "relu"),
        "leaky_relu",
        "relu",
    ]
    assert [each.alpha for each in body[-3:-1] if isinstance(each, mlir.Primitive)] == [0.5, None]


def test_columns_that_never_meet_are_no_common_memory() -> None:
    left, right = "memref<4x2xf32, strided<[4, 2]>>", "memref<4x2xf32, strided<[4, 2], offset: 1>>"
    text = f"""
        func.func @f(%x: memref<4x4xf32>, %y: memref<4x4xf32>) {{
          %0 = memref.subview %x [0, 0] [4, 2] [1, 2] : memref<4x4xf32> to {left}
          %1 = memref.subview %x [0, 1] [4, 2] [1, 2] : memref<4x4xf32> to {right}
          tpp.add ins(%0, %1) outs(%0)
          return
        }}"""
    x = np.arange(16.0, dtype=np.float32).reshape(4, 4)
    wanted = x.copy()
    wanted[:, ::2] += x[:, 1::2]
    interpret(read(text), "f", [x, x])
    np.testing.assert_array_equal(x, wanted)
    with pytest.raises(CompileError, match="views of one memory"):
        read(
            text.replace("[0, 1] [4, 2] [1, 2]", "[0, 1] [4, 2] [1, 1]").replace(
                "[4, 2], offset: 1", "[4, 1], offset: 1"
            )
        )


# -- mistakes ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_says_what_is_wrong(path: Path) -> None:
    text, mark, words = path.read_text(encoding="utf-8").partition("\n// error[")
    wanted = re.sub("^// ?", "", mark.strip("\n") + words, flags=re.MULTILINE)
    with pytest.raises(CompileError) as error:
        graphs(read_file(path.name, text), batch=NO_BATCH)
    assert render_all(error.value.diagnostics) == wanted.rstrip("\n")


def read_file(name: str, text: str) -> mlir.Module:
    module = parse(Source(name, text))
    check(module)
    return module


def test_every_code_of_primitives_is_shown() -> None:
    shown = {code for path in FILES for code in re.findall(r"// error\[(E\d+)\]", path.read_text(encoding="utf-8"))}
    assert {code for code in shown if code > "E0850"} | {"E0850"} == {
        code for code in TITLES if "E0850" <= code <= "E0860"
    }
