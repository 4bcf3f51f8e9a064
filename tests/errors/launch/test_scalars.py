"""Arguments that are no number of the type."""

from dataclasses import replace

import numpy as np
import pytest

from einsum_front.runtime.artifact import ScalarParameter
from tests.runtime.kernels import FILL, kernel, words

A_REAL_SCALAR = "  = note: `first` is a real scalar: `scalar first complex` is one of complex numbers"


@pytest.mark.parametrize(
    ("kind", "number", "text"),
    [
        ("f64", np.zeros(3), "is an array of shape (3,), expected a number"),
        ("f64", "1.0", "is of type str, expected a number"),
        ("f64", 1j, f"is 1j, expected a real number\n{A_REAL_SCALAR}"),
        ("f64", [1.0], "is of type list, expected a number"),
        ("f64", None, "is of type NoneType, expected a number"),
        ("f64", 10**400, f"is {10**400}, which does not fit into f64"),
        ("f64", 2**53 + 1, "is 9007199254740993, which f64 does not hold exactly"),
        ("f32", 1e300, "is 1e+300, which does not fit into f32"),
        ("f32", 2**24 + 1, "is 16777217, which f32 does not hold exactly"),
        ("i32", 2.0, "is 2.0, expected an integer"),
        ("i32", 3_000_000_000, "is 3000000000, which does not fit into i32"),
        ("u8", -1, "is -1, which does not fit into u8"),
        ("index", np.array(2.5), "is 2.5, expected an integer"),
    ],
)
def test_number(kind: str, number: object, text: str) -> None:
    parameters = (ScalarParameter("first", kind), FILL.parameters[1])
    refused = words(kernel(replace(FILL, parameters=parameters)), first=number, C=np.zeros(1))
    assert refused == f"error[E0509]: argument `first` {text}"
