"""Packing in kernels: of arguments, of what is computed, and of what is packed already."""

from pathlib import Path

import numpy as np
import pytest

import einsum_front as ef
from einsum_front.core.diagnostics import CompileError, Source
from einsum_front.mlir.parse import parse
from einsum_front.mlir.to_graph import graphs
from einsum_front.mlir.verify import check

PLAIN, PACKED = "tensor<8x16xf64>", "tensor<2x4x4x4xf64>"
TILES = "inner_dims_pos = [0, 1] inner_tiles = [4, 4]"
TWICE = "tensor<1x2x4x4x2x2xf64>"
EMPTY = f"%e = tensor.empty() : {PLAIN}\n  %g = tensor.empty() : {PACKED}\n"
PACK = f"tensor.pack %s {TILES} into %g : {PLAIN} -> {PACKED}"
UNPACK = f"tensor.unpack %a {TILES} into %e : {PACKED} -> {PLAIN}"

BODIES = {
    "argument": (f"%s: {PLAIN}", f"%r = {PACK}", PACKED),
    "unpacked": (f"%a: {PACKED}", f"%r = {UNPACK}", PLAIN),
    "sum": (f"%a: {PLAIN}", f"%s = tpp.add(%a, %a)\n  %r = {PACK}", PACKED),
    "product": ("%a: tensor<8x5xf64>, %b: tensor<5x16xf64>", f"%s = tpp.matmul(%a, %b)\n  %r = {PACK}", PACKED),
    "factor": (f"%a: {PACKED}, %b: tensor<16x3xf64>", f"%s = {UNPACK}\n  %r = tpp.matmul(%s, %b)", "tensor<8x3xf64>"),
    "between": (f"%a: {PACKED}", f"%t = {UNPACK}\n  %s = tpp.exp(%t)\n  %r = {PACK}", PACKED),
    "zeros": (f"%a: {PLAIN}", f"%s = tpp.zero(%a)\n  %r = {PACK}", PACKED),
    "group": (f"%a: {PLAIN}", f"%r = tpp.group {{\n  %s = tpp.exp(%a)\n  %p = {PACK}\n  yield %p\n}}", PACKED),
    "twice": (
        f"%s: {PLAIN}",
        f"%p = {PACK}\n  %h = tensor.empty() : {TWICE}\n"
        f"  %r = tensor.pack %p inner_dims_pos = [0, 1] inner_tiles = [2, 2] into %h : {PACKED} -> {TWICE}",
        TWICE,
    ),
}


def text_of(arguments: str, body: str, result: str) -> str:
    return f"func.func @f({arguments}) -> {result} {{\n  {EMPTY}  {body}\n  return %r : {result}\n}}\n"


@pytest.mark.parametrize("name", BODIES)
def test_every_level_agrees(name: str, tmp_path: Path) -> None:
    path = tmp_path / "f.tpp"
    path.write_text(text_of(*BODIES[name]), encoding="utf-8")
    (kernel,) = ef.compile(ef.parse(path)).values()
    assert all(each.agrees for each in kernel.verify())


def test_some_modes_are_cut_in_another_order(tmp_path: Path) -> None:
    result = "tensor<16x2x4xf64>"
    packed = (
        f"tensor.pack %s outer_dims_perm = [1, 0] inner_dims_pos = [0] inner_tiles = [4] into %h : {PLAIN} -> {result}"
    )
    path = tmp_path / "f.tpp"
    path.write_text(
        text_of(f"%s: {PLAIN}", f"%h = tensor.empty() : {result}\n  %r = {packed}", result), encoding="utf-8"
    )
    given, found = np.random.default_rng(0).uniform(-1, 1, (3, 8, 16)), np.zeros((3, 16, 2, 4))
    ef.compile(ef.parse(path))["f"](s=given, result=found)
    np.testing.assert_array_equal(found, given.reshape(3, 2, 4, 16).transpose(0, 3, 1, 2))


def test_a_mode_that_is_not_cut_may_be_the_batch(tmp_path: Path) -> None:
    plain, packed = "tensor<5x8x16xf64>", "tensor<5x2x4x4x4xf64>"
    text = (
        f"func.func @f(%a: {plain}) -> {packed} {{\n  %e = tensor.empty() : {packed}\n"
        f"  %r = linalg.pack %a inner_dims_pos = [1, 2] inner_tiles = [4, 4] into %e : {plain} -> {packed}\n"
        f"  return %r : {packed}\n}}\n"
    )
    path = tmp_path / "f.mlir"
    path.write_text(text, encoding="utf-8")
    (kernel,) = ef.compile(ef.parse(path)).values()
    given, found = np.random.default_rng(0).uniform(-1, 1, (5, 8, 16)), np.zeros((5, 2, 4, 4, 4))
    kernel(a=given, result=found)
    np.testing.assert_array_equal(found, given.reshape(5, 2, 4, 4, 4).transpose(0, 1, 3, 2, 4))


def test_a_mode_that_is_cut_is_no_batch() -> None:
    module = parse(Source("t.mlir", text_of(*BODIES["argument"])))
    check(module)
    with pytest.raises(CompileError, match="is not the batch"):
        graphs(module, batch="0")
