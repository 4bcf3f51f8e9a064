"""Functions whose every position in memory is known when compiling, for the schedules with elements side by side.

places                  which entries of which memory each memref is
product                 products at known positions, several into one target as a sum
zeros                   the memories: arguments and temporaries, each one for all elements or one for each; which of
                        their entries may differ from zero, and which numbers are known
facts                   all of that together, or why a function does not have it
"""
