"""The kernels that add after another one where integers say."""

from dataclasses import replace

from einsum_front.driver.stages import ready
from einsum_front.runtime.artifact import Artifact, Sums
from einsum_front.tl_backend import Target, neighbours, of_caller, rows_together, schedule, sum_function, sums_of
from einsum_front.tl_backend import program as tensor_language
from einsum_front.tl_backend.emit import artifact_of


def with_sums(artifact: Artifact, function: tensor_language.Function, target: Target) -> Artifact:
    """The kernel of a function with one for each sum after it, in their order."""
    found = []
    for scatter in sums_of(function):
        walked, width = neighbours(function, scatter)
        adding = ready(sum_function(function, scatter), target)
        kernel = artifact_of(schedule(adding, target))
        found.append(Sums(of_caller(function, scatter), width, walked, rows_together(width), kernel))
    return replace(artifact, sums=tuple(found))
