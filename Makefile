# `make` lists the targets. All of them run in .venv, which the first target creates and a change of
# pyproject.toml or of requirements/ updates.

PYTHON  ?= python3
VENV    ?= .venv
# Number of parallel tests and virtual Pis; 0 runs the tests one after another, for a debugger.
WORKERS ?= 2
# Folder into which npm installs MicroPython, as tools/micropython has it; the tests of the firmware use it.
MICROPYTHON := build/micropython
# Python for the browser, which npm installs as tools/browser has it.
TABLE := build/table/service_worker.js
PYODIDE := build/pyodide/node_modules/pyodide/pyodide.mjs
# The check of scripts and styles, which npm installs as tools/pages has it.
BIOME := build/pages/node_modules/.bin/biome
# Scripts of the pages that televisions open; their browsers are never updated.
TELEVISION_SCRIPTS := $(wildcard scorer/web/pages/*.js) $(addprefix scorer/hub/pages/,wall.js tv.js team.js team_wake.js) scorer/static_site/site.js
# Folder of the browser of such a television, which npm installs as tools/old_chromium has it.
OLD_CHROMIUM := build/old-chromium
# Further arguments of pytest for tests, browser and virtual-pi, and of uv for lock.
MORE    ?=

# Store of `make run`, kept from one run to the next.
STORE   ?= .night

export QUICK EXHAUSTIVE

# Cache the bytecode: the tests start hundreds of processes, each of which imports a hundred modules.
export PYTHONDONTWRITEBYTECODE :=

BIN   := $(VENV)/bin
PIP   := $(BIN)/python -m pip install --quiet --disable-pip-version-check
READY := $(VENV)/ready
COMPILED := $(VENV)/compiled
DEMO  := $(VENV)/demo-ready
HALL  := $(VENV)/hall-ready
COMPILE_CATALOGUES = $(BIN)/python -m tools.catalogues

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help setup run hall-demo test check check-lint check-format check-types check-imports check-unused check-prose check-pages tests exhaustive browser browser-presses table-page accessibility format bench bench-web bench-hall people people-hall perft laws mutants mutants-beyond seeded faults storm soak preview pictures gallery drawings labels case board cards site locale firmware micropython old-chromium deb check-package image image-test image-lock release installing lock outdated power-cuts storm-hall virtual-pi test-all-pythons fuzz attack hall hall-kills hall-sabotage clean

help: ## print this list
	@echo "Truco Scorer. Targets:"
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-18s %s\n", $$1, $$2 }' Makefile
	@echo "QUICK=1 shortens test, exhaustive, hall-kills, hall-sabotage, image-test, power-cuts, virtual-pi, fuzz, attack, people, people-hall, perft, laws, mutants, mutants-beyond, seeded, faults, storm, soak, bench and bench-hall; PYTHON=python3.13 VENV=.venv-3.13 picks another Python."

run: $(DEMO) ## run a whole table in this terminal; the score is stored in STORE (.night); VARIANT=paulista plays that truco, VOICE=1 speaks it, LIGHT=1 shows a team light
	@$(COMPILE_CATALOGUES)
	@$(BIN)/scorer demo --store $(STORE) $(if $(VARIANT),--variant $(VARIANT)) $(if $(VOICE),--voice) $(if $(LIGHT),--light) $(MORE)

hall-demo: $(HALL) ## run a practice hall: eight tables that play a tournament by themselves, with wall and desk
	@$(COMPILE_CATALOGUES)
	@$(BIN)/scorer hub --demo $(MORE)

# The checks run beside the tests, which wait now and then. What they print comes when they pass, or
# after the tests when they fail.
test: setup ## run all checks and tests that must pass before a commit
	@mkdir -p build
	@{ $(MAKE) --no-print-directory check >build/check.log 2>&1 && cat build/check.log; } & \
	checks=$$!; failed=0; $(MAKE) --no-print-directory tests || failed=1; \
	wait $$checks || { cat build/check.log; failed=1; }; exit $$failed

check: setup ## run all static checks: lint, format, types, imports, unused code, prose, pages
	@$(MAKE) --no-print-directory --keep-going --jobs=2 --output-sync=target \
	  check-types check-imports check-unused check-prose check-pages check-lint check-format

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

check-pages: ## check scripts and styles (Biome); skipped without npm
	@if ! command -v npm >/dev/null; then echo "check-pages: skipped, there is no npm"; \
	elif ! $(MAKE) --silent $(BIOME); then echo "check-pages: skipped, npm cannot install Biome"; \
	else $(BIOME) lint --error-on-warnings --config-path=tools/pages scorer tools/browser \
	  && node tools/pages/old_scripts.mjs build/pages $(TELEVISION_SCRIPTS); fi

$(BIOME): tools/pages/package-lock.json
	@mkdir -p build/pages
	@cp tools/pages/package.json tools/pages/package-lock.json build/pages
	@npm ci --silent --no-fund --no-audit --prefix build/pages
	@touch $@

check-imports: setup ## check the import rules (import-linter)
	$(BIN)/lint-imports --no-logo

tests: setup $(COMPILED) ## run the tests; of long ones a sample of the cases
	$(BIN)/python -m pytest -n $(WORKERS) --dist worksteal $(MORE)

exhaustive: export EXHAUSTIVE := 1
exhaustive: setup $(COMPILED) ## run all cases of the tests of which `make test` runs a sample (QUICK=1: a quarter of an hour)
	@$(BIN)/python -m pytest -q -n $(WORKERS) --dist worksteal -m sampled $(MORE)

# In a new environment pytest compiles every test, and each worker would do it for itself: half a minute.
$(COMPILED): $(READY)
	@$(BIN)/python -m pytest -p no:xdist --collect-only --quiet >/dev/null || true
	@touch $@

browser: setup ## test the pages in a real Chromium, and the whole API (needs chromium; some minutes)
	@$(TABLE_PAGE)
	@$(MAKE) --silent old-chromium || echo "The pages are not tried in Chromium 79: npm cannot install it."
	@$(BIN)/python -c 'import axe_playwright_python, playwright, schemathesis' 2>/dev/null \
	  || $(PIP) --require-hashes --requirement requirements/all.txt
	@BROWSER=1 $(BIN)/python -m pytest -q -n $(WORKERS) -m browser tests/web tests/hub tests/circuit tests/demo tests/browser tests/tools/site $(MORE)

browser-presses: setup table-page ## compare 36 tables of the page, pressed at random, with CPython (needs node; minutes)
	@EXHAUSTIVE=1 BROWSER=1 $(BIN)/python -m pytest -q -n $(WORKERS) -m browser tests/browser/test_same_presses.py $(MORE)

table-page: setup $(TABLE) ## build the table as a web page without a server, in build/table (needs npm)
	@$(BIN)/python -m tools.browser --sizes

$(TABLE): $(PYODIDE) $(shell find scorer tools/browser -name __pycache__ -prune -o -type f -print)
	@$(BIN)/python -m tools.browser

$(PYODIDE): tools/browser/package-lock.json tools/browser/package.json
	@command -v npm >/dev/null || { echo "table-page: there is no npm, which installs Pyodide." >&2; exit 1; }
	@mkdir -p build/pyodide
	@cp tools/browser/package.json tools/browser/package-lock.json build/pyodide
	@npm ci --silent --no-fund --no-audit --prefix build/pyodide
	@touch $@

# The site and the tests of browsers have the page where npm can install its runtime.
TABLE_PAGE = if command -v npm >/dev/null; then $(MAKE) --no-print-directory table-page; \
	  else echo "The page of the table is not built: there is no npm."; fi

accessibility: setup ## print what a screen reader gets of a hand played by keyboard (needs chromium)
	@$(BIN)/python -c 'import playwright' 2>/dev/null \
	  || $(PIP) --require-hashes --requirement requirements/all.txt
	@$(BIN)/python -m tests.web.keyboard_hand

format: setup ## fix what ruff can fix, and format
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

bench: setup ## measure the budgets beside their references; also writes bench.json
	@$(BIN)/python -m tools.bench

bench-web: setup ## measure the score on 200 and on 1,000 screens, and its cost for the table
	@$(BIN)/python -m tools.bench --only web --out bench-web.json

bench-hall: setup ## measure a hall beside its references: hub, link, table, wall; also writes bench-hall.json
	@$(BIN)/python -m tools.bench --only hall --out bench-hall.json

people: setup ## press games of every truco, and recorded ones, at people's pace, with reflexes and with worn contacts
	@$(BIN)/python -m tests.longrun.recorded_games

people-hall: setup ## count the presses of a match in a hall beyond the same game at home
	@$(BIN)/python -m tests.longrun.hall.presses

perft: export EXHAUSTIVE := 1
perft: setup ## count every possible hand and compare with the pinned numbers
	@$(BIN)/python -m pytest -q -n $(WORKERS) tests/rules/test_perft.py

laws: setup ## check the laws in every state of every hand, from every score and option (half an hour)
	@$(BIN)/python -m tests.rules.laws

mutants: setup ## change every rule, one at a time; a test must fail each time (a quarter of an hour)
	@WORKERS=$(WORKERS) $(BIN)/python -m tests.longrun.mutants

mutants-beyond: setup ## change functions beyond the rules at random (SEED, MUTANTS); at most a tenth may go unnoticed (an hour)
	@WORKERS=$(WORKERS) $(BIN)/python -m tests.longrun.mutants.beyond $(MORE)

seeded: setup ## seed known faults, one at a time, in a copy of the tree; the test named for each must find it (minutes)
	@WORKERS=$(WORKERS) $(BIN)/python -m tests.seeded

faults: setup ## fail every system call that touches the store, flip its bits (a quarter of an hour; needs strace)
	@$(BIN)/python -m tests.longrun.faults

fuzz: setup ## fuzz sheets, configurations, requests, messages of a hall and stores, then what strangers reach, guided by coverage (twenty minutes)
	@$(BIN)/python -m tests.longrun.fuzz
	@$(BIN)/python -m tests.longrun.fuzz.guided

attack: setup ## attack a table, its web server and a hub: floods of every route, races, malformed input, strangers (a quarter of an hour)
	@$(BIN)/python -m tests.longrun.attack

# Number of tables of `make hall`; TEAMS=16 plays a tournament, SPEED=5 plays faster than people.
N     ?= 8
TEAMS ?= 0
SPEED ?= 1
hall: setup ## a hall on this machine: N tables that play, a link each, the hub; TEAMS=16: a tournament
	@$(BIN)/python -m tests.longrun.hall --tables $(N) --teams $(TEAMS) --speed $(SPEED) $(MORE)

hall-kills: setup ## kill tables, links and hubs of a hall, 360 evenings; no row is lost or stored twice
	@$(BIN)/python -m tests.longrun.hall.kills $(MORE)

hall-sabotage: setup ## play two tournaments through every fault of a hall (an hour; root for a full disk)
	@$(BIN)/python -m tests.longrun.hall.sabotage $(MORE)

storm: setup ## play a million random presses with power cuts and faults (half an hour)
	@$(BIN)/python -m tests.longrun.random_play

storm-hall: setup ## 104,000 random histories of hub and links, and five hubs that must fail (hours)
	@$(BIN)/python -m tests.hub.protocol.run --workers $(WORKERS) $(MORE)

soak: setup ## run a table for 24 simulated hours; memory, files and threads must not grow (ten minutes)
	@$(BIN)/python -m tests.longrun.random_play.soak

preview: setup ## draw every screen as a PNG, in preview/
	@$(BIN)/scorer preview --scale 4 --out preview

pictures: setup ## draw the pictures of the README, of the hall, panels and terminal (needs tmux and chromium)
	@$(BIN)/python tools/pictures.py
	@$(BIN)/python -m tests.hub.pictures docs/images

gallery: setup ## write the pages with every screen, and the animation of the README
	@$(BIN)/python tools/gallery.py

drawings: setup ## write the drawings of the build guide and the wiring, docs/images, facts and addresses of the pages
	@$(BIN)/python -m tools.drawings

labels: setup ## write labels, drilling templates and quick cards, as PDF and PNG, in labels/
	@$(BIN)/python -m scorer labels

# The case has an environment of its own: its libraries are 1 GB, and no other target needs them.
# BUTTON=24 or 30; THICKNESS of the plates and KERF of the laser in mm.
CASE := $(VENV)-case
CASE_PIP = $(CASE)/bin/python -m pip install --quiet --disable-pip-version-check
case: setup $(CASE)/ready ## write the case in build/case (SVG and DXF to cut, STL to print) and test it
	@$(CASE)/bin/python -m pytest -q -c /dev/null --rootdir . --noconftest -p no:cacheprovider \
	  --import-mode=importlib -o pythonpath=. tests/hardware/solids.py
	@$(CASE)/bin/python -m hardware.case $(if $(BUTTON),--button $(BUTTON)) \
	  $(if $(THICKNESS),--thickness $(THICKNESS)) $(if $(KERF),--kerf $(KERF))

$(CASE)/ready: pyproject.toml requirements/case.txt
	@$(BIN)/python -m venv --clear $(CASE)
	@$(CASE_PIP) --require-hashes --requirement requirements/case.txt
	@$(CASE_PIP) --no-deps --no-build-isolation --editable .
	@touch $@

# KICAD: the command of KiCad 9, if it is not kicad-cli.
board: setup ## check the circuit board, write its picture and its parts; with KiCad 9 also gerbers
	@KICAD="$(KICAD)" $(BIN)/python -m hardware.board

cards: setup ## write the rule cards as a page, docs/players/variants.md
	@$(BIN)/scorer variants --all --markdown --language en > docs/players/variants.md

# The site has an environment of its own: the theme is large, and no other target needs it.
SITE := $(VENV)-site
SITE_PIP = $(SITE)/bin/python -m pip install --quiet --disable-pip-version-check
site: setup $(SITE)/ready ## build the documentation site in build/site, with the table, and check every link
	@$(TABLE_PAGE)
	@$(SITE)/bin/python -m tools.site

$(SITE)/ready: pyproject.toml requirements/site.txt
	@$(BIN)/python -m venv --clear $(SITE)
	@$(SITE_PIP) --require-hashes --requirement requirements/site.txt
	@$(SITE_PIP) --no-deps --no-build-isolation --editable .
	@touch $@

locale: setup ## compile the catalogues of the interface (.po to .json), as every other target does


firmware: setup micropython ## test the firmware of the button box on MicroPython (needs node and npm)
	@$(BIN)/python -m pytest -q -n 0 tests/hw/serial/test_firmware.py tests/hw/serial/test_button_box.py

micropython: $(MICROPYTHON)/ready ## install MicroPython for node, from npm; the tests use it if it is installed

$(MICROPYTHON)/ready: tools/micropython/package-lock.json tools/micropython/package.json
	@mkdir -p $(MICROPYTHON)
	@cp tools/micropython/package.json tools/micropython/package-lock.json $(MICROPYTHON)
	@npm ci --silent --no-fund --no-audit --prefix $(MICROPYTHON)
	@touch $@

old-chromium: $(OLD_CHROMIUM)/ready ## install Chromium 79, the browser of televisions of 2019, from npm; the tests use it if it is installed

$(OLD_CHROMIUM)/ready: tools/old_chromium/package-lock.json tools/old_chromium/package.json tools/old_chromium/unpack.mjs
	@mkdir -p $(OLD_CHROMIUM)
	@cp tools/old_chromium/package.json tools/old_chromium/package-lock.json $(OLD_CHROMIUM)
	@npm ci --silent --no-fund --no-audit --legacy-peer-deps --ignore-scripts --prefix $(OLD_CHROMIUM)
	@node tools/old_chromium/unpack.mjs $(OLD_CHROMIUM)
	@touch $@

deb: setup ## build the Debian package, with the libraries that Debian lacks, in dist/
	@$(BIN)/python packaging/build.py

check-package: setup ## check the Debian package with lintian, and that a second build is equal
	@PACKAGE=1 $(BIN)/python -m pytest -q -m package tests/packaging $(MORE)

# IMAGE: a card image to include; SIGN: key of gpg, which signs after the build; ARGUMENTS: see python -m tools.release --help.
release: setup ## make all files of a release of this commit, in dist/VERSION (needs apt-utils)
	@$(BIN)/python -c 'import build, cyclonedx_py, littlefs' 2>/dev/null \
	  || $(PIP) --require-hashes --requirement requirements/all.txt
	@$(BIN)/python -m tools.release $(if $(IMAGE),--image $(IMAGE)) $(if $(SIGN),--sign $(SIGN)) $(ARGUMENTS)

installing: setup ## install, upgrade and purge the package in a fresh Debian (needs root, mmdebstrap)
	@$(BIN)/python -m pytest -q tests/packaging/installing.py

image: setup deb ## build the card image in dist/ (needs root, mmdebstrap; half an hour the first time)
	@PYTHON=$(abspath $(BIN))/python image/build.sh "$$(ls -t dist/truco-scorer_*_all.deb | head -n 1)" dist

image-test: setup ## start the card image in QEMU and play on it (a quarter of an hour)
	@$(BIN)/python -m tests.longrun.card $$(ls -t dist/truco-scorer-*-arm64.img 2>/dev/null | head -n 1)

image-lock: setup ## choose the kernel modules anew, from MODULES, a complete folder of a kernel
	$(BIN)/python image/kernel.py lock $(MODULES)

virtual-pi: setup ## test the package on an emulated Pi (needs root, QEMU; the first run builds a kernel)
	@$(BIN)/python -m tests.longrun.virtual_pi -n $(WORKERS) $(MORE)

power-cuts: setup ## simulate a power cut at every write of a disk (needs root, QEMU)
	@$(BIN)/python -m tests.longrun.power_cuts

# One resolution for every Python and platform. The larger sets constrain the smaller ones, so that all
# have the same versions.
UV := build/uv/bin/uv
COMPILE := $(UV) pip compile --quiet --universal --python-version 3.11 --generate-hashes \
  --no-emit-index-url --no-annotate --custom-compile-command 'make lock' --group build $(MORE) pyproject.toml

lock: ## lock the packages of setup, with hashes, in requirements/; MORE=--upgrade takes newer versions
	@test -x $(UV) || { $(PYTHON) -m venv build/uv \
	  && build/uv/bin/python -m pip install --quiet --disable-pip-version-check uv; }
	$(COMPILE) --extra demo --extra dev --extra browser --extra release --output-file requirements/all.txt
	$(COMPILE) --extra demo --extra dev --constraint requirements/all.txt --output-file requirements/dev.txt
	$(COMPILE) --extra demo --extra hub --extra labels --constraint requirements/dev.txt --output-file requirements/hall.txt
	$(COMPILE) --extra demo --extra labels --constraint requirements/dev.txt --output-file requirements/demo.txt
	$(COMPILE) --extra site --constraint requirements/all.txt --output-file requirements/site.txt
	$(COMPILE) --extra case --constraint requirements/dev.txt --output-file requirements/case.txt

outdated: setup ## compare the locked and the packaged libraries with the newest versions
	@$(BIN)/python -m tools.outdated

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
	rm -rf .venv .venv-* build dist preview labels bench.json bench-web.json bench-hall.json
	rm -rf .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache .benchmarks
	find . -name __pycache__ -prune -exec rm -rf {} +

# An installation compiles the catalogues; a change of a text needs no other one.
setup: $(READY)
	@$(COMPILE_CATALOGUES)

# The date of a stamp is the last update of the environment from pyproject.toml: with the packages of
# the demo, with those of a hall too, or with those of the tests too.
$(DEMO): LOCK := requirements/demo.txt
$(HALL): LOCK := requirements/hall.txt
$(READY): LOCK := requirements/dev.txt
$(DEMO): STAMPS := $(DEMO)
$(HALL): STAMPS := $(DEMO) $(HALL)
$(READY): STAMPS := $(DEMO) $(HALL) $(READY)
$(DEMO) $(HALL) $(READY): pyproject.toml requirements/demo.txt requirements/hall.txt requirements/dev.txt
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
	$(PIP) --require-hashes --requirement $(LOCK)
	@# Its build tools are in the lock too, so that pip downloads nothing without a hash.
	$(PIP) --no-deps --no-build-isolation --editable .
	@touch $(STAMPS)
