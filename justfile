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
    {{ python }} docs/generate.py --check --made

# the tests; `just test tests/unit -k notation` for some, `just test --cov` for coverage by branches
test *arguments:
    .venv/bin/pytest -n auto {{ arguments }}

# the sweeps that `just test` leaves out; `MELDREF_FUZZ=500 just sweeps -k hostile` for more of some
sweeps *arguments:
    MELDREF_SWEEPS=1 .venv/bin/pytest -n auto -m sweep {{ arguments }}

# write the generated pages anew, and make the site: build/docs/index.html
docs:
    {{ python }} docs/generate.py
    .venv/bin/sphinx-build --fail-on-warning --keep-going --quiet --builder html docs build/docs

# write the skeleton of a rule with its code and cases: `just new-rule discard.after-call discard.after_call=forbidden discard`
new-rule code setting *actions:
    {{ python }} building/skeletons.py rule {{ code }} {{ setting }} {{ actions }}

# write the skeleton of a key, its default first: `just new-key discard.after_call allowed forbidden`
new-key key *words:
    {{ python }} building/skeletons.py key {{ key }} {{ words }}

# write the skeleton of a code, with its page and its message: `just new-code discard.after-call discard.after_call=forbidden`
new-code code setting:
    {{ python }} building/skeletons.py code {{ code }} {{ setting }}

# build the playground: build/playground/index.html and what it loads, and playground.html, which is one file
playground:
    {{ python }} playground/build_playground.py

# write and pack the extension for Visual Studio Code: build/vscode/meldref.vsix
vscode:
    {{ python }} building/editors/build_vscode.py

# build both wheels, an environment for each with the peers, and the logs to measure with
bench-prepare *arguments:
    python3 -m benchmarks.prepare {{ arguments }}

# measure speed against peers, in rotation, and write the table into docs/performance.md; `just bench g1 g7` shows some
bench *arguments:
    .benchmarks/pure/bin/python -m benchmarks.run --compiled .benchmarks/compiled/bin/python {{ if arguments == "" { "--minutes 14 --logs tests/games/outside --page docs/performance.md" } else { arguments } }}

# count the processor's instructions of a clean hand, a dirty one and a `legal`; `just instructions --write` accepts the counts
instructions *arguments:
    {{ python }} -m benchmarks.instructions {{ arguments }}

# measure the audit of 100,000 hands into tables, and write it into docs/performance.md
bench-archive *arguments:
    .benchmarks/pure/bin/python -m benchmarks.archive --compiled .benchmarks/compiled/bin/python --page docs/performance.md {{ arguments }}

# count nodes of syntax, long lines, circles and names that say nothing; `just weight --list` shows where
weight *arguments:
    {{ python }} -m benchmarks.weight {{ arguments }}

# put a clerk's mistakes into legal games and count how many are told once, at their place and by name
slips *arguments:
    {{ python }} -m benchmarks.slips {{ if arguments == "" { "--page docs/slips.md" } else { arguments } }}

# put impossibilities into masked logs of legal games and count how many are found
unseen *arguments:
    {{ python }} -m benchmarks.unseen {{ if arguments == "" { "--page docs/unseen.md" } else { arguments } }}

# put hard questions about unseen cards to ours, to CP-SAT and to SciPy's matching
unseen-families *arguments:
    {{ python }} -m benchmarks.unseen.families {{ if arguments == "" { "--page docs/unseen.md" } else { arguments } }}

# find rules from simulated logs with mistakes and count how much of them is found, by the number of hands
infer *arguments:
    {{ python }} -m benchmarks.infer {{ if arguments == "" { "--page docs/infer.md" } else { arguments } }}

# compile a wheel and run all tests on it that do not look inside modules
compiled-suite *arguments:
    .ci/compiled-suite {{ arguments }}

# change the core on purpose, one small thing at a time, and see which changes nothing notices; `just mutate engine/apply` for one
mutate *arguments:
    {{ python }} -m pip install --quiet --editable '.[mutate]'
    {{ python }} tests/mutation/run.py {{ arguments }}

# the same by cases and logs alone: a sample of the mutants, those that they do not notice, and the share that they do
mutants *arguments:
    {{ python }} -m pip install --quiet --editable '.[mutate]'
    {{ python }} tests/mutation/run.py --data {{ arguments }}

# format the code, and mend what the linter can mend
fmt:
    .venv/bin/ruff check --fix-only .
    .venv/bin/ruff format .

# everything of a release that needs no account: built, looked at, and tried in fresh environments
release-check *arguments:
    .ci/release-check {{ arguments }}

# one file with all that meldref needs, for any Python 3.11 or later on a machine like this one: build/meldref.pyz
pyz:
    {{ python }} -m pip install --quiet --constraint .ci/constraints.txt 'shiv>=1.0.8'
    mkdir -p build
    .venv/bin/shiv --quiet --compressed --reproducible --console-script meldref --output-file build/meldref.pyz .

# a program for machines without Python: build/meldref
binary:
    {{ python }} -m venv build/binary
    build/binary/bin/pip install --quiet --constraint .ci/constraints.txt '.[binary]'
    building/binary.sh build/binary/bin/pyinstaller build

# the whole gate, as it runs elsewhere: a fresh environment, the built wheel, everything
gate:
    .ci/run
