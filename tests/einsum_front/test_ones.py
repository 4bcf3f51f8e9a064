"""`1[b]` repeats a value along an index, by copies, not by products: as NumPy's broadcasting does."""

import numpy as np
import pytest

import einsum_front as ef

DECLARATIONS = """
size n <= 9 ~ 5
scalar s
tensor A[3] constant
tensor B[3, 4] constant
tensor Z[3] constant nonzeros [(1,)]
tensor R[n] constant
tensor C[3, 4]
tensor D[3, 4, 2]
tensor E[n, 3]
tensor S[4, 4]
tensor T[3, 4] nonzeros [(1,0), (1,1), (1,2), (1,3)]
"""
ALONG = np.newaxis


def outputs(statement: str, **arguments: object) -> dict[str, np.ndarray]:
    """The arrays after a kernel of one statement, which agrees at all levels; each starts as ones."""
    kernel = ef.compile(ef.parse(f"{DECLARATIONS} kernel f {{ {statement} }}"))["f"]
    assert all(comparison.agrees for comparison in kernel.verify())
    shapes = {"C": (3, 4), "D": (3, 4, 2), "E": (7, 3), "S": (4, 4), "T": (3, 4)}
    needed = {parameter.name for parameter in kernel.artifact.arguments}
    results = {name: np.ones((2, *shape)) for name, shape in shapes.items() if name in needed}
    kernel(**results, **{name: value for name, value in arguments.items() if name in needed})
    return results


A, B, R = np.array([2.0, -3.0, 0.5]), np.arange(12.0).reshape(3, 4), np.arange(7.0)


@pytest.mark.parametrize(
    ("statement", "name", "expected"),
    [
        ("C[ab] = A[a] * 1[b]", "C", A[:, ALONG]),
        ("C[ab] += 3 * s * A[a] * 1[b]", "C", 1 + 6 * A[:, ALONG]),
        ("C[a,b=1:3] -= 1[b] * A[a]", "C", 1 - A[:, ALONG] * [0, 1, 1, 0]),
        ("C[a,b] = C[a,2] * 1[b] + A[a]", "C", 1 + A[:, ALONG]),
        ("D[abc] = B[ab] * A[a] * 1[c]", "D", (B * A[:, ALONG])[:, :, ALONG]),
        ("D[abc] = B[ak] * B[lk] * A[l] * 1[bc]", "D", (B @ B.T @ A)[:, ALONG, ALONG]),
        ("E[ab] = R[a] * 1[b]", "E", R[:, ALONG]),
        ("E[ab] = A[b] * 1[a]", "E", A),
        ("S[ii] = s * 1[i]", "S", np.where(np.eye(4), 2, 1)),
        ("C[ab] = 1[k] * (B[ak] + A[a]) * 1[b]", "C", (B + A[:, ALONG]).sum(1)[:, ALONG]),
        ("C[ab] = 2 * 1[ab]", "C", np.array(2)),
        ("T[ab] = Z[a] * 1[b]", "T", np.where(np.arange(3)[:, ALONG] == 1, A[:, ALONG], 1)),
    ],
)
def test_it_means_what_broadcasting_means(statement: str, name: str, expected: np.ndarray) -> None:
    found = outputs(statement, A=A, B=B, Z=A, R=R, s=2.0)[name]
    np.testing.assert_allclose(found, np.broadcast_to(expected, found.shape), rtol=1e-14)


def test_it_is_a_copy_and_not_a_product() -> None:
    kernel = ef.compile(ef.parse(f"{DECLARATIONS} kernel f {{ C[ab] = A[a] * 1[b] }}"))["f"]
    assert kernel.operations == 0
    assert kernel.plan is not None
    assert kernel.plan.count("broadcast C[a, b] := A[a]") == 1
    assert "axpby" in kernel.tensor_language
    assert not any(word in kernel.tensor_language for word in ("ger", "gemm", "hadamard", "alloca"))


def test_a_repeated_value_that_meets_declared_zeros_is_an_error() -> None:
    with pytest.raises(ef.CompileError, match=r"E0217.*entry \(0, 0\) of `T`"):
        ef.compile(ef.parse(f"{DECLARATIONS} kernel f {{ T[ab] = A[a] * 1[b] }}"))


def test_the_same_in_python() -> None:
    C, V = ef.Tensor("C", (3, 4)), ef.Tensor("V", (3,))
    program = ef.program(ef.kernel("f", [C["ab"] <= 2 * V["a"] * ef.ones["b"], C["a,b=0:2"].add(ef.ones["a,b"])]))
    volume = ef.compile(program)["f"]
    result, values = np.zeros((5, 3, 4)), np.random.default_rng(0).random((5, 3))
    volume(C=result, V=values)
    np.testing.assert_array_equal(result, 2 * values[:, :, ALONG] + [1, 1, 0, 0])
