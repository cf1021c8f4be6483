# The course's commands. All of them set up what they need; nothing has to be installed first but Python and make.
PYTHON ?= python3
VENV   ?= .venv
HUB    ?= /opt/mlteach
BIN    := $(VENV)/bin
JOBS   ?= $(shell getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)
export PIP_DISABLE_PIP_VERSION_CHECK = 1
export OMP_NUM_THREADS = 1
export OPENBLAS_NUM_THREADS = 1
unexport PYTHONDONTWRITEBYTECODE  # where it is set, each of a hundred processes compiles every module again

.DEFAULT_GOAL := help
.PHONY: help lab hub hub-install test unit notebook-tests profile-tests browser-tests page-tests check-pages fresh notebooks book slides pdf lowest jitter seeds rerun bench lint lock clean

# make test has two storeys: one for a user's machine, and all of it for those that test every change (CI=true)
ALL   := $(filter true,$(CI))
PARTS := lint unit notebook-tests $(if $(ALL),profile-tests) browser-tests
UNIT  := -q -p no:nbval -n $(JOBS) -m "not browser$(if $(ALL),, and not slow)" --doctest-modules tests mlteach
NBVAL := --nbval --nbval-current-env --nbval-cell-timeout=120 --dist loadfile notebooks

help:  ## this list
	@grep -E '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## /\t/' | expand -t 20

lab: $(VENV)/run  ## open the course in JupyterLab
	mkdir -p notebooks/.mlteach  # here checks remember what was solved
	$(BIN)/jupyter lab --ip=127.0.0.1 $(if $(filter 0,$(shell id -u)),--allow-root --no-browser) --LabApp.default_url=/lab/tree/notebooks/00_start_here.ipynb

hub: hub-install  ## a JupyterHub for a class on this machine: Debian, as root; hub/README.md
	$(HUB)/bin/jupyterhub -f hub/jupyterhub_config.py

hub-install:  # or its renewal, after a git pull. Students run this environment: it is no editable install, and root's
	@test $$(id -u) = 0 || { echo "make hub runs as root: it starts the servers of others"; exit 1; }
	dpkg -s python3-venv >/dev/null 2>&1 || { apt-get update -q && apt-get install -y -q python3-venv; }
	command -v npm >/dev/null || { apt-get update -q && apt-get install -y -q --no-install-recommends npm; }
	rm -rf build/lib build/bdist.*
	umask 022 && { test -x $(HUB)/bin/python || /usr/bin/python3 -m venv $(HUB); } && \
		$(HUB)/bin/pip install -q --upgrade -c requirements.lock -r hub/requirements.txt . && \
		$(HUB)/bin/jupyter labextension disable --level=sys_prefix "@jupyterlab/apputils-extension:announcements" 2>/dev/null && \
		npm install --loglevel=error --no-fund --no-audit --global --prefix $(HUB) \
			configurable-http-proxy@$$(node -p 'parseInt(process.versions.node) < 20 ? 4 : 5') && \
		install -m 755 hub/start $(HUB)/bin/mlteach-server

test: $(VENV)/test  ## lint, unit tests, doctests, every notebook, a look in the browser (CI=true: everything)
	@begun=$$(date +%s); for part in $(PARTS); do \
		start=$$(date +%s); $(MAKE) --no-print-directory $$part || failed="$$failed $$part"; \
		echo "== $$part: $$(($$(date +%s) - start)) s"; \
	done; \
	echo "== all parts: $$(($$(date +%s) - begun)) s$${failed:+, FAILED:$$failed}"; \
	$(if $(ALL),,echo "== CI=true make test adds: other processors, every cell run twice, all chapters and pages in the browser, slow tests, scikit-learn's battery";) \
	test -z "$$failed"

unit: $(VENV)/test  # algorithms, explorers, exercises, structure, and the examples in docstrings; CI=true: a class on a real hub
	$(if $(ALL),@$(BIN)/python tests/hub.py)
	$(BIN)/pytest $(UNIT)

notebook-tests: $(VENV)/test  # every notebook runs, and its outputs are the committed ones; CI=true: then every cell once more
	MLTEACH_PROGRESS=0 $(if $(ALL),PYTHONPATH=tests) $(BIN)/pytest -q $(if $(ALL),-p run_again) -n $(JOBS) $(NBVAL)

profile-tests: $(VENV)/test  # notebooks and docstrings as on older processors, side by side
	MLTEACH_PROGRESS=0 PYTHONPATH=tests JOBS=$(JOBS) $(BIN)/python tests/profiles.py \
		$(BIN)/pytest -q -p no_pixels -n {n} --doctest-modules $(NBVAL) mlteach

browser-tests: $(VENV)/test  # real JupyterLab in real Chromium, two chapters; CI=true: all, and the pages of three
	@$(BIN)/python tests/lab.py
	$(BIN)/pytest -q -rs -p no:nbval -n 2 --dist loadgroup -m "browser$(if $(ALL),, and not slow)" \
		$(if $(ALL),tests/test_pages.py tests/test_print.py tests/test_everybody.py tests/test_dirty.py) tests/test_browser.py

page-tests: $(VENV)/test  # the book, and book and slides of three chapters in real Chromium
	@$(BIN)/python tests/lab.py
	$(BIN)/pytest -q -rs tests/test_pages.py -m browser

lowest:  ## unit tests with the lowest versions that pyproject.toml allows, in build/lowest
	test -x build/lowest/bin/uv || { $(PYTHON) -m venv build/lowest && build/lowest/bin/pip install -q uv; }
	build/lowest/bin/uv pip install -q --python build/lowest --resolution lowest-direct -e ".[test,book]"
	build/lowest/bin/pytest $(UNIT) --deselect tests/test_lock.py  # which judges what the lock installs

fresh: $(VENV)/test  ## property tests with examples that no run has seen before
	$(BIN)/pytest -q -n $(JOBS) -m hypothesis --hypothesis-profile=fresh tests

check-pages: $(VENV)/test  ## book and slides of every chapter in real Chromium, every explorer at ten settings (ONLY=svm for fewer)
	@$(BIN)/python tests/lab.py
	MLTEACH_PAGES="$(or $(ONLY),all)" $(BIN)/pytest -q -s -rs tests/test_pages.py -m browser

book: $(VENV)/book  ## a static site of all chapters whose explorers move: build/book/index.html
	$(BIN)/python -m mlteach.publish.book build/book

slides: $(VENV)/book  ## a deck of slides for each chapter: build/slides/ (ONLY=16 for some)
	$(BIN)/python -m mlteach.publish.slides build/slides $(ONLY)

pdf: $(VENV)/test  ## chapters for print, answers and depth at the end: build/print/ (ONLY=05 for some; needs Chromium)
	$(BIN)/python -m mlteach.publish.pdf build/print $(ONLY)

notebooks: $(VENV)/run  ## number, execute where due and normalise the notebooks (ONLY=16 for some, FORCE=1 executes all)
	$(BIN)/python -m mlteach.notebooks $(if $(FORCE),--force) $(ONLY)

jitter: $(VENV)/test  ## would a notebook print the same on another processor? (ONLY=16, N=5 runs)
	$(BIN)/python tests/instruments.py jitter $(ONLY) --n $(or $(N),5) --jobs $(JOBS)

seeds: $(VENV)/test  ## does a notebook's text hang on the luck of its seeds? (ONLY=16, N=10 runs)
	$(BIN)/python tests/instruments.py seeds $(ONLY) --n $(or $(N),10) --jobs $(JOBS)

rerun: $(VENV)/test  ## can a student run any cell again at the end of a notebook? (ONLY=16)
	$(BIN)/python tests/instruments.py rerun $(ONLY) --jobs $(JOBS)

bench: $(VENV)/test  ## time every explorer and every estimator
	$(BIN)/python -m benchmarks

lint: $(VENV)/test  ## style checks
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

lock: $(VENV)/test  ## write the versions now installed into requirements.lock, if they fit the lowest Python
	$(BIN)/python tests/lock.py

clean:  ## remove the environment and caches
	rm -rf $(VENV) build *.egg-info .hypothesis .ruff_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(VENV)/run: pyproject.toml requirements.lock data/jupyter/mlteach.json $(wildcard data/jupyter/labextension/*.json data/jupyter/labextension/static/*)
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)  # an environment keeps the Python that it was made with
	$(BIN)/pip install -q -c requirements.lock -e .
	mkdir -p $(VENV)/etc/jupyter/jupyter_server_config.d && cp data/jupyter/mlteach.json $(VENV)/etc/jupyter/jupyter_server_config.d/  # an editable install leaves it out
	mkdir -p $(VENV)/share/jupyter/labextensions && rm -rf $(VENV)/share/jupyter/labextensions/mlteach && cp -r data/jupyter/labextension $(VENV)/share/jupyter/labextensions/mlteach  # and this
	$(BIN)/jupyter labextension disable --level=sys_prefix "@jupyterlab/apputils-extension:announcements" 2>/dev/null
	@touch $@

$(VENV)/book: $(VENV)/run
	$(BIN)/pip install -q -c requirements.lock -e ".[book]"
	@touch $@

$(VENV)/test: $(VENV)/run
	$(BIN)/pip install -q -c requirements.lock -e ".[test,book]"
	@touch $@
