# Everything works offline once set up. Bare `make` prints what there is.
.DEFAULT_GOAL := help
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
PROTOS := $(wildcard proto/adjudicator/api/v1/*.proto)

.PHONY: help setup demo run schema-suite test check format lint types layers proto-lint proto proto-fresh clean

help: ## Show this help
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 14

$(STAMP): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit("Python 3.11 or newer is needed; set PYTHON=" if sys.version_info < (3, 11) else 0)'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev]'
	@touch $@

setup: $(STAMP) ## Make the virtual environment and install everything in it

demo: $(STAMP) ## Watch the sidecar do its whole job in front of you (seconds, once set up)
	$(BIN)/adjudicator demo

run: $(STAMP) ## Start the sidecar on the shipped policies
	$(BIN)/adjudicator serve

schema-suite: $(STAMP) ## Bring the official JSON Schema test suite into build/, unless it is there
	$(BIN)/python tests/schema_suite.py

test: $(STAMP) ## Run all tests
	-@$(MAKE) --no-print-directory schema-suite
	$(BIN)/python -m pytest -n auto --maxprocesses 4 --dist loadfile

bench: $(STAMP) ## Measure what is promised of speed and memory (a few minutes)
	$(BIN)/python tests/bench/run.py

check: format lint types layers proto-lint proto-fresh ## What CI checks beside the tests

format: $(STAMP)
	$(BIN)/ruff format --check .
	$(BIN)/buf format --diff --exit-code proto

lint: $(STAMP)
	$(BIN)/ruff check .

types: $(STAMP)
	$(BIN)/mypy

layers: $(STAMP)
	$(BIN)/lint-imports

proto-lint: $(STAMP)
	cd proto && ../$(BIN)/buf lint

# $(1) is the folder to generate into.
define generate
	$(BIN)/python -m grpc_tools.protoc -Iproto --plugin=protoc-gen-mypy_grpc=$(BIN)/protoc-gen-mypy_grpc \
		--python_out=$(1) --pyi_out=$(1) --grpc_python_out=$(1) --mypy_grpc_out=$(1) $(PROTOS)
endef

proto: $(STAMP) ## Generate server/adjudicator/api from proto/
	$(call generate,server)

proto-fresh: $(STAMP)
	@rm -rf build/proto && mkdir -p build/proto
	@$(call generate,build/proto)
	@diff -r -x __init__.py -x __pycache__ build/proto/adjudicator/api server/adjudicator/api \
		|| { echo "generated code is stale: run 'make proto' and commit"; exit 1; }

clean: ## Remove the virtual environment and everything generated locally
	rm -rf $(VENV) build dist .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis
