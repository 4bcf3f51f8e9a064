"""Machines that make a schedule take what a test is about."""

from dataclasses import replace
from typing import Any

from einsum_front.tl_backend.opencl.target import Target


def with_batch_simd(target: Target, **changed: Any) -> Target:
    """The target with other times of batch vectorization."""
    return replace(target, machine=replace(target.machine, batch_simd=replace(target.machine.batch_simd, **changed)))


def with_unrolling(target: Target, **changed: Any) -> Target:
    """The target with other limits of what is unrolled."""
    return with_batch_simd(target, unrolling=replace(target.machine.batch_simd.unrolling, **changed))


def with_tables(target: Target, most: int | None = None) -> Target:
    """No nonzero terms are unrolled: all products are tables, at most so many each."""
    tables = target.machine.batch_simd.tables
    limited = tables if most is None else replace(tables, most=most)
    return with_batch_simd(with_unrolling(target, always=-1, most=-1, body=-1), tables=limited)
