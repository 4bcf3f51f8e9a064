"""The printer for C: the text of every schedule, pinned, and what compilers say of it.

`python -m tests.tl_backend.targets.test_c` writes the texts again.
"""

import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from einsum_front.core.instruction_sets import AVX2, AVX512, BASIC, INSTRUCTION_SETS, NEON, InstructionSet
from einsum_front.tl_backend.kernel import tree
from einsum_front.tl_backend.kernel.types import AddressSpace, Pointer, Scalar, Vector
from einsum_front.tl_backend.opencl.target import DEFAULT, Target
from einsum_front.tl_backend.program import Function as Source
from einsum_front.tl_backend.schedules.tuning import read_tuning
from einsum_front.tl_backend.targets.c import HEADER, C, c
from tests.tl_backend.kernel.harness import lower
from tests.tl_backend.opencl.harness import function_of

TREES = Path(__file__).parent.parent / "kernel" / "text"
FOLDER = Path(__file__).parent / "text"
STRICT = ("-std=c11", "-Wall", "-Wextra", "-pedantic", "-Werror", "-fsyntax-only", "-x", "c", "-")


def target(instructions: InstructionSet) -> Target:
    return replace(
        DEFAULT,
        vector_bytes=instructions.vector_bytes,
        vector_registers=instructions.vector_registers,
        has_shuffles=True,
        language=c(instructions),
    )


KERNELS: dict[str, tuple[str, InstructionSet, str]] = {
    "product.work_group": ("product", AVX2, "work_group"),
    "product.batch_simd": ("product", AVX512, "batch_simd"),
    "product.batch_simd_neon": ("product", NEON, "batch_simd"),
    "product.packed": ("product", BASIC, "packed"),
    "atomic.work_group": ("atomic", AVX2, "work_group"),
}


def text_of(name: str) -> str:
    source, instructions, tuning = KERNELS[name]
    function: Source = function_of((TREES / f"{source}.tl").read_text(encoding="utf-8"), (1, 1))
    wanted = target(instructions)
    return wanted.language.printer().unparse(lower(function, wanted, read_tuning(tuning)).file)


@pytest.mark.parametrize("name", KERNELS)
def test_text(name: str) -> None:
    assert text_of(name) == (FOLDER / f"{name}.c").read_text(encoding="utf-8")


@pytest.mark.parametrize("compiler", ["gcc", "clang"])
def test_functions_of_all_instruction_sets_are_one_text(compiler: str) -> None:
    if shutil.which(compiler) is None:
        pytest.skip(f"no {compiler} on this machine")
    function: Source = function_of((TREES / "product.tl").read_text(encoding="utf-8"), (1, 1))
    texts = [HEADER]
    for instructions in INSTRUCTION_SETS:
        wanted = target(instructions)
        for schedule in ("work_group", "batch_simd", "packed"):
            language = c(instructions, f"{schedule}_")
            file = lower(function, replace(wanted, language=language), read_tuning(schedule)).file
            texts.append(language.printer().unparse(file))
    done = subprocess.run([compiler, *STRICT], input="\n".join(texts), capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


VECTOR = Vector(Scalar.F64, 4)
ENTRIES = Pointer(Scalar.F64, AddressSpace.GLOBAL)
A, B, X, N, P = map(tree.Name, "abxnp")


def lines(*statements: tree.Statement) -> list[str]:
    """The statements in a function with vectors `a` and `b`, a number `x`, an integer `n` and a pointer `p`."""
    types = ((VECTOR, "a"), (VECTOR, "b"), (Scalar.F64, "x"), (Scalar.I64, "n"), (ENTRIES, "p"))
    function = tree.Function("f", tuple(tree.Parameter(type_, name) for type_, name in types), statements)
    printed = C(BASIC, "").unparse(tree.File((function,))).splitlines()
    *_, first = (number for number, line in enumerate(printed) if line == "{")
    return [line.strip() for line in printed[first + 1 : -2]]


def test_what_c_spells_in_its_own_way() -> None:
    zero = tree.Floating(0.0, Scalar.F64)
    assert lines(
        tree.Declare(VECTOR, "v1", X),
        tree.Declare(VECTOR, "v2", tree.Pack(VECTOR, (zero,))),
        tree.Declare(VECTOR, "v3", tree.Pack(VECTOR, (tree.Lanes(A, (2, 3)), tree.Lanes(B, (1,)), X))),
        tree.Declare(VECTOR, "v4", tree.Shuffle(VECTOR, A, B, (0, 4, 1, 5))),
        tree.Declare(Scalar.F64, "y", tree.Math(tree.MathFunction.REMAINDER, (X, tree.Lanes(A, (0,))))),
        tree.Declare(Scalar.I64, "m", tree.Math(tree.MathFunction.MINIMUM, (N, N))),
        tree.Declare(VECTOR, "v5", tree.Conditional(tree.Binary(tree.BinaryOperator.EQUAL, X, zero), zero, A)),
        tree.Declare(VECTOR, "v6", tree.Conditional(tree.Binary(tree.BinaryOperator.EQUAL, A, zero), zero, A)),
        tree.Declare(Vector(Scalar.F32, 4), "v7", tree.Cast(Vector(Scalar.F32, 4), A)),
        tree.Declare(Vector(Scalar.F16, 4), "v8", tree.Cast(Vector(Scalar.F16, 4), tree.Name("v7"))),
        tree.Prefetch(P, N),
        tree.AtomicUpdate(tree.Update.ADD, tree.Subscript(P, N), X, None, Scalar.F64, Scalar.F64, AddressSpace.GLOBAL),
    ) == [
        "f64x4 v1 = x - (f64x4){0};",
        "f64x4 v2 = (f64x4){0};",
        "f64x4 v3 = (f64x4){__builtin_shufflevector(a, a, 2, 3)[0], __builtin_shufflevector(a, a, 2, 3)[1], b[1], x};",
        "f64x4 v4 = __builtin_shufflevector(a, b, 0, 4, 1, 5);",
        "double y = __builtin_fmod(x, a[0]);",
        "int64_t m = MINIMUM(n, n);",
        "f64x4 v5 = ((x == 0.0) ? ((f64x4){0}) : (a));",
        "f64x4 v6 = CHOOSE(f64x4, a == 0.0, (f64x4){0}, a);",
        "f32x4 v7 = __builtin_convertvector(a, f32x4);",
        "f16x4 v8 = f16x4_of_f32(v7);",
        "__builtin_prefetch((const char *)((uintptr_t)p + n), 0, 2);",
        "atomic_add_f64_f64(&p[n], x);",
    ]


if __name__ == "__main__":
    for each in KERNELS:
        (FOLDER / f"{each}.c").write_text(text_of(each), encoding="utf-8")
