"""Do chunks overlap, and do devices add up? `python -m benchmarks.overlap [--devices gpu:0 gpu:1]`.

A kernel with as much work as `--products` says runs over a batch in chunks. On each device three times are compared:
of the chunks, of the same bytes with a kernel that only adds, and of the kernel on what is on the device already. The
first should be the larger of the others. Then all devices share the batch: their speeds should add up.
"""

import argparse
import sys
import time
from collections.abc import Callable, Sequence
from itertools import pairwise
from statistics import median

import numpy as np
from numpy.typing import NDArray

import einsum_front as ef

ROWS, COLUMNS = 56, 9
TEXT = """
tensor K[{rows}, {rows}] constant
tensor I[{rows}, {columns}]
tensor Q[{rows}, {columns}]
{temporaries}
kernel work {{ {statements} }}
"""

Array = NDArray[np.float64]


def text(products: int) -> str:
    """`Q += K (K (… I))`; without products `Q += I`."""
    names = ["I", *(f"T{n}" for n in range(1, products))]
    steps = [f"{target}[kp] = K[kl] * {source}[lp]" for source, target in pairwise(names)]
    last = f"Q[kp] += K[kl] * {names[-1]}[lp]" if products else "Q[kp] += I[kp]"
    temporaries = "\n".join(f"temp T{n}[{ROWS}, {COLUMNS}]" for n in range(1, products))
    return TEXT.format(rows=ROWS, columns=COLUMNS, temporaries=temporaries, statements="\n".join([*steps, last]))


def seconds(call: Callable[[], object], turns: int) -> float:
    """The median of some calls after a first one."""
    times = []
    for _ in range(turns + 1):
        began = time.perf_counter()
        call()
        times.append(time.perf_counter() - began)
    return median(times[1:])


def in_chunks(products: int, devices: Sequence[str], arrays: dict[str, Array], memory: str, turns: int) -> float:
    """Seconds of a run in chunks."""
    kernel = ef.compile(ef.parse(text(products)), device=devices[0])["work"]
    given = arrays if products else {name: each for name, each in arrays.items() if name != "K"}
    run = kernel.chunked(devices=list(devices), memory=memory)
    return seconds(lambda: run(**given), turns)


def on_device(products: int, device: str, arrays: dict[str, Array], turns: int) -> float:
    """Seconds of the kernel for the batch; a part of it is there, and its time counts as often as it fits."""
    kernel = ef.compile(ef.parse(text(products)), device=device)["work"]
    batch = len(arrays["I"])
    part = min(batch, 1 << 16)
    there = {name: kernel.to_device(name, each if name == "K" else each[:part]) for name, each in arrays.items()}
    launch = kernel.prepare(**there)

    def run() -> None:
        launch.run()
        launch.wait()

    return seconds(run, turns) * batch / part


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--devices", nargs="+", default=["auto"])
    parser.add_argument("--elements", type=int, default=200_000)
    parser.add_argument("--products", type=int, nargs="+", default=[1, 4, 16])
    parser.add_argument("--memory", default="256 MB")
    parser.add_argument("--turns", type=int, default=3)
    options = parser.parse_args()
    random = np.random.default_rng(0)
    shape = options.elements, ROWS, COLUMNS
    arrays = {
        "K": random.uniform(-0.01, 0.01, (ROWS, ROWS)),
        "I": random.uniform(-1, 1, shape),
        "Q": random.uniform(-1, 1, shape),
    }
    print(f"{options.elements:,} elements, {3 * arrays['I'].nbytes / 1e9:.1f} GB to and from a device")
    for products in options.products:
        each = []
        for device in options.devices:
            kernel = on_device(products, device, arrays, options.turns)
            copies = in_chunks(0, [device], arrays, options.memory, options.turns)
            both = in_chunks(products, [device], arrays, options.memory, options.turns)
            each.append(both)
            print(
                f"{products} products on {device}: chunks {both:.3f} s, bytes {copies:.3f} s, kernel {kernel:.3f} s: "
                f"{both / max(copies, kernel):.2f} of the longer"
            )
        if len(options.devices) > 1:
            together = in_chunks(products, options.devices, arrays, options.memory, options.turns)
            print(f"{products} products on all: {together:.3f} s, {min(each) / together:.2f} times as fast as the best")
    return 0


if __name__ == "__main__":
    sys.exit(main())
