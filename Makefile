# Everything works on a machine with python3 (3.11 or newer), make and a package index.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
READY  := $(VENV)/.ready

.DEFAULT_GOAL := help
.PHONY: help
help: ## this list
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t14

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
