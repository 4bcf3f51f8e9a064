"""Writing C++, as example drivers do."""
