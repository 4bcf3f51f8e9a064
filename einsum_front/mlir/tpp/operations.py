"""The primitives that there are: how many operands each has, and of what kind it is.

    zero copy                                                    broadcast reduce_add reduce_max transpose pack_vnni
    square sqrt negate reciprocal exp                            relu tanh sigmoid gelu leaky_relu elu
    add sub mul div muladd                                       matmul brgemm fused_brgemm

`docs/tpp.md` goes through them. `meaning.py` says what each computes, `verify.py` what each asks for.
"""

from enum import Enum

from einsum_front.core.dataclass import dataclass
from einsum_front.mlir import nodes as mlir


class Kind(Enum):
    """What an operation does with its operands."""

    ZERO = "writes zeros"
    ELEMENTWISE = "computes entry by entry"
    BROADCAST = "repeats a number, a row or a column"
    REDUCTION = "reduces rows, columns or all entries"
    TRANSFORM = "moves entries"
    PRODUCT = "multiplies matrices"
    FUSED = "multiplies matrices, with operations before and after"


@dataclass(frozen=True, slots=True)
class Form:
    """A kind, and the numbers of inputs that an operation on memrefs may have, then one on tensors."""

    kind: Kind
    memref_inputs: tuple[int, ...]
    tensor_inputs: tuple[int, ...]


_UNARY = Form(Kind.ELEMENTWISE, (0, 1), (1,))
_BINARY = Form(Kind.ELEMENTWISE, (2,), (2,))
_MOVE = Form(Kind.TRANSFORM, (1,), (1,))
_PRODUCT = Form(Kind.PRODUCT, (2, 3), (2, 3))

UNARY = ("square", "sqrt", "negate", "reciprocal", "exp", "relu", "tanh", "sigmoid", "gelu", "leaky_relu", "elu")
BINARY = ("add", "sub", "mul", "div")

FORMS: dict[str, Form] = {
    "zero": Form(Kind.ZERO, (0, 1), (1,)),
    "copy": Form(Kind.ELEMENTWISE, (1,), (1,)),
    "broadcast": Form(Kind.BROADCAST, (1,), (1,)),
    "reduce_add": Form(Kind.REDUCTION, (1,), (1,)),
    "reduce_max": Form(Kind.REDUCTION, (1,), (1,)),
    "transpose": _MOVE,
    "pack_vnni": _MOVE,
    **dict.fromkeys(UNARY, _UNARY),
    **dict.fromkeys(BINARY, _BINARY),
    "muladd": Form(Kind.ELEMENTWISE, (2, 3), (3,)),
    "matmul": _PRODUCT,
    "brgemm": _PRODUCT,
    "fused_brgemm": Form(Kind.FUSED, (4,), (4,)),
}
"""The primitives by name."""

SYNONYMS = {"identity": "copy", "gemm": "matmul", "vnni_pack": "pack_vnni"}
"""Other names that generators of TPP write, and the reference in its prose."""

ELSEWHERE = {"neg": "tpp.negate", "inv": "tpp.reciprocal", "pack": "tensor.pack", "unpack": "tensor.unpack"}
"""Words of the reference that are no names of primitives, and the operations that it means."""

LEFT_OUT = {
    "quant": "quantization",
    "dequant": "quantization",
    "scatter": "scattered rows",
    "gather": "gathered rows",
    "bf16_pack": "splitting f32 into halves of bf16",
    "bf16_unpack": "splitting f32 into halves of bf16",
    "unpack_vnni": "unpacking VNNI",
    "vnni_unpack": "unpacking VNNI",
    "sparse_uncompress": "compressed sparse tensors",
}
"""Operations that the reference mentions without saying what they do."""

LEAKY_SLOPE = 0.01
"""`alpha` of `leaky_relu` where nothing is said."""
ELU_SCALE = 1.0
"""`alpha` of `elu` where nothing is said."""
WITH_ALPHA = {"leaky_relu": LEAKY_SLOPE, "elu": ELU_SCALE}


def kind_of(operation: mlir.Primitive) -> Kind:
    """What the operation does."""
    return FORMS[operation.name].kind


def inputs_text(name: str, *, is_memory: bool) -> str:
    """How many inputs an operation has, in words."""
    counts = FORMS[name].memref_inputs if is_memory else FORMS[name].tensor_inputs
    count = " or ".join(map(str, counts))
    return f"`tpp.{name}` has {count} input{'s' * (counts != (1,))} on {'memrefs' if is_memory else 'tensors'}"


def source_of(operation: mlir.Primitive) -> mlir.Value:
    """What an operation on one tensor reads: on memrefs it may be the output itself."""
    return operation.inputs[0] if operation.inputs else operation.outputs[0]


def target_of(operation: mlir.Primitive) -> mlir.Value:
    """What an operation writes: the first output or result."""
    return (operation.outputs or operation.results)[0]


def accumulates(operation: mlir.Primitive) -> bool:
    """True if what the target had before is added."""
    if operation.name == "fused_brgemm":
        return True
    return len(operation.inputs) == 3 or operation.name == "muladd"
