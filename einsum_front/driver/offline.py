"""Targets that need not be there: a name, or a file in TOML that says what differs from one.

like = "x86-avx2"          a target of the list
name = "our new node"
vector_bytes = 64
vector_registers = 32
compute_units = 96
"""

import re
import tomllib
from collections.abc import Iterator
from dataclasses import replace
from difflib import get_close_matches
from pathlib import Path

from einsum_front.core.diagnostics import CompileError, Diagnostic
from einsum_front.core.machines import GENERIC, SKYLAKE
from einsum_front.core.texts import read_source
from einsum_front.driver.gpus import ARCHITECTURES, KIBIBYTE, gpu_target
from einsum_front.tl_backend import DEFAULT, Target

MOST = 2**40
"""Of the numbers of a file: more than any machine has."""

NUMBERS = {
    "vector_bytes": 8,
    "vector_registers": 8,
    "local_memory": 1024,
    "private_memory": 1024,
    "max_work_group_size": 1,
    "max_parameter_bytes": 256,
    "compute_units": 1,
}
"""The numbers that a file may say, and the least of each; those of memory are bytes."""

TRUTHS = ("has_fp64", "has_int64_atomics", "has_conditional_barriers", "has_prefetch", "has_shuffles")
"""The truth values that a file may say."""


def _processors() -> Iterator[tuple[str, Target]]:
    avx2 = replace(DEFAULT, name="an x86-64 processor with AVX2", machine=GENERIC, has_prefetch=False)
    yield "generic", replace(avx2, name="any processor", vector_bytes=16)
    yield "x86-avx2", avx2
    yield (
        "x86-avx512",
        replace(avx2, name="an x86-64 processor with AVX-512", vector_bytes=64, vector_registers=32, machine=SKYLAKE),
    )
    yield "aarch64-neon", replace(avx2, name="an Arm processor with NEON", vector_bytes=16, vector_registers=32)


def _gpus() -> Iterator[tuple[str, Target]]:
    for architecture in ARCHITECTURES:
        maker = "nvidia" if architecture.startswith("sm_") else "amd"
        yield f"{maker}-{architecture.replace('_', '')}", gpu_target(architecture, "opencl")
    like = gpu_target("sm_90", "opencl")
    pvc = "Intel's Data Center GPU Max"
    yield "intel-pvc", replace(like, name=pvc, local_memory=64 * KIBIBYTE, subgroup_sizes=(16, 32), compute_units=128)


TARGETS: dict[str, Target] = {**dict(_processors()), **dict(_gpus())}
"""All targets by name: OpenCL C for processors and GPUs that need not be there."""


def offline_target(name: str) -> Target:
    """The target of a name, or of a file whose name ends with `.toml`.

    Raises `CompileError`: E0167 for an unknown name, E0168 for a file that describes no target.
    """
    if name.endswith(".toml"):
        return _described(Path(name))
    if name in TARGETS:
        return TARGETS[name]
    near = get_close_matches(re.sub(r"_", "", name.casefold()), TARGETS, n=1)
    helps = (f"`{near[0]}` is one",) if near else ()
    notes = (f"there are {', '.join(TARGETS)}, and files that end with `.toml`",)
    raise CompileError([Diagnostic("E0167", f"there is no target `{name}`", notes=notes, helps=helps)])


def _described(path: Path) -> Target:
    try:
        entries = tomllib.loads(read_source(path).text)
    except tomllib.TOMLDecodeError as error:
        raise _wrong(path, str(error)) from None
    like = entries.pop("like", None)
    if not isinstance(like, str) or like not in TARGETS:
        raise _wrong(path, f"`like` is {like!r}, expected the name of a target: {', '.join(TARGETS)}")
    mistakes = [text for name, value in entries.items() if (text := _mistake(name, value)) is not None]
    if mistakes:
        raise CompileError([each for text in mistakes for each in _wrong(path, text).diagnostics])
    return replace(TARGETS[like], **{"name": path.stem, **entries})


def _mistake(name: str, value: object) -> str | None:
    """Why an entry of a file will not do."""
    if name == "name":
        return None if isinstance(value, str) else f"`name` is {value!r}, expected a text"
    if name in TRUTHS:
        return None if isinstance(value, bool) else f"`{name}` is {value!r}, expected true or false"
    if name not in NUMBERS:
        return f"a target has no `{name}`: it has {', '.join(('like', 'name', *NUMBERS, *TRUTHS))}"
    if not isinstance(value, int) or isinstance(value, bool) or not NUMBERS[name] <= value <= MOST:
        return f"`{name}` is {value!r}, expected an integer from {NUMBERS[name]} on"
    if name == "vector_bytes" and value not in (8, 16, 32, 64):
        return f"`vector_bytes` is {value}, expected 8, 16, 32 or 64"
    return None


def _wrong(path: Path, reason: str) -> CompileError:
    return CompileError([Diagnostic("E0168", f"`{path}` describes no target: {reason}")])
