"""Spectral elements of order 7: derivatives in a time loop on arrays of the device, then values at other points.

python -m examples.spectral_elements            # 10,000 elements
"""

import sys
import time

import numpy as np
import pyopencl.array
from numpy.polynomial import chebyshev

import einsum_front as ef

# 1. Operators of one direction: derivatives at n nodes, and values at q equidistant points.
n, q = 8, 12
nodes = np.cos(np.pi * np.arange(n) / (n - 1))
points = np.linspace(-1, 1, q)
to_coefficients = np.linalg.inv(chebyshev.chebvander(nodes, n - 1))
D = chebyshev.chebval(nodes, chebyshev.chebder(to_coefficients)).T
J = chebyshev.chebvander(points, n - 1) @ to_coefficients

# 2. The kernels. No tensor has a layout: kernels take arrays as they lie.
PROGRAM = """
param n = 8
param q = 12
scalar dt
tensor u[n, n, n]
tensor slope[n, n, n]
tensor fine[q, q, q]
tensor D[n, n] constant
tensor J[q, n] constant

kernel derive      { slope[ijk] = D[il]*u[ljk] + D[jl]*u[ilk] + D[kl]*u[ijl] }
kernel advance     { u[ijk] -= dt * slope[ijk] }
kernel interpolate { fine[abc] = J[ai]*J[bj]*J[ck]*u[ijk] }
"""


def main(elements: int = 10_000, steps: int = 20, dt: float = 1e-3) -> float:
    """Advects a polynomial along the diagonal; the largest difference to the exact solution in any element."""
    kernels = ef.compile(ef.parse(PROGRAM))
    derive, advance, interpolate = (kernels[name] for name in ("derive", "advance", "interpolate"))

    # 3. Each element has another amplitude. Arrays of a device are made in the context of the kernels' device.
    x, y, z = np.meshgrid(nodes, nodes, nodes, indexing="ij")
    amplitude = np.linspace(1, 2, elements)[:, None, None, None]
    queue = derive.device.queue
    u = pyopencl.array.to_device(queue, amplitude * (x + 2 * y + 3 * z))
    slope = pyopencl.array.empty_like(u)

    # 4. What is bound once is started as often as wanted, without checks and copies; launches wait for each other.
    derivation = derive.prepare(u=u, slope=slope, D=D)
    update = advance.prepare(u=u, slope=slope, dt=dt)
    derivation.run()  # drivers finish compiling at the first run
    derivation.finish()
    start = time.perf_counter()
    for _ in range(steps):
        derivation.run()
        update.run()
    update.finish()
    seconds = time.perf_counter() - start
    print(f"{elements} elements, {steps} steps: {seconds / steps / elements * 1e9:.0f} ns a step of an element")

    # 5. Arrays of the device and of NumPy may stand beside each other. The solution is u0(x - t, y - t, z - t).
    fine = np.empty((elements, q, q, q))
    interpolate(u=u, J=J, fine=fine)
    x, y, z = np.meshgrid(points, points, points, indexing="ij")
    error = float(abs(fine - amplitude * (x + 2 * y + 3 * z - 6 * dt * steps)).max())
    print(f"largest error: {error:.1e}")
    return error


if __name__ == "__main__":
    sys.exit(main() > 1e-9)
