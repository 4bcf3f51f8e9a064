"""Sets of instructions of processors: what compilers are told of, and where their code runs."""

from einsum_front.core.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class InstructionSet:
    """Instructions that a library may have functions for.

    `features` are those that compilers are told of, in their words, none if they use them by themselves. The functions
    are compiled where `guard` holds, and run where `has` does. Vectors take `vector_bytes` in one of so many registers,
    which are `register` where assembler is told of one, if it can be.
    """

    name: str
    features: tuple[str, ...]
    guard: str
    vector_bytes: int
    vector_registers: int
    register: str = ""

    @property
    def has(self) -> str:
        """A condition of C: whether the processor that the program runs on has all of them."""
        return " && ".join(f'__builtin_cpu_supports("{feature}")' for feature in self.features) or "1"


AVX512 = InstructionSet(
    "avx512", ("avx512f", "avx512vl", "avx512bw", "avx512dq", "avx2", "fma"), "defined(__x86_64__)", 64, 32, "v"
)
AVX2 = InstructionSet("avx2", ("avx2", "fma"), "defined(__x86_64__)", 32, 16, "x")
NEON = InstructionSet("neon", (), "defined(__aarch64__)", 16, 32, "w")
BASIC = InstructionSet("basic", (), "!defined(__aarch64__)", 16, 16)
"""What the compiler is told: SSE2 on x86-64."""

INSTRUCTION_SETS = (AVX512, AVX2, NEON, BASIC)
"""The best first; the last ones suit every processor that they are compiled for."""
