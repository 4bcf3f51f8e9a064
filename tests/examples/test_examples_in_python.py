"""The examples in Python run, and are right."""

from examples import coupled_cluster, spectral_elements


def test_spectral_elements() -> None:
    assert spectral_elements.main(elements=5, steps=3) < 1e-12


def test_coupled_cluster() -> None:
    assert coupled_cluster.main(occupied=3, virtual=5) < 1e-12
