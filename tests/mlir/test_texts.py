"""Texts as printers and people write them: read, and the same numbers from the function down to the device."""

from pathlib import Path

import pytest

import einsum_front as ef
from einsum_front.core.diagnostics import Source
from einsum_front.driver.mlir_texts import linalg_loops_text
from einsum_front.driver.verification import levels
from einsum_front.mlir.parse import parse
from einsum_front.mlir.to_graph import graphs
from einsum_front.runtime import find_device

EXAMPLES = Path(__file__).parents[2] / "examples"
TEXTS = sorted((Path(__file__).parent / "texts").iterdir())


@pytest.fixture(autouse=True)
def kernel_trees_of_few_statements(monkeypatch: pytest.MonkeyPatch) -> None:
    """Their interpreter takes seconds for some; `tests/tl_backend/kernel` has kernels of all schedules."""
    monkeypatch.setattr("einsum_front.driver.verification.MOST_STATEMENTS", 5000)


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: path.name)
def test_levels_agree(path: Path) -> None:
    for kernel in ef.compile(ef.parse(path), batch_dim="none").values():
        assert levels(kernel.translation, find_device("auto"), 1)[0][0] == "mlir"
        comparisons = kernel.verify()
        assert [each.level for each in comparisons if not each.agrees] == []


@pytest.mark.parametrize("path", ["ader_dg/volume.ein", "functions/limiter.ein", "linalg/layer.mlir"])
def test_loops_over_the_batch_are_read_back(path: str, tmp_path: Path) -> None:
    loops = linalg_loops_text([each.translation for each in ef.compile(ef.parse(EXAMPLES / path)).values()])
    assert loops is not None
    (tmp_path / "loops.mlir").write_text(loops)
    for kernel in ef.compile(ef.parse(tmp_path / "loops.mlir")).values():
        comparisons = kernel.verify()
        assert [each.level for each in comparisons if not each.agrees] == []
        assert comparisons[0].level == "graph"


@pytest.mark.parametrize(("formula", "loop"), [("A[ik] * B[kj]", "scf.parallel"), ("A[ik] * B[kl] * K[lj]", "scf.for")])
def test_elements_run_at_once_unless_they_share_memory(formula: str, loop: str, tmp_path: Path) -> None:
    """The second formula has a temporary, which is allocated once, in front of the loop."""
    tensors = "tensor A[3, 4] tensor B[4, 5] tensor C[3, 5] tensor K[5, 5]"
    (tmp_path / "f.ein").write_text(f"{tensors}\nkernel f {{ C[ij] = {formula} }}\n")
    text = linalg_loops_text([each.translation for each in ef.compile(ef.parse(tmp_path / "f.ein")).values()])
    assert text is not None
    assert (f'"{loop}"(' in text, '"memref.alloc"' in text) == (True, loop == "scf.for")
    (tmp_path / "f.mlir").write_text(text)
    assert all(each.agrees for each in ef.compile(ef.parse(tmp_path / "f.mlir"))["f"].verify())


def test_a_loop_over_something_else_is_no_batch() -> None:
    text = """
func.func @f(%a: memref<4x5xf32>, %c: memref<4x5xf32>, %d: memref<5xf32>) {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %4 = arith.constant 4 : index
  scf.for %e = %0 to %4 step %1 {
    %x = memref.subview %a[%e, 0] [1, 5] [1, 1] : memref<4x5xf32> to memref<5xf32, strided<[1], offset: ?>>
    linalg.add ins(%x, %d : memref<5xf32, strided<[1], offset: ?>>, memref<5xf32>) outs(%d : memref<5xf32>)
  }
  return
}
"""
    (graph,) = graphs(parse(Source("f.mlir", text)))
    assert [tensor.shape for tensor in graph.tensors if tensor.name == "a"] == [(4, 5)]
