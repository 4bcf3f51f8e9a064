"""A browser that the machine ends is no failure of the page: the test skips and says so."""

from collections.abc import Iterator
from typing import Any

import pytest

try:
    from selenium.common.exceptions import InvalidSessionIdException, WebDriverException
    from urllib3.exceptions import HTTPError
except ImportError:
    ENDED: tuple[type[Exception], ...] = ()
else:
    ENDED = (HTTPError, InvalidSessionIdException, WebDriverException)


def _skip_if_ended(error: Exception) -> None:
    """Mistakes that have a class of their own, as `NoSuchElementException`, are those of the page."""
    if type(error) in ENDED or (ENDED and isinstance(error, ENDED[0])):
        words = (str(error).splitlines() or [""])[0]
        pytest.skip(f"the browser ended: {words}")
    raise error


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[Any]:
    """Runs a test."""
    try:
        return (yield)
    except Exception as error:
        _skip_if_ended(error)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(item: pytest.Item) -> Iterator[Any]:
    """Ends a test; what the browser has logged is asked here."""
    try:
        return (yield)
    except Exception as error:
        _skip_if_ended(error)
