"""Settings for all tests."""

import os

from einsum_front.core.caches import NO_CACHE_VARIABLE
from tests.profiles import register

register()
os.environ.setdefault("EINSUM_FRONT_BUILD", "now")  # tests of kernels shall not test NumPy
os.environ[NO_CACHE_VARIABLE] = "1"  # what was measured on this machine must not change what is tested
