"""Functions that no contraction graph has: as loops over entries they compute what the interpreter does.

A function of a file in `loops` is a case.
"""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from einsum_front.commands.input import target_for
from einsum_front.core.diagnostics import CompileError, Diagnostic, Source
from einsum_front.data import Given, random_arguments
from einsum_front.driver import LoopStages, Session
from einsum_front.driver.from_mlir import host_of
from einsum_front.driver.translate import translate_text
from einsum_front.driver.verification import compare_levels, verify
from einsum_front.mlir.parse import parse
from einsum_front.mlir.to_loops import Loops, kernel_of
from einsum_front.mlir.to_loops.function import loops_of
from einsum_front.options import Level, Options
from einsum_front.runtime import Kernel, find_device
from einsum_front.tl_backend.program import Program
from einsum_front.tl_backend.unparse import unparse
from einsum_front.tl_backend.verify import check

FILES = sorted((Path(__file__).parent / "loops").glob("*.mlir"))
TEXTS = sorted((Path(__file__).parent / "texts").glob("*.mlir"))


def stages(text: str, batch: str | None) -> Iterator[LoopStages]:
    session = Session(target_for(find_device("c")), Options(batch_dim=batch))
    for each in translate_text(session, Source("t.mlir", text), Level.MLIR):
        assert isinstance(each, LoopStages)
        yield each


@pytest.mark.parametrize("batch", [None, "none"])
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_they_compute_what_the_interpreter_does(path: Path, batch: str | None) -> None:
    for each in stages(path.read_text(encoding="utf-8"), batch):
        check(Program((each.tensor_language,)))
        for comparison in verify(each, find_device("c")):
            assert comparison.agrees or comparison.left_out, (each.name, comparison)


def test_integers_are_exact_in_all_of_their_range() -> None:
    device = find_device("c")
    for each in stages((FILES[0].parent / "integers.mlir").read_text(encoding="utf-8"), "none"):
        whole = frozenset(parameter.name for parameter in each.artifact.arguments)
        given = random_arguments(each.artifact, 1, 5, Given(whole=whole))
        for comparison in compare_levels(each, device, given, 1):
            assert comparison.agrees, (each.name, comparison)


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: path.stem)
def test_what_a_graph_has_is_the_same_as_loops(path: Path) -> None:
    device = find_device("c")
    session = Session(target_for(device), Options())
    module = parse(Source(path.name, path.read_text(encoding="utf-8")))
    for function in module.functions:
        host = host_of(function)
        lowered = session.lower(loops_of(function, "none"), host)
        below = lowered.tensor_language, lowered.artifact, lowered.target, lowered.decision
        made = LoopStages(*below, module, function, Diagnostic("E0826", "a graph has it too"), host)
        for comparison in verify(made, device):
            assert comparison.agrees or comparison.left_out, (function.name, comparison)


DYNAMIC = """
func.func @f(%a: tensor<?xf64>, %k: tensor<?xf64>, %c: tensor<?xf64>) -> tensor<?xf64> {
  %r = linalg.conv_1d ins(%a, %k : tensor<?xf64>, tensor<?xf64>) outs(%c : tensor<?xf64>) -> tensor<?xf64>
  return %r : tensor<?xf64>
}
"""


def loops(text: str) -> Loops:
    module = parse(Source("t.mlir", text))
    found = kernel_of(module, module.functions[0])
    assert isinstance(found, Loops)
    return found


def test_what_a_window_reads_is_a_size_that_the_launch_checks() -> None:
    made = loops(DYNAMIC)
    assert ";! sizes %a n1+n2-1\n" in unparse(Program((made.function,)))
    assert made.why.message == "iterator d1 walks a mode together with others, and its extent is not known"


def test_a_window_in_a_mode_of_known_size_limits_the_other() -> None:
    text = DYNAMIC.replace("%a: tensor<?xf64>", "%a: tensor<16xf64>").replace("%k: tensor<?xf64>", "%k: tensor<3xf64>")
    text = text.replace(": tensor<?xf64>, tensor<?xf64>)", ": tensor<16xf64>, tensor<3xf64>)")
    assert [(each.least, each.most) for each in loops(text).function.limits] == [(1, 14)]


def test_a_size_that_two_others_would_have_to_leave_room_for_is_refused() -> None:
    text = DYNAMIC.replace("%a: tensor<?xf64>", "%a: tensor<16xf64>")
    text = text.replace("ins(%a, %k : tensor<?xf64>", "ins(%a, %k : tensor<16xf64>")
    with pytest.raises(CompileError, match="its extent is not known"):
        loops(text)


def test_positions_outside_are_the_nearest_ones() -> None:
    """In the interpreter as in kernels: MLIR leaves them open, and nothing else is read."""
    text = (FILES[0].parent / "numbers.mlir").read_text(encoding="utf-8")
    (each,) = [each for each in stages(text, None) if each.name == "gather"]
    a, result = np.arange(35, dtype=np.float32).reshape(1, 7, 5), np.zeros((1, 6), np.float32)
    Kernel(each.artifact, find_device("c"))(1, a=a, n=np.array([[-5, 9, 2, 4, 5, 0]], np.int32), result=result)
    np.testing.assert_array_equal(result[0], a[0, np.arange(6), [0, 4, 2, 4, 4, 0]])
