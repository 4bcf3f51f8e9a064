"""Settings for all tests."""

from tests.profiles import register

register()
