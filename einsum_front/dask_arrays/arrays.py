"""Which values are arrays of dask; it need not be installed."""


def is_dask(value: object) -> bool:
    """True for a `dask.array.Array`."""
    return type(value).__module__.startswith("dask.array") and hasattr(value, "__dask_graph__")
