"""Other products of the same value: what they cost, and the cheapest of them."""

from collections.abc import Callable, Iterable
from typing import Any

from einsum_front.core.diagnostics import Origin
from einsum_front.ir.algebra.known import KnownValues
from einsum_front.ir.algebra.price import Price, Pricing
from einsum_front.ir.algebra.product import Product
from einsum_front.ir.algebra.rewrite import Replacement
from einsum_front.ir.contraction.graph import NodeTable, Rewriting

Alternative = tuple[Product, Rewriting]
"""A product of the same value, and what was rewritten."""


class Alternatives:
    """Compares products of a graph that is being built; `known` are the values that follow from constants in it."""

    def __init__(self, builder: NodeTable) -> None:
        self.known = KnownValues(builder)
        self._builder = builder
        self._pricing = Pricing(builder)

    def constants(self, product: Product) -> list[int]:
        """The positions of the factors whose values are known."""
        return [number for number, (key, _) in enumerate(product.factors) if self.known.of(key) is not None]

    def price(self, product: Product, given: Iterable[int], origin: Origin) -> Price:
        """The price of a product when the nodes `given` are there."""
        given = list(given)
        return self._pricing.price(product.finished(self._builder, given, origin), given)

    def cheapest(
        self,
        product: Product,
        others: Callable[[Product], Iterable[Alternative]],
        origin: Origin,
        weigh: Callable[[Price], Any] = lambda price: price,
    ) -> Replacement | None:
        """The product, step by step the one of the `others` that weighs least, as long as that makes it cheaper.

        None if none is cheaper. The factors that are not known are given.
        """
        given = [key for key, _ in product.factors if self.known.of(key) is None]
        rewritings: list[Rewriting] = []
        price = None
        while candidates := list(others(product)):
            price = price or self.price(product, given, origin)
            prices = [self.price(candidate, given, origin) for candidate, _ in candidates]
            least = min(prices, key=weigh)
            if not least.is_below(price) or weigh(least) >= weigh(price):
                break
            price = least
            product, rewriting = candidates[prices.index(least)]
            rewritings.append(rewriting)
        return (product.finished(self._builder, given, origin), tuple(rewritings)) if rewritings else None
