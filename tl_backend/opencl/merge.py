"""Two files as one: a kernel and what runs before it, which may call the same helpers."""

from tl_backend.opencl.tree import File


def defined(file: File) -> frozenset[str]:
    """The names that a file defines, those of vectors aside."""
    return frozenset({*(each.name for each in file.functions), *(each.name for each in file.tables)})


def merged(first: File, second: File) -> File:
    """The functions of both, those of the second last; what both have stands there once.

    The first line says what the second is, the next what the first is.
    """
    entry = first.functions[-1].name
    return File(
        tuple(dict.fromkeys((*first.extensions, *second.extensions))),
        tuple(dict.fromkeys((*first.functions, *second.functions))),
        (*second.comment, *(f"before each launch, `{entry}`: {text}" for text in first.comment)),
        tuple(dict.fromkeys((*first.unaligned, *second.unaligned))),
        tuple(dict.fromkeys((*first.tables, *second.tables))),
    )
