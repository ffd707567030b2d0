# Two commands: `make demo` shows the main job, `make test` checks everything.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.PHONY: install install-test demo test test-all docs pages gallery fuzz format bench clean

$(BIN)/python:
	$(PYTHON) -m venv $(VENV)

PIP_INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check
# The core needs no models: where onnxruntime cannot be had, everything else works without them.
INSTALL_MODELS = $(PIP_INSTALL) --editable ./models \
	|| echo "the models are not installed: without onnxruntime, evidence is verified by contrast"

$(VENV)/.installed: pyproject.toml models/pyproject.toml | $(BIN)/python
	$(PIP_INSTALL) --editable .
	@$(INSTALL_MODELS)
	@touch $@

$(VENV)/.installed-test: pyproject.toml models/pyproject.toml | $(BIN)/python
	$(PIP_INSTALL) --editable '.[test]'
	@$(INSTALL_MODELS)
	@touch $@ $(VENV)/.installed

install: $(VENV)/.installed        ## set up .venv with the rollcall command and its models

install-test: $(VENV)/.installed-test

demo: install                      ## the first minute: a world, its graph, five queries
	$(BIN)/rollcall demo

test: install-test                 ## formatter, linter, types, tests
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	@echo "$(BIN)/mypy, beside the tests, since it keeps one core alone busy"; \
	$(BIN)/mypy & types=$$!; \
	$(BIN)/python -m pytest; tests=$$?; \
	wait $$types && exit $$tests

test-all: test                     ## what is slower, too: see the marker `slow`
	$(BIN)/python -m pytest -m slow

$(VENV)/.installed-docs: pyproject.toml | $(BIN)/python
	$(PIP_INSTALL) --editable '.[docs]'
	@touch $@

docs: $(VENV)/.installed-docs      ## the site, into site/, with its pages as Markdown and llms.txt; a broken link stops it
	$(BIN)/zensical build --strict --clean
	$(BIN)/python tests/support/site_markdown.py site

pages: install-test                ## write the pages of docs/ that are made from the code
	PYTHONPATH=tests/support $(BIN)/python -m reference_pages

gallery: install-test              ## write docs/gallery.md and its pictures, from a world made for it
	$(BIN)/python tests/support/gallery.py

MINUTES ?= 10
fuzz: install-test                 ## attack everything with random cases for MINUTES
	cd tests && ../$(BIN)/python -m fuzzing --minutes $(MINUTES) $(if $(TARGET),--target $(TARGET)) $(if $(SEED),--seed $(SEED))

format: install-test
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

# SMOKE=--smoke tries them at a tiny size; BENCHMARKS="bench_world bench_score" runs these alone.
bench: install-test                ## every benchmark, each printing a ratio measured in one run
	$(BIN)/python benchmarks $(SMOKE) $(BENCHMARKS)

clean:
	rm -rf $(VENV) build dist site .cache models/dist .mypy_cache .ruff_cache .pytest_cache .hypothesis
