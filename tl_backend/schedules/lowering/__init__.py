"""How a function becomes a kernel tree, as far as that is the same in all schedules.

context         what is in sight of an instruction, the questions that a schedule answers in its own way, and views
region          instructions on single values, branches and loops
product         a product whose operands are views in C (`tl_backend.analysis.products`); alpha and beta: what a sum
                does to the target
outer_product   entries beside each other as a vector, products of such vectors with numbers, and entries that are
                transposed in registers
"""
