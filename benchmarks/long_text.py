"""How long a `.tl` file of 5,000 lines takes to read, check, transform and print: `python -m benchmarks.long_text`."""

import sys
from time import perf_counter

from einsum_front.core.diagnostics import Source
from einsum_front.tl_backend.parse import parse
from einsum_front.tl_backend.passes.choose_work_group import WorkGroupLimits
from einsum_front.tl_backend.pipeline import passes, run
from einsum_front.tl_backend.unparse import unparse
from einsum_front.tl_backend.verify import check

ARGUMENTS = "%A: memref<f32x16x8x4>, %B: memref<f32x8x8>, %C: memref<f32x8x16>, %D: memref<f32x16x16>, %s: f32"
LINES_OF_A_BLOCK = 10
GPU = WorkGroupLimits(is_cpu=False, max_work_group_size=1024)


def long_text(lines: int) -> str:
    """A function of about so many lines: views, temporaries, products and loops, one block after the other."""
    blocks = "".join(_block(number) for number in range(lines // LINES_OF_A_BLOCK))
    return f"func @long({ARGUMENTS}) {{\n{blocks}}}\n"


def _block(n: int) -> str:
    return f"""  for %i = 0, 4 {{
    %a = subview %A[:, :, %i] : memref<f32x16x8x4>
    %t = alloca -> memref<f32x16x8>
    gemm.n.t 1.0, %a, %B, 0.0, %t : f32, memref<f32x16x8>, memref<f32x8x8>, f32, memref<f32x16x8>
    gemm.n.n %s, %t, %C, 1.0, %D : f32, memref<f32x16x8>, memref<f32x8x16>, f32, memref<f32x16x16>
    foreach %j = 0, 16 {{
      store %s, %D[%j, 1] : memref<f32x16x16>
    }}
  }}
  %x{n} = arith.add %s, {n}.0 : f32
"""


def main(lines: int) -> None:
    """Prints the seconds of each step."""
    parse(Source("empty.tl", ""))  # builds the parser, as any first text does
    source = Source("long.tl", long_text(lines))
    begin = perf_counter()
    program = parse(source)
    parsed = perf_counter()
    check(program)
    checked = perf_counter()
    functions = [run(function, passes(GPU)) for function in program.functions]
    transformed = perf_counter()
    unparse(program)
    printed = perf_counter()
    print(f"{source.line_count} lines, {len(functions)} function")
    print(f"parse   {parsed - begin:6.2f} s")
    print(f"verify  {checked - parsed:6.2f} s")
    print(f"passes  {transformed - checked:6.2f} s")
    print(f"print   {printed - transformed:6.2f} s")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 5000)
