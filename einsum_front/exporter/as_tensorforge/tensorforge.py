"""The name that SeisSol looks for; see `einsum_front.exporter`."""

from einsum_front.exporter import get_routine_generator, use_fusedgemm_cost

__all__ = ["get_routine_generator", "use_fusedgemm_cost"]
