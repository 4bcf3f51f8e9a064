"""Kernels, programs and prepared launches in copies and pickles: texts and arrays travel, nothing of a device does."""

import copy
import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import einsum_front as ef
from einsum_front import runtime
from einsum_front.compiling import from_bytes, to_bytes
from einsum_front.driver import Stages
from einsum_front.options import Level

TEXT = """
scalar dt
tensor A[4,5]
tensor C[4]
tensor N[4] constant nonzeros [(0), (2)]
kernel sums { C[i] += dt * A[i,l] * A[i,l] }
kernel twice { A[i,j] = 2 * A[i,j] + N[i] }
"""
A = np.random.default_rng(0).random((6, 4, 5))
SUMS = (A**2).sum(-1)


@pytest.fixture(scope="module")
def program() -> ef.CompiledProgram:
    return ef.compile(ef.parse(TEXT))


def travelled(value: Any) -> Any:
    return pickle.loads(pickle.dumps(value))


@pytest.mark.parametrize("way", [travelled, copy.copy, copy.deepcopy])
def test_a_program(program: ef.CompiledProgram, way: Any) -> None:
    found = way(program)
    assert list(found) == list(program)
    for array in (A, np.asfortranarray(A), A[:, :, ::-1]):  # which are other layouts, and other kernels
        sums = np.zeros((6, 4))
        found["sums"](A=array, C=sums, dt=2.0)
        np.testing.assert_allclose(sums, 2 * SUMS)


@pytest.mark.parametrize("way", [travelled, copy.copy, copy.deepcopy])
def test_a_kernel_with_its_texts(program: ef.CompiledProgram, way: Any) -> None:
    kernel = program["sums"]
    found = way(kernel)
    for level in ("graph", "plan", "yateto", "tensor_language", "schedule", "opencl"):
        assert str(getattr(found, level)) == str(getattr(kernel, level))
    assert found.artifact == kernel.artifact
    assert found.verify()
    assert "sums" in found.inspect()._repr_html_()


def test_kernels_for_layouts_and_edited_ones(program: ef.CompiledProgram) -> None:
    kernel, sums = program["sums"], np.zeros((6, 4))
    special = travelled(kernel.specialised(A=A, C=sums, dt=1.0))
    special(A=A, C=sums, dt=1.0)
    np.testing.assert_allclose(sums, SUMS)
    edited = kernel.with_opencl(kernel.artifact.source + "\n// by hand\n")
    assert travelled(edited).artifact.source.endswith("// by hand\n")


@pytest.mark.parametrize("level", ["yir", "tl", "graph"])
def test_what_begins_below_the_notation(program: ef.CompiledProgram, level: str, tmp_path: Path) -> None:
    if level == "graph":
        graph = program["sums"].translation.at(Level.GRAPH)
        compiled = ef.compile(graph)  # type: ignore[arg-type] # at this level it is one
    else:
        path = tmp_path / f"kernel.{level}"
        path.write_text(str(program["sums"].yateto if level == "yir" else program["sums"].tensor_language))
        compiled = ef.compile(ef.parse(path))
    found = travelled(compiled)
    assert str(found["sums"].opencl) == str(compiled["sums"].opencl)


@pytest.mark.parametrize("device", ["auto", "c"])
def test_a_prepared_launch(device: str) -> None:
    kernel, sums = ef.compile(ef.parse(TEXT), device)["sums"], np.zeros((6, 4))
    launch = kernel.prepare(A=A, C=sums, dt=1.0)
    launch.run()
    launch.set(dt=3.0)
    other, of_other = travelled((launch, sums))
    np.testing.assert_allclose(sums, SUMS)  # what was started is finished
    other.run()
    other.finish()
    np.testing.assert_allclose(of_other, 4 * SUMS)  # on arrays of its own, with the last number
    np.testing.assert_allclose(sums, SUMS)
    deep = copy.deepcopy(launch)
    deep.run()
    deep.finish()
    np.testing.assert_allclose(sums, SUMS)
    shallow: Any = copy.copy(launch)
    shallow.run()
    shallow.finish()
    np.testing.assert_allclose(sums, 4 * SUMS)  # on the same arrays


def test_a_launch_on_arrays_of_a_device_stays_there(program: ef.CompiledProgram) -> None:
    kernel = program["sums"]
    if kernel.device.opencl is None:
        pytest.skip("device `c` has no arrays of its own")
    sums = kernel.to_device("C", np.zeros((6, 4)))
    launch = kernel.prepare(A=A, C=sums, dt=1.0)
    with pytest.raises(ef.CompileError, match=r"E0503.*`C` of the launch lies on a device"):
        pickle.dumps(launch)
    again: Any = copy.copy(launch)
    again.run()
    again.finish()
    np.testing.assert_allclose(ef.to_host(sums), SUMS)


def test_in_another_process(program: ef.CompiledProgram, tmp_path: Path) -> None:
    (tmp_path / "program").write_bytes(pickle.dumps(program))
    code = """
import pickle, sys
import numpy as np
program = pickle.load(open(sys.argv[1], "rb"))
sums = np.zeros((6, 4))
program["sums"](A=np.ones((6, 4, 5)), C=sums, dt=2.0)
assert (sums == 10).all()
"""
    run = subprocess.run([sys.executable, "-c", code, str(tmp_path / "program")], capture_output=True, check=False)
    assert run.returncode == 0, run.stderr


def test_where_there_is_no_such_device(program: ef.CompiledProgram, monkeypatch: pytest.MonkeyPatch) -> None:
    data = pickle.dumps((program, program["sums"]))
    monkeypatch.setattr("einsum_front.compiling.device_like", lambda _: None)
    whole, kernel = pickle.loads(data)
    sums = np.zeros((6, 4))
    whole["sums"](A=A, C=sums, dt=1.0)
    kernel(A=A, C=sums, dt=1.0)
    np.testing.assert_allclose(sums, 2 * SUMS)
    monkeypatch.setattr("einsum_front.compiling.available_devices", lambda: ())
    assert str(pickle.loads(data)[1].opencl) == str(program["sums"].opencl)


def test_nothing_of_a_device_is_in_them(program: ef.CompiledProgram) -> None:
    program["sums"](A=A, C=np.zeros((6, 4)), dt=1.0)  # now it has built kernels
    launch = program["sums"].prepare(A=A, C=np.zeros((6, 4)), dt=1.0)
    for value in (program, program["sums"], launch, runtime.Kernel(program["sums"].artifact, program["sums"].device)):
        assert b"pyopencl" not in pickle.dumps(value)


def test_translations_are_the_same(program: ef.CompiledProgram) -> None:
    translation = program["sums"].translation
    found: Stages = from_bytes(to_bytes(translation))
    assert found.tensor_language == translation.tensor_language
    with pytest.raises(TypeError, match=r"einsum_front\.compile"):
        pickle.dumps(ef.CompiledKernel(translation))
