"""CUDA C++ from trees: pinned texts, and what nvcc says of generated programs.

`python -m tests.tl_backend.targets.test_cuda` writes the texts again.
"""

import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from einsum_front.tl_backend.emit import emit
from einsum_front.tl_backend.kernel import tree
from einsum_front.tl_backend.kernel.types import AddressSpace, Pointer, Scalar, Vector
from einsum_front.tl_backend.kernel.verify import verify
from einsum_front.tl_backend.opencl.target import DEFAULT
from einsum_front.tl_backend.passes.choose_work_group import WorkGroupLimits
from einsum_front.tl_backend.pipeline import passes, run
from einsum_front.tl_backend.schedules.choice import is_possible
from einsum_front.tl_backend.schedules.tuning import ScheduleKind, Tuning
from einsum_front.tl_backend.targets.cuda import CONSTANT_MEMORY, CUDA
from tests.profiles import share
from tests.tl_backend.kernel.harness import lower
from tests.tl_backend.opencl.harness import function_of
from tests.tl_backend.strategies import Case, cases
from tests.tl_backend.targets.every_node import files, local

FOLDER = Path(__file__).parent / "cuda"
TEXTS = Path(__file__).parents[1] / "kernel" / "text"
GPU = replace(DEFAULT, is_cpu=False, vector_bytes=8, has_prefetch=False, has_conditional_barriers=True, language=CUDA)
GOLDEN = {
    "product.work_group": ("product", (4, 2), ScheduleKind.WORK_GROUP),
    "product.batch_simd": ("product", (1, 1), ScheduleKind.BATCH_SIMD),
    "atomic.work_group": ("atomic", (4, 1), ScheduleKind.WORK_GROUP),
}
ENTRIES = Pointer(Scalar.F64, AddressSpace.GLOBAL)
VECTOR, HALF = Vector(Scalar.F64, 4), Vector(Scalar.F64, 2)
A, B, X = tree.Name("a"), tree.Name("b"), tree.Name("x")


def golden(name: str) -> str:
    source, work_group, kind = GOLDEN[name]
    function = function_of((TEXTS / f"{source}.tl").read_text(encoding="utf-8"), work_group)
    return CUDA.printer().unparse(lower(function, GPU, Tuning(kind)).file)


@pytest.mark.parametrize("name", GOLDEN)
def test_text(name: str) -> None:
    assert golden(name) == (FOLDER / f"{name}.cu").read_text(encoding="utf-8")


def file_of(*statements: tree.Statement) -> tree.File:
    """A kernel of 32 x 2 work-items with memory `x`."""
    return tree.File((tree.Function("k", (tree.Parameter(ENTRIES, "x"),), statements, (32, 2, 1)),))


def lines(*statements: tree.Statement) -> list[str]:
    """The body of a kernel that the verifier has nothing against, behind its head."""
    file = file_of(*statements)
    assert not verify(file)
    text = CUDA.printer().unparse(file).splitlines()
    return [line[4:] for line in text[text.index("void k_gpu(double *x)") + 2 : -1]]


def test_the_place_in_the_launch() -> None:
    place = tree.Binary(
        tree.BinaryOperator.ADD,
        tree.Binary(tree.BinaryOperator.MULTIPLY, tree.GroupId(), tree.GroupCount()),
        tree.ItemId(1),
    )
    assert lines(tree.Declare(Scalar.I64, "i", place), tree.Declare(Scalar.I32, "j", tree.ItemId(0))) == [
        "long long i = (long long)blockIdx.x * (long long)gridDim.x + (long long)threadIdx.y;",
        "int j = (long long)threadIdx.x;",
    ]


def test_arithmetic_of_vectors() -> None:
    chosen = tree.Conditional(tree.Binary(tree.BinaryOperator.LESS, A, B), A, B)
    first = tree.Subscript(X, tree.Integer(0))
    assert lines(
        tree.Declare(VECTOR, "a", tree.Pack(VECTOR, (first,))),
        tree.Declare(VECTOR, "b", tree.Pack(VECTOR, (tree.Pack(HALF, (first, first)), first, first))),
        tree.Assign(A, tree.Shuffle(VECTOR, A, B, (0, 4, 1, 5)), tree.BinaryOperator.ADD),
        tree.Assign(B, chosen),
        tree.Declare(HALF, "half", tree.Lanes(A, (2, 3))),
        tree.Assign(first, tree.Lanes(A, (3,))),
        tree.Assign(
            first,
            tree.Conditional(
                tree.Binary(tree.BinaryOperator.LESS, first, tree.Lanes(B, (0,))), first, tree.Lanes(B, (1,))
            ),
        ),
        tree.Assign(first, tree.Math(tree.MathFunction.REMAINDER, (first, tree.Floating(0.5, Scalar.F64)))),
    ) == [
        "f64x4 a = f64x4(x[0]);",
        "f64x4 b = f64x4::pack(f64x2::pack(x[0], x[0]), x[0], x[0]);",
        "a += f64x4::shuffle<0, 4, 1, 5>(a, b);",
        "b = f64x4::choose(a < b, a, b);",
        "f64x2 half = a.pick<2, 3>();",
        "x[0] = a.e[3];",
        "x[0] = x[0] < b.e[0] ? x[0] : b.e[1];",
        "x[0] = fmod(x[0], 0.5);",
    ]


def test_what_languages_have_functions_for() -> None:
    entry = tree.Subscript(X, tree.Integer(0))
    update = tree.AtomicUpdate(tree.Update.SCALE_ADD, entry, A, B, Scalar.F64, Scalar.F64, AddressSpace.GLOBAL)
    assert lines(
        tree.Declare(Scalar.F64, "a", entry),
        tree.Declare(Scalar.F64, "b", entry),
        update,
        replace(update, update=tree.Update.ADD, beta=None),
        tree.Barrier((AddressSpace.LOCAL, AddressSpace.GLOBAL)),
        tree.Prefetch(X, tree.Integer(64)),
    )[2:] == [
        "atomic_scale_plus<double, double>(&x[0], a, b);",
        "atomic_plus<double, double>(&x[0], a);",
        "__syncthreads();",
        "prefetch(x, 64);",
    ]


def test_shared_memory_is_declared_as_long_as_that_is_possible() -> None:
    assert lines(local("near", 6 * 1024)) == ["__shared__ double near[6144] __attribute__((aligned(64)));"]


def test_more_shared_memory_is_that_of_the_launch() -> None:
    arrays = local("bytes", 100, Scalar.U8), local("near", 6 * 1024)
    assert lines(*arrays) == [
        "unsigned char *const bytes = dynamic_shared_memory;",
        "double *const near = (double *)(dynamic_shared_memory + 128);",
    ]
    text = CUDA.printer().unparse(file_of(*arrays))
    assert "extern __shared__ __align__(128) unsigned char dynamic_shared_memory[];\n" in text


def test_tables_are_constant_memory_where_it_has_room() -> None:
    for count, space in ((CONSTANT_MEMORY // 8, "__constant__"), (CONSTANT_MEMORY // 8 + 1, "__device__")):
        table = tree.Table(Scalar.F64, "numbers", (0.5,) * count)
        assert f"static {space} const double numbers_gpu[{count}] = {{\n" in CUDA.printer().unparse(
            replace(file_of(), tables=(table,))
        )


def test_words_of_cuda_are_no_names() -> None:
    assert CUDA.reserved >= {"template", "this", "threadIdx", "min", "double2", "f64x4", "dynamic_shared_memory"}
    assert "uchar16" not in CUDA.reserved  # words of OpenCL C are free


# -- what nvcc says ----------------------------------------------------------------------------------------------------

ARCHITECTURES = ("sm_75", "sm_90")
UNUSED = "--diag-suppress=177,550"  # generated programs compute what nobody needs


def check_compiles(texts: list[str], folder: Path) -> None:
    """All kernels of the texts are there for each architecture, and nvcc warns of nothing."""
    if shutil.which("nvcc") is None:
        pytest.skip("no nvcc on this machine")
    source, code = folder / "kernels.cu", folder / "kernels.ptx"
    head = "#define KERNEL(threads) __global__ __launch_bounds__(threads)\n"
    parts = [f"namespace k{number} {{\n{text}}}\n" for number, text in enumerate(texts)]
    source.write_text(head + "".join(parts), encoding="utf-8")
    for architecture in ARCHITECTURES:
        command = ["nvcc", f"-arch={architecture}", UNUSED, "-Werror=all-warnings", "-ptx", "-o", code, source]
        done = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False)
        assert (done.returncode, done.stderr) == (0, "")
        assert code.read_text(encoding="utf-8").count(".visible .entry") == sum(t.count("\nKERNEL(") for t in texts)


def test_nvcc_takes_pinned_texts(tmp_path: Path) -> None:
    check_compiles([golden(name) for name in GOLDEN], tmp_path)


def test_nvcc_takes_every_node(tmp_path: Path) -> None:
    check_compiles([CUDA.printer().unparse(file) for file in files()], tmp_path)


@pytest.mark.generated
def test_nvcc_takes_generated_programs(tmp_path: Path) -> None:
    texts: list[str] = []
    steps = passes(WorkGroupLimits(is_cpu=False, max_work_group_size=64))

    @share(0.5)
    @given(
        cases(),
        st.sampled_from([(1, 1), (4, 2), (8, 1), (1, 3)]),
        st.sampled_from([8, 32]),
        st.sampled_from(ScheduleKind),
    )
    def collect(case: Case, work_group: tuple[int, int], vector_bytes: int, kind: ScheduleKind) -> None:
        target = replace(GPU, vector_bytes=vector_bytes, has_shuffles=vector_bytes > 8)
        size = work_group if kind is ScheduleKind.WORK_GROUP else (1, 1)
        function = run(replace(case.function, work_group_size=size), steps)
        if is_possible(function, target, Tuning(kind)):
            texts.append(emit(function, target, Tuning(kind)).source)

    collect()
    check_compiles(texts, tmp_path)


if __name__ == "__main__":
    for each in GOLDEN:
        (FOLDER / f"{each}.cu").write_text(golden(each), encoding="utf-8")
