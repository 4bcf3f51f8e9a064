"""What known values of constants allow: products that are none, and products that are computed beforehand."""
