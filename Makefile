# `make demo` and `make test` work from a fresh clone with nothing but Python 3.10 to 3.13 (see README.md).
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet
INSTALL := $(BIN)/python scripts/install_packages.py
# Tests wait for their processes for half of the time: twice as many as there are cores. What a file starts for all of
# its tests is started once.
# What servers and pages send each other: `scripts/page_records.py` writes the pages' types from these.
PAGE_MODELS = $(addprefix src/beat_the_ai/,review/views.py review/held_views.py review/people/views.py review/app.py review/visits.py console/views.py console/act_views.py console/start_views.py writing/page.py \
	validation/page.py workforce/screening/page.py forms/page.py words/markdown.py words/served.py $(addprefix kinds/,quizbowl/tournament/views.py quizbowl/tournament/messages.py \
	reading_comprehension/writing.py reading_comprehension/answerability.py nli/labels.py nli/writing.py \
	nli/verification.py quizbowl/guesses.py quizbowl/writing.py quizbowl/playing.py))
PARALLEL = --numprocesses $(shell echo $$(($$(getconf _NPROCESSORS_ONLN) * 2))) --dist loadscope --no-loadscope-reorder
# What a module compiles to is kept: tests start many processes, which would each do it again.
export PYTHONDONTWRITEBYTECODE :=
LOCKED := --no-deps --require-hashes -r

.PHONY: help demo play check test thorough lint pythons docs setup gpu labels openvino ray train webapp lock clean

help: ## list these targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "make %-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

demo: setup ## rehearse a campaign with simulated workers; it is exported to out/demo
	$(BIN)/beat-the-ai rehearse tasks/reading_comprehension --workers 12 --seed 1 --out out/demo

play: setup webapp ## serve the same task to people in a browser, until stopped
	$(BIN)/beat-the-ai serve tasks/reading_comprehension

check: lint webapp ## lint, types and the fast tests; with CHANGED=main only the tests of what differs from main
	tests=$$($(BIN)/python scripts/changed_tests.py $(CHANGED)) && $(BIN)/pytest $(PARALLEL) -m "not slow and not thorough" $$tests

test: lint webapp ## lint, types and the tests, in a browser too
	$(BIN)/pytest $(PARALLEL) -m "not thorough"

thorough: setup $(VENV)/.dev webapp ## every case of each test, 25 times as many random examples, and time for them
	HYPOTHESIS_PROFILE=thorough $(BIN)/pytest $(PARALLEL) --timeout 3000

lint: setup $(VENV)/.dev ## check style and types
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

setup: $(VENV)/.base ## make .venv with the command beat-the-ai and PostgreSQL's driver

gpu: $(VENV)/.gpu ## install what models of huggingface: need

openvino: $(VENV)/.openvino ## install what models of openvino: need, and what makes them int8

labels: $(VENV)/.labels ## install what `votes` needs: models of votes

ray: $(VENV)/.ray ## install what `adversary deploy` needs: Ray Serve

train: $(VENV)/.train ## install what training needs: of the project's own network, of transformers

webapp: webapp/dist/.vite/manifest.json ## build the pages of workers, reviewers and events, with a Node of their own

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

$(VENV)/.labels: requirements-labels.lock $(VENV)/.gpu
	@$(INSTALL) requirements-labels.lock $(LOCKED) requirements-labels.lock
	@touch $@

$(VENV)/.ray: requirements-ray.lock $(VENV)/.base
	@$(INSTALL) requirements-ray.lock $(LOCKED) requirements-ray.lock
	@touch $@

$(VENV)/.train: requirements-train.lock $(VENV)/.gpu
	@$(INSTALL) requirements-train.lock $(LOCKED) requirements-train.lock
	@touch $@

$(VENV)/.dev: requirements-dev.lock $(VENV)/.labels $(VENV)/.openvino $(VENV)/.ray $(VENV)/.train
	@$(INSTALL) requirements-dev.lock $(LOCKED) requirements-dev.lock
	scripts/install-system-packages chromium-headless-shell postgresql
	@touch $@

# The file that no server sends: one that is touched is newer than its packed forms, which are then not sent.
webapp/dist/.vite/manifest.json: Makefile $(VENV)/.base requirements-web.lock scripts/build_webapp.py scripts/page_records.py $(PAGE_MODELS) $(wildcard src/beat_the_ai/words/page/en/* src/beat_the_ai/kinds/*/words/en/* src/beat_the_ai/kinds/*/*/words/en/*) src/beat_the_ai/web/palette.json $(shell find webapp -path webapp/node_modules -prune -o -path webapp/dist -prune -o -path 'webapp/*/dist' -prune -o -path webapp/.node -prune -o -type f -print)
	@$(INSTALL) requirements-web.lock $(LOCKED) requirements-web.lock
	$(BIN)/python scripts/build_webapp.py
	@touch $@

docs: $(VENV)/.dev ## serve the documentation as a site, until stopped
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs serve

pythons: webapp ## rehearse, and run the tests that need no torch, on every other supported Python
	scripts/test-other-pythons

lock: ## resolve the lock files anew
	scripts/lock

clean: ## remove what these targets have made
	rm -rf $(VENV) .venv-3.* out webapp/dist webapp/*/dist webapp/node_modules
