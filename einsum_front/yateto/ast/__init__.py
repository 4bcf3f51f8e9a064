"""Formulas, and what visits them."""
