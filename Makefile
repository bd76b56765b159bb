# `make book` builds the book, `make test` runs every test, `make serve` opens the book.
PYTHON ?= $(shell for p in python3 python3.14 python3.13 python3.12 python3.11; do \
	"$$p" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1 && { echo "$$p"; break; }; done)
VENV ?= .venv
BIN := $(VENV)/bin
TORCHENV ?= _build/torchenv
TORCH ?= torch==2.13.0
HTML := _build/html
PORT ?= 8000

.DEFAULT_GOAL := help
.PHONY: help book widgets test serve verify lint proofs mutate budgets bench test-torch lock clean

help:
	@echo "make book    build the book into $(HTML)"
	@echo "make test    build it and run every test"
	@echo "make serve   build it and open it in a browser"
	@echo "make verify  check every statement and print the table"
	@echo "make proofs  recheck the Coq proofs (installs Coq on Debian when root)"
	@echo "make budgets measure the widgets' scripts, speed and the pages' weight"
	@echo "make mutate  break the package on purpose, and require the tests to notice"
	@echo "make bench   time the package against plain PyTorch"
	@echo "make lint | test-torch | lock | clean"

# The environment is made once, and again when the lock or the package's metadata change.
$(BIN)/.installed: requirements.lock pyproject.toml
	@test -n "$(PYTHON)" || { echo "Python 3.11 or newer is needed; name it with PYTHON=..."; exit 1; }
	@test -x $(BIN)/python || "$(PYTHON)" -m venv $(VENV) \
		|| { echo "$(PYTHON) cannot make a virtual environment (on Debian: apt install python3-venv)"; exit 1; }
	$(BIN)/python -m pip install --quiet -r requirements.lock
	$(BIN)/python -m pip install --quiet --no-deps -e .
	@touch $@

# Quick when nothing in js/ changed.
widgets: $(BIN)/.installed
	@$(BIN)/python hatch_build.py

book: widgets
	$(BIN)/jupyter-book build -q -W -n --keep-going .
	@echo "The book is built. Open $(abspath $(HTML))/index.html"

# One process per core; each with one BLAS thread, since threads only wait for one another on small matrices.
test: book
	OPENBLAS_NUM_THREADS=1 $(BIN)/python -m pytest -n auto --dist loadgroup

serve: book
	@echo "http://127.0.0.1:$(PORT)/index.html (stop with Ctrl-C)"
	@($(BIN)/python -c 'import time, webbrowser; time.sleep(1); webbrowser.open("http://127.0.0.1:$(PORT)/index.html")' &) ; \
		$(BIN)/python -m http.server --bind 127.0.0.1 --directory $(HTML) $(PORT)

verify: $(BIN)/.installed
	$(BIN)/permsym verify

lint: $(BIN)/.installed
	$(BIN)/python -m ruff check .

proofs: $(BIN)/.installed
	$(BIN)/python scripts/check_proofs.py --install

budgets: book
	$(BIN)/python scripts/budgets.py

mutate: $(BIN)/.installed
	$(BIN)/python scripts/mutate.py

# PyTorch is large and only compared against: it lives in an environment of its own.
$(TORCHENV)/.installed: requirements.lock pyproject.toml
	@test -x $(TORCHENV)/bin/python || "$(PYTHON)" -m venv $(TORCHENV)
	$(TORCHENV)/bin/python -m pip install --quiet -r requirements.lock
	$(TORCHENV)/bin/python -m pip install --quiet $(TORCH)  # by itself: it needs an older mpmath
	$(TORCHENV)/bin/python -m pip install --quiet --no-deps -e .
	@touch $@

test-torch: $(TORCHENV)/.installed
	$(TORCHENV)/bin/python -m pytest -m torch

bench: $(TORCHENV)/.installed
	$(TORCHENV)/bin/python benchmarks/run.py

# The newest releases that pyproject.toml allows, tried in an empty environment, become the lock.
lock:
	rm -rf _build/lockenv
	"$(PYTHON)" -m venv _build/lockenv
	_build/lockenv/bin/python -m pip install --quiet -e .[dev]
	{ echo "# The environment of the book and its tests, written by \`make lock\`."; \
		_build/lockenv/bin/python -m pip freeze --exclude-editable --exclude pip --exclude setuptools; } > requirements.lock.new
	mv requirements.lock.new requirements.lock

clean:
	rm -rf _build .pytest_cache .ruff_cache .hypothesis
