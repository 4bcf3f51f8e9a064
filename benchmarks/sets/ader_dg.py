"""The kernels of the ADER-DG example at orders 2 to 7, on data in the cache and from memory.

Of the families the members are those whose matrices have the fewest and about the most non-zeros. `elementLocal` is
all that an element does without its neighbours in one kernel; it also runs as the three kernels that it consists of.
The values of the method's matrices are known; `ader_dg_patterns` are kernels that know only where they are zero.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path

from benchmarks.case import Arrays, Case, FileSource, Statement, Term, WorkingSet
from benchmarks.chain import Chain
from benchmarks.sets import ader_dg_chains as chains
from examples.ader_dg import matrices

KERNELS = Path(__file__).parents[1] / "kernels"
LOCAL, PATTERNS = KERNELS / "element_local.ein", KERNELS / "patterns.ein"
ORDERS = range(2, 8)
QUICK_ORDERS = (4,)


def cases(quick: bool) -> tuple[Case, ...]:
    """Every kernel at every order, both in the cache and from memory; writes matrices that are missing."""
    working_sets = (WorkingSet.CACHE,) if quick else (WorkingSet.CACHE, WorkingSet.MEMORY)
    return tuple(case for where in working_sets for order in orders(_orders(quick)) for case in cases_of(order, where))


def orders(wanted: Sequence[int]) -> Sequence[int]:
    """The orders that are wanted, whose matrices are there now."""
    for order in wanted:
        matrices.write(order)
    return wanted


def _orders(quick: bool) -> Sequence[int]:
    return QUICK_ORDERS if quick else ORDERS


def cases_of(order: int, where: WorkingSet) -> tuple[Case, ...]:
    """Every kernel at one order."""
    make = partial(_case, order, where)
    here = matrices.HERE
    return (
        *_corrections(make, here / "volume.ein", here / "local_flux.ein", here / "neighboring_flux.ein"),
        make(here / "derivative.ein", "derivative", derivative(order), partial(chains.derivative, order=order)),
        _element_local(order, where),
    )


def cases_with_patterns(quick: bool) -> tuple[Case, ...]:
    """What corrects the prediction, in the cache, with nothing known but where matrices are zero."""
    makers = (partial(_case, order, WorkingSet.CACHE) for order in orders(_orders(quick)))
    return tuple(case for make in makers for case in _corrections(make, PATTERNS, PATTERNS, PATTERNS))


def _corrections(
    make: Callable[..., Case], volume_file: Path, local_file: Path, neighboring_file: Path
) -> Iterator[Case]:
    """Volume and fluxes."""
    yield make(volume_file, "volume", (volume(),), chains.volume)
    for i in (0, 2):
        chain = partial(chains.local_flux, face=i)
        yield make(local_file, f"localFlux_{i}", (local_flux(i, "AplusT"),), chain)
    for h, j, i in ((0, 0, 0), (2, 1, 2)):
        chain = partial(chains.neighboring_flux, turn=h, neighbour=j, face=i)
        yield make(neighboring_file, f"neighboringFlux_{h}_{j}_{i}", (_neighboring_flux(h, j, i),), chain)


def _case(
    order: int,
    where: WorkingSet,
    file: Path,
    kernel: str,
    statements: tuple[Statement, ...],
    chain: Callable[[Arrays], Chain],
) -> Case:
    return Case(
        name=f"{kernel}, order {order}",
        source=FileSource(file, kernel, {"O": order}),
        real="f64",
        working_set=where,
        statements=statements,
        chain=chain,
    )


def volume() -> Statement:
    """Q += sum over d of kDivM_d I star_d."""
    return Statement("Q", tuple(Term("kl,elq,eqp->ekp", (f"kDivM_{d}", "I", f"star_{d}")) for d in range(3)), adds=True)


def local_flux(face: int, solver: str) -> Statement:
    """Q += rDivM_i fMrT_i I A."""
    term = Term("km,ml,elq,eqp->ekp", (f"rDivM_{face}", f"fMrT_{face}", "I", solver))
    return Statement("Q", (term,), adds=True)


def _neighboring_flux(turn: int, neighbour: int, face: int) -> Statement:
    operands = (f"rDivM_{face}", f"fP_{turn}", f"rT_{neighbour}", "I", "AminusT")
    return Statement("Q", (Term("km,mn,nl,elq,eqp->ekp", operands),), adds=True)


def derivative(order: int) -> tuple[Statement, ...]:
    """Each time derivative from the one before it, and the Taylor series as they come."""
    statements = [Statement("I", (Term("ekp->ekp", ("dQ_0",), scalar="power_0"),))]
    for n in range(1, order):
        terms = (Term("kl,elq,eqp->ekp", (f"kDivMT_{d}", f"dQ_{n - 1}", f"star_{d}")) for d in range(3))
        statements.append(Statement(f"dQ_{n}", tuple(terms)))
        statements.append(Statement("I", (Term("ekp->ekp", (f"dQ_{n}",), scalar=f"power_{n}"),), adds=True))
    return tuple(statements)


def _element_local(order: int, where: WorkingSet) -> Case:
    sources = [FileSource(LOCAL, kernel, {"O": order}) for kernel in ("derivative", "volume", "localFlux")]
    fluxes = tuple(local_flux(i, f"AplusT_{i}") for i in range(4))
    return Case(
        name=f"elementLocal, order {order}",
        source=FileSource(LOCAL, "elementLocal", {"O": order}),
        real="f64",
        working_set=where,
        statements=(*derivative(order), volume(), *fluxes),
        chain=partial(chains.element_local, order=order),
        parts=tuple(sources),
    )
