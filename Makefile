# To print the game: `make print`; to test the program: `make test`. Each sets up what it needs.
# While you work, `make quick` checks lint, types and the core in less than a minute.
PYTHON ?=
VENV ?= .venv
BIN = $(VENV)/bin
STAMP = $(VENV)/.installed
SOAK ?= 20000

.PHONY: print serve test quick lint types tests coverage soak golden pictures screenshots bench clean

print: $(STAMP)
	$(BIN)/coatl print --out output

serve: $(STAMP) # pages for a browser; for phones: make serve LAN=yes
	$(BIN)/coatl serve $(if $(LAN),--lan)

test: lint types tests

# What most changes can break, in less than a minute: the game itself, and the shape of the code.
QUICK = tests/test_architecture.py tests/test_notation.py tests/cards tests/rules tests/scoring tests/referee

quick: lint types
	$(BIN)/pytest -q -n 2 --dist loadgroup -m "not soak" $(QUICK)

lint: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(STAMP)
	$(BIN)/mypy

tests: $(STAMP)
	scripts/run_tests $(VENV)

coverage: $(STAMP) # the tests, and which lines of the package they reach: build/coverage/index.html
	scripts/run_tests $(VENV) --cov --cov-report term:skip-covered --cov-report html

soak: $(STAMP) # the full run of what the tests sample; takes about an hour
	COATL_SOAK=$(SOAK) $(BIN)/pytest -n 2 -m soak

golden: $(STAMP) # renew the golden files and the schemas; look at the difference before you keep it
	COATL_GOLDEN=renew $(BIN)/pytest -q -k golden tests/rules/test_playthroughs.py # others tell these games
	COATL_GOLDEN=renew $(BIN)/pytest -q -k golden

pictures: $(STAMP) # draw the README's picture again
	$(BIN)/python -m docs.pictures

screenshots: $(STAMP) # take those of the README again, in Chromium
	$(BIN)/python -m docs.screenshots

bench: $(STAMP)
	$(BIN)/python -m benchmarks scoring
	$(BIN)/python -m benchmarks rules
	$(BIN)/python -m benchmarks table
	$(BIN)/python -m benchmarks print
	$(BIN)/python -m benchmarks play
	$(BIN)/python -m benchmarks web

$(STAMP): pyproject.toml
	scripts/setup $(VENV) $(PYTHON)

clean:
	rm -rf $(VENV) build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis
