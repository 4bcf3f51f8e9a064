"""The operations on numbers that a definition may use, and what they are elsewhere.

std_addf  addf  AddFOp  arith_addf      all are addition
"""

import re

from einsum_front.core.dataclass import dataclass
from einsum_front.core.functions import Function


@dataclass(frozen=True, slots=True)
class Meaning:
    """An operation: the number of its arguments, its name in MLIR today, its function, and its name in OpDSL."""

    arity: int
    mlir: str
    function: Function | None
    opdsl: str
    combines: bool = False


MEANINGS = {
    "addf": Meaning(2, "arith.addf", Function.ADD, "add", combines=True),
    "mulf": Meaning(2, "arith.mulf", Function.MUL, "mul", combines=True),
    "subf": Meaning(2, "arith.subf", Function.SUB, "sub"),
    "divf": Meaning(2, "arith.divf", Function.DIV, "div"),
    "maxf": Meaning(2, "arith.maximumf", Function.MAX, "max_signed", combines=True),
    "minf": Meaning(2, "arith.minimumf", Function.MIN, "min_signed", combines=True),
    "negf": Meaning(1, "arith.negf", None, "negf"),
    "absf": Meaning(1, "math.absf", Function.ABS, "abs"),
    "exp": Meaning(1, "math.exp", Function.EXP, "exp"),
    "log": Meaning(1, "math.log", Function.LOG, "log"),
    "sqrt": Meaning(1, "math.sqrt", Function.SQRT, "sqrt"),
    "tanh": Meaning(1, "math.tanh", Function.TANH, "tanh"),
    "erf": Meaning(1, "math.erf", Function.ERF, "erf"),
}
"""The operations by their plain names."""

SPELLED = {"maximumf": "maxf", "minimumf": "minf", "abs": "absf", "addf": "addf"}
DIALECT = re.compile(r"(?:std|arith|math)_")


def plain(operation: str) -> str:
    """The plain name of an operation: without a dialect in front, and not as a class of C++."""
    name = DIALECT.sub("", operation, count=1)
    if name.endswith("Op") and name[:1].isupper():
        name = name.removesuffix("Op")
        name = name[:-1].lower() + "f" if name.endswith("F") else name.lower()
    return SPELLED.get(name, name)


def meaning(operation: str) -> Meaning | None:
    """What an operation is; None if it is none of those known."""
    return MEANINGS.get(plain(operation))
