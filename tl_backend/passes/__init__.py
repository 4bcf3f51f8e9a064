"""Passes over the tensor language, one a file, each one function from function to function."""
