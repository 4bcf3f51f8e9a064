"""The notation of `.ein` files: syntax, parser, checker, checked program, printer, interpreter."""
