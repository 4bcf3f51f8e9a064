"""Names of other versions of YATeTo, and what is said of one that a script asks for in vain.

YATeTo has no releases but 0.1.0: a version is a commit of its main line, or one of its branches. Here is what the main
line had in July 2026 (`8c1fc63`), and `Alignment` of the branch `new_alignment_mode`, which tandem takes.
"""

import re
from collections.abc import Iterator

NONLINEARITY = "YATeTo's branch `nonlinearity` (since April 2025)"
DATATYPING = "YATeTo's branches `datatyping` and `nonlinearity` (since January 2025)"
SPARSE = "YATeTo's branch `sparse-tensor` (since November 2025)"
INNER = "an inner part of YATeTo"

NAMES = {
    "Datatype": f"element types of single tensors, of {DATATYPING}: here all tensors have that of the architecture",
    "datatype": f"the element type of one tensor, of {DATATYPING}: here all tensors have that of the architecture",
    "AddressingMode": f"how kernels reach single tensors, of {DATATYPING}: values decide here, as in the main line",
    "addressing": f"how kernels reach one tensor, of {DATATYPING}: values decide here, as in the main line",
    "ops": f"operations on entries, of {NONLINEARITY}: the notation has functions of entries",
    "functions": f"functions of entries, of {NONLINEARITY}: the notation has such functions",
    "KernelChain": "kernels that share data, of YATeTo's branch `chainkernel` (since February 2026)",
    "PatternMemoryLayout": f"a layout of listed entries, of {SPARSE}",
    "AlignedPatternMemoryLayout": f"a layout of listed entries, of {SPARSE}",
    "KernelForge": "a generator for GPUs, of YATeTo's branch `kernelforge` (2024)",
    "MemoryLayout": f"the base class of layouts, {INNER}",
    "MemoryLayoutView": f"the layout of a slice (since April 2025), {INNER}: slices are part of formulas here",
    "BoundingBox": f"the box of a layout, {INNER}: `bbox()` gives a tuple of `Range` here",
    "LoGCost": f"a cost of loops over products, {INNER}: the planner finds these here",
    "log": f"the search for loops over products, {INNER}: the planner does that here",
    "opt": f"the search for the order of products, {INNER}: the planner does that here",
    "metagen": "several generators behind templates of C++, `MetaGenerator` (since April 2025)",
    "MetaGenerator": "several generators behind templates of C++ (since April 2025)",
    "controlflow": f"the list of operations and the passes over it, {INNER}: the planner does that here",
    "codegen": f"the writers of C++, {INNER}: only `yateto.codegen.code.Cpp` is here",
}
"""What a name is, and of which version; modules by their last name."""

_TOLD = (
    re.compile(r"No module named '(?:yateto|einsum_front\.yateto)\.([\w.]+)'"),
    re.compile(r"cannot import name '(\w+)' from '(?:einsum_front\.)?yateto(?:\.([\w.]+))?'"),
    re.compile(r"module '(?:einsum_front\.)?yateto(?:\.([\w.]+))?' has no attribute '(\w+)'"),
    re.compile(r"name '(\w+)' is not defined"),
    re.compile(r"__init__\(\) got an unexpected keyword argument '(\w+)'"),
)
"""How Python words that there is no such thing."""


def note_on(error: Exception) -> str | None:
    """What a script asked for in vain is, if another version of YATeTo has it."""
    if not isinstance(error, ImportError | AttributeError | NameError | TypeError):
        return None
    names = (name for name in _asked_for(str(error)) if name in NAMES)
    if isinstance(error, NameError):  # of a star import: a script has variables `log` and `opt` of its own
        names = (name for name in names if name[0].isupper())
    return next((f"`{name}`: {NAMES[name]}" for name in names), None)


def _asked_for(words: str) -> Iterator[str]:
    """The names in the words of an error, that of an outer module last."""
    for told in _TOLD:
        if found := told.search(words):
            yield from (part for group in found.groups() if group for part in reversed(group.split(".")))
