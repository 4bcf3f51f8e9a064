"""Values that all packages share and that know none of them."""
