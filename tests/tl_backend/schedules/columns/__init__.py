"""The schedule `columns`."""
