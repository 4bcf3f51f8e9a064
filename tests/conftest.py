"""Hypothesis: the same examples in every run, few enough for two cores, and no clock that a busy machine could fail."""

from hypothesis import HealthCheck, settings

settings.register_profile(
    "default", max_examples=100, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("default")
