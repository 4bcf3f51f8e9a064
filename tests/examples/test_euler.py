"""A flux that is not linear, between contractions, with neighbours where integers say."""

import numpy as np
import pytest

from examples.euler import GAMMA, Floats, kernels, neighbours, solve, square, wave


@pytest.mark.parametrize("device", ["c", "auto"])
def test_the_wave_is_carried_and_nothing_is_lost(device: str) -> None:
    """With four nodes along an axis the error falls with the fourth power of the side."""
    errors = []
    for count in (4, 8):
        error, changed = solve(4, count, until=0.02, device=device)
        assert np.abs(changed).max() < 1e-13
        errors.append(error)
    assert errors[0] > 2**3.5 * errors[1]


def change(nodes: int, u: Floats, count: int) -> Floats:
    """What the kernel says that a state changes by."""
    du, matrices = np.full_like(u, np.nan), square(nodes)[2]
    launch = kernels(nodes, "c")["change"].prepare(
        u=u, du=du, next=neighbours(count), gamma=GAMMA, side=1 / count, **matrices
    )
    launch.run()
    launch.finish()
    return du


def flux(u: Floats, axis: int) -> tuple[Floats, Floats]:
    """Euler's flux along an axis, and the fastest wave, as the textbook has them."""
    velocity = u[..., 1:3] / u[..., :1]
    pressure = (GAMMA - 1) * (u[..., 3] - u[..., 0] * (velocity**2).sum(-1) / 2)
    along = velocity[..., axis]
    result = u * along[..., None]
    result[..., 1 + axis] += pressure
    result[..., 3] += pressure * along
    return result, np.abs(along) + np.sqrt(GAMMA * pressure / u[..., 0])


def test_elements_of_one_node_are_finite_volumes_with_rusanovs_flux() -> None:
    count, random = 5, np.random.default_rng(0)
    u = wave(random.random((count**2, 1, 2)), 0) * random.uniform(0.9, 1.1, (count**2, 1, 4))
    expected = np.zeros_like(u)
    for face, others in enumerate(neighbours(count).T):
        axis, sign = face // 2, 2 * (face % 2) - 1
        (inside, slow), (outside, fast) = flux(u, axis), flux(u[others], axis)
        middle = sign * (inside + outside) / 2 + np.maximum(slow, fast)[..., None] * (u - u[others]) / 2
        expected -= middle * count
    np.testing.assert_allclose(change(1, u, count), expected, rtol=0, atol=1e-12)


def test_a_flow_that_is_the_same_everywhere_stays() -> None:
    places, count = square(4)[0], 3
    u = np.tile(wave(0 * places, 0), (count**2, 1, 1))
    assert np.abs(change(4, u, count)).max() < 1e-11
