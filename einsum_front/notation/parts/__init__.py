"""Complex numbers become their parts, behind checking: all languages below the notation are real."""
