# Everything runs in .venv, which is made from Python and the package index alone.
PYTHON ?= python3
BIN := .venv/bin
ROUNDS ?= 20

.PHONY: help run mpi test slow check docs corpus bench fuzz hostile oclgrind tinytc mlir tpp functions complex tc dask chemistry networks pyfr layouts release-check clean

help:
	@echo "make run       install, then the main job: ADER-DG kernels over 10,000 elements"
	@echo "make mpi       the solver of acoustic waves on 1, 2, 4 and 8 ranks, and how it scales on this machine"
	@echo "make test      install, then all tests"
	@echo "make slow      every kernel of every example at every order, then all tests with optimized kernels (half an hour)"
	@echo "make check     lint, types, import contracts"
	@echo "make docs      the documentation site in build/docs, and a manual page; warnings are errors"
	@echo "make corpus    which of 1,447 kernels differ from what they were: in names, or in what they do"
	@echo "make bench     our kernels, other libraries and the limits of the machine (half an hour)"
	@echo "make fuzz      the properties of generated programs with 10,000 of them (hours); ROUNDS=2 for 1,000"
	@echo "make hostile   2,000 files that mean no good: no traceback, less than 1 GiB and 10 s each (half an hour)"
	@echo "make oclgrind  kernels in Oclgrind, which finds races and bad accesses (apt-get install oclgrind)"
	@echo "make tc        definitions of tc, judged by MLIR's generators of named operations"
	@echo "make tinytc    the numbers of released Tiny Tensor Compilers: TINYTC_0_2=… to TINYTC_0_4=… name the programs"
	@echo "make mlir      linalg in torch-mlir: 500 generated functions both ways; in xDSL, MLIR 22 and IREE"
	@echo "make dask      dask on clusters of processes: a million elements, a worker that is killed; minutes"
	@echo "make tpp       10,000 generated programs of tensor processing primitives, 100 of them as kernels; minutes"
	@echo "make complex   16,000 generated programs of mixed numbers at every level (hours); ROUNDS=13 for 10,400"
	@echo "make functions  10,000 generated programs with functions of entries at every level, 1,200 as kernels (an hour)"
	@echo "make chemistry methods of PySCF with ef.einsum in the place of numpy.einsum: energies, and what einsum costs"
	@echo "make networks  tensor networks of quimb beside opt_einsum and cotengra"
	@echo "make pyfr      PyFR with our kernels beside LIBXSMM's: its choice, a step; LIBXSMM=… names libxsmm.so (version 2)"
	@echo "make layouts   10,000 generated strings with operands of every layout beside numpy.einsum"
	@echo "make release-check  builds the distributions and uses them as others will; TESTS=tests for all tests of the source"
	@echo "make clean     remove what make has made"

.venv/installed: pyproject.toml
	$(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --disable-pip-version-check --editable '.[test,check]'
	@touch $@

run: .venv/installed
	$(BIN)/python -m examples.ader_dg --elements 10000

mpi: .venv/installed
	$(BIN)/pip install --quiet --disable-pip-version-check --editable '.[mpi]'
	$(BIN)/python -m pytest -m '' tests/ranks tests/examples/test_advection_mpi.py -rs
	$(BIN)/python -m benchmarks.ranks

test: .venv/installed
	$(BIN)/python -m pytest -n 2 --dist worksteal

slow: .venv/installed
	$(BIN)/python -m pytest -n 2 --dist worksteal -m slow
	TEST_BUILDS=optimized $(BIN)/python -m pytest -n 2 --dist worksteal

check: .venv/installed
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python -m tests.architecture.wildcards

docs: .venv/installed
	$(BIN)/pip install --quiet --disable-pip-version-check --editable '.[docs]'
	$(BIN)/python -m sphinx --fail-on-warning --keep-going --quiet --builder html docs build/docs
	$(BIN)/python -m sphinx --fail-on-warning --keep-going --quiet --builder man docs build/man

corpus: .venv/installed
	$(BIN)/python -m tests.corpus

bench: .venv/installed
	$(BIN)/pip install --quiet --disable-pip-version-check --editable '.[bench]'
	$(BIN)/python -m benchmarks --json build/benchmarks.json --plot build/benchmarks.svg
	$(BIN)/python -m benchmarks.summary build/benchmarks.json

# Each round is the tests of generated programs with 500 other programs for every property, in new processes: drivers
# keep what they build. Programs are built for the first time, so caches on disk would only fill.
fuzz: .venv/installed
	for round in $$(seq 1 $(ROUNDS)); do \
	  TEST_BUILDS=optimized PYOPENCL_NO_CACHE=1 POCL_KERNEL_CACHE=0 $(BIN)/python -m pytest -n 2 --dist worksteal -m generated \
	    --hypothesis-profile=long --hypothesis-seed=$$round || exit 1; \
	done

hostile: .venv/installed
	$(BIN)/python -m tests.hostile 2000

oclgrind: .venv/installed
	$(BIN)/python -m tests.oclgrind 1000

# 200 definitions of tc, judged by the generators of LLVM 13 and 22 (mlir-13-tools, mlir-22-tools).
tc: .venv/installed
	TC_DEFINITIONS=200 $(BIN)/python -m pytest tests/tc/test_mlir_generators.py -rs

# The driver is told to make vectors of sub-groups, which it needs for theirs and not for ours.
tinytc: .venv/installed
	$(BIN)/pip install --quiet --disable-pip-version-check --editable '.[intel]'
	EINSUM_FRONT_DEVICE=Intel CL_CONFIG_USE_VECTORIZER=True $(BIN)/python -m pytest tests/tinytc -rPs

# torch-mlir verifies, prints and runs generated functions of linalg. xDSL and IREE get a Python of their own.
mlir: .venv/installed build/peers/installed
	$(BIN)/pip install --quiet --disable-pip-version-check --editable '.[mlir]'
	MLIR_PROGRAMS=500 MLIR_PEERS=build/peers/bin/python $(BIN)/python -m pytest tests/mlir -rs

build/peers/installed:
	$(PYTHON) -m venv build/peers
	build/peers/bin/pip install --quiet --disable-pip-version-check xdsl iree-base-compiler iree-base-runtime
	@touch $@

# Programs of primitives, each step said in NumPy.
tpp: .venv/installed
	TPP_PROGRAMS=10000 $(BIN)/python -m pytest tests/mlir/tpp -n 2 --dist worksteal -rs

# Programs of the notation with functions of entries, in the rounds of `make fuzz`: 500 each at every level.
functions: .venv/installed
	for round in $$(seq 1 $(ROUNDS)); do \
	  TEST_BUILDS=optimized PYOPENCL_NO_CACHE=1 POCL_KERNEL_CACHE=0 $(BIN)/python -m pytest -n 2 --dist worksteal -m generated \
	    --hypothesis-profile=long --hypothesis-seed=$$round tests/meaning/test_functions.py || exit 1; \
	done

# Programs of mixed numbers (real, complex, integers, bool) in memory of all types, in the rounds of `make fuzz`: 800 each at every level.
complex: .venv/installed
	for round in $$(seq 1 $(ROUNDS)); do \
	  PYOPENCL_NO_CACHE=1 POCL_KERNEL_CACHE=0 $(BIN)/python -m pytest -n 2 --dist worksteal -m generated \
	    --hypothesis-profile=long --hypothesis-seed=$$round tests/meaning/test_stored_types.py tests/meaning/test_integers.py || exit 1; \
	done

# Programs of others, in an environment of their own.
chemistry: build/programs/installed
	build/programs/bin/python -m benchmarks.chemistry

networks: build/programs/installed
	build/programs/bin/python -m benchmarks.tensor_networks

build/programs/installed: pyproject.toml
	$(PYTHON) -m venv build/programs
	build/programs/bin/pip install --quiet --disable-pip-version-check --editable . pyscf quimb cotengra networkx opt_einsum
	@touch $@

# PyFR needs a library of MPI (Debian: libopenmpi-dev).
pyfr: build/pyfr/installed
	for case in "tri 4" "tet 3" "tet 4" "pri 3" "hex 3"; do set -- $$case; \
	  PYFR_XSMM_LIBRARY_PATH=$(LIBXSMM) build/pyfr/bin/python -m examples.pyfr --shape $$1 --order $$2 || exit 1; \
	done

build/pyfr/installed: pyproject.toml
	$(PYTHON) -m venv build/pyfr
	build/pyfr/bin/pip install --quiet --disable-pip-version-check --editable . pyfr
	@touch $@

# One property with 500 strings a share, 20 shares.
layouts: .venv/installed
	$(BIN)/python -m pytest tests/index_string/test_any_layout.py -k without_a_kernel --hypothesis-profile=long

# Clusters of processes on this machine.
dask: .venv/installed
	$(BIN)/python -m pytest tests/dask_arrays -m "slow or not slow" -rs

# What is published, built and tried in empty environments.
release-check: .venv/installed
	$(BIN)/pip install --quiet --disable-pip-version-check --editable '.[release]'
	$(BIN)/python release/check.py $(TESTS)

clean:
	rm -rf .venv build dist *.egg-info examples/ader_dg/matrices/*.npz
