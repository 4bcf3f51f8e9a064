"""A function that runs before each launch, as a part of the function that it is for."""

from dataclasses import replace

import numpy as np
import pytest

from einsum_front.core.diagnostics import CompileError, Source
from einsum_front.core.prologues import with_prologues
from einsum_front.driver import limits_of
from einsum_front.driver.targets import target_of
from einsum_front.runtime.artifact import TensorParameter
from einsum_front.runtime.devices.device import find_device
from einsum_front.runtime.launches.launch import Kernel
from einsum_front.tl_backend.emit import emit
from einsum_front.tl_backend.interpret import interpret
from einsum_front.tl_backend.opencl.target import DEFAULT
from einsum_front.tl_backend.parse import parse
from einsum_front.tl_backend.passes.choose_work_group import WorkGroupLimits
from einsum_front.tl_backend.pipeline import passes, run
from einsum_front.tl_backend.program import Edition, Function
from einsum_front.tl_backend.unparse import unparse, unparse_function
from einsum_front.tl_backend.verify import check

ONCE = """\
func @f_once(%K: memref<f64x3x3>, %L: memref<f64x3x3>, %KL: memref<f64x3x3>, %KLK: memref<f64x3x3>) {
  gemm.n.n 1.0, %K, %L, 0.0, %KL : f64, memref<f64x3x3>, memref<f64x3x3>, f64, memref<f64x3x3>
  gemm.n.n 1.0, %KL, %K, 0.0, %KLK : f64, memref<f64x3x3>, memref<f64x3x3>, f64, memref<f64x3x3>
}
"""
MAIN = """\
;! prologue @f_once
;! batched %Q
func @f(%K: memref<f64x3x3>, %L: memref<f64x3x3>, %KLK: memref<f64x3x3>, %Q: memref<f64x3x?>) {
  %g = group_id
  %q = subview %Q[:, %g] : memref<f64x3x?>
  %t = alloca -> memref<f64x3>
  gemv.n 1.0, %KLK, %q, 0.0, %t : f64, memref<f64x3x3>, memref<f64x3>, f64, memref<f64x3>
  axpby.n 1.0, %t, 0.0, %q : f64, memref<f64x3>, f64, memref<f64x3>
}
"""
TEXT = f"{ONCE}\n{MAIN}"
GPU = replace(DEFAULT, name="a GPU", is_cpu=False, max_work_group_size=256, subgroup_sizes=(32,))
RANDOM = np.random.default_rng(3)


def read(text: str) -> Function:
    program = parse(Source("f.tl", text))
    check(program)
    return program.functions[-1]


def matrices() -> dict[str, np.ndarray]:
    return {name: np.asfortranarray(RANDOM.random((3, 3))) for name in "KL"}


def expected(given: dict[str, np.ndarray], q: np.ndarray) -> np.ndarray:
    result: np.ndarray = given["K"] @ given["L"] @ given["K"] @ q
    return result


@pytest.mark.parametrize("text", [TEXT, f"{MAIN}\n{ONCE}"], ids=["before", "behind"])
def test_the_prologue_is_a_part_of_its_function(text: str) -> None:
    program = parse(Source("f.tl", text))
    (function,) = program.functions
    assert function.prologue is not None
    assert [each.name for each in with_prologues(program.functions)] == ["f_once", "f"]
    assert unparse(program) == TEXT
    assert parse(Source("f.tl", unparse(program))) == program


def test_two_functions_may_have_one_prologue() -> None:
    text = f"{TEXT}\n{MAIN.replace('@f(', '@g(')}"
    program = parse(Source("f.tl", text))
    check(program)
    assert [each.name for each in program.functions] == ["f", "g"]
    assert unparse(program) == text


def test_every_edition_has_words_for_both() -> None:
    for edition in (each for each in Edition if not each.is_dialect):
        text = unparse(parse(Source("f.tl", TEXT)), edition)
        assert parse(Source("f.tl", text)) == parse(Source("f.tl", TEXT))


def test_a_prologue_alone_is_a_function_like_any_other() -> None:
    function = read(ONCE)
    given = matrices()
    results = {name: np.zeros((3, 3)) for name in ("KL", "KLK")}
    interpret(function, {**given, **results}, 1)
    np.testing.assert_allclose(results["KLK"], given["K"] @ given["L"] @ given["K"])


def test_it_is_run_before_its_function() -> None:
    given, q = matrices(), RANDOM.random((3, 4))
    want = expected(given, q)
    interpret(read(TEXT), {**given, "Q": q}, 4)
    np.testing.assert_allclose(q, want)


def test_what_it_leaves_is_zero() -> None:
    q = np.ones((3, 2))
    lines = [line for line in TEXT.splitlines() if "%KL, %K" not in line]
    stored = "  store %x, %KLK[0, 0] : memref<f64x3x3>"
    lines.insert(lines.index("}"), stored)
    text = "\n".join(lines).replace("@f_once(", "@f_once(%x: f64, ").replace("@f(", "@f(%x: f64, ")
    interpret(read(text), {**matrices(), "x": 2.0, "Q": q}, 2)
    np.testing.assert_array_equal(q, [[2, 2], [0, 0], [0, 0]])


@pytest.mark.parametrize("target", [DEFAULT, GPU], ids=["CPU", "GPU"])
def test_passes_keep_the_meaning_of_both(target: object) -> None:
    is_cpu = target is DEFAULT
    limits = WorkGroupLimits(is_cpu, 1 if is_cpu else 256, () if is_cpu else (32,))
    ready = run(read(TEXT), passes(limits))
    assert ready.prologue is not None
    assert ready.prologue.work_group_size is not None
    assert ("barrier" in unparse_function(ready.prologue)) == (not is_cpu)
    given, q = matrices(), RANDOM.random((3, 2))
    want = expected(given, q)
    interpret(ready, {**given, "Q": q}, 2)
    np.testing.assert_allclose(q, want)


def test_the_source_has_both_kernels_and_what_they_share_once() -> None:
    artifact = emit(run(read(TEXT), passes(WorkGroupLimits(is_cpu=True, max_work_group_size=1))), DEFAULT)
    assert artifact.prologue is not None
    assert artifact.prologue.source == artifact.source
    assert (artifact.prologue.entry, artifact.entry) == ("f_once", "f")
    assert artifact.source.count("kernel __attribute__") == 2
    assert artifact.source.count("#pragma OPENCL EXTENSION cl_khr_fp64") == 1
    assert artifact.source.splitlines()[1].startswith("// before each launch, `f_once`: schedule `work_group`: ")
    assert [parameter.name for parameter in artifact.arguments] == ["K", "L", "Q"]
    assert list(artifact.owned) == ["KL", "KLK"]
    read_by_both = [p.name for p in artifact.parameters if isinstance(p, TensorParameter) and p.is_read]
    assert read_by_both == ["K", "L", "KLK", "Q"]


def test_it_runs_on_the_device() -> None:
    device = find_device()
    target = target_of(device.facts)
    kernel = Kernel(emit(run(read(TEXT), passes(limits_of(target))), target), device)
    given, q = matrices(), RANDOM.random((5, 3))
    want = expected(given, q.T).T
    kernel(**given, Q=q)
    np.testing.assert_allclose(q, want)


def test_a_fact_on_no_line_of_its_own_is_a_comment() -> None:
    text = TEXT.replace(";! prologue @f_once\n", "; ! prologue @f_once\n")
    assert [function.name for function in parse(Source("f.tl", text)).functions] == ["f_once", "f"]


def test_mistakes_in_a_prologue_are_said_once() -> None:
    text = f"{TEXT}\n{MAIN.replace('@f(', '@g(')}".replace("gemm.n.n 1.0, %K, %L", "gemm.n.n 1.0, %K, %M")
    with pytest.raises(CompileError) as caught:
        check(parse(Source("f.tl", text)))
    assert [each.code for each in caught.value.diagnostics] == ["E0410"]
