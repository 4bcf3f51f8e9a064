"""What the generated kernels cost and how fast they are, beside other libraries and the limits of the machine.

    python -m benchmarks --list
    python -m benchmarks --set ader_dg --json build/benchmarks.json --plot build/benchmarks.svg

A set (`sets/`) is a list of cases. A case (`case.py`) is a kernel with the sizes of its operands, and what NumPy and
others have to do for the same result. A row (`row.py`) is what was measured of a case: `run_case.py` prepares ours and
the peers (`peers/`), `measure.py` lets them take turns, `peaks.py` measures the limits, `report.py` and `plot.py` show
the rows.
"""
