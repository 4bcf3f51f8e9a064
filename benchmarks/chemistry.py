"""PySCF with `ef.einsum` in the place of `numpy.einsum` and of its own: the same energies, and what it costs.

    make chemistry

Methods run on a small molecule, in a process for each way: NumPy (PySCF as it is), ours in an environment without any
kernel, and ours with what that has built. Each runs twice; processor time inside of einsum is added up, of all threads
and of compilers that were started. Energies differ by 10^-10 hartree at most. BLAS has one thread.
"""

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

MOLECULE = "O 0 0 0.1173; H 0 0.7572 -0.4692; H 0 -0.7572 -0.4692"
BASIS = "6-31g"
DIGITS = 1e-10

WAYS = "numpy", "ours, cold", "ours, from the disk"
PASSES = 2


def methods(names: set[str]) -> Iterator[tuple[str, Callable[[], float]]]:
    """Energies of methods, by name; each starts from its own mean field."""
    from pyscf import adc, cc, ci, fci, gto, mcscf, mp, scf, tdscf  # noqa: PLC0415 - in its own environment only

    def molecule(spin: int = 0, charge: int = 0, basis: str = BASIS) -> Any:
        return gto.M(atom=MOLECULE, basis=basis, spin=spin, charge=charge, verbose=0)

    def rhf(basis: str = BASIS) -> Any:
        return scf.RHF(molecule(basis=basis)).run(conv_tol=1e-13)

    def uhf() -> Any:
        return scf.UHF(molecule(spin=1, charge=1)).run(conv_tol=1e-13)

    def converged(method: Any) -> Any:
        method.conv_tol = 1e-12
        return method.run()

    def with_triples() -> float:
        found = converged(cc.CCSD(rhf()))
        return float(found.e_tot + found.ccsd_t())

    found: dict[str, Callable[[], float]] = {
        "RHF": lambda: rhf().e_tot,
        "UHF": lambda: uhf().e_tot,
        "ROHF": lambda: scf.ROHF(molecule(spin=1, charge=1)).run(conv_tol=1e-13).e_tot,
        "DF-RHF": lambda: scf.RHF(molecule()).density_fit().run(conv_tol=1e-13).e_tot,
        "MP2": lambda: mp.MP2(rhf()).run().e_tot,
        "UMP2": lambda: mp.UMP2(uhf()).run().e_tot,
        "CISD": lambda: converged(ci.CISD(rhf())).e_tot,
        "CCSD": lambda: converged(cc.CCSD(rhf())).e_tot,
        "RCCSD": lambda: converged(cc.rccsd.RCCSD(rhf())).e_tot,
        "UCCSD": lambda: converged(cc.UCCSD(uhf())).e_tot,
        "GCCSD": lambda: converged(cc.GCCSD(scf.addons.convert_to_ghf(rhf("sto-3g")))).e_tot,
        "CCSD(T)": with_triples,
        "ADC(2)": lambda: float(adc.ADC(rhf()).kernel_gs()[0]),
        "TDA": lambda: float(tdscf.TDA(rhf()).run(nstates=2).e[0]),
        "CASSCF": lambda: mcscf.CASSCF(rhf(), 4, 4).run(conv_tol=1e-12).e_tot,
        "FCI": lambda: float(fci.FCI(rhf("sto-3g")).kernel()[0]),
    }
    yield from ((name, energy) for name, energy in found.items() if not names or name in names)


def run_one(way: str, names: set[str]) -> dict[str, Any]:
    """All methods in this process: energies, seconds in einsum in each pass, calls, and pairs of string and shapes."""
    import numpy as np  # noqa: PLC0415 - by its variables of the environment
    from pyscf import lib  # noqa: PLC0415

    seen: set[object] = set()
    meter = _Meter(seen)
    theirs, own = np.einsum, lib.einsum
    if way == "numpy":
        np.einsum, lib.einsum = meter.timed(theirs), meter.timed(own)
    else:
        import einsum_front as ef  # noqa: PLC0415

        ours = meter.timed(_without_theirs(ef.einsum))
        np.einsum, lib.einsum = ours, ours
        lib.numpy_helper.einsum = ours
    for module in [module for name, module in sys.modules.items() if name.startswith("pyscf")]:
        if getattr(module, "einsum", None) is own:
            module.einsum = lib.einsum  # type: ignore[attr-defined]
    passes = []
    for _ in range(PASSES):
        meter.seconds, meter.calls = 0.0, 0
        energies = {name: energy() for name, energy in methods(names)}
        passes.append({"seconds": meter.seconds, "calls": meter.calls})
    if way != "numpy":
        from einsum_front.index_string.builds import BUILDS  # noqa: PLC0415

        BUILDS.wait()
    return {"energies": energies, "passes": passes, "pairs": len(seen)}


class _Meter:
    """Processor time of the outermost calls."""

    def __init__(self, seen: set[object]) -> None:
        self.seconds, self.calls, self._depth, self._seen = 0.0, 0, 0, seen

    def timed(self, function: Callable[..., Any]) -> Callable[..., Any]:
        def call(*given: Any, **keywords: Any) -> Any:
            if self._depth:
                return function(*given, **keywords)
            self._seen.add((given[0], *(getattr(each, "shape", ()) for each in given[1:])))
            self._depth += 1
            start = _processor()
            try:
                return function(*given, **keywords)
            finally:
                self.seconds += _processor() - start
                self.calls += 1
                self._depth -= 1

        return call


def _processor() -> float:
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


def _without_theirs(einsum: Callable[..., Any]) -> Callable[..., Any]:
    """PySCF tells its own function how pairs are contracted."""

    def call(*given: Any, **keywords: Any) -> Any:
        keywords.pop("_contract", None)
        return einsum(*given, **keywords)

    return call


def main() -> None:
    """Runs each way in a process of its own and prints a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", help="methods, all if none is named: RHF RCCSD")
    parser.add_argument("--way", choices=WAYS, help="in this process, as JSON")
    given = parser.parse_args()
    if given.way:
        print(json.dumps(run_one(given.way, set(given.names))))
        return
    with tempfile.TemporaryDirectory() as caches:
        found = {way: _in_process(way, given.names, Path(caches)) for way in WAYS}
    numpy, *others = (found[way] for way in WAYS)
    print(f"{numpy['pairs']} pairs of string and shapes, {numpy['passes'][0]['calls']} calls")
    for way in WAYS:
        seconds = [each["seconds"] for each in found[way]["passes"]]
        ratios = [second / first["seconds"] for second, first in zip(seconds, numpy["passes"], strict=True)]
        text = ", ".join(f"{second:.3f} s ({ratio:.2f})" for second, ratio in zip(seconds, ratios, strict=True))
        print(f"{way:22} first and second pass: {text}")
    is_wrong = False
    for name, energy in numpy["energies"].items():
        difference = max(abs(other["energies"][name] - energy) for other in others)
        print(f"{name:10} {energy:18.10f}  {difference:.1e}{'' if difference <= DIGITS else '  DIFFERS'}")
        is_wrong = is_wrong or not difference <= DIGITS
    if is_wrong:
        raise SystemExit("energies differ")


def _in_process(way: str, names: list[str], caches: Path) -> dict[str, Any]:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("OPENBLAS_")}
    environment |= {"OMP_NUM_THREADS": "1", "XDG_CACHE_HOME": str(caches)}
    command = [sys.executable, "-m", "benchmarks.chemistry", *names, "--way", way]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"{way}: {done.stderr}")
    return dict(json.loads(done.stdout.splitlines()[-1]))


if __name__ == "__main__":
    main()
