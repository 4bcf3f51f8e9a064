"""The schedule `work_group`: a work-group runs an element, and its work-items share every collective instruction.

lower                       the kernel, and how its work-group runs several elements: one after the other (`batch`),
                            side by side (`side_by_side`), or each in turn with memory elsewhere (`scratch`)
    region                      one match over all instructions; `lowering` and `memory` have the plain ones
context, items              what is in sight besides, and who shares the work
strategy                    how a collective instruction is run, as data: costs, text and code read it
collective                  which strategy one has:
    vectors                 a work-item that is alone, with vectors along the rows: blocks that fit into registers
                            (`register_blocks`, `vector_block`), rows copied to be neighbours
                            (`panel`), depths without known zeros (`depths`), the next element asked for
                            (`prefetches`), what stands behind done before the one store (`epilogue`)
    register_tile           each work-item of a GPU has a block of its own
    blocks                  everything else, in loops over tiles (`tile`), spread over work-items (`work_distribution`)
frame                       what the loops of one instruction share
cost                        how long an element takes, for the choice of a schedule
"""
