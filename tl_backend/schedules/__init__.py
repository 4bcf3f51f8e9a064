"""Schedules: the ways to run a function of the tensor language on a device, and the choice among them.

work_group          a work-group runs an element; its work-items share every instruction
batch_simd          vectorization over the batch: W elements interleaved in the lanes of vectors
packed              a large contraction, tiled: panels of both factors are packed, and a micro-kernel multiplies them

schedule            what all of them have in common: analyses, plans, costs
choice              which schedule a function gets; `candidates`: those that are worth a measurement
text                a schedule as text
tuning              a schedule and its parameters as a user writes them
launch              the work-group that a schedule needs, said to the function before the passes
known_zeros         what `work_group` learns of zeros from `batch_simd`
"""
