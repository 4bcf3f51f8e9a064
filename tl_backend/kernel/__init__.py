"""The kernel tree: what every schedule builds, and every target prints.

types, tree              the language
features                 what a file has, collected in one walk over its statements and expressions
typing, divergence       types of expressions, and barriers that some work-items may not come to
verify                   the restrictions of `docs/kernel_tree.md`
values, memory           arithmetic on NumPy arrays, and memory that sees races and what was never written
evaluate, interpret      expressions in a work-group, and what a kernel does
"""
