"""Mistakes on the command line itself."""


class UsageError(Exception):
    """A command line that cannot be meant."""
