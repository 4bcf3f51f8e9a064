"""Every value has a name of its own, so that whoever looks for a value by its name finds it."""

from einsum_front.tl_backend.program import Function
from einsum_front.tl_backend.rewrite import LocalNames, Renamer, with_body


def make_names_unique(function: Function) -> Function:
    """Give a name to one value only: later values of that name, in other regions, get new names.

        for %i = 0, 4 {                                   for %i = 0, 4 {
          %a = subview %A[:, %i] : memref<f32x8x4>          %a = subview %A[:, %i] : memref<f32x8x4>
        }                                                 }
        for %i = 0, 4 {                                   for %i_1 = 0, 4 {
          %a = subview %B[:, %i] : memref<f32x8x4>          %a_1 = subview %B[:, %i_1] : memref<f32x8x4>
        }                                                 }

    Nothing else changes. The other passes and the analyses by name ask for this one to be run first.
    """
    renamer = Renamer(LocalNames(function), {argument.name.name for argument in function.arguments})
    return with_body(function, renamer.region(function.body))
