"""A generator as seismic codes have it: matrices and layouts from files, families, temporaries, constant expressions.

    einsum-front yateto examples/yateto/seismic.py                      # which kernels there are
    einsum-front yateto --explain --kernel volume examples/yateto/seismic.py
    einsum-front yateto --verify examples/yateto/seismic.py --precision s --simulations 4

With YATeTo installed, `python seismic.py` runs as well, and writes C++.
"""

import argparse
import os

import numpy as np
import yateto
from yateto import (
    DeviceArchDefinition,
    Generator,
    GlobalRoutineCache,
    HostArchDefinition,
    NamespacedGenerator,
    Scalar,
    Tensor,
    deriveArchitecture,
    fixArchitectureGlobal,
    parameterSpaceFromRanges,
    simpleParameterSpace,
)
from yateto.ast.cost import BoundingBoxCostEstimator
from yateto.ast.node import Add, IndexedTensor
from yateto.ast.transformer import DeduceIndices, EquivalentSparsityPattern
from yateto.gemm_configuration import GeneratorCollection
from yateto.input import memoryLayoutFromFile, parseJSONMatrixFile, parseXMLMatrixFile
from yateto.memory import CSCMemoryLayout
from yateto.util import tensor_collection_from_constant_expression, tensor_from_constant_expression

ORDER, BASIS, QUANTITIES, MECHANISMS = 2, 4, 9, 2
HERE = os.path.dirname(os.path.abspath(__file__))  # noqa: PTH100, PTH120 - as such scripts do it


class Simulations(Tensor):
    """A tensor of several simulations, whose index `s` leads; of one simulation it is like any other."""

    def __init__(self, name, count, shape, spp=None, temporary=False):
        self.count = count
        super().__init__(name, (count, *shape) if count > 1 else shape, spp, alignStride=True, temporary=temporary)

    def __getitem__(self, letters):
        return IndexedTensor(self, "s" + letters if self.count > 1 else letters)


def read(simulations):
    """The matrices, transposed if simulations lead, and their layouts."""
    is_transposed = simulations > 1
    clones = {"star": ["star(0)", "star(1)", "star(2)"]}
    db = parseXMLMatrixFile(
        f"{HERE}/matrices.xml", clones, transpose=lambda name: is_transposed and name.startswith(("kDivM", "rDivM"))
    )
    db.update(parseJSONMatrixFile(f"{HERE}/points.json", alignStride=lambda name: name == "evalAtPoints"))
    memoryLayoutFromFile(f"{HERE}/layout.xml", db, clones)
    return db, (lambda letters: letters[::-1]) if is_transposed else (lambda letters: letters)


def add_update(generator, db, t, Q, I, targets):  # noqa: E741 - the names of the field
    """What the inside of an element and its faces do to the solution."""
    AplusT, AminusT = Tensor("AplusT", (QUANTITIES, QUANTITIES)), Tensor("AminusT", (QUANTITIES, QUANTITIES))
    for target in targets:
        prefix = "gpu_" if target == "gpu" else ""
        volume = Q["kp"]
        for i in range(3):
            volume += db.kDivM[i][t("kl")] * I["lq"] * db.star[i]["qp"]
        generator.add(f"{prefix}volume", Q["kp"] <= volume, target=target)
        generator.addFamily(
            f"{prefix}localFlux",
            simpleParameterSpace(4),
            lambda i: Q["kp"] <= Q["kp"] + db.rDivM[i][t("km")] * db.fMrT[i]["ml"] * I["lq"] * AplusT["qp"],
            lambda i: I if i == 0 else (Q if i == 1 else None),
            target=target,
        )
    generator.addFamily(
        "neighboringFlux",
        parameterSpaceFromRanges(range(3), range(4), range(4)),
        lambda h, j, i: (
            Q["kp"] <= Q["kp"] + db.rDivM[i][t("km")] * db.fP[h]["mn"] * db.rT[j]["nl"] * I["lq"] * AminusT["qp"]
        ),
        lambda h, j, i: [I],
    )
    faces = tensor_collection_from_constant_expression(
        "face", lambda i: db.rDivM[i][t("km")] * db.fMrT[i]["ml"], simpleParameterSpace(4), target_indices="kl"
    )
    terms = [faces.face[i]["kl"] * I["lq"] * AplusT["qp"] for i in range(4)]
    generator.add("localFluxAll", Q["kp"] <= sum(terms, start=Q["kp"]))


def add_time(generator, db, t, Q, I):  # noqa: E741
    """Time derivatives, whose zeros grow with their order, and their Taylor series."""
    power = [Scalar(f"power({d})") for d in range(ORDER)]
    dQ = [Simulations("dQ(0)", Q.count, (BASIS, QUANTITIES))]
    statements = [I["kp"] <= power[0] * dQ[0]["kp"]]
    for d in range(1, ORDER):
        derivative = Add()
        for i in range(3):
            derivative += db.kDivMT[i]["kl"] * dQ[d - 1]["lq"] * db.star[i]["qp"]
        derivative = EquivalentSparsityPattern().visit(DeduceIndices(Q["kp"].indices).visit(derivative))
        dQ.append(Simulations(f"dQ({d})", Q.count, (BASIS, QUANTITIES), spp=derivative.eqspp()))
        statements += [dQ[d]["kp"] <= derivative, I["kp"] <= I["kp"] + power[d] * dQ[d]["kp"]]
    generator.add("derivative", statements)


def add_attenuation(generator, db, Q):
    """Slices, a temporary, an array of floats that selects, and a tensor of three modes."""
    extended = Simulations("Qext", Q.count, (BASIS, QUANTITIES + 6), temporary=True)
    memory = Simulations("Qane", Q.count, (BASIS, 6, MECHANISMS))
    omega = Tensor("w", (MECHANISMS,))
    select = np.zeros((QUANTITIES, QUANTITIES + 6))
    select[:, :QUANTITIES] = np.eye(QUANTITIES)
    select[:6, QUANTITIES:] = np.eye(6)
    choose = Tensor("choose", select.shape, select, CSCMemoryLayout)
    generator.add(
        "attenuate",
        [
            extended["kp"] <= Q["kq"] * choose["qp"],
            memory["kpm"] <= memory["kpm"] + omega["m"] * extended["kp"].subslice("p", QUANTITIES, QUANTITIES + 6),
            Q["kp"] <= extended["kp"].subslice("p", 0, QUANTITIES) - memory["kqm"] * db.attenuation["qmp"],
            Q["kp"].subslice("p", 8, 9) <= -0.5 * Q["kp"].subselect("p", 0),
        ],
    )


def add_points(generator, db, Q):
    """A mean over points, a value that is repeated, a sum in a product, and a tensor without modes."""
    mean = tensor_from_constant_expression("mean", db.weights["i"] * db.evalAtPoints["ik"], target_indices="k")
    atPoints = Simulations("atPoints", Q.count, (3, QUANTITIES))
    scale, total = Tensor("scale", ()), Simulations("total", Q.count, ())
    generator.add("evaluate", atPoints["ip"] <= scale[""] * db.evalAtPoints["ik"] * Q["kp"])
    generator.add("flatten", atPoints["ip"] <= mean["k"] * Q["kp"])
    generator.add(
        "sum", total[""] <= db.weights["i"] * (atPoints["ip"] + mean["k"] * Q["kp"]) * Tensor("unit", (9,))["p"]
    )


def main():
    """Generate for the arguments of the command line."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--arch", default="hsw")
    parser.add_argument("--precision", default="d")
    parser.add_argument("--simulations", type=int, default=1)
    parser.add_argument("--device", help="of NVIDIA: sm_90")
    parser.add_argument("--output", default=".")
    given = parser.parse_args()
    host, device = HostArchDefinition(given.arch, given.precision, None, None), None
    if given.device is not None:
        device = DeviceArchDefinition(given.device, "nvidia", "cuda", given.precision, None)
    arch = deriveArchitecture(host, device)
    fixArchitectureGlobal(arch)
    tools = GeneratorCollection([yateto.gemm_configuration.LIBXSMM(arch), yateto.gemm_configuration.PSpaMM(arch)])

    db, t = read(given.simulations)
    Q = Simulations("Q", given.simulations, (BASIS, QUANTITIES))
    I = Simulations("I", given.simulations, (BASIS, QUANTITIES))  # noqa: E741
    generator, cache = Generator(arch), GlobalRoutineCache()
    add_update(generator, db, t, Q, I, ["cpu", "gpu"])
    add_time(generator, db, t, Q, I)
    add_attenuation(NamespacedGenerator(generator, namespace="viscoelastic"), db, Q)
    add_points(NamespacedGenerator(generator, namespace="output"), db, Q)
    generator.generate(
        given.output,
        namespace="waves",
        gemm_cfg=tools,
        cost_estimator=BoundingBoxCostEstimator,
        include_tensors={db.byName("fP(2)")},
        routine_cache=cache,
    )
    cache.generate(given.output, "waves")


if __name__ == "__main__":
    main()
