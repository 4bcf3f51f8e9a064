"""What the schedules of tiles have in common: a contraction whose target is cut into tiles for work-groups.

axis                    several indices as one row, column or depth, their order, and where that is in each tensor
contraction             the kernel around a tile
"""
