"""Products of constants computed once per launch, from the text to the device, at every level and in every schedule."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np
import pyopencl.array as cl_array
import pytest

import einsum_front as ef
from einsum_front.compiled import CompiledKernel
from einsum_front.core.diagnostics import CompileError, Source
from einsum_front.driver import Session, translate_program, translate_text
from einsum_front.driver.targets import DEFAULT, target_of
from einsum_front.driver.texts import explanation, operation_count
from einsum_front.notation.parse import parse
from einsum_front.options import Level, Options
from einsum_front.runtime.devices.device import find_device
from einsum_front.runtime.launches.launch import Kernel
from einsum_front.tl_backend.emit import emit
from einsum_front.tl_backend.parse import parse as parse_tensor_language
from einsum_front.tl_backend.unparse import unparse_function
from einsum_front.tl_backend.verify import verify
from tests.runtime.kernels import transposed

TEXT = """
tensor Q[20, 9]
tensor I[20, 9]
tensor A[9, 9]
tensor K[20, 20] constant
tensor M[20, 20] constant row_major
tensor D[20, 20] constant nonzeros [(0,0), (1,0), (2,1), (7,7)]
scalar dt
kernel step { Q[k,p] += dt * (K[k,l] + 2*D[k,l]) * M[l,m] * I[m,q] * A[q,p] }
kernel other { Q[k,p] = D[k,l] * D[l,m] * I[m,p] }
"""
RANDOM = np.random.default_rng(5)


def arguments(batch: int, real: type[np.floating] = np.float64) -> dict[str, np.ndarray]:
    shapes = {"Q": (batch, 20, 9), "I": (batch, 20, 9), "A": (batch, 9, 9), "K": (20, 20), "M": (20, 20)}
    found: dict[str, np.ndarray] = {name: RANDOM.random(shape).astype(real) for name, shape in shapes.items()}
    pattern: np.ndarray = np.zeros((20, 20), real)
    for entry in ((0, 0), (1, 0), (2, 1), (7, 7)):
        pattern[entry] = RANDOM.random()
    return {**found, "D": pattern}


def expected(given: Mapping[str, np.ndarray], dt: float) -> np.ndarray:
    constant = (given["K"] + 2 * given["D"]) @ given["M"]
    result: np.ndarray = given["Q"] + dt * constant @ given["I"] @ given["A"]
    return result


@pytest.fixture(params=["f32", "f64"])
def kernel(request: pytest.FixtureRequest) -> CompiledKernel:
    return ef.compile(ef.parse(TEXT), real=request.param, kernel="step", cache=False)["step"]


def real_of(kernel: CompiledKernel) -> type:
    return np.float32 if "f32" in kernel.tensor_language else np.float64


def test_a_call_takes_the_arguments_of_the_text(kernel: CompiledKernel) -> None:
    names = {"Q", "I", "A", "K", "M", "D", "dt"}
    assert {parameter.name for parameter in kernel.artifact.arguments} == names
    real = real_of(kernel)
    for _ in range(2):  # with other constants
        given = arguments(50, real)
        want = expected(given, 0.5)
        kernel(dt=0.5, **given)
        np.testing.assert_allclose(given["Q"], want, rtol=1e-4 if real is np.float32 else 1e-12)


def test_every_level_agrees(kernel: CompiledKernel) -> None:
    comparisons = kernel.verify()
    assert [each.level for each in comparisons if not each.layout] == ["graph", "yir", "tl", "kernel", "device"]
    assert all(each.agrees for each in comparisons)


def test_what_a_temporary_was_before_it_changes() -> None:
    """One result needs it as it was, and the other as it is afterwards: both are computed once, in this order."""
    text = """
    tensor Q[2, 3]
    tensor K[2, 3] constant
    tensor L[3, 3] constant
    tensor M[3, 3] constant
    temp T[2, 3]
    scalar s
    kernel f {
        T[i,j] = s * K[i,j]
        Q[i,0] -= T[i,2]
        T[i,j=1:3] = 2 * T[j,i=1:3]
        Q[i,j] += s * T[i,l] * L[l,k] * M[k,j]
    }
    """
    kernel = ef.compile(ef.parse(text), cache=False)["f"]
    assert kernel.yateto is not None
    assert "define @f_prologue" in kernel.yateto
    q, k, left, right = (RANDOM.random(shape) for shape in ((4, 2, 3), (2, 3), (3, 3), (3, 3)))
    result, t, s = q.copy(), 0.5 * k, 0.5
    result[:, :, 0] -= t[:, 2]
    t[:, 1:3] = 2 * t[:, 1:3].T
    result += s * t @ left @ right
    kernel(Q=q, K=k, L=left, M=right, s=s)
    np.testing.assert_allclose(q, result, rtol=1e-12)


def test_every_level_shows_both(kernel: CompiledKernel) -> None:
    for text, starts in (
        (kernel.graph, ("graph step_prologue\n", "graph step\n")),
        (kernel.plan, ("plan step: ", "once per launch\nplan step_prologue: ")),
        (kernel.yateto, ("define @step_prologue(", ";! prologue @step_prologue\n", "define @step(")),
        (kernel.tensor_language, ("func @step_prologue(", ";! prologue @step_prologue\n", "func @step(")),
    ):
        assert text is not None
        places = [f"\n{text}".find(f"\n{start}") for start in starts]
        assert -1 not in places
        assert places == sorted(places)
    assert kernel.opencl.count("kernel __attribute__") == 2


def test_what_an_element_takes_is_explained(kernel: CompiledKernel) -> None:
    data = explanation(kernel.translation)
    assert isinstance(data["prologue"], dict)
    assert data["prologue"]["name"] == "step_prologue"
    assert data["operations"] == {"nonzero": 10260, "executed": 10260}
    assert kernel.operations == 20 * 9 * (2 * 20 + 2 * 9 - 1) == 10260


def test_a_text_below_the_notation_is_the_same_kernel(kernel: CompiledKernel) -> None:
    for level, text in ((Level.YIR, kernel.yateto), (Level.TL, kernel.tensor_language)):
        assert text is not None
        (again,) = translate_text(Session(DEFAULT), Source("again", text), level)
        assert again.artifact.arguments == kernel.artifact.arguments
        assert again.artifact.prologue is not None
        assert again.artifact.prologue.parameters == kernel.artifact.prologue.parameters  # type: ignore[union-attr]


def test_what_a_user_edits_is_run() -> None:
    """Twice as much, from a prologue of the user; and the prologue alone, as a kernel."""
    compiled = ef.compile(ef.parse(TEXT), kernel="step", cache=False)["step"]
    before, main = compiled.tensor_language.split("\n\n")
    *lines, end = before.splitlines()
    name = next(name for name in compiled.artifact.owned if name in main)
    doubled = f"  axpby.n 1.0, %{name}, 1.0, %{name} : f64, memref<f64x20x20>, f64, memref<f64x20x20>"
    type_ = "memref<f64x20x20>"
    copied = [
        f"  %copy = alloca -> {type_}",
        f"  axpby.n 1.0, %{name}, 0.0, %copy : f64, {type_}, f64, {type_}",
        doubled.replace(f"1.0, %{name}, 1.0", "1.0, %copy, 1.0"),
    ]
    text = "\n".join([*lines, *copied, end, "", main])
    program = ef.parse(text_file(text))
    given = arguments(7)
    want = 2 * expected({**given, "Q": 0 * given["Q"]}, 1.5) + given["Q"]
    ef.compile(program, cache=False)["step"](dt=1.5, **given)
    np.testing.assert_allclose(given["Q"], want, rtol=1e-12)
    alone = ef.compile(program, kernel="step_prologue", cache=False)["step_prologue"]
    results = {
        parameter.name: alone.empty(parameter.name)
        for parameter in alone.artifact.arguments
        if getattr(parameter, "is_written", False)
    }
    scalars = {p.name: 1.0 for p in alone.artifact.arguments if not hasattr(p, "shape")}
    alone(**results, **{name: given[name] for name in ("K", "D", "M")}, **scalars)
    np.testing.assert_allclose(results[name], 2 * (given["K"] + 2 * given["D"]) @ given["M"], rtol=1e-12)


def test_opencl_that_a_user_edits_is_run() -> None:
    """The prologue is in the text, too: here it computes nothing, so the memory of the launch is zero."""
    compiled = ef.compile(ef.parse(TEXT), kernel="step", schedule="work_group", cache=False)["step"]
    head, body = compiled.opencl.split("void step_prologue(", 1)
    parameters, rest = body.split(")\n{\n", 1)
    edited = compiled.with_opencl(f"{head}void step_prologue({parameters})\n{{\n    return;\n{rest}")
    given = arguments(4)
    before = given["Q"].copy()
    edited(dt=0.5, **given)
    np.testing.assert_array_equal(given["Q"], before)
    with pytest.raises(CompileError, match="has no kernel `step_prologue`"):
        compiled.with_opencl(compiled.opencl.replace("step_prologue", "another"))


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def text_file(text: str) -> Path:
    path = Path("edited.tl")
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize("schedule", ["batch_simd", "work_group", "work_group:block=2x3"])
def test_every_schedule_has_it(schedule: str) -> None:
    compiled = ef.compile(ef.parse(TEXT), kernel="step", schedule=schedule, cache=False)["step"]
    given = arguments(13)
    want = expected(given, 0.25)
    compiled(dt=0.25, **given)
    np.testing.assert_allclose(given["Q"], want, rtol=1e-12)


def test_arrays_that_are_on_the_device() -> None:
    compiled = ef.compile(ef.parse(TEXT), kernel="step", cache=False)["step"]
    context, queue = find_device().context, find_device().queue
    assert context is not None
    given = arguments(6)
    want = expected(given, 1.0)

    def on_device(array: np.ndarray) -> cl_array.Array:
        order = (*range(array.ndim - 2), array.ndim - 1, array.ndim - 2)
        return transposed(cl_array.to_device(queue, array.transpose(order).copy()), order)

    arrays = {name: on_device(array) for name, array in given.items() if name not in "MD"}
    compiled(dt=1.0, D=given["D"], M=cl_array.to_device(queue, given["M"]), **arrays)
    np.testing.assert_allclose(transposed(arrays["Q"], (0, 2, 1)).get(), want.transpose(0, 2, 1), rtol=1e-12)


def test_exact_zeros_of_the_product_reach_the_kernel() -> None:
    """A launch that takes no time: the kernel is too small for another one."""
    target = target_of(find_device().facts)
    launch = replace(target.machine.launch, kernel=0)
    session = Session(replace(target, machine=replace(target.machine, launch=launch)), Options(kernel="other"))
    (translation,) = translate_program(session, parse(Source("f.ein", TEXT)))
    # D D has entries at (0,0), (1,0), (2,0) and (7,7)
    assert ";! nonzeros %D_1 0:3 147\n" in unparse_function(translation.tensor_language)
    assert operation_count(translation) == 0 * 9 + 4 * 9
    given = arguments(3)
    Kernel(translation.artifact, find_device())(Q=given["Q"], I=given["I"], D=given["D"])
    np.testing.assert_allclose(given["Q"], given["D"] @ given["D"] @ given["I"])


def test_a_gpu_gets_both() -> None:
    target = replace(DEFAULT, name="a GPU", is_cpu=False, max_work_group_size=256, subgroup_sizes=(32,))
    (translation, _) = translate_program(Session(target), parse(Source("f.ein", TEXT)))
    artifact = translation.artifact
    assert artifact.prologue is not None
    assert artifact.prologue.work_group_size[0] * artifact.prologue.work_group_size[1] >= 32
    before = translation.tensor_language.prologue
    assert before is not None
    assert "alloca" not in unparse_function(before)
    given = arguments(9)
    want = expected(given, 0.5)
    Kernel(artifact, find_device())(dt=0.5, **given)  # work-groups of several items run on any device
    np.testing.assert_allclose(given["Q"], want, rtol=1e-12)


def test_names_of_kernels_are_not_taken() -> None:
    text = TEXT + "kernel step_prologue { Q[k,p] = I[k,p] }\n"
    compiled = ef.compile(ef.parse(text), cache=False)
    assert list(compiled) == ["step", "other", "step_prologue"]
    assert "func @step_prologue_1(" in compiled["step"].tensor_language
    assert verify(parse_tensor_language(Source("f.tl", compiled.tensor_language))) == ()


def test_an_index_string_with_constants() -> None:
    a, b, x = RANDOM.random((30, 40)), RANDOM.random((40, 30)), RANDOM.random((200, 30, 5))
    result = ef.einsum("ij,jk,bkl->bil", a, b, x)
    np.testing.assert_allclose(result, np.einsum("ij,jk,bkl->bil", a, b, x, optimize=True), rtol=1e-12)


def test_the_owned_arguments_are_none_of_the_caller() -> None:
    compiled = ef.compile(ef.parse(TEXT), kernel="step", cache=False)["step"]
    (name,) = [name for name in compiled.artifact.owned if f"%{name}" in compiled.tensor_language.split("\n\n")[1]]
    given = arguments(2)
    with pytest.raises(CompileError, match="has no argument"):
        compiled(dt=1.0, **given, **{name: np.zeros((20, 20))})
    with pytest.raises(CompileError, match="has no array argument"):
        compiled.empty(name)


def test_the_same_bytes_again() -> None:
    program = parse(Source("f.ein", TEXT))
    sources = [translate_program(Session(DEFAULT), program)[0].artifact for _ in range(2)]
    assert sources[0] == sources[1]
    assert emit(translate_program(Session(DEFAULT), program)[0].tensor_language, DEFAULT).prologue is not None
