# Everything works on a machine with python3 (3.11 or newer), make and a package index.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
READY  := $(VENV)/.ready

.DEFAULT_GOAL := help
.PHONY: help
help: ## this list
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t14

$(READY): requirements-dev.txt pyproject.toml
	$(PYTHON) -c 'import sys; sys.version_info >= (3, 11) or sys.exit("sayso needs Python 3.11 or newer; set PYTHON=")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install -q --disable-pip-version-check --require-hashes -r requirements-dev.txt
	$(BIN)/python -m pip install -q --disable-pip-version-check --no-build-isolation --no-deps -e .
	@touch $@

.PHONY: install
install: $(READY) ## the virtual environment .venv, locked and hashed

.PHONY: lock
lock: $(READY) ## write the lock files anew (needs uv: pip install uv)
	uv pip compile -q pyproject.toml --extra dev --universal --generate-hashes --python-version 3.11 --no-header --no-annotate -o requirements-dev.txt
	uv pip compile -q pyproject.toml --universal --generate-hashes --python-version 3.11 --no-header --no-annotate -c requirements-dev.txt -o requirements.txt
	uv pip compile -q pyproject.toml --extra postgres --universal --generate-hashes --python-version 3.11 --no-header --no-annotate -c requirements-dev.txt -o requirements-postgres.txt
	uv pip compile -q pyproject.toml --extra bench --universal --generate-hashes --python-version 3.11 --no-header --no-annotate -c requirements-dev.txt -o requirements-bench.txt
	uv pip compile -q tests/openapi/requirements.in --universal --generate-hashes --python-version 3.11 --no-header --no-annotate -o requirements-openapi.txt

# -- what a newcomer runs

.PHONY: demo test check
demo: $(READY) ## the main job on a real server and a real file; ANSWER=approve answers by itself
	@$(BIN)/sayso demo $(if $(ANSWER),--answer $(ANSWER))

test: $(READY) ## every test, the short form of the long ones included (about half an hour)
	$(BIN)/python -m pytest $(TESTS)

check: format-check lint types imports test ## all that must be green before a change is handed over; docs are tests too

# -- the parts of check

.PHONY: format format-check lint types imports docs coverage
format: $(READY) ## write the code in the house's format
	$(BIN)/ruff format src tests bench
	$(BIN)/ruff check --fix src tests bench

format-check: $(READY) ## is the code in the house's format
	$(BIN)/ruff format --check src tests bench

lint: $(READY) ## the linter
	$(BIN)/ruff check src tests bench

types: $(READY) ## strict types, tests too
	$(BIN)/mypy

imports: $(READY) ## who may import whom
	$(BIN)/lint-imports --no-cache

docs: $(READY) ## run the blocks of the docs, and compare what is generated from code
	$(BIN)/python -m pytest tests/docs

coverage: $(READY) ## every line and branch of core and app is run by a test
	$(BIN)/coverage erase
	$(BIN)/coverage run -m pytest --hypothesis-seed=0 tests/core tests/app tests/store tests/http tests/notices
	$(BIN)/coverage combine -q
	$(BIN)/coverage report --fail-under=100 --include='src/sayso/core/*,src/sayso/app/*'

# -- the handed cases, and the long proofs

CASES ?= tests/cases

.PHONY: cases test-stores prove fuzz fuzz-documents fuzz-openapi container-steps wheel
cases: $(READY) ## run case files: CASES=DIR [OVER=http] [MUTATE=1]
	$(BIN)/python -m tests.cases.run $(CASES) $(if $(OVER),--over $(OVER)) $(if $(MUTATE),--mutate)

test-stores: $(READY) ## app, HTTP and cases on every other store: [STORES="postgres15-4 ..."] [SHORT=1]
	$(BIN)/python -m tests.every_store $(if $(SHORT),--short) $(STORES)

prove: $(READY) ## the long forms: 200 kills, 500 races, a real PT1M with 10,000 open
	SAYSO_LONG=1 $(BIN)/python -m pytest tests/faults tests/races -s

fuzz: $(READY) ## 1,000,000 requests against every route; SEED=N repeats one
	SAYSO_FUZZ=1000000 $(if $(SEED),SAYSO_SEED=$(SEED)) $(BIN)/python -m pytest tests/fuzz -s

fuzz-documents: $(READY) ## 100,000 documents, renderings of templates, and replies; SEED=N repeats one
	SAYSO_FUZZ_DOCUMENTS=100000 SAYSO_FUZZ=100000 $(if $(SEED),SAYSO_SEED=$(SEED)) \
		$(BIN)/python -m pytest tests/fuzz_documents tests/core/replies/test_every_script.py -s

# Schemathesis needs an older jsonschema-rs than sayso does, and so an environment of its own.
ASKER := .venv-openapi
$(ASKER)/.ready: requirements-openapi.txt
	$(PYTHON) -m venv $(ASKER)
	$(ASKER)/bin/python -m pip install -q --disable-pip-version-check --require-hashes -r requirements-openapi.txt
	@touch $@

fuzz-openapi: $(READY) $(ASKER)/.ready ## 20,000 requests made from the OpenAPI document, to a server; SEED=N repeats them
	$(BIN)/python -m tests.openapi $(ASKER)/bin/python 20000 $(SEED)

container-steps: $(READY) ## the steps of deploy/Containerfile, in a plain Debian (needs root and debootstrap)
	SAYSO_CONTAINER_STEPS=1 $(BIN)/python -m pytest tests/deploy/test_container.py -s

# What only `make bench` needs, installed when it is first asked for.
BENCH := $(VENV)/.bench
$(BENCH): requirements-bench.txt $(READY)
	$(BIN)/python -m pip install -q --disable-pip-version-check --require-hashes -r requirements-bench.txt
	@touch $@

.PHONY: bench
bench: $(BENCH) ## a benchmark: NAME=handle [STORE=postgres] [DATABASE=URL] [ROUNDS=3] [QUICK=1]; fails on a ratio alone
	$(BIN)/python -m bench $(NAME) $(if $(STORE),--store $(STORE)) $(if $(DATABASE),--database $(DATABASE)) \
		$(if $(ROUNDS),--rounds $(ROUNDS)) $(if $(QUICK),--quick)

wheel: $(READY) ## the wheel, into dist/
	$(BIN)/python -m hatchling build -t wheel
