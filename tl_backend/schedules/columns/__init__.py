"""The schedule `columns`: on a GPU, a work-item has one line (a column) of what an element computes, in registers.

    C[k,p] += sum over l, q of K[k,l] I[l,q] S[q,p]         20 x 9 entries, seven elements in a work-group of 63

    for each work-item, which has the column p of an element
        I of all seven elements to local memory              one coalesced copy, columns an odd number of entries apart
        for every l                                          written out
            u = sum over q of I[l,q] S[q,p]                  neighbouring columns, from local memory
            c_k += K[k,l] u for every k                      known values are literals, known zeros are left out
        c_k to local memory, and from there to C             one coalesced update for all terms

steps           collective instructions with loops written out: the positions of lines, lanes and depths
orientation     which axis of a product a work-item has as its line, and which is spread over work-items
homes           what stays in registers, what has a place in local memory, what is read from global memory
nodes           stretches without a barrier, in which results are handed on in registers, and the parts of their steps,
                in the order in which few registers are needed
plan, lower     everything decided, and the kernel tree that it becomes

What is known of a function is in `positions`: places, zeros, and values that are known when compiling.
"""
