# SourceIT. `make run` starts it, `make test` proves it; `make help` lists the rest.

PYTHON ?= python3
PORT ?= 8000
BIN := .venv/bin
export PORT

.DEFAULT_GOAL := help
.PHONY: help setup run dev worker seed format check unit test e2e bench clean

help: ## List what make can do
	@awk -F ':.*## ' '/^[a-z0-9]+:.*## /{printf "  make %-8s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

.venv/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "SourceIT needs Python 3.11 or later: make run PYTHON=python3.11"; exit 1; }
	@$(PYTHON) -m venv .venv || \
	  { echo "Python has no venv module. On Debian: apt-get install python3-venv"; exit 1; }

.venv/.runs: requirements.txt | .venv/bin/python
	$(BIN)/pip install --quiet --disable-pip-version-check -r requirements.txt
	@touch $@

.venv/.tests: requirements.txt requirements-dev.txt | .venv/bin/python
	$(BIN)/pip install --quiet --disable-pip-version-check -r requirements-dev.txt
	@touch $@ .venv/.runs

setup: .venv/.tests ## Make the virtual environment with every tool

run: .venv/.runs ## Start the shop, its worker and its clock on http://localhost:8000
	@deploy/packages run
	@deploy/start

dev: .venv/.tests ## Start the web server with reloading and error pages
	@deploy/packages run
	@DEBUG=true deploy/start

worker: .venv/.runs ## Start a worker with its clock alone (settings from the environment)
	$(BIN)/celery -A sourceit worker --beat --schedule var/beat --concurrency 2 --loglevel info

seed: .venv/.runs ## Fill in the demo desk
	@deploy/start --prepare

format: .venv/.tests ## Format Python and templates
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

check: .venv/.tests ## Check style, types, layers, migrations and security settings
	@$(BIN)/python .ci/parts.py check

unit: .venv/.tests ## Run the quick tests on SQLite
	$(BIN)/python -m pytest -q -n auto -m "not e2e and not services"

test: .venv/.tests ## Run everything: checks, both databases, worker, browser
	@.ci/packages
	@$(BIN)/python .ci/parts.py

e2e: .venv/.tests ## Run the browser tests
	@.ci/packages
	@$(BIN)/python .ci/parts.py browser

bench: .venv/.tests ## Measure against the goals; prints ratios
	@for bench in bench/*.py; do echo "== $$bench"; $(BIN)/python $$bench; done

clean: ## Remove what was made, but not the data in var/
	rm -rf .venv staticfiles .pytest_cache .mypy_cache .ruff_cache .hypothesis
