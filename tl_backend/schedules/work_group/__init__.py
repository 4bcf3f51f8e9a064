"""The schedule `work_group`: a work-group runs an element, and its work-items share every collective instruction.

lower                       the kernel
    elements                the work-items of an element, and how a work-group runs several elements: one after the
                            other, side by side, or each in turn with memory elsewhere
    region                  one match over all instructions, and the memory of temporaries
context                     what is in sight besides: who shares the work
strategy                    how a collective instruction is run, as data: costs, text and code read it
collective                  which strategy one has, and products as functions of their own:
    vectors                 a work-item that is alone, with vectors along the rows: rows copied to be neighbours,
                            blocks that fit into registers (`register_blocks`, `vector_block`), depths without known
                            zeros (`depths`), the next element asked for (`prefetches`), what stands behind done
                            before the one store (`epilogue`)
    register_tile           each work-item of a GPU has a block of its own
    blocks                  everything else, in loops over tiles (`tile`), spread over work-items
vector_loops                loops over entries in vectors (`entries`)
schedule, explain           how long an element takes, for the choice of a schedule; the plan in words
"""
