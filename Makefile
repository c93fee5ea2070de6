# One command each. Every target makes its own environment in .venv first.

PYTHON ?= python3
BIN := .venv/bin
PYTEST := $(BIN)/python -m pytest -q --timeout 300  # a test that hangs fails, and says where

.PHONY: help demo test test-frameworks test-floors e2e fuzz stress audit check lint bench docs data clean
.DEFAULT_GOAL := help

help:            ## show this list
	@sed -n 's/^\([a-z0-9-]*\): .*## /\1\t/p;s/^\([a-z0-9-]*\):  *## /\1\t/p' $(MAKEFILE_LIST)

.venv/ready: pyproject.toml
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[dev]'
	@touch $@

demo: .venv/ready  ## watch Headway read the recordings in examples/
	$(BIN)/python examples/demo.py

test: .venv/ready  ## run the tests
	$(PYTEST) -n auto

e2e: .venv/ready  ## run real agents from npm and PyPI against scripted models; AGENTS='claude-code codex' for some
	$(BIN)/python -m tests.e2e.programs $(AGENTS)
	AGENTS='$(AGENTS)' $(PYTEST) -m e2e tests/e2e

test-frameworks: .venv/ready  ## run each framework's tests in an environment of its own; FRAMEWORKS="langchain …" for some
	$(BIN)/python tests/hosts/environments.py $(FRAMEWORKS)

fuzz: .venv/ready  ## read recordings made wrong, CASES=20000 of them, then run all randomised tests with new examples; SEED=random for fresh ones, RECORDINGS=folder for your own
	$(BIN)/python -m tests.readers.fuzz --cases $(or $(CASES),20000) --seed $(or $(SEED),1) $(RECORDINGS)
	HEADWAY_FUZZ=1 $(PYTEST) -n auto --timeout 3600 -m 'hypothesis and not e2e'

stress: .venv/ready  ## 32 processes x 1000 hook calls with kills, CALLS=2500 hook processes in each of four tests, KILLS=1000 kills of a loop
	HEADWAY_TEST_PROCESSES='32 1000 4' HEADWAY_TEST_CALLS=$(or $(CALLS),2500) $(PYTEST) --timeout 7200 \
		tests/hosts/hook/test_process.py -k many
	HEADWAY_TEST_KILLS=$(or $(KILLS),1000) $(PYTEST) --timeout 36000 -n auto tests/loop/test_durability.py -k system_calls

audit: .venv/ready  ## look for known holes in the packages that Headway depends on
	$(BIN)/python dev/audit.py

test-floors: .venv/ready  ## run the tests with the oldest packages that pyproject.toml allows; TESTS=tests/store for some
	$(BIN)/python dev/floors.py -q --timeout 300 -n auto $(TESTS)

lint: .venv/ready  ## ruff, mypy --strict, import-linter
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

check: lint test  ## everything CI asks for

bench: .venv/ready  ## measure cost and memory; RUNS=file.jsonl.gz and RECORDINGS=folder for your own
	$(BIN)/python bench/core.py $(RUNS)
	$(BIN)/python bench/iteration.py
	$(BIN)/python bench/readers.py
	$(BIN)/python bench/scan.py $(RECORDINGS)
	$(BIN)/python bench/loop.py
	$(BIN)/python bench/hook.py
	$(BIN)/python bench/secrets.py $(RUNS)
	$(BIN)/python bench/frameworks.py guard opentelemetry
	$(if $(RUNS),$(BIN)/python bench/accuracy.py $(RUNS) --markdown docs/accuracy.md)
	$(if $(RUNS),$(BIN)/python bench/headline.py $(RUNS) --markdown docs/accuracy.md)
	$(if $(RUNS),$(BIN)/python bench/lift.py $(RUNS) --markdown docs/accuracy.md)
	$(if $(RUNS),$(BIN)/python bench/truth.py $(RUNS) --markdown docs/accuracy.md)

docs: .venv/ready  ## rewrite the generated pages
	$(BIN)/headway detectors --format markdown > docs/detectors.md
	$(BIN)/python examples/frameworks/page.py > docs/frameworks.md

data: .venv/ready  ## rewrite the modules that hold the packaged TOML files
	$(BIN)/python dev/make_data.py

clean:           ## remove what the other targets made
	rm -rf .venv .audit .floors .e2e .frameworks .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis
