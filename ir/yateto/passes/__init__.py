"""Passes over the YATeTo language, one a file."""
