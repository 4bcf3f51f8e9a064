"""Names for the C code: readable, never reserved."""


def local_name(name: str) -> str:
    """The name hint for the value `%name` of the tensor language: unnamed values are numbers there and get a `v`."""
    return f"v{name}" if name[0].isdigit() else name
