"""Constants that are written into the code: numbers in registers, and groups of rows. Results are those of NumPy."""

from pathlib import Path

import numpy as np
import pytest

import einsum_front as ef

ROWS, DEPTH = 24, 30

TEXT = """real REAL
SIZE
tensor K[24,30] constant values "k.npz"
tensor x[30,COLUMNS] row_major
tensor y[24,COLUMNS] row_major
kernel operator { y[i,c] = K[i,j] * x[j,c] }
"""


def matrix(different: int) -> np.ndarray:
    """A sparse matrix of so many different magnitudes, with both signs and ones."""
    random = np.random.default_rng(different)
    numbers = random.integers(2, 2 + different, (ROWS, DEPTH)) * random.choice((-1.0, 1.0), (ROWS, DEPTH))
    numbers[::5] = np.sign(numbers[::5])
    return np.where(random.random((ROWS, DEPTH)) < 0.3, numbers, 0)


@pytest.mark.parametrize("different", [3, 30, 300])
@pytest.mark.parametrize("real", ["f32", "f64"])
@pytest.mark.parametrize("columns", [40, 43])
@pytest.mark.parametrize("is_open", [True, False], ids=["open", "fixed"])
def test_products_are_those_of_numpy(different: int, real: str, columns: int, tmp_path: Path, *, is_open: bool) -> None:
    numbers = matrix(different)
    np.savez(tmp_path / "k.npz", K=numbers)
    size, text = ("size cols", "cols") if is_open else ("", str(columns))
    file = tmp_path / "operator.ein"
    file.write_text(TEXT.replace("REAL", real).replace("SIZE", size).replace("COLUMNS", text))
    compiled = ef.compile(ef.parse(file), "c")["operator"]
    dtype = np.float32 if real == "f32" else np.float64
    given = np.random.default_rng(2).integers(-9, 9, (3, DEPTH, columns)).astype(dtype)
    found = np.zeros((3, ROWS, columns), dtype)
    compiled(x=given, y=found)
    bound = (DEPTH + 1) * np.finfo(dtype).eps * (abs(numbers) @ abs(given))
    assert (abs(found - numbers @ given) <= bound).all()
