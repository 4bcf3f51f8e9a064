"""ADER-DG's volume with tensors that are stored in another type than the one that is computed with.

    python -m benchmarks.storage [DEVICE]

Nanoseconds an element, processor time, medians of turns that all take; in brackets over the program in one type.
"""

import re
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import einsum_front as ef
from benchmarks.fastest import FOLDER, report, way
from einsum_front.compiled import CompiledKernel
from examples.ader_dg import matrices

ELEMENTS = ((4, (400, 200_000)), (6, (128, 60_000)))
"""By order, what fits into caches and what does not."""

STORED = {"f64": ("f32", "f16", "bf16"), "f32": ("f16", "bf16")}
"""By the type that is computed with."""


def main(device: str) -> None:
    """Prints what each way takes."""
    text = (FOLDER / "volume.ein").read_text(encoding="utf-8").replace('"matrices/', f'"{FOLDER}/matrices/')
    for order, elements in ELEMENTS:
        matrices.write(order)
        for real, types in STORED.items():
            texts = {real: text} | {f"{stored} in {real}": _stored(text, stored) for stored in types}
            kernels = {name: _compiled(each, order, real, device) for name, each in texts.items()}
            for count in elements:
                what = f"volume, order {order}, computed in {real}, {count} elements"
                report(what, count, {name: way(kernel) for name, kernel in kernels.items()})


def _stored(text: str, type_: str) -> str:
    """The text with all that each element has stored in a type."""
    return re.sub(r"^(tensor \w+(?:\{\d+\})?\[[^]]*\])(?! +constant)", rf"\1 {type_}", text, flags=re.MULTILINE)


def _compiled(text: str, order: int, real: str, device: str) -> CompiledKernel:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "volume.ein"
        path.write_text(text, encoding="utf-8")
        program = ef.parse(path)
        return ef.compile(program, device, defines={"O": order}, real=real, kernel="volume")["volume"]


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "auto")
