"""Device `c`: kernels as functions of this process, built by the compiler of the machine."""

import ctypes
import errno
import os
import platform
import resource
import shutil
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pyopencl.array as cl_array
import pytest
from numpy.typing import NDArray

import einsum_front as ef
from einsum_front.cli import main
from einsum_front.core.diagnostics import CompileError, render_all
from einsum_front.core.instruction_sets import AVX2, AVX512, BASIC, INSTRUCTION_SETS, NEON
from einsum_front.core.private_folders import NO_CACHE_VARIABLE
from einsum_front.runtime.devices import c_compiler, c_device, processor
from einsum_front.runtime.devices.device import find_device
from einsum_front.runtime.launches import c_calls
from einsum_front.runtime.launches.timing import measure
from tests.runtime.kernels import DEVICE

pytestmark = pytest.mark.usefixtures("optimized_builds")

FEATURES = Path(__file__).parents[1] / "package" / "features.ein"
PLAIN = "c:neon" if NEON in c_device.sets_here() else "c:basic"
"""What every processor has: what a test finds depends on none."""

HAS_COMPILER = "CC" in os.environ or any(map(shutil.which, c_compiler.NAMES))
needs_compiler = pytest.mark.skipif(not HAS_COMPILER, reason="no C compiler on this machine")

TEXT = """
param N = 3
tensor A[5, N]
tensor B[N, N] constant
tensor C[5, N]
scalar alpha
kernel product { C[i,j] += alpha * A[i,k] * B[k,j] }
"""

Arrays = dict[str, NDArray[np.float64]]


@pytest.fixture(autouse=True)
def libraries(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A cache of its own, from which nothing is loaded yet."""
    monkeypatch.setattr(c_compiler, "user_caches", lambda: tmp_path)
    monkeypatch.setattr(c_compiler, "_LIBRARIES", {})
    monkeypatch.delenv(NO_CACHE_VARIABLE, raising=False)
    c_compiler.c_compiler.cache_clear()
    yield tmp_path / "c"
    c_compiler.c_compiler.cache_clear()


@pytest.fixture
def builds(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The sources that the compiler gets."""
    sources: list[str] = []
    build = c_compiler._build

    def counted(compiler: c_compiler.CCompiler, source: str, flags: tuple[str, ...], made: Path) -> str:
        sources.append(source)
        return build(compiler, source, flags, made)

    monkeypatch.setattr(c_compiler, "_build", counted)
    return sources


def product() -> ef.CompiledKernel:
    return ef.compile(ef.parse(TEXT), PLAIN)["product"]


def arrays(batch: int) -> Arrays:
    random = np.random.default_rng(batch)
    return {"A": random.random((batch, 5, 3)), "B": random.random((3, 3)), "C": random.random((batch, 5, 3))}


def expected(given: Arrays, alpha: float) -> NDArray[np.float64]:
    return given["C"] + alpha * given["A"] @ given["B"]


# -- what it computes --------------------------------------------------------------------------------------------------


@needs_compiler
@pytest.mark.parametrize(
    ("real", "names"),
    [("f32", ("volume", "group")), ("f64", ("volume", "once", "known", "group", "open", "create", "Volume"))],
)
def test_every_kind_of_kernel(real: str, names: tuple[str, ...]) -> None:
    """Prologues, groups, sizes known at the launch, temporaries that are larger than a stack; all layouts of arrays."""
    program = ef.compile(ef.parse(FEATURES), PLAIN, real=real)
    for name in names:
        for found in program[name].verify():
            assert found.agrees, (name, found)


@needs_compiler
@pytest.mark.parametrize("product", ["K[k,p] * K[k,p]", "tanh(K[k,p])"])
def test_elements_that_are_neighbours_and_take_values_of_constants(product: str) -> None:
    """Narrower vectors for what fills no block are only stored, at any entry: their text names vectors of values."""
    text = f"tensor Q[3, 2] batch_fastest\ntensor K[3, 2] constant\nkernel k {{ Q[k,p] = 2 * {product} }}"
    kernel = ef.compile(ef.parse(text), "c")["k"]
    K, Q = np.random.default_rng(1).random((3, 2)), kernel.empty("Q", 11)
    kernel(K=K, Q=Q)
    np.testing.assert_allclose(Q, np.broadcast_to(2 * (K * K if "*" in product else np.tanh(K)), Q.shape), rtol=1e-14)


@needs_compiler
def test_temporaries_of_all_groups() -> None:
    """`large` keeps its temporaries in memory that the launch brings."""
    kernel = ef.compile(ef.parse(FEATURES), PLAIN, kernel="large")["large"]
    assert kernel.artifact.scratch != 0
    random = np.random.default_rng(1)
    left, target = random.random((3, 370, 370)), np.zeros((3, 370, 370))
    kernel(L=left, M=target)
    np.testing.assert_allclose(target, left @ left @ left, rtol=1e-12)


@needs_compiler
def test_calls_without_copies() -> None:
    kernel = product()
    for batch in (1, 7, 1000):
        for alpha in (1.0, 0.5):  # the second call is a short one
            given = arrays(batch)
            want = expected(given, alpha)
            kernel(alpha=alpha, **given)
            np.testing.assert_allclose(given["C"], want, rtol=1e-14)


@needs_compiler
def test_launches_that_are_prepared() -> None:
    given = arrays(9)
    want = expected(given, 3.0)
    launch = product().prepare(alpha=1.0, **given)
    launch.run()
    launch.set(alpha=2.0)
    (event,) = launch.run()
    assert event.profile.end >= event.profile.start
    launch.wait()
    launch.finish()
    np.testing.assert_allclose(given["C"], want, rtol=1e-14)
    assert repr(launch) == "<launch of product, 9 elements>"
    assert len(measure(launch, runs=3).seconds) == 3


@needs_compiler
def test_index_strings() -> None:
    random = np.random.default_rng(0)
    left, right = random.random((10, 4, 4)), random.random((4, 4))
    for _ in range(3):
        np.testing.assert_allclose(ef.einsum("bik,kj->bij", left, right, device=PLAIN), left @ right, rtol=1e-14)
    np.testing.assert_allclose(ef.einsum("ik,kj->ij", right, right.T, device=PLAIN), right @ right.T, rtol=1e-14)
    assert ef.einsum("bik,kj->bij", left[:0], right, device=PLAIN).shape == (0, 4, 4)


@needs_compiler
def test_many_threads_at_once() -> None:
    kernel = product()

    def calls(seed: int) -> bool:
        for batch in (1, 3, 400 + seed):
            given = arrays(batch)
            want = expected(given, 2.0)
            kernel(alpha=2.0, **given)
            if not np.allclose(given["C"], want, rtol=1e-13):
                return False
        return True

    with ThreadPoolExecutor(16) as pool:
        assert all(pool.map(calls, range(64)))


@needs_compiler
@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork on this system")
def test_a_child_made_by_fork() -> None:
    """Threads of OpenMP stay in the parent: the child computes on its own."""
    script = f"""
import os, numpy as np, einsum_front as ef
A = np.ones((5000, 8, 8))
def right(): return np.array_equal(ef.einsum("bik,bkj->bij", A, A, device={PLAIN!r}), 8 * A)
assert right()
child = os.fork()
if child == 0:
    os._exit(0 if right() else 1)
raise SystemExit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""
    subprocess.run([sys.executable, "-c", script], check=True, timeout=60)


# -- libraries ---------------------------------------------------------------------------------------------------------


@needs_compiler
def test_a_library_is_built_once(builds: list[str], libraries: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for _ in range(2):
        product()(alpha=1.0, **arrays(2))
    assert len(builds) == len(list(libraries.iterdir())) == 1
    monkeypatch.setattr(c_compiler, "_LIBRARIES", {})  # as in another process
    product()(alpha=1.0, **arrays(2))
    assert len(builds) == 1


@needs_compiler
def test_a_library_that_was_cut_off_is_built_again(
    builds: list[str], libraries: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    product()(alpha=1.0, **arrays(2))
    (path,) = libraries.iterdir()
    path.unlink()  # it is loaded: cut off, it would end this process
    path.write_bytes(b"\x7fELF")
    monkeypatch.setattr(c_compiler, "_LIBRARIES", {})
    product()(alpha=1.0, **arrays(2))
    assert len(builds) == 2


@needs_compiler
def test_two_processes_at_once(tmp_path: Path) -> None:
    script = f"""
import numpy as np, einsum_front as ef
A = np.ones((3, 8, 8))
assert np.array_equal(ef.einsum("bik,bkj->bij", A, A, device={PLAIN!r}), 8 * A)
"""
    environment = {**os.environ, "XDG_CACHE_HOME": str(tmp_path)}
    started = [subprocess.Popen([sys.executable, "-c", script], env=environment) for _ in range(2)]
    assert [process.wait(60) for process in started] == [0, 0]


@needs_compiler
@pytest.mark.parametrize("is_off", [True, False])
def test_without_a_cache(is_off: bool, libraries: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if is_off:
        monkeypatch.setenv(NO_CACHE_VARIABLE, "1")
    else:
        libraries.write_text("no folder")
    given = arrays(2)
    want = expected(given, 1.0)
    product()(alpha=1.0, **given)
    np.testing.assert_allclose(given["C"], want, rtol=1e-14)
    assert is_off is not libraries.exists()


@needs_compiler
def test_a_compiler_without_openmp(monkeypatch: pytest.MonkeyPatch) -> None:
    build = c_compiler._build

    def without(compiler: c_compiler.CCompiler, source: str, flags: tuple[str, ...], made: Path) -> str:
        return "no omp.h" if c_compiler.THREADS_FLAG in flags else build(compiler, source, flags, made)

    monkeypatch.setattr(c_compiler, "_build", without)
    monkeypatch.setattr(c_compiler, "_without_threads", set())
    given = arrays(50)
    want = expected(given, 1.0)
    with pytest.warns(UserWarning, match="has no OpenMP: kernels run on one thread"):
        product()(alpha=1.0, **given)
    np.testing.assert_allclose(given["C"], want, rtol=1e-14)


@needs_compiler
def test_the_environment_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[str | None] = []
    load = ctypes.CDLL

    def loading(path: str) -> object:
        seen.append(os.environ.get("GOMP_SPINCOUNT"))
        return load(path)

    monkeypatch.setattr(ctypes, "CDLL", loading)
    for variable in c_compiler.WAITING:
        monkeypatch.delenv(variable, raising=False)
    product()(alpha=1.0, **arrays(2))
    assert (seen, "GOMP_SPINCOUNT" in os.environ) == (["3000"], False)
    monkeypatch.setenv("OMP_WAIT_POLICY", "active")
    monkeypatch.setattr(c_compiler, "_LIBRARIES", {})
    product()(alpha=1.0, **arrays(2))
    assert seen == ["3000", None]


# -- the device --------------------------------------------------------------------------------------------------------


@needs_compiler
def test_facts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(processor, "processor_instructions", lambda: frozenset(AVX512.features))
    monkeypatch.setattr(platform, "machine", lambda: "x86_64")
    monkeypatch.setattr(c_device, "_model", lambda: "a processor")
    monkeypatch.setenv("OMP_NUM_THREADS", "3")
    assert c_device.sets_here() == (AVX512, AVX2, BASIC)
    facts = find_device("C").facts
    assert (facts.instruction_set, facts.selector, facts.compute_units) == (AVX512, "c:avx512", 3)
    assert find_device("c:AVX2").facts.vector_bytes == AVX2.vector_bytes
    assert facts.description == f"a processor · C compiler · {c_compiler.c_compiler().version} · CPU"
    monkeypatch.setattr(processor, "processor_instructions", frozenset[str])
    assert find_device("c").facts.instruction_set == BASIC
    monkeypatch.setattr(platform, "machine", lambda: "aarch64")
    assert find_device("c").facts.instruction_set == NEON


def test_every_set_has_a_place() -> None:
    assert {each.name for each in INSTRUCTION_SETS} == {"avx512", "avx2", "neon", "basic"}


@needs_compiler
def test_the_list_of_devices(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["devices"]) == 0
    assert "\ndevice c:" in capsys.readouterr().out


@needs_compiler
def test_what_is_kept(libraries: Path, capsys: pytest.CaptureFixture[str]) -> None:
    product()(alpha=1.0, **arrays(2))
    assert len(c_compiler.c_libraries()) == 1
    assert c_compiler.remove_c_libraries() == 1
    assert not list(libraries.iterdir())


# -- mistakes ----------------------------------------------------------------------------------------------------------


def said(device: str) -> str:
    with pytest.raises(CompileError) as caught:
        find_device(device)
    return render_all(caught.value.diagnostics)


def test_no_compiler(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("CC", raising=False)
    assert (
        said("c")
        == """\
error[E0613]: device `c` needs a C compiler, and this machine has none
  = note: none of `gcc`, `clang`, `cc` is on `PATH`, and `CC` names none"""
    )
    monkeypatch.setenv("CC", "icx -fast")
    assert said("c") == "error[E0613]: `CC` names the C compiler `icx`, which does not run"


@needs_compiler
def test_instructions_that_the_processor_lacks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(c_device, "sets_here", lambda: (AVX2, BASIC))
    assert (
        said("c:avx512")
        == """\
error[E0602]: there is no device `c:avx512`: this processor has no instructions of that name
  = note: device c:avx2
  = note: device c:basic"""
    )


@needs_compiler
def test_memory_of_opencl() -> None:
    given: dict[str, Any] = {**arrays(2), "alpha": 1.0}
    given["A"] = cl_array.to_device(DEVICE.queue, given["A"])
    with pytest.raises(CompileError) as caught:
        product()(**given)
    assert (
        render_all(caught.value.diagnostics)
        == f"""\
error[E0614]: argument `A` is memory of OpenCL, and device `{PLAIN}` takes arrays of NumPy
  = note: `ef.to_host` copies an array of a device to the memory of the host"""
    )


@needs_compiler
def test_what_is_opencls() -> None:
    device = find_device(PLAIN)
    for use in (lambda: device.queue, lambda: device.context, lambda: product().to_device("B", np.zeros((3, 3)))):
        with pytest.raises(CompileError) as caught:
            use()
        assert (
            render_all(caught.value.diagnostics)
            == f"""\
error[E0614]: device `{PLAIN}` is none of OpenCL
  = note: it runs kernels on the memory of NumPy's arrays, without contexts, queues and arrays of OpenCL"""
        )
    assert device.new_queue() is None


@needs_compiler
def test_a_compiler_that_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(c_calls, "RUN", "no C")
    with pytest.raises(CompileError) as caught:
        product()(alpha=1.0, **arrays(2))
    (mistake,) = caught.value.diagnostics
    assert (mistake.code, mistake.message) == (
        "E0615",
        f"`{c_compiler.c_compiler().version}` does not build a kernel",
    )
    assert any("kernel.c:" in note and "error" in note for note in mistake.notes)


@needs_compiler
def test_a_cache_without_room(libraries: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is built in another folder is used by this process, and not kept."""
    full = OSError(errno.ENOSPC, "no space left on device")
    monkeypatch.setattr(c_compiler, "reason_against", lambda folder: full if folder == libraries else None)
    given = arrays(2)
    expected = given["C"] + given["A"] @ given["B"]
    product()(alpha=1.0, **given)
    np.testing.assert_allclose(given["C"], expected, rtol=1e-13)
    assert list(libraries.glob("*")) == []


@needs_compiler
def test_no_room_anywhere() -> None:
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    kernel = product()
    resource.setrlimit(resource.RLIMIT_FSIZE, (16, before[1]))
    try:
        with pytest.raises(CompileError, match=r"does not build a kernel\n.*File too large") as caught:
            kernel(alpha=1.0, **arrays(2))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert [each.code for each in caught.value.diagnostics] == ["E0615"]


# -- sanitizers --------------------------------------------------------------------------------------------------------


SANITIZED = f"""
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
import numpy as np, einsum_front as ef
program = ef.compile(ef.parse(Path({str(FEATURES)!r})), "c")
for name in ("volume", "once", "known", "group", "open", "create", "Volume"):
    assert all(found.agrees for found in program[name].verify()), name
A = np.ones((400, 8, 8))
def is_right(start):
    return np.array_equal(ef.einsum("bik,bkj->bij", A[start:], A[start:], device="c"), 8 * A[start:])
with ThreadPoolExecutor(16) as pool:
    assert all(pool.map(is_right, range(160)))
"""


@pytest.mark.slow
@needs_compiler
def test_sanitizers_find_nothing() -> None:
    """16 threads at once; what the kernels touch outside of NumPy's arrays ends the process."""
    if shutil.which("gcc") is None:
        pytest.skip("no gcc on this machine")
    library = subprocess.run(["gcc", "-print-file-name=libasan.so"], check=True, capture_output=True, text=True)
    environment = {
        **os.environ,
        "CC": "gcc -fsanitize=address,undefined -fno-sanitize-recover=all",
        "LD_PRELOAD": library.stdout.strip(),
        "ASAN_OPTIONS": "detect_leaks=0",
        NO_CACHE_VARIABLE: "1",
    }
    command = [sys.executable, "-c", SANITIZED]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=600, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
