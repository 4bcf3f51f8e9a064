"""Functions whose every position in memory is known when compiling, for the schedules with elements side by side.

places                  which entries of which memory each memref is
storage                 the memories: arguments and temporaries, each one for all elements or one for each
product                 products at known positions, several into one target as a sum
zeros                   which entries of each memory may differ from zero, and which numbers are known
facts                   all of that together, or why a function does not have it
"""
