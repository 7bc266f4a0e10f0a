# `make demo` and `make test` work from a fresh clone with nothing but Python 3.10 to 3.13 (see README.md).
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet
INSTALL := $(BIN)/python scripts/install_packages.py
# Tests wait for their processes for half of the time: twice as many as there are cores. What a file starts for all of
# its tests is started once.
PARALLEL = --numprocesses $(shell echo $$(($$(getconf _NPROCESSORS_ONLN) * 2))) --dist loadscope --no-loadscope-reorder
# What a module compiles to is kept: tests start many processes, which would each do it again.
export PYTHONDONTWRITEBYTECODE :=
LOCKED := --no-deps --require-hashes -r

.PHONY: demo play test thorough pythons docs setup gpu openvino ray train webapp lock clean

demo: setup ## one whole run with simulated workers, exported to out/demo
	$(BIN)/beat-the-ai rehearse tasks/reading_comprehension --workers 12 --seed 1 --out out/demo

play: setup webapp ## the same for people, in a browser, until stopped
	$(BIN)/beat-the-ai serve tasks/reading_comprehension

test: setup $(VENV)/.dev webapp ## everything: lint, types, unit, contract, end to end in a browser
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/pytest $(PARALLEL)

thorough: setup $(VENV)/.dev webapp ## the same tests with ten times as many random examples, and time for them
	HYPOTHESIS_PROFILE=thorough $(BIN)/pytest $(PARALLEL) --timeout 3000

setup: $(VENV)/.base ## .venv with the command beat-the-ai, and the driver of PostgreSQL

gpu: $(VENV)/.gpu ## what models of huggingface: need

openvino: $(VENV)/.openvino ## what models of openvino: need, and what makes them int8

ray: $(VENV)/.ray ## what `adversary deploy` needs: Ray Serve

train: $(VENV)/.train ## what training needs: of the project's own network, of transformers

webapp: webapp/dist/.vite/manifest.json ## the pages of workers, reviewers and events, built with a Node of their own

# The lock files name every package; --no-deps because Mephisto's own pins are old and vulnerable.
$(VENV)/.base: requirements.lock pyproject.toml
	@$(PYTHON) scripts/check_python.py
	@echo "making $(VENV) ..."
	@$(PYTHON) -m venv $(VENV)
	@$(INSTALL) requirements.lock $(LOCKED) requirements.lock
	@$(PIP) install --no-deps --no-build-isolation --editable .
	@touch $@

# Not locked: which build of torch fits depends on the machine's accelerator.
$(VENV)/.torch: $(VENV)/.base
	@$(INSTALL) torch torch==2.13.0
	@touch $@

$(VENV)/.gpu: requirements-gpu.lock $(VENV)/.torch
	@$(INSTALL) requirements-gpu.lock $(LOCKED) requirements-gpu.lock
	@touch $@

$(VENV)/.openvino: requirements-openvino.lock $(VENV)/.gpu
	@$(INSTALL) requirements-openvino.lock $(LOCKED) requirements-openvino.lock
	@touch $@

$(VENV)/.ray: requirements-ray.lock $(VENV)/.base
	@$(INSTALL) requirements-ray.lock $(LOCKED) requirements-ray.lock
	@touch $@

$(VENV)/.train: requirements-train.lock $(VENV)/.gpu
	@$(INSTALL) requirements-train.lock $(LOCKED) requirements-train.lock
	@touch $@

$(VENV)/.dev: requirements-dev.lock $(VENV)/.openvino $(VENV)/.ray $(VENV)/.train
	@$(INSTALL) requirements-dev.lock $(LOCKED) requirements-dev.lock
	scripts/install-system-packages chromium-headless-shell postgresql
	@touch $@

# The file that no server sends: one that is touched is newer than its packed forms, which are then not sent.
webapp/dist/.vite/manifest.json: Makefile $(VENV)/.base requirements-web.lock src/beat_the_ai/web/palette.json $(shell find webapp -path webapp/node_modules -prune -o -path webapp/dist -prune -o -path 'webapp/*/dist' -prune -o -path webapp/.node -prune -o -type f -print)
	@$(INSTALL) requirements-web.lock $(LOCKED) requirements-web.lock
	$(BIN)/python scripts/build_webapp.py
	@touch $@

docs: $(VENV)/.dev ## the documentation as a site, served until stopped
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs serve

pythons: webapp ## a rehearsal, and the tests that need no torch, on every other Python that the project supports
	scripts/test-other-pythons

lock: ## resolve the lock files anew
	scripts/lock

clean:
	rm -rf $(VENV) .venv-3.* out webapp/dist webapp/*/dist webapp/node_modules
