# One way to do each thing. `just` alone lists them.

python := ".venv/bin/python"

_list:
    @just --list

# make the virtual environment, with the project editable and every tool
setup:
    test -x {{ python }} || python3 -m venv .venv
    {{ python }} -m pip install --quiet --constraint .ci/constraints.txt --editable '.[dev]'

# lint, format, types, import contracts and generated pages, without the tests
check:
    .venv/bin/ruff check .
    .venv/bin/ruff format --check .
    .venv/bin/mypy
    .venv/bin/lint-imports --no-logo
    {{ python }} docs/generate.py --check

# the tests; `just test tests/unit -k notation` for some, `just test --cov` for coverage by branches
test *arguments:
    .venv/bin/pytest -n auto {{ arguments }}

# write the generated pages anew, and make the site: build/docs/index.html
docs:
    {{ python }} docs/generate.py
    .venv/bin/sphinx-build --fail-on-warning --keep-going --quiet --builder html docs build/docs

# measure speed against peers, in rotation; `just bench g1 g7` for some
bench *arguments:
    {{ python }} -m pip install --quiet --editable '.[bench,test]'
    {{ python }} -m benchmarks.run {{ arguments }}

# change the core on purpose, one small thing at a time, and see which changes nothing notices; `just mutate engine/apply` for one
mutate *arguments:
    {{ python }} -m pip install --quiet --editable '.[mutate]'
    {{ python }} tests/mutation/run.py {{ arguments }}

# format the code, and mend what the linter can mend
fmt:
    .venv/bin/ruff check --fix-only .
    .venv/bin/ruff format .

# the whole gate, as it runs elsewhere: a fresh environment, the built wheel, everything
gate:
    .ci/run
