"""`math` instructions: each function for special numbers, in the interpreters and on the device, in all schedules."""

import shutil
import subprocess
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from einsum_front.core.diagnostics import CompileError, Source
from einsum_front.core.functions import SELECTIONS, Function, evaluate
from einsum_front.core.instruction_sets import AVX2, AVX512, BASIC, NEON
from einsum_front.tl_backend import instructions as tl
from einsum_front.tl_backend.interpret import interpret
from einsum_front.tl_backend.parse import parse
from einsum_front.tl_backend.program import Edition
from einsum_front.tl_backend.program import Function as TensorFunction
from einsum_front.tl_backend.schedules.tuning import ScheduleKind, Tuning
from einsum_front.tl_backend.targets.c import HEADER, c
from einsum_front.tl_backend.unparse import unparse
from einsum_front.tl_backend.verify import check
from tests.tl_backend.kernel import harness as kernel_harness
from tests.tl_backend.opencl.harness import OWN, run
from tests.tl_backend.targets.test_c import STRICT
from tests.tl_backend.targets.test_c import target as c_target

SPECIAL = [0.0, -0.0, 1.0, -1.5, 0.3, 40.0, -40.0, 1e-30, np.inf, -np.inf, np.nan, 2.0]
COUNT = len(SPECIAL)


def text(element: str) -> str:
    """Every function of entries of x and z, one in each column of y."""
    lines = [
        ";! batched %x", ";! batched %z", ";! batched %y",
        f"func @f(%x: memref<{element}x{COUNT}x?>, %z: memref<{element}x{COUNT}x?>, "
        f"%y: memref<{element}x{COUNT}x{len(tl.FUNCTIONS)}x?>) {{",
        "  %g = group_id",
        f"  %xg = subview %x[:, %g] : memref<{element}x{COUNT}x?>",
        f"  %zg = subview %z[:, %g] : memref<{element}x{COUNT}x?>",
        f"  %yg = subview %y[:, :, %g] : memref<{element}x{COUNT}x{len(tl.FUNCTIONS)}x?>",
        f"  foreach %i = 0, {COUNT} {{",
        f"    %a = load %xg[%i] : memref<{element}x{COUNT}>",
        f"    %b = load %zg[%i] : memref<{element}x{COUNT}>",
    ]  # fmt: skip
    for column, function in enumerate(tl.FUNCTIONS):
        operands = ("%a", "%b", "0.5", "%b")[: function.arity]
        lines.append(f"    %{column} = math.{function.value} {', '.join(operands)} : {element}")
        lines.append(f"    store %{column}, %yg[%i, {column}] : memref<{element}x{COUNT}x{len(tl.FUNCTIONS)}>")
    return "\n".join([*lines, "  }", "}"]) + "\n"


def arrays(kind: type, batch: int) -> dict[str, NDArray[Any]]:
    x: NDArray[Any] = np.array([np.roll(SPECIAL, shift) for shift in range(batch)], kind).T
    z: NDArray[Any] = np.array([np.roll(SPECIAL, -3 * shift) for shift in range(batch)], kind).T
    return {
        "x": np.asfortranarray(x),
        "z": np.asfortranarray(z),
        "y": np.zeros((COUNT, len(tl.FUNCTIONS), batch), kind, "F"),
    }


def assert_right(found: dict[str, NDArray[Any]], tolerance: float) -> None:
    x, z = found["x"], found["z"]
    half = np.full_like(x, 0.5)
    for column, function in enumerate(tl.FUNCTIONS):
        expected = evaluate(function, (x, z, half, z)[: function.arity])
        np.testing.assert_allclose(found["y"][:, column], expected, rtol=tolerance, atol=0, err_msg=function.value)
        if function in SELECTIONS or function is Function.ABS:
            assert np.array_equal(np.signbit(found["y"][:, column]), np.signbit(expected)), function


def function_of(element: str) -> TensorFunction:
    program = parse(Source("functions.tl", text(element)))
    check(program)
    return program.functions[0]


KINDS = [("f32", np.float32), ("f64", np.float64)]
SCHEDULES = [ScheduleKind.WORK_GROUP, ScheduleKind.BATCH_SIMD]


@pytest.mark.parametrize("schedule", SCHEDULES, ids=lambda kind: kind.value)
@pytest.mark.parametrize(("element", "kind"), KINDS)
def test_the_device_is_numpy(element: str, kind: type, schedule: ScheduleKind) -> None:
    if schedule is ScheduleKind.BATCH_SIMD and not OWN.is_cpu:
        pytest.skip("lanes of vectors are elements on CPUs only")
    given = arrays(kind, 5)
    found = run(function_of(element), given, 5, tuning=Tuning(schedule))
    assert_right({name: array for name, (array,) in found.items()}, 1e-5 if kind is np.float32 else 1e-13)


@pytest.mark.parametrize("schedule", SCHEDULES, ids=lambda kind: kind.value)
def test_the_kernel_tree_is_numpy(schedule: ScheduleKind) -> None:
    given = arrays(np.float64, 3)
    found = kernel_harness.run(function_of("f64"), given, 3, tuning=Tuning(schedule))
    assert_right({name: array for name, (array,) in found.items()}, 1e-14)


@pytest.mark.parametrize("compiler", ["gcc", "clang"])
def test_compilers_take_functions_of_all_vectors(compiler: str) -> None:
    if shutil.which(compiler) is None:
        pytest.skip(f"no {compiler} on this machine")
    texts = [HEADER]
    for element in ("f32", "f64"):
        for instructions in (AVX512, AVX2, NEON, BASIC):
            for schedule in SCHEDULES:
                language = c(instructions, f"{schedule.value}_{element}_")
                target = replace(c_target(instructions), language=language)
                texts.append(
                    language.printer().unparse(
                        kernel_harness.lower(function_of(element), target, Tuning(schedule)).file
                    )
                )
    done = subprocess.run([compiler, *STRICT], input="\n".join(texts), capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize(("element", "kind"), KINDS)
def test_the_interpreter_is_numpy(element: str, kind: type) -> None:
    found = arrays(kind, 3)
    interpret(function_of(element), found, 3)
    assert_right(found, 1e-6 if kind is np.float32 else 1e-14)


def test_the_text_is_read_back() -> None:
    program = parse(Source("functions.tl", text("f64")))
    assert parse(Source("functions.tl", unparse(program))) == program


@pytest.mark.parametrize("edition", list(Edition))
def test_no_edition_has_functions(edition: Edition) -> None:
    with pytest.raises(CompileError, match=r"E0408.*math\.sqrt"):
        unparse(parse(Source("functions.tl", text("f64"))), edition)
