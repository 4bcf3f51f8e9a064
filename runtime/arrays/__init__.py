"""Arrays and scalars of a call: what a parameter declares, how an array lies, and whether it fits."""
