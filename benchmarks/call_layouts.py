"""Strings of chemistry, learning and networks, on operands as programs have them: off the C order, of other libraries.

    python -m benchmarks.call_layouts

Processor time of calls on one core, from call to result, the middle of turns that ours and others take. All rows are
remembered calls; what a first call costs is at the end, in processes of their own, with empty caches and full ones.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from importlib.util import find_spec
from statistics import median
from typing import Any

import numpy as np

Shapes = tuple[tuple[int, ...], ...]
Call = Callable[[], object]

STRINGS: tuple[tuple[str, Shapes], ...] = (
    # chemistry: densities, integrals, amplitudes
    ("ij,ji->", ((13, 13), (13, 13))),
    ("pi,i,qi->pq", ((24, 24), (24,), (24, 24))),
    ("pqrs,rs->pq", ((12, 12, 12, 12), (12, 12))),
    ("prqs,rs->pq", ((12, 12, 12, 12), (12, 12))),
    ("pqrs,pi->iqrs", ((13, 13, 13, 13), (13, 13))),
    ("iabc,dc->iabd", ((5, 8, 8, 8), (8, 8))),
    ("ijab,ibja->", ((5, 5, 8, 8), (5, 8, 5, 8))),
    ("kc,ikca->ia", ((5, 8), (5, 5, 8, 8))),
    ("kcai,kc->ia", ((5, 8, 8, 5), (5, 8))),
    ("klij,klab->ijab", ((5, 5, 5, 5), (5, 5, 8, 8))),
    ("kldc,ijdb,klca->ijab", ((4, 4, 6, 6), (4, 4, 6, 6), (4, 4, 6, 6))),
    ("kiac,kjbc->ijab", ((10, 10, 16, 16), (10, 10, 16, 16))),
    ("abcd,ijcd->ijab", ((20, 20, 20, 20), (8, 8, 20, 20))),
    ("Lij,Lkl->ijkl", ((60, 12, 12), (60, 12, 12))),
    # learning: layers, attention, bilinear forms
    ("bi,oi->bo", ((32, 64), (128, 64))),
    ("bi,bi->b", ((64, 100), (64, 100))),
    ("bhqd,bhkd->bhqk", ((2, 4, 32, 16), (2, 4, 32, 16))),
    ("bhqk,bhkd->bhqd", ((2, 4, 32, 32), (2, 4, 32, 16))),
    ("btd,hde->bhte", ((4, 32, 64), (4, 64, 16))),
    ("bi,oij,bj->bo", ((16, 12), (8, 12, 12), (16, 12))),
    ("i,j->ij", ((10,), (10,))),
    ("ij,ij->ij", ((200, 200), (200, 200))),
    ("bij,bjk->bik", ((50, 8, 8), (50, 8, 8))),
    ("bchw,oc->bohw", ((2, 16, 16, 16), (32, 16))),
    ("nij->n", ((100, 12, 12),)),
    ("ik,kj->ij", ((512, 512), (512, 512))),
    # networks and fields: chains, lattices, states
    ("i,i->", ((10,), (10,))),
    ("ij,j->i", ((4, 4), (4,))),
    ("ij,jk,kl->il", ((4, 4), (4, 4), (4, 4))),
    ("ai,ijk,bk->ajb", ((16, 16), (16, 2, 16), (16, 16))),
    ("abcd,cdef->abef", ((4, 4, 4, 4), (4, 4, 4, 4))),
    ("abc,cde,bdf->aef", ((8, 8, 8), (8, 8, 8), (8, 8, 8))),
    ("ijkl,ai,bj,ck,dl->abcd", ((6, 6, 6, 6), (6, 6), (6, 6), (6, 6), (6, 6))),
    ("iij,jk->ik", ((12, 12, 12), (12, 12))),
)

LAYOUTS: Mapping[str, Callable[[Any], Any]] = {
    "C": lambda array: array,
    "F": np.asfortranarray,
    "transposed": lambda array: np.ascontiguousarray(array.swapaxes(0, -1)).swapaxes(0, -1),
    "sliced": lambda array: np.repeat(array, 2, axis=-1)[..., ::2],
    "reversed": lambda array: np.ascontiguousarray(array[..., ::-1])[..., ::-1],
    "mixed": lambda array: array,
    "out": lambda array: array,
}

TURNS, TURN_SECONDS = 5, 2e-3


def rows(names: set[str], *, quick: bool) -> Iterator[dict[str, Any]]:
    """Nanoseconds of each way, by string and layout."""
    random = np.random.default_rng(1)
    for text, shapes in STRINGS[::6] if quick else STRINGS:
        for layout, lay in LAYOUTS.items():
            if names and layout not in names:
                continue
            operands = [lay(random.random(shape) - 0.5) for shape in shapes]
            if layout == "mixed":
                operands[0] = operands[0].astype(np.float32)
            yield _row(text, layout, operands, _calls(text, operands, is_out=layout == "out"))
        if not names or "torch" in names:
            operands = [random.random(shape) - 0.5 for shape in shapes]
            if (calls := _torch_calls(text, operands)) is not None:
                yield _row(text, "torch", operands, calls)


def _calls(text: str, operands: list[Any], *, is_out: bool) -> dict[str, Call]:
    import einsum_front as ef  # noqa: PLC0415 - numbers of peers do without

    out = np.einsum(text, *operands) if is_out else None
    if out is not None and out.ndim == 0:
        out = None
    calls: dict[str, Call] = {
        "ours": lambda: ef.einsum(text, *operands, out=out),
        "numpy": lambda: np.einsum(text, *operands, out=out, optimize=True),
    }
    if find_spec("opt_einsum") is not None:
        opt_einsum = import_module("opt_einsum")
        calls["opt_einsum"] = lambda: opt_einsum.contract(text, *operands)
    if find_spec("jax") is not None and len({each.dtype for each in operands}) == 1:
        jax = import_module("jax")
        jax.config.update("jax_enable_x64", True)
        there = [jax.numpy.asarray(each) for each in operands]
        compiled = jax.jit(lambda *given: jax.numpy.einsum(text, *given))
        calls["jax, compiled"] = lambda: jax.block_until_ready(compiled(*there))
    return calls


def _torch_calls(text: str, operands: list[Any]) -> dict[str, Call] | None:
    if find_spec("torch") is None:
        return None
    import einsum_front as ef  # noqa: PLC0415

    torch = import_module("torch")
    torch.set_num_threads(1)
    tensors = [torch.from_numpy(each) for each in operands]
    return {"ours": lambda: ef.einsum(text, *tensors), "torch": lambda: torch.einsum(text, *tensors)}


def _row(text: str, layout: str, operands: list[Any], calls: dict[str, Call]) -> dict[str, Any]:
    expected = np.asarray(np.einsum(text, *operands, optimize=True))
    scale = float(np.abs(expected).max()) or 1.0
    for name, call in calls.items():
        error = float(np.abs(np.asarray(call()) - expected).max()) / scale
        if not error < 1e-4:
            raise SystemExit(f"{name} differs at {text}, {layout}: {error:.1e}")
    counts = dict.fromkeys(calls, 1)
    found: dict[str, list[float]] = {name: [] for name in calls}
    for _ in range(TURNS):
        for name, call in calls.items():
            while True:
                start = time.process_time()
                for _ in range(counts[name]):
                    call()
                seconds = time.process_time() - start
                if seconds > TURN_SECONDS:
                    break
                counts[name] *= 2
            found[name].append(seconds / counts[name] * 1e9)
    return {"string": text, "layout": layout, **{name: median(each) for name, each in found.items()}}


# -- first calls -------------------------------------------------------------------------------------------------------

FIRST = """
import time
start = time.process_time()
import numpy as np
loaded = time.process_time()
import einsum_front as ef
shapes = @shapes@
operands = [np.full(shape, 0.5) for shape in shapes]
begin = time.process_time()
ef.einsum
imported = time.process_time()
ef.einsum("@text@", *operands@keywords@)
print(loaded - start, imported - begin, time.process_time() - imported)
"""


def first_calls(*, quick: bool) -> Iterator[str]:
    """Milliseconds of the first call of a process: the import of NumPy, ours, and the call."""
    for text, shapes in STRINGS[::12] if quick else STRINGS[::4]:
        with tempfile.TemporaryDirectory() as caches:
            for title, keywords in (("", ""), ("build now", ', build="now"'), ("from the disk", ', build="now"')):
                program = FIRST.replace("@shapes@", repr(shapes)).replace("@text@", text)
                environment = {**os.environ, "XDG_CACHE_HOME": caches, "EINSUM_FRONT_NO_CACHE": "0"}
                command = [sys.executable, "-c", program.replace("@keywords@", keywords)]
                done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
                numpy, ours, call = (float(each) * 1e3 for each in done.stdout.split())
                yield f"{text:24} {title:14} numpy {numpy:6.1f}, import {ours:6.1f}, call {call:8.2f} ms"


def main() -> None:
    """A process with one thread of BLAS prints the rows and how many of them are slower than others."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("layouts", nargs="*", help=f"some of {', '.join(LAYOUTS)}, torch; all if none is named")
    parser.add_argument("--quick", action="store_true", help="a few strings")
    parser.add_argument("--json", action="store_true", help="rows as JSON, here")
    given = parser.parse_args()
    if given.json:
        for row in rows(set(given.layouts), quick=given.quick):
            print(json.dumps(row), flush=True)
        return
    environment = {name: value for name, value in os.environ.items() if not name.startswith("OPENBLAS_")}
    environment |= {"OMP_NUM_THREADS": "1", "EINSUM_FRONT_NO_CACHE": "1", "OPENBLAS_NUM_THREADS": "1"}
    quick = ["--quick"] if given.quick else []
    command = [sys.executable, "-m", "benchmarks.call_layouts", "--json", *quick, *given.layouts]
    ratios: dict[str, list[float]] = {}
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as run:
        for line in run.stdout or ():
            row = json.loads(line)
            peer = "torch" if row["layout"] == "torch" else "numpy"
            ratios.setdefault(row["layout"], []).append(row["ours"] / row[peer])
            times = ", ".join(f"{name} {each * 1e-3:.2f}" for name, each in row.items() if isinstance(each, float))
            print(f"{row['string']:24} {row['layout']:11} {row['ours'] / row[peer]:5.2f}   µs: {times}", flush=True)
    for layout, each in ratios.items():
        peer = "torch" if layout == "torch" else "numpy"
        print(f"{layout:11} ours over {peer}: median {median(each):.2f}, most {max(each):.2f}")
    if not given.layouts:
        for text in first_calls(quick=given.quick):
            print(text)


if __name__ == "__main__":
    main()
