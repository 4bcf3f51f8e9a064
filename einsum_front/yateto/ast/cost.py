"""Estimators of costs: tokens that `generate` takes. The planner counts operations on entries that are not zero."""


class CostEstimator:
    """How YATeTo chooses an order of products."""


class ShapeCostEstimator(CostEstimator):
    """By shapes."""


class BoundingBoxCostEstimator(CostEstimator):
    """By the boxes around entries."""


class ExactCost(CostEstimator):
    """By entries."""


class FusedGemmsBoundingBoxCostEstimator(CostEstimator):
    """By the boxes around entries, for chains of products that a device fuses."""
