"""Values in words, for what is said about rewritings: keys change while a graph is rewritten."""

from einsum_front.ir.contraction.graph import NodeTable
from einsum_front.ir.contraction.nodes import (
    Assignment,
    Contraction,
    Elementwise,
    Embedding,
    Leaf,
    Reduction,
    ScalarTerm,
    Scaling,
    Slice,
    Sum,
)


def in_words(builder: NodeTable, key: int) -> str:
    """The name of the tensor that a node is or is a part of, or what else it is."""
    match builder.node(key):
        case Leaf(tensor=tensor) | Assignment(tensor=tensor):
            return tensor.name
        case Slice() | Embedding() | Scaling():
            return in_words(builder, builder.operands(key)[0])
        case Contraction():
            return "a product"
        case Sum():
            return "a sum"
        case Elementwise(function=function) | Reduction(function=function):
            return f"a value of `{function.value}`"
        case ScalarTerm():
            return "a number"
