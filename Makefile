# Everything runs in .venv, which is made from Python and the package index alone.
PYTHON ?= python3
BIN := .venv/bin

.PHONY: help run test slow check bench fuzz clean

help:
	@echo "make run     install, then the main job: ADER-DG kernels over 10,000 elements"
	@echo "make test    install, then all tests"
	@echo "make slow    every kernel of every example at every order (many minutes)"
	@echo "make check   lint, types, import contracts"
	@echo "make bench   our kernels, other libraries and the limits of the machine (half an hour)"
	@echo "make fuzz    the property tests with many more examples (minutes)"
	@echo "make clean   remove what make has made"

.venv/installed: pyproject.toml
	$(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --disable-pip-version-check --editable '.[test,check]'
	@touch $@

run: .venv/installed
	$(BIN)/python -m examples.ader_dg --elements 10000

test: .venv/installed
	$(BIN)/python -m pytest -n 2 --dist worksteal

slow: .venv/installed
	$(BIN)/python -m pytest -n 2 --dist worksteal -m slow

check: .venv/installed
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: .venv/installed
	$(BIN)/pip install --quiet --disable-pip-version-check --editable '.[bench]'
	$(BIN)/python -m benchmarks --json build/benchmarks.json --plot build/benchmarks.svg
	$(BIN)/python -m benchmarks.summary build/benchmarks.json

fuzz: .venv/installed
	$(BIN)/python -m pytest -n 2 --dist worksteal -m "fuzz or not fuzz" --hypothesis-profile=long tests/meaning tests/tl_backend

clean:
	rm -rf .venv build dist *.egg-info examples/ader_dg/matrices/*.npz
