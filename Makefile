# `make` alone says what there is. Everything runs in .venv, which the first target makes by itself
# and makes again when pyproject.toml changes.

PYTHON  ?= python3
VENV    ?= .venv
# Tests side by side, and virtual Pis; 0 runs them one after another, which a debugger wants.
WORKERS ?= 2
# Where npm puts MicroPython; the tests of the firmware look there.
MICROPYTHON := build/micropython
# Further words for pytest, of tests, browser and virtual-pi.
MORE    ?=

# Where `make run` keeps the score, so that it is there again the next time.
STORE   ?= .night

export QUICK EXHAUSTIVE

BIN   := $(VENV)/bin
READY := $(VENV)/ready
DEMO  := $(VENV)/demo-ready

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help setup run test check check-lint check-format check-types check-imports check-unused tests exhaustive browser format bench bench-web people perft laws mutants faults storm soak preview pictures gallery labels cards locale firmware micropython deb installing power-cuts virtual-pi test-all-pythons fuzz clean

help: ## this list
	@echo "Truco Scorer. Targets:"
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-18s %s\n", $$1, $$2 }' Makefile
	@echo "QUICK=1 shortens test, exhaustive, power-cuts, virtual-pi, fuzz, people, perft, laws, mutants, faults, storm, soak and bench; PYTHON=python3.13 VENV=.venv-3.13 picks another Python."

run: $(DEMO) ## a whole table in this terminal; its score is kept in STORE (.night)
	@$(BIN)/scorer demo --store $(STORE)

test: check tests ## everything that must be right before a change is shown: check, then the tests

check: setup ## lint, format, types, and who may import whom
	@$(MAKE) --no-print-directory --keep-going --jobs=2 --output-sync=target \
	  check-types check-imports check-unused check-lint check-format

check-lint: setup ## ruff alone
	$(BIN)/ruff check

check-format: setup ## the format alone
	$(BIN)/ruff format --check

check-types: setup ## mypy alone
	$(BIN)/mypy

check-unused: setup ## unused code alone
	$(BIN)/vulture

check-imports: setup ## the import rules alone
	$(BIN)/lint-imports --no-logo

tests: setup ## the tests alone; of long walks a sample
	$(BIN)/python -m pytest -n $(WORKERS) --dist worksteal $(MORE)

exhaustive: export EXHAUSTIVE := 1
exhaustive: setup ## the tests of which `make test` runs a sample, with all their cases (ten minutes)
	@$(BIN)/python -m pytest -q -n $(WORKERS) --dist worksteal -m sampled $(MORE)

browser: setup ## the pages in a real Chromium, and the whole API (wants chromium; some minutes)
	@$(BIN)/python -c 'import axe_playwright_python, playwright, schemathesis' 2>/dev/null \
	  || $(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[browser]'
	@BROWSER=1 $(BIN)/python -m pytest -q -n $(WORKERS) -m browser tests/web tests/demo $(MORE)

format: setup ## what ruff can mend by itself
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

bench: setup ## the budgets: ours, the reference's, the ratio; also as bench.json
	@$(BIN)/python -m tools.bench

bench-web: setup ## the score on 200 and on 1,000 screens, and what the table pays for it
	@$(BIN)/python -m tools.bench --only web --out bench-web.json

people: setup ## games that people played, through buttons and panels
	@$(BIN)/python -m tests.longrun.recorded_games

perft: export EXHAUSTIVE := 1
perft: setup ## count every way a hand can go and compare with the pins
	@$(BIN)/python -m pytest -q -n $(WORKERS) tests/rules/test_perft.py

laws: setup ## what must hold in every state of every hand, from every score and option (half an hour)
	@$(BIN)/python -m tests.rules.laws

mutants: setup ## change every rule, one at a time; each time a test has to turn red (a quarter of an hour)
	@WORKERS=$(WORKERS) $(BIN)/python -m tests.longrun.mutants

faults: setup ## every call that touches the store fails once, bits turn over (a quarter of an hour; wants strace)
	@$(BIN)/python -m tests.longrun.faults

fuzz: setup ## sheets, configurations, requests and stores that are nearly right (ten minutes)
	@$(BIN)/python -m tests.longrun.fuzz

storm: setup ## a million random presses, power cuts and faults among them (half an hour)
	@$(BIN)/python -m tests.longrun.random_play

soak: setup ## a table for 24 simulated hours: memory, files and threads stay flat (ten minutes)
	@$(BIN)/python -m tests.longrun.random_play.soak

preview: setup ## every screen as a PNG, in preview/
	@$(BIN)/scorer preview --scale 4 --out preview

pictures: setup ## the pictures of the README, panels and terminal (wants tmux)
	@$(BIN)/python tools/pictures.py

gallery: setup ## docs/players/gallery.md with every screen, and the moving picture of the README
	@$(BIN)/python tools/gallery.py

labels: setup ## labels, drilling templates and quick cards, as PDF and PNG, in labels/
	@$(BIN)/python -m scorer labels

cards: setup ## the rule cards as a page, docs/players/variants.md
	@$(BIN)/scorer variants --all --markdown --language en > docs/players/variants.md

locale: setup ## compile the catalogues of the interface (.po to .mo)
	@$(BIN)/python -m scorer.i18n compile

firmware: setup micropython ## the firmware of the button box on MicroPython itself (wants node and npm)
	@$(BIN)/python -m pytest -q -n 0 tests/hw/serial/test_firmware.py tests/hw/serial/test_button_box.py

micropython: ## MicroPython for node, from npm; once it is there, the tests use it
	@ls $(MICROPYTHON)/node_modules/@micropython/*/micropython.mjs >/dev/null 2>&1 \
	  || npm install --silent --no-fund --no-audit --no-save --prefix $(MICROPYTHON) \
	    @micropython/micropython-webassembly-pyscript@1.27.0

deb: setup ## the Debian package, with the libraries that Debian lacks, in dist/
	@$(BIN)/python packaging/build.py

installing: setup ## the package installed, upgraded and purged in a Debian of its own (wants root, mmdebstrap)
	@$(BIN)/python -m pytest -q tests/packaging/installing.py

virtual-pi: setup ## the package on an emulated Pi: kernel edges in, pixels out (wants root, QEMU; the first time builds a kernel)
	@$(BIN)/python -m tests.longrun.virtual_pi -n $(WORKERS) $(MORE)

power-cuts: setup ## the plug pulled at every write of a disk, thousands of times (wants root, QEMU)
	@$(BIN)/python -m tests.longrun.power_cuts

# An older or newer Python beside the usual one gets an environment of its own. (Where pyenv
# manages them, PYENV_VERSION wakes the version; elsewhere it is ignored.)
test-all-pythons: ## the tests on Python 3.11 and on 3.13, each where it is installed
	@for version in 3.11 3.13; do \
	  python=$$(PYENV_VERSION=$$version python$$version -c 'import sys; print(sys.executable)' 2>/dev/null) \
	    || { echo "Python $$version is not installed here: left out."; continue; }; \
	  echo "== Python $$version"; \
	  $(MAKE) --no-print-directory tests PYTHON="$$python" VENV=.venv-$$version || exit 1; \
	done

clean: ## forget the environments and every cache
	rm -rf .venv .venv-* build dist preview labels bench.json bench-web.json
	rm -rf .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache .benchmarks
	find . -name __pycache__ -prune -exec rm -rf {} +

setup: $(READY)

# A stamp names the moment the environment last agreed with pyproject.toml: with what the demo
# needs, or with what the tests need too.
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
	  if [ $$python = none ]; then echo "There is none: install Python 3.11 or newer." >&2; exit 1; fi; \
	  if ! $$python -c 'import ensurepip, venv' 2>/dev/null; then \
	    echo "$$python cannot make an environment: on Debian, apt install python3-venv." >&2; exit 1; \
	  fi; \
	  $$python -m venv --clear $(VENV); \
	fi
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[$(EXTRAS)]'
	@touch $(DEMO) $@
