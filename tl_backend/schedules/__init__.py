"""Schedules: the ways to run a function of the tensor language on a device, and the choice among them.

work_group          a work-group runs an element; its work-items share every instruction
batch_simd          vectorization over the batch: W elements interleaved in the lanes of vectors
packed              a large contraction, tiled: panels of both factors are packed, and a micro-kernel multiplies them
tiled               the same for many work-items, with panels in local memory
columns             several elements, a line of one in the registers of each work-item

positions, lowering, tiles: what several schedules share; no schedule imports another

schedule            the protocol of all of them: analyses, plans, costs
choice              which schedule a function gets, its work-group, and those that are worth a measurement
text                a schedule as text
tuning              a schedule and its parameters as a user writes them
prefetched          arguments that are prefetched for the caller, whatever the schedule
"""
