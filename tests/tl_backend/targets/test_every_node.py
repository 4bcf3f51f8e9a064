"""Every language prints every node of the tree, or has an error for what it cannot say."""

import pytest

from einsum_front.core.diagnostics import CompilerBug
from einsum_front.core.instruction_sets import AVX2
from einsum_front.core.machines import MATRICES
from einsum_front.tl_backend.kernel import tree
from einsum_front.tl_backend.targets.c import c
from einsum_front.tl_backend.targets.c_family import Language
from einsum_front.tl_backend.targets.cuda import CUDA
from einsum_front.tl_backend.targets.opencl import OPENCL_C
from einsum_front.tl_backend.targets.sycl import SYCL
from tests.tl_backend.targets.every_node import files, missing

C = c(AVX2)
LANGUAGES = (OPENCL_C, C, CUDA, SYCL)


def test_no_node_is_missing() -> None:
    assert missing() == set()


@pytest.mark.parametrize("language", LANGUAGES, ids=lambda language: language.name)
def test_everything_is_printed(language: Language) -> None:
    for file in files(items=1 if language is C else 32):
        text = language.printer().unparse(file)
        assert f"k{language.ending}(" in text
        assert "None" not in text


@pytest.mark.parametrize(("language", "words"), [(SYCL, "SYCL 2020 has no products of matrices"), (C, "are alone")])
def test_products_of_matrices_are_refused(language: Language, words: str) -> None:
    product = tree.MatrixMultiplyAdd(MATRICES["sm_90"], (), (), tree.Name("x"))
    with pytest.raises(CompilerBug, match=words):
        language.printer().effect(product)
