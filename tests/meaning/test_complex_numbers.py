"""Complex numbers, from the notation to devices: every level against NumPy's own."""

import pickle
import re
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import einsum_front as ef
from einsum_front.cli import main
from einsum_front.core.diagnostics import CompileError, Source, render_all
from einsum_front.core.extent import static, static_shape
from einsum_front.core.numbers import in_parts
from einsum_front.driver import Session, translate_program
from einsum_front.driver.targets import target_of
from einsum_front.driver.verification import compare_levels
from einsum_front.elaborate import elaborate
from einsum_front.ir.contraction.nodes import Contraction
from einsum_front.notation.check import check
from einsum_front.notation.interpret import interpret
from einsum_front.notation.parse import parse
from einsum_front.notation.parts.program import real_program
from einsum_front.notation.unparse import unparse
from einsum_front.runtime import find_device

Array = NDArray[Any]

DECLARED = """
tensor A[3,4] c128    tensor B[4,5] c128 constant    tensor C[3,5] c128    tensor D[5,3] c64    tensor E[2,3] complex
tensor R[4,5]         tensor Y[3,5]                  tensor S[3,3] complex tensor x[3] c64      tensor G[3] c128 grouped
tensor t[] c128       tensor F[3,5] c128 row_major   tensor H[3,5] c128 batch_fastest
tensor M[3,3] c128 nonzeros [(0,0), (2,1)]
temp T[3,5] complex   scalar w c128                  scalar dt             scalar z{2} complex
"""

BODIES = """
C[ij] = A[ik] * B[kj]
C[ij] += A[ik] * R[kj]
F[ij] -= A[ik] * B[kj] + 2 * F[ij]
H[ij] += A[ik] * B[kj]
C[ij] -= 2j * A[ik] * B[kj] + R[kj] * A[ik]
C[ij] = w * A[ik] * B[kj]
C[ij] = w**2 / (1 + 1j) * Y[ij] + dt * C[ij] - (1 - 2j)
C[ij] = w**(-2) * C[ij] / z{1} + z{0} * dt
Y[ij] = real(A[ik] * B[kj]) * imag(C[ij])
C[ij] = conj(C[ij]) + 1
C[ij] = conj(A[ik]) * B[kj]
C[ij] = conj(A[ik]) * conj(B[kj]) * w
C[ij] = conj(A[ik] * B[kj])
C[ij] = A[ik] * B[kl] * D[lm] * C[mj]
C[ij] = (A[ik] * B[kl]) * (D[lm] * C[mj])
C[ij] = Y[ij]
C[ij] = S[ii] * w + Y[ij] * 1j + C[ij]
S[ij] = S[ji]
S[ij] = conj(S[ji]) + 2 * S[ij]
S[ij] = real(S[ji])
S[ij] += imag(S[ji]) + S[jk] * S[ki]
S[ij] = M[ik] * S[kj]
S[ii] = w
M[ii] += w * M[ii]
C[ij] = C[ij] / Y[ij] + Y[ij] / C[ij] + C[ij] / (2 + 1j) + 1 / (1 + C[ij])
Y[ij] = abs(C[ij] * w)
C[ij] = where(Y[ij] < 0, C[ij], Y[ij])
T[ij] = A[ik] * B[kj]   C[ij] = T[ij] * T[ij] + conj(T[ij])
x[i] = A[ik] * B[kj] * D[ji]
x[i] += conj(x[i]) * w
G[i] += A[ik] * B[kj] * D[ji]
Y[ij] = real(w) * imag(w) * Y[ij]
C[ij] = conj(w) * A[ik] * (B[kj] + R[kj])
C[ij] = sum{d in 0:2}(A[ik] * B[kj] * (d + 1j))
C[ij] = 1 / w
C[i,j=0:2] = A[i,k=1:3] * B[k=1:3,j=2:4]
C[1,j] = A[2,k] * B[k,j]
Y[ij] = imag(Y[ij]) + conj(Y[ij]) * real(Y[ij])
C[ij] = -C[ij] + 0 * A[ik] * B[kj]
C[ij] = C[ij] + 0j * A[ik] * B[kj]
Y[ij] = real(conj(C[ij]) * C[ij])
C[ij] = Y[ij] * C[ij] * w * conj(w)
C[ij] = real(C[ij]) * A[ik] * B[kj] * S[il] * C[lj]
C[ij] = A[ik] * B[kj] * 1[j] - w * 1[j]
t[] = A[ij] * B[jk] * D[ki]
t[] = conj(imag(R[kj]) + 2) * imag(R[kl] + 2 / w)
E[0,i] = w * E[1,i]   E[1,i] = imag(E[0,i]) * E[1,i]
"""

ROUNDINGS = 1e-13
"""More than what hundred operations on numbers about 1 lose; arguments of `c64` lose more."""


def cases() -> list[str]:
    return BODIES.strip().splitlines()


def program_of(body: str) -> str:
    return f"{DECLARED}\nkernel f {{ {body} }}"


def arguments_for(text: str, batch: int, seed: int = 0) -> dict[str, Any]:
    """Numbers about 1 for all tensors and scalars of a program; those that are declared to be zero are zero."""
    generator = np.random.default_rng(seed)
    program = check(parse(Source("t", text)))
    given: dict[str, Any] = {}
    for tensor in program.tensors:
        if tensor.storage.value != "temp":
            shape = (*(() if tensor.storage.value == "constant" else (batch,)), *static_shape(tensor.shape))
            array = generator.uniform(0.5, 1, shape) * generator.choice([-1, 1], shape)
            if tensor.is_complex:
                kind = np.complex128 if tensor.memory is None else np.complex64
                array = (array + 1j * generator.uniform(-1, 1, shape)).astype(kind)
            given[tensor.name] = array if tensor.nonzeros is None else np.where(tensor.nonzeros.array(), array, 0)
    for scalar in program.scalars:
        given[scalar.name] = complex(*generator.uniform(0.5, 1, 2)) if scalar.is_complex else 0.75
    return given


def copied(given: dict[str, Any]) -> dict[str, Any]:
    return {name: each.copy() if isinstance(each, np.ndarray) else each for name, each in given.items()}


def largest_difference(found: dict[str, Any], expected: dict[str, Any]) -> float:
    pairs = ((each, expected[name]) for name, each in found.items() if isinstance(each, np.ndarray))
    return max(float(np.abs(one - other).max()) / (1 if one.dtype.itemsize > 8 else 1e8) for one, other in pairs)


@pytest.mark.parametrize("body", cases())
def test_the_pass_over_parts_changes_nothing(body: str) -> None:
    program = check(parse(Source("t", program_of(body))))
    kernel, given = program.kernels[0], arguments_for(program_of(body), 2)
    expected, found = copied(given), copied(given)
    interpret(kernel, program, expected)
    parts: dict[str, Any] = {}
    for name, value in found.items():
        if isinstance(value, complex):
            parts |= {f"{name}_re": value.real, f"{name}_im": value.imag}
        else:
            parts[name] = in_parts(np.asarray(value)) if isinstance(value, np.ndarray) else value
    interpret(*real_program(kernel, program), parts)
    assert largest_difference(found, expected) < ROUNDINGS


@pytest.mark.parametrize("body", cases())
def test_every_level_means_the_same(body: str) -> None:
    where = find_device()
    (stages,) = translate_program(Session(target_of(where.facts)), parse(Source("t", program_of(body))))
    names = {parameter.name for parameter in stages.artifact.arguments}
    given = {name: value for name, value in arguments_for(program_of(body), 3).items() if name in names}
    compared = compare_levels(stages, where, given, 3 if stages.artifact.is_batched else 1)
    assert {each.level for each in compared} >= {"graph", "yir", "tl", "device"}
    assert all(each.agrees for each in compared), compared


@pytest.mark.parametrize("body", cases())
def test_is_read_as_it_is_printed(body: str) -> None:
    program = parse(Source("t", program_of(body)))
    assert parse(Source("t", unparse(program))) == program


EXPECTED = {
    "C[ij] = A[ik] * B[kj]": lambda a: a["A"] @ a["B"],
    "C[ij] = w * A[ik] * B[kj]": lambda a: a["w"] * (a["A"] @ a["B"]),
    "C[ij] -= 2j * A[ik] * B[kj] + R[kj] * A[ik]": lambda a: a["C"] - 2j * (a["A"] @ a["B"]) - a["A"] @ a["R"],
    "C[ij] = conj(A[ik]) * B[kj]": lambda a: a["A"].conj() @ a["B"],
    "C[ij] = A[ik] * B[kl] * D[lm] * C[mj]": lambda a: a["A"] @ a["B"] @ a["D"] @ a["C"],
    "C[ij] = w**2 / (1 + 1j) * Y[ij] + dt * C[ij] - (1 - 2j)": lambda a: (
        a["w"] ** 2 / (1 + 1j) * a["Y"] + a["dt"] * a["C"] - (1 - 2j)
    ),
    "C[ij] = sum{d in 0:2}(A[ik] * B[kj] * (d + 1j))": lambda a: (1 + 2j) * (a["A"] @ a["B"]),
    "C[ij] = where(Y[ij] < 0, C[ij], Y[ij])": lambda a: np.where(a["Y"] < 0, a["C"], a["Y"]),
}


@pytest.mark.parametrize("body", EXPECTED)
def test_is_what_numpy_computes(body: str) -> None:
    program = check(parse(Source("t", program_of(body))))
    given = arguments_for(program_of(body), 2)
    expected = EXPECTED[body](given)
    interpret(program.kernels[0], program, given)
    np.testing.assert_allclose(given["C"], expected, rtol=0, atol=1e-5 if "D[" in body else ROUNDINGS)


@pytest.mark.parametrize(
    ("body", "products"),
    [("C[ij] = A[ik] * R[kj]", 2), ("C[ij] = A[ik] * B[kj]", 4), ("Y[ij] = real(A[ik] * B[kj])", 2)],
)
def test_zero_parts_are_not_multiplied(body: str, products: int) -> None:
    program = check(parse(Source("t", program_of(body))))
    graph = elaborate(program.kernels[0], program)
    extents = 3 * 4 * 5
    counted = sum(
        int(np.prod([static(index.extent) for index in node.space.indices]))
        for _, node in graph.nodes
        if isinstance(node, Contraction)
    )
    assert counted == products * extents


@pytest.mark.usefixtures("no_device_by_name")
@pytest.mark.parametrize(("device", "build"), [("c", "now"), ("auto", "now"), ("auto", "never")])
def test_calls_take_complex_arrays_where_they_lie(device: str, build: Any) -> None:
    text = """tensor A[6,7] c128 tensor B[7,5] c64 constant tensor C[6,5] c128 scalar w c128 scalar dt
    kernel f { C[ij] = w * A[ik] * B[kj] + dt * C[ij] }"""
    kernel = ef.compile(ef.parse(text), device=device, build=build)["f"]
    random = np.random.default_rng(1)

    def numbers(*shape: int) -> Array:
        return random.uniform(-1, 1, shape) + 1j * random.uniform(-1, 1, shape)

    B, w, dt = numbers(7, 5).astype(np.complex64), 0.25 - 0.5j, 0.5
    arrays = [
        (numbers(20, 6, 7), numbers(20, 6, 5)),
        (np.asfortranarray(numbers(20, 6, 7)), np.asfortranarray(numbers(20, 6, 5))),
        (np.moveaxis(numbers(6, 7, 20), -1, 0), np.moveaxis(numbers(6, 5, 20), -1, 0)),
        (numbers(20, 12, 14)[:, ::2, ::2], numbers(20, 6, 5)),
    ]
    for A, C in arrays:
        expected = w * (A @ B) + dt * C
        with warnings.catch_warnings():
            warnings.simplefilter("error", ef.CopyWarning)
            kernel(A=A, B=B, C=C, w=w, dt=dt)
        np.testing.assert_allclose(C, expected, rtol=0, atol=1e-13)
    if build == "now":
        launch = kernel.prepare(A=A, B=B, C=C, w=1, dt=0)
        launch.set(w=2j)
        launch.run()
        launch.finish()
        np.testing.assert_allclose(C, 2j * (A @ B), rtol=0, atol=1e-13)


def said(**changed: object) -> str:
    """What a call of a small kernel says."""
    text = "tensor A[2] c128 tensor R[2] scalar w c64 scalar dt kernel f { A[i] = w * A[i] + dt * R[i] }"
    given: dict[str, object] = {"A": np.zeros((3, 2), complex), "R": np.zeros((3, 2)), "w": 1j, "dt": 1.0}
    with pytest.raises(CompileError) as error:
        ef.compile(ef.parse("real f32 " + text.replace("c128", "c64")), device="c")["f"](**{**given, **changed})
    return re.sub(r"\x1b\[[0-9;]*m", "", render_all(error.value.diagnostics))


def test_says_what_is_no_complex_argument() -> None:
    arrays = {"A": np.zeros((3, 2), np.complex64), "R": np.zeros((3, 2), np.float32)}
    assert "argument `dt` is 1j, expected a real number" in said(**arrays, dt=1j)
    assert "argument `w` is of type str, expected a number" in said(**arrays, w="1j")
    assert "argument `w` is (1e+300+0j), which does not fit into c32" in said(**arrays, w=1e300 + 0j)
    assert "argument `A` has element type complex128, expected complex64" in said(R=arrays["R"])
    assert "argument `R` has element type complex64, expected float32" in said(A=arrays["A"], R=arrays["A"])


def test_known_values_are_complex(tmp_path: Path) -> None:
    K = np.array([[0, 1j, 0], [-1j, 0, 2], [0, 0, 1 - 1j]])
    np.save(tmp_path / "k.npy", K)
    np.save(tmp_path / "real.npy", K.real)
    declared = f"""tensor K[3,3] complex values "{tmp_path}/k.npy" tensor L[3,3] c128 values "{tmp_path}/real.npy"
    tensor A[3,5] c128 tensor C[3,5] c128"""
    kernels = "kernel f { C[ij] = K[ik] * A[kj] } kernel g { C[ij] = conj(K[ik]) * L[kl] * A[lj] }"
    compiled = ef.compile(ef.parse(f"{declared} {kernels}"), device="c")
    A = np.random.default_rng(0).uniform(-1, 1, (4, 3, 10)).view(complex)
    for name, matrix in (("f", K), ("g", K.conj() @ K.real)):
        C = np.zeros_like(A)
        compiled[name](A=A, C=C)
        np.testing.assert_allclose(C, matrix @ A, rtol=0, atol=1e-13)
        assert all(each.agrees for each in compiled[name].verify())
    with pytest.raises(CompileError, match="E0240"):
        ef.compile(ef.parse(f'tensor K[3,3] values "{tmp_path}/k.npy" tensor A[3] kernel f {{ A[i] = K[ii] }}'))


PRODUCT = """tensor A[6,7] c128 tensor B[7,5] c64 constant tensor C[6,5] c128 scalar w complex
kernel f { C[ij] += w * A[ik] * B[kj] }
"""


def numbers(*shape: int) -> Any:
    random = np.random.default_rng(sum(shape))
    return random.uniform(-1, 1, (*shape, 2)).view(complex)[..., 0]


def test_chunks_dask_devices_and_pickles(tmp_path: Path) -> None:
    import dask.array  # noqa: PLC0415 - which few tests need

    kernel = ef.compile(ef.parse(PRODUCT), device="auto")["f"]
    A, B, C, w = numbers(100, 6, 7), numbers(7, 5).astype(np.complex64), numbers(100, 6, 5), 0.5 - 2j
    expected = C + w * (A @ B)
    mapped = np.lib.format.open_memmap(tmp_path / "c.npy", "w+", C.dtype, C.shape)
    mapped[...] = C
    kernel.chunked(chunk=30)(A=A, B=B, C=mapped, w=w)
    lazy = kernel(
        A=dask.array.from_array(A, chunks=(40, 6, 7)), B=B, C=dask.array.from_array(C, chunks=(40, 6, 5)), w=w
    )
    there = kernel.to_device("C", C)
    kernel(A=kernel.to_device("A", A), B=kernel.to_device("B", B), C=there, w=w)
    again = C.copy()
    pickle.loads(pickle.dumps(kernel))(A=A, B=B, C=again, w=w)
    for found in (mapped, np.asarray(lazy), ef.to_host(there), again):
        np.testing.assert_allclose(found, expected, rtol=0, atol=1e-13)


def test_the_command_line_has_complex_numbers(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, folder = tmp_path / "product.ein", tmp_path / "levels"
    file.write_text(PRODUCT, encoding="utf-8")
    arguments = {"A": numbers(4, 6, 7), "B": numbers(7, 5).astype(np.complex64), "C": numbers(4, 6, 5)}
    np.savez(tmp_path / "given.npz", **arguments)
    data = ["--data", str(tmp_path / "given.npz"), "--args", "w=0.5-2j", "--save", str(tmp_path / "found.npz")]
    assert main(["run", str(file), "--device", "c", *data]) == 0
    expected = arguments["C"] + (0.5 - 2j) * (arguments["A"] @ arguments["B"])
    np.testing.assert_allclose(np.load(tmp_path / "found.npz")["C"], expected, rtol=0, atol=1e-13)
    main(["compile", str(file), "--device", "c", "--emit", "tl", "--dump-to", str(folder)])
    for level in ("yir", "tl"):
        capsys.readouterr()
        assert main(["run", str(folder / f"f.{level}"), "--device", "c", "--verify"]) == 0
        assert "compared with `f` of" in capsys.readouterr().out
    with pytest.raises(SystemExit):
        main(["run", str(file), "--device", "c", "--args", "w=x"])
    assert "argument `w` is a complex number such as 0.5-2j, not `x`" in capsys.readouterr().err


def test_names_of_the_text_are_not_taken() -> None:
    text = """size value <= 9 tensor turned[value,4] c128 tensor Y[value,value] complex tensor Z[value,4] c64
    scalar turned1 scalar value1 complex kernel f { Z[i,part] = turned1 * value1 * conj(Y[i,j]) * turned[j,part] }"""
    turned, Y, Z = numbers(5, 3, 4), numbers(5, 3, 3), numbers(5, 3, 4).astype(np.complex64)
    ef.compile(ef.parse(text), device="c")["f"](turned=turned, Y=Y, Z=Z, turned1=0.5, value1=1 - 2j)
    np.testing.assert_allclose(Z, 0.5 * (1 - 2j) * (Y.conj() @ turned), rtol=0, atol=1e-5)
