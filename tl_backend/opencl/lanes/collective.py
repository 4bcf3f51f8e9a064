"""How a product is run: the choice among written-out summands and tables of rows."""

from collections.abc import Iterator
from dataclasses import replace

from tl_backend.instructions import FloatConstant, TypedScalar
from tl_backend.opencl.lanes.context import Context
from tl_backend.opencl.lanes.product import Product
from tl_backend.opencl.lanes.rows import lower_rows
from tl_backend.opencl.lanes.table import entry_table, row_tables
from tl_backend.opencl.lanes.unrolled import lower_stretches, stretches, text_size
from tl_backend.opencl.tree import Statement, Statements

SMALL = 64
"""Summands that are always written out."""

LONGEST_TEXT = 512
"""Summands that are written out at most, before a product becomes a table."""

MOST_TABLES = 8
"""Tables of rows, each with loops of its own, that a product may become."""


def lower_product(product: Product, context: Context) -> Statements:
    """The statements of a product whose operands are in arrays or, if they are one for the whole batch, in memory."""
    parts = stretches(product, context.facts.patterns)
    size = text_size(parts)
    if size <= SMALL or (size <= LONGEST_TEXT and not _has_uniform_factor(product, context)):
        return lower_stretches(parts, product, context)
    return tuple(_tables(product, context))


def _has_uniform_factor(product: Product, context: Context) -> bool:
    """Whether a factor can be kept as packed scalars, each of which serves a block of columns."""
    return any(context.is_uniform(factor.base) for term in product.terms for factor in term.factors)


def _tables(product: Product, context: Context) -> Iterator[Statement]:
    """Tables of rows; terms that do not fit into one table come one after the other."""
    patterns, storages = context.facts.patterns, context.facts.storages
    tables = row_tables(product, patterns, storages)
    if tables is not None and len(tables) <= MOST_TABLES:
        for table in tables:
            yield from lower_rows(table, product, context)
    elif len(product.terms) > 1:
        for single in _single_terms(product):
            yield from _tables(single, context)
    else:
        yield from lower_rows(entry_table(product, patterns, storages), product, context)


def _single_terms(product: Product) -> Iterator[Product]:
    beta = product.beta
    for term in product.terms:
        yield replace(product, terms=(term,), beta=beta)
        beta = TypedScalar(FloatConstant(1.0), product.beta.type)
