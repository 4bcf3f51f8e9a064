"""Rewritings by known values of constants: products that are none, or are computed beforehand."""
