"""The plan: what is computed in which order, in which memory, and why."""
