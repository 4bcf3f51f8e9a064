"""How a function becomes a kernel tree, as far as that is the same in all schedules.

context                 what is in sight of an instruction, and the questions that a schedule answers in its own way
region                  instructions on single values, branches and loops
views                   instructions that make views
product                 a product whose operands are views in C (`tl_backend.analysis.product_form`)
update                  alpha and beta: what a sum does to the target
vectors, outer_product  entries beside each other as a vector, and products of such vectors with numbers
transpose_block         entries that are transposed in registers
"""
