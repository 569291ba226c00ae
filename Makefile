# Each target makes what it needs, the environment .venv included. Other environments that may be
# active in the shell are neither used nor changed.

SHELL := /bin/sh
.DEFAULT_GOAL := help
.NOTPARALLEL:
unexport VIRTUAL_ENV PYTHONPATH PYTHONHOME MYPYPATH PIP_USER PIP_TARGET PIP_PREFIX
unexport NUMBA_DISABLE_JIT

JOBS ?= 2
VENV := .venv
PYTHON := $(VENV)/bin/python
FAIRDEAL := $(VENV)/bin/fairdeal
READY := $(VENV)/ready-for-fairdeal
PYTEST := $(PYTHON) -m pytest --no-header -n $(JOBS) --dist worksteal
OLDEST_PYTHON := python3.11
QUESTION := schadenfreude/removal

# Prints the first Python that is new enough and can make an environment.
FIND_PYTHON = for python in python3.13 python3.12 python3.11 python3; do \
	$$python -c 'import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 11))' \
	2>/dev/null && echo $$python && break; done

.PHONY: help
help:  ## this list
	@sed -n 's/^\([a-z-]*\):.*  ## /\1 /p' Makefile | \
	while read -r name what; do printf 'make %-12s %s\n' "$$name" "$$what"; done

.PHONY: setup
setup: $(READY)  ## make the environment .venv, or renew it

$(READY): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import pip, sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { \
	found=$$($(FIND_PYTHON)); \
	test -n "$$found" || { echo "fairdeal needs Python 3.11 or newer, with its venv module" >&2; exit 1; }; \
	echo "making $(VENV) with $$found, which takes a minute or two"; \
	$$found -m venv --clear $(VENV); }
	@$(PYTHON) -m pip install -qq --disable-pip-version-check -c constraints.txt -e '.[dev]'
	@touch $@

.PHONY: report
report: $(READY)  ## answer the main question: is the card removal for three players fair?
	@$(FAIRDEAL) balance $(QUESTION)

.PHONY: test
test: lint test-plain test-jit  ## everything: lint, tests without and with the JIT (< 15 minutes)

.PHONY: test-plain
test-plain: $(READY)
	@echo "tests without the JIT:"
	@NUMBA_DISABLE_JIT=1 $(PYTEST) -m both_modes

.PHONY: test-jit
test-jit: $(READY)
	@echo "tests with the JIT:"
	@$(PYTEST)

.PHONY: test-fast
test-fast: $(READY)  ## the tests that take seconds (< 3 minutes)
	@$(PYTEST) -m 'not slow and not browser'

.PHONY: test-deep
test-deep: $(READY)  ## the tests that take minutes to hours
	@$(PYTEST) --deep -m deep

.PHONY: lint
lint: $(READY)  ## ruff and mypy
	@$(PYTHON) -m ruff check --quiet .
	@$(PYTHON) -m ruff format --quiet --check .
	@$(PYTHON) -m mypy --no-error-summary
	@echo "lint: clean"

.PHONY: bench
bench: $(READY)  ## measure speed, memory, start-up: a table, and JSON in out/ (10^8 games: BENCH=--long)
	@$(PYTHON) -m tests.bench $(BENCH)

.PHONY: validation
validation: $(READY)  ## hold the statistics against planted truth: a table, and a page in out/
	@$(PYTHON) -m tests.validation

.PHONY: ladders
ladders: $(READY)  ## play the strategies against each other and write docs/ladders/
	@$(PYTHON) -m analysis.ladders

.PHONY: constraints
constraints:  ## pin the newest versions that fit in constraints.txt
	@rm -rf build && $(OLDEST_PYTHON) -m venv build/constraints
	@build/constraints/bin/python -m pip install -qq --disable-pip-version-check '.[dev]'
	@{ echo "# Every version of a development install, on the oldest Python we support."; \
	echo "# Made by: make constraints"; \
	build/constraints/bin/python -m pip freeze --exclude fairdeal; } > build/constraints.txt
	@mv build/constraints.txt . && rm -rf build

.PHONY: clean
clean:  ## remove caches, build leftovers and out/
	@rm -rf out build dist htmlcov .coverage .coverage.* .cache .hypothesis .mypy_cache \
	.pytest_cache .ruff_cache *.egg-info
	@find . -path ./$(VENV) -prune -o -name __pycache__ -type d -prune -exec rm -rf {} +

.PHONY: distclean
distclean: clean  ## the same, and the environment
	@rm -rf $(VENV)
