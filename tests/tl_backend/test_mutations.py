"""Whatever stands in a text: it is a program that can be compiled, or there are words for what is wrong with it."""

import pytest
from hypothesis import given

from einsum_front.core.diagnostics import CompileError, Source, render_all
from einsum_front.core.diagnostics.codes import TITLES
from einsum_front.core.diagnostics.highlight import TensorLanguageLexer
from einsum_front.tl_backend.emit import emit
from einsum_front.tl_backend.opencl.target import DEFAULT
from einsum_front.tl_backend.parse import parse
from einsum_front.tl_backend.passes.choose_work_group import WorkGroupLimits
from einsum_front.tl_backend.pipeline import passes, run
from einsum_front.tl_backend.program import Program
from einsum_front.tl_backend.unparse import unparse
from einsum_front.tl_backend.verify import check, verify
from tests.tl_backend.mutations import mutants

CPU = passes(WorkGroupLimits(is_cpu=True, max_work_group_size=DEFAULT.max_work_group_size))
GPU = passes(WorkGroupLimits(is_cpu=False, max_work_group_size=256))


@pytest.mark.generated
@given(mutants())
def test_a_text_with_mistakes_is_described_or_compiled(text: str) -> None:
    assert "".join(word for _, word in TensorLanguageLexer(stripnl=False, ensurenl=False).get_tokens(text)) == text
    try:
        compile_everywhere(text)
    except CompileError as error:
        assert_described(error)


def test_a_loop_that_never_runs_may_have_been_all_that_writes_some_memory() -> None:
    compile_everywhere("""
func @never(%A: memref<f32x2>) {
  %tmp = alloca -> memref<f32x2>
  foreach %i = 0, 0 {
    %t = cast %i : index -> f32
    store %t, %tmp[%i] : memref<f32x2>
  }
  axpby.n 1.0, %tmp, 0.0, %A : f32, memref<f32x2>, f32, memref<f32x2>
}
""")


def compile_everywhere(text: str) -> None:
    """The text through everything that takes a program."""
    program = parse(Source("mutant.tl", text))
    check(program)
    assert parse(Source("printed.tl", unparse(program))) == program
    for function in program.functions:
        for steps in (CPU, GPU):
            prepared = run(function, steps)
            assert verify(Program((prepared,))) == ()
            try:
                emit(prepared, DEFAULT)
            except CompileError as error:
                assert_described(error)


def assert_described(error: CompileError) -> None:
    """The error has places and codes, and can be shown."""
    assert {diagnostic.code for diagnostic in error.diagnostics} <= TITLES.keys()
    assert render_all(error.diagnostics).count("error[") >= len(error.diagnostics) > 0
