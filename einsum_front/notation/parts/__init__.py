"""Complex numbers become their parts after checking: all languages below the notation are real."""
