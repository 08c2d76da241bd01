# `make` lists the targets. All of them run in .venv, which the first target creates and a change of
# pyproject.toml updates.

PYTHON  ?= python3
VENV    ?= .venv
# Number of parallel tests and virtual Pis; 0 runs the tests one after another, for a debugger.
WORKERS ?= 2
# Folder into which npm installs MicroPython; the tests of the firmware use it.
MICROPYTHON := build/micropython
# Further arguments of pytest for tests, browser and virtual-pi.
MORE    ?=

# Store of `make run`, kept from one run to the next.
STORE   ?= .night

export QUICK EXHAUSTIVE

# Cache the bytecode: the tests start hundreds of processes, each of which imports a hundred modules.
export PYTHONDONTWRITEBYTECODE :=

BIN   := $(VENV)/bin
READY := $(VENV)/ready
DEMO  := $(VENV)/demo-ready

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help setup run test check check-lint check-format check-types check-imports check-unused check-prose tests exhaustive browser format bench bench-web people perft laws mutants faults storm soak preview pictures gallery labels cards locale firmware micropython deb installing power-cuts virtual-pi test-all-pythons fuzz clean

help: ## print this list
	@echo "Truco Scorer. Targets:"
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-18s %s\n", $$1, $$2 }' Makefile
	@echo "QUICK=1 shortens test, exhaustive, power-cuts, virtual-pi, fuzz, people, perft, laws, mutants, faults, storm, soak and bench; PYTHON=python3.13 VENV=.venv-3.13 picks another Python."

run: $(DEMO) ## run a whole table in this terminal; the score is stored in STORE (.night)
	@$(BIN)/scorer demo --store $(STORE)

test: check tests ## run all checks and tests that must pass before a commit

check: setup ## run all static checks: lint, format, types, imports, unused code, prose
	@$(MAKE) --no-print-directory --keep-going --jobs=2 --output-sync=target \
	  check-types check-imports check-unused check-prose check-lint check-format

check-lint: setup ## run ruff
	$(BIN)/ruff check

check-format: setup ## check the format
	$(BIN)/ruff format --check

check-types: setup ## run mypy
	$(BIN)/mypy

check-unused: setup ## find unused code (vulture)
	$(BIN)/vulture

check-prose: setup ## find phrases that are not plain English
	$(BIN)/python -m tools.prose

check-imports: setup ## check the import rules (import-linter)
	$(BIN)/lint-imports --no-logo

# One more than the two cores of a small machine: many tests wait for another process.
tests: WORKERS = 3
tests: setup ## run the tests; of long ones a sample of the cases
	$(BIN)/python -m pytest -n $(WORKERS) --dist worksteal $(MORE)

exhaustive: export EXHAUSTIVE := 1
exhaustive: setup ## run all cases of the tests of which `make test` runs a sample (ten minutes)
	@$(BIN)/python -m pytest -q -n $(WORKERS) --dist worksteal -m sampled $(MORE)

browser: setup ## test the pages in a real Chromium, and the whole API (needs chromium; some minutes)
	@$(BIN)/python -c 'import axe_playwright_python, playwright, schemathesis' 2>/dev/null \
	  || $(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[browser]'
	@BROWSER=1 $(BIN)/python -m pytest -q -n $(WORKERS) -m browser tests/web tests/demo $(MORE)

format: setup ## fix what ruff can fix, and format
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

bench: setup ## measure the budgets beside their references; also writes bench.json
	@$(BIN)/python -m tools.bench

bench-web: setup ## measure the score on 200 and on 1,000 screens, and its cost for the table
	@$(BIN)/python -m tools.bench --only web --out bench-web.json

people: setup ## replay recorded games through buttons and panels
	@$(BIN)/python -m tests.longrun.recorded_games

perft: export EXHAUSTIVE := 1
perft: setup ## count every possible hand and compare with the pinned numbers
	@$(BIN)/python -m pytest -q -n $(WORKERS) tests/rules/test_perft.py

laws: setup ## check the laws in every state of every hand, from every score and option (half an hour)
	@$(BIN)/python -m tests.rules.laws

mutants: setup ## change every rule, one at a time; a test must fail each time (a quarter of an hour)
	@WORKERS=$(WORKERS) $(BIN)/python -m tests.longrun.mutants

faults: setup ## fail every system call that touches the store, flip its bits (a quarter of an hour; needs strace)
	@$(BIN)/python -m tests.longrun.faults

fuzz: setup ## fuzz sheets, configurations, requests and stores (ten minutes)
	@$(BIN)/python -m tests.longrun.fuzz

storm: setup ## play a million random presses with power cuts and faults (half an hour)
	@$(BIN)/python -m tests.longrun.random_play

soak: setup ## run a table for 24 simulated hours; memory, files and threads must not grow (ten minutes)
	@$(BIN)/python -m tests.longrun.random_play.soak

preview: setup ## draw every screen as a PNG, in preview/
	@$(BIN)/scorer preview --scale 4 --out preview

pictures: setup ## draw the pictures of the README, panels and terminal (needs tmux)
	@$(BIN)/python tools/pictures.py

gallery: setup ## write docs/players/gallery.md with every screen, and the animation of the README
	@$(BIN)/python tools/gallery.py

labels: setup ## write labels, drilling templates and quick cards, as PDF and PNG, in labels/
	@$(BIN)/python -m scorer labels

cards: setup ## write the rule cards as a page, docs/players/variants.md
	@$(BIN)/scorer variants --all --markdown --language en > docs/players/variants.md

locale: setup ## compile the catalogues of the interface (.po to .mo)
	@$(BIN)/python -m scorer.i18n compile

firmware: setup micropython ## test the firmware of the button box on MicroPython (needs node and npm)
	@$(BIN)/python -m pytest -q -n 0 tests/hw/serial/test_firmware.py tests/hw/serial/test_button_box.py

micropython: ## install MicroPython for node, from npm; the tests use it if it is installed
	@ls $(MICROPYTHON)/node_modules/@micropython/*/micropython.mjs >/dev/null 2>&1 \
	  || npm install --silent --no-fund --no-audit --no-save --prefix $(MICROPYTHON) \
	    @micropython/micropython-webassembly-pyscript@1.27.0

deb: setup ## build the Debian package, with the libraries that Debian lacks, in dist/
	@$(BIN)/python packaging/build.py

installing: setup ## install, upgrade and purge the package in a fresh Debian (needs root, mmdebstrap)
	@$(BIN)/python -m pytest -q tests/packaging/installing.py

virtual-pi: setup ## test the package on an emulated Pi (needs root, QEMU; the first run builds a kernel)
	@$(BIN)/python -m tests.longrun.virtual_pi -n $(WORKERS) $(MORE)

power-cuts: setup ## simulate a power cut at every write of a disk (needs root, QEMU)
	@$(BIN)/python -m tests.longrun.power_cuts

# Each Python version gets an environment of its own. (PYENV_VERSION selects the version if pyenv
# manages it; otherwise it is ignored.)
test-all-pythons: ## run the tests on Python 3.11 and 3.13, if installed
	@for version in 3.11 3.13; do \
	  python=$$(PYENV_VERSION=$$version python$$version -c 'import sys; print(sys.executable)' 2>/dev/null) \
	    || { echo "Python $$version is not installed: skipped."; continue; }; \
	  echo "== Python $$version"; \
	  $(MAKE) --no-print-directory tests PYTHON="$$python" VENV=.venv-$$version || exit 1; \
	done

clean: ## delete the environments and all caches
	rm -rf .venv .venv-* build dist preview labels bench.json bench-web.json
	rm -rf .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache .benchmarks
	find . -name __pycache__ -prune -exec rm -rf {} +

setup: $(READY)

# The date of a stamp is the last update of the environment from pyproject.toml: with the packages of
# the demo, or with those of the tests too.
$(DEMO): EXTRAS := demo
$(READY): EXTRAS := dev,demo
$(DEMO) $(READY): pyproject.toml
	@set -e; \
	new_enough='import sys; sys.exit(sys.version_info < (3, 11))'; \
	if ! $(BIN)/python -c "$$new_enough" 2>/dev/null; then \
	  if ! $(PYTHON) -c "$$new_enough" 2>/dev/null; then \
	    echo "$(PYTHON) is missing or older than 3.11, which Truco Scorer needs; looking for a newer one." >&2; \
	  fi; \
	  for python in $(PYTHON) python3.13 python3.12 python3.11 none; do \
	    if $$python -c "$$new_enough" 2>/dev/null; then break; fi; \
	  done; \
	  if [ $$python = none ]; then echo "None found: install Python 3.11 or newer." >&2; exit 1; fi; \
	  if ! $$python -c 'import ensurepip, venv' 2>/dev/null; then \
	    echo "$$python cannot create an environment: on Debian, apt install python3-venv." >&2; exit 1; \
	  fi; \
	  $$python -m venv --clear $(VENV); \
	fi
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[$(EXTRAS)]'
	@touch $(DEMO) $@
