# Short names for what contributors do; .ci/run is the complete list of checks.
VENV ?= .venv
BIN := $(VENV)/bin

.PHONY: develop test check bench bench-all wheel ci

develop: ## an environment with the extension built in place
	test -d $(VENV) || python3 -m venv $(VENV)
	$(BIN)/pip install -q maturin
	$(BIN)/maturin develop --release --extras dev

test: ## the Python and Rust tests
	$(BIN)/pytest
	cargo test --workspace

check: ## format, lints, types, stub, what the benches assert
	cargo fmt --all -- --check
	cargo clippy --workspace --all-targets -- -D warnings
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/pytest -q benches --benchmark-disable
	$(BIN)/python -m mypy.stubtest gammon._native

bench: ## speed, with the counts asserted
	$(BIN)/pytest benches --benchmark-only
	cargo bench -p gammon-core

bench-all: ## speed beside other programs; see docs/benchmarks.md
	$(BIN)/pip install -q -r benches/requirements.txt
	PYTHON=$(BIN)/python bash benches/run_all.sh

wheel: ## a wheel in dist/
	$(BIN)/maturin build --release -o dist

ci: ## everything, from scratch
	bash .ci/run
