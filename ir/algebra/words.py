"""Values in words, for what is said about rewritings: keys change while a graph is rewritten."""

from einsum_front.ir.contraction import nodes as cg
from einsum_front.ir.contraction.graph import NodeTable


def in_words(builder: NodeTable, key: int) -> str:
    """The name of the tensor that a node is or is a part of, or what else it is."""
    match builder.node(key):
        case cg.Leaf(tensor=tensor) | cg.Assignment(tensor=tensor):
            return tensor.name
        case cg.Slice() | cg.Embedding() | cg.Scaling():
            return in_words(builder, builder.operands(key)[0])
        case cg.Gather():
            return f"entries of {in_words(builder, builder.operands(key)[0])}"
        case cg.Contraction():
            return "a product"
        case cg.Sum():
            return "a sum"
        case cg.Elementwise(function=function) | cg.Reduction(function=function):
            return f"a value of `{function.value}`"
        case cg.ScalarTerm():
            return "a number"
