# `make demo` and `make test` work from a fresh clone with nothing but Python 3.10 to 3.13 (see README.md).
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet

.PHONY: demo play test thorough setup webapp lint lock clean

demo: setup ## one whole run with simulated workers, exported to out/demo
	$(BIN)/beat-the-ai rehearse tasks/reading_comprehension --workers 12 --seed 1 --out out/demo

play: setup webapp ## the same for people, in a browser, until stopped
	$(BIN)/beat-the-ai serve tasks/reading_comprehension

test: setup $(VENV)/.dev webapp ## everything: lint, types, unit, contract, end to end in a browser
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/pytest --numprocesses auto --dist worksteal

thorough: setup $(VENV)/.dev webapp ## the same tests with ten times as many random examples, and time for them
	HYPOTHESIS_PROFILE=thorough $(BIN)/pytest --numprocesses auto --dist worksteal --timeout 3000

setup: $(VENV)/.base ## .venv with the command beat-the-ai

webapp: webapp/dist/bundle.js ## the workers' and the reviewers' pages, built with a Node of their own

# requirements.lock names every package; --no-deps because Mephisto's own pins are old and vulnerable.
$(VENV)/.base: requirements.lock pyproject.toml
	$(PYTHON) scripts/check_python.py
	$(PYTHON) -m venv $(VENV)
	@echo "installing the locked packages into $(VENV) ..."
	$(PIP) install --no-deps --require-hashes -r requirements.lock
	$(PIP) install --no-deps --no-build-isolation --editable .
	@touch $@

$(VENV)/.dev: requirements-dev.lock $(VENV)/.base
	@echo "installing what the tests need (torch included) ..."
	$(PIP) install --no-deps --require-hashes -r requirements-dev.lock
	$(PIP) install torch==2.13.0
	scripts/install-system-packages chromium postgresql
	@touch $@

webapp/dist/bundle.js: $(VENV)/.base requirements-web.lock $(shell find webapp -path webapp/node_modules -prune -o -path webapp/dist -prune -o -path webapp/review/dist -prune -o -path webapp/.node -prune -o -type f -print)
	$(PIP) install --no-deps --require-hashes -r requirements-web.lock
	$(BIN)/python scripts/build_webapp.py
	@touch $@

lock: ## resolve the lock files anew
	scripts/lock

clean:
	rm -rf $(VENV) out webapp/dist webapp/review/dist webapp/node_modules
