"""The schedule `work_group`: a work-group runs an element, and its work-items share every collective instruction.

lower                       the kernel: one match over all instructions, and the memory of temporaries
    elements                the work-items of an element, and how a work-group runs several elements: one after the
                            other, side by side, or each in turn with memory elsewhere
context                     what is in sight besides: who shares the work; how a collective instruction is run, as data:
                            costs, text and code read it
collective                  which strategy one has, products as functions of their own, and on a GPU a block for each
                            work-item:
    vectors                 a work-item that is alone, with vectors along the rows: rows copied to be neighbours,
                            blocks that fit into registers, depths without known zeros (`register_blocks`,
                            `vector_block`), what stands behind done before the one store (`epilogue`)
    blocks                  everything else, in loops over tiles, spread over work-items; the next element asked for
                            (`tile`)
vector_loops                loops over entries in vectors
schedule, explain           how long an element takes, for the choice of a schedule; the plan in words
"""
