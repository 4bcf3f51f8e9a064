"""The examples; a package, so that a program can import what they share."""
