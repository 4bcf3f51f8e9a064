"""How many generated examples a property is tried with: the profile says it for all, costly properties take a share.

`default` is for every run of the tests: the same examples each time, few enough for two cores. `long` is for
`make fuzz`, which runs pytest many times, each time with other examples.
"""

from hypothesis import HealthCheck, settings


def register() -> None:
    """Makes the profiles known; no clock can fail a test on a busy machine."""
    slow = (HealthCheck.too_slow,)
    other = (*slow, HealthCheck.data_too_large, HealthCheck.filter_too_much)
    settings.register_profile("default", max_examples=40, deadline=None, derandomize=True, suppress_health_check=slow)
    settings.register_profile(
        "long", max_examples=500, deadline=None, database=None, derandomize=False, suppress_health_check=other
    )
    settings.load_profile("default")


def share(part: float, of_long: float | None = None) -> settings:
    """That part of the examples of the profile in use; the part of a long run can be another."""
    is_long = settings.get_current_profile_name() == "long"
    chosen = of_long if is_long and of_long is not None else part
    assert settings.default is not None
    return settings(max_examples=max(1, round(chosen * settings.default.max_examples)))
