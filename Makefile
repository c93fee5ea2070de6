# One command each. Every target makes its own environment in .venv first.

PYTHON ?= python3
BIN := .venv/bin
PYTEST := $(BIN)/python -m pytest -q --timeout 300  # a test that hangs fails, and says where
unexport PYTHONDONTWRITEBYTECODE  # without bytecode on disk every worker rewrites every assertion again

.PHONY: help demo test test-slow test-frameworks test-typescript telemetry test-floors e2e e2e-fleet fuzz kills stress audit release-check check lint bench bench-scale docs docs-site transcript pictures data clean
.DEFAULT_GOAL := help

help:            ## show this list
	@sed -n 's/^\([a-z0-9-]*\): .*## /\1\t/p;s/^\([a-z0-9-]*\):  *## /\1\t/p' $(MAKEFILE_LIST)

.venv/ready: pyproject.toml
	$(PYTHON) -m venv --clear .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[dev]'
	@touch $@

demo: .venv/ready  ## watch Headway read the recordings in examples/
	$(BIN)/python examples/demo.py

test: .venv/ready  ## run the tests; the slowest twenty are listed at the end
	$(PYTEST) -n auto --dist worksteal --durations 20

test-slow: .venv/ready  ## run the tests that take long because they start many programs; CI runs them too
	$(PYTEST) -n auto --dist worksteal -m slow

e2e: .venv/ready  ## run real agents from npm and PyPI against scripted models; AGENTS='claude-code codex' for some
	$(BIN)/python -m tests.e2e.programs $(AGENTS)
	AGENTS='$(AGENTS)' $(PYTEST) -n 2 -m e2e tests/e2e; status=$$?; $(BIN)/python -m tests.e2e.matrix; exit $$status

# Ray and Kafka's clients support each Python later than others do, and have heavy packages of their own.
# Naming aiobotocore, which s3fs needs anyway, lets pip find the version of boto3 that suits it and moto.
.fleet/ready: pyproject.toml
	$(or $(shell command -v python3.11),$(PYTHON)) -m venv --clear .fleet
	.fleet/bin/python -m pip install --quiet --disable-pip-version-check -e '.[dev,parquet,s3,ray,fleet]' 'moto[server]>=5' 'aiobotocore>=2.15'
	@touch $@

e2e-fleet: .fleet/ready  ## run the tests that need a Ray cluster, an S3 server or a Kafka broker; TESTS=tests/engines for some
	.fleet/bin/python -m pytest -q --timeout 300 --durations 5 -m fleet $(or $(TESTS),$(wildcard tests/engines tests/fleet))

test-frameworks: .venv/ready  ## run each framework's tests with its oldest and newest version; FRAMEWORKS="--newest langchain …" for some
	$(BIN)/python tests/hosts/environments.py $(FRAMEWORKS)

test-typescript: .venv/ready  ## run the tests of the TypeScript client in the Node that is here, with the newest frameworks; OLDEST=1 for the oldest
	cd clients/typescript && npm update --no-save --no-package-lock --no-audit --no-fund --loglevel error $(if $(OLDEST),&& npm run oldest --silent)
	cd clients/typescript && npm test --silent

telemetry: .venv/ready  ## record the spans of real instrumentations anew, with scripted models; INSTRUMENTATIONS="strands …" for some
	$(BIN)/python -m tests.telemetry.capture $(INSTRUMENTATIONS)

fuzz: .venv/ready  ## read recordings made wrong, CASES=20000 of them, then run all randomised tests with new examples; SEED=random for fresh ones, RECORDINGS=folder for your own
	$(BIN)/python -m tests.readers.fuzz --cases $(or $(CASES),20000) --seed $(or $(SEED),1) $(RECORDINGS)
	HEADWAY_FUZZ=1 $(PYTEST) -n auto --timeout 3600 -m 'hypothesis and not e2e'

kills: .venv/ready  ## kill loops at KILLS=100 random system calls: no round and no byte of the user's may be lost
	HEADWAY_TEST_KILLS=$(or $(KILLS),100) $(PYTEST) -m slow --timeout 36000 -n auto tests/loop/test_durability.py -k system_calls

stress: .venv/ready  ## 32 processes x 1000 hook calls with kills, CALLS=2500 hook processes in each of four tests, 50 kills of the service, KILLS=1000 kills of a loop
	HEADWAY_TEST_PROCESSES='32 1000 4' HEADWAY_TEST_CALLS=$(or $(CALLS),2500) $(PYTEST) -m slow --timeout 7200 \
		tests/hosts/hook/test_process.py -k many
	HEADWAY_TEST_SERVICE_KILLS=50 $(PYTEST) --timeout 1200 tests/serve/test_kills.py
	$(MAKE) kills KILLS=$(or $(KILLS),1000)

audit: .venv/ready  ## look for known holes in the packages that Headway depends on
	$(BIN)/python dev/audit.py

release-check: .venv/ready  ## build wheel and sdist, install them with every Python from 3.11 that is here, and try them
	$(BIN)/python dev/release_check.py

test-floors: .venv/ready  ## run the tests with the oldest packages that pyproject.toml allows; TESTS=tests/store for some
	$(BIN)/python dev/floors.py -q --timeout 300 -n auto $(TESTS)

lint: .venv/ready  ## ruff, mypy --strict, import-linter
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

check: lint test test-slow  ## everything CI asks for

bench: .venv/ready  ## measure cost and memory; RUNS=file.jsonl.gz and RECORDINGS=folder for your own
	$(BIN)/python bench/core.py $(RUNS)
	$(BIN)/python bench/iteration.py
	$(BIN)/python bench/readers.py
	$(BIN)/python bench/scan.py $(RECORDINGS)
	$(BIN)/python bench/loop.py
	$(BIN)/python bench/hook.py
	$(BIN)/python bench/serve.py
	$(BIN)/python bench/masking.py $(RUNS)
	$(BIN)/python bench/frameworks.py guard opentelemetry
	$(if $(RUNS),$(BIN)/python bench/accuracy.py $(RUNS) --markdown docs/accuracy.md)
	$(if $(RUNS),$(BIN)/python bench/headline.py $(RUNS) --markdown docs/accuracy.md)
	$(if $(RUNS),$(BIN)/python bench/lift.py $(RUNS) --markdown docs/accuracy.md)
	$(if $(RUNS),$(BIN)/python bench/trials.py $(RUNS) --rules --choose --markdown docs/accuracy.md)
	$(if $(RUNS),$(BIN)/python bench/sentences.py $(RUNS) --print 0 --markdown docs/accuracy.md)
	$(if $(RUNS),$(BIN)/python bench/nudges.py $(RUNS) --markdown docs/accuracy.md)

bench-scale: .fleet/ready  ## measure scans in shards, alone and on Ray; RUNS=file.jsonl.gz for your own runs
	.fleet/bin/python bench/scale.py $(RUNS)

docs: data  ## rewrite the generated pages
	$(BIN)/headway detectors --format markdown > docs/detectors.md
	$(BIN)/python examples/frameworks/page.py > docs/frameworks.md
	$(BIN)/python dev/settings_page.py > docs/settings.md
	$(BIN)/python dev/reference_page.py > docs/development/reference.md

.venv/docs: .venv/ready
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[docs]'
	@touch $@

docs-site: .venv/docs  ## build the documentation as a web site in site/; a broken link fails
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict

transcript: .venv/ready  ## run the real Claude Code against a scripted model that goes in circles, and show what it is told
	$(BIN)/python -m tests.e2e.programs claude-code
	$(BIN)/python -m tests.e2e.transcript

pictures: .venv/ready  ## make the pictures and the tutorial's transcripts anew, from real runs; needs npm and Chromium
	$(BIN)/python -m tests.e2e.programs claude-code
	$(BIN)/python -m tests.e2e.transcript --write
	$(BIN)/python -m tests.docs.pictures
	$(BIN)/python -m tests.reports.pictures
	$(BIN)/python -m tests.serve.pictures

data: .venv/ready  ## rewrite the JSON files that are made from the packaged TOML files and the detectors
	$(BIN)/python dev/make_data.py

clean:           ## remove what the other targets made
	rm -rf .venv .fleet clients/typescript/node_modules clients/typescript/dist clients/typescript/build site .audit .floors .release .e2e .frameworks .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis
