# The commands of daily work: `just` lists them. Nothing here is needed to use the project.

pages := "python -m eval_pipeline_tests.documents"

# list these commands
default:
    @just --list

# a virtual environment with all that tests and linters need
install:
    python3 -m venv .venv && .venv/bin/pip install -q -e '.[test]'

# the fast tests, or those below a path: just test eval_pipeline_tests/metrics
test *where:
    python -m pytest -n auto {{ where }}

# coverage of intervals, by simulation
slow:
    python -m pytest -m slow

# speed and memory, beside a peer or a floor
bench:
    python -m eval_pipeline_tests.benchmarks

# style, types, dependencies
lint:
    ruff check .
    ruff format --check .
    mypy
    deptry .

# bring style into order
fix:
    ruff check --fix .
    ruff format .

# write anew what is generated in the pages
docs:
    {{ pages }}

# write anew what the README's calls print, after `just run`
readme:
    {{ pages }} answers data

# how long the tests of each room take, into CONTRIBUTING.md
clock:
    python -m eval_pipeline_tests.clock -n auto | {{ pages }} durations

# faults planted in the code: which of them no test tells
mutants:
    python -m eval_pipeline_tests.mutation --sample 200 --seed 1

# the numbers of the bundled data, and its leaderboard
run:
    eval-pipeline run && eval-pipeline ls

# compute everything again from its recorded inputs and compare digests
verify contract="arithmetic_words":
    eval-pipeline verify {{ contract }}

# the Dagster UI on 127.0.0.1
ui:
    eval-pipeline ui

# published numbers again: just reproduce gsm8k
reproduce name:
    python -m eval_pipeline_tests.reproduce {{ name }}

# resolve eval_pipeline/docs/constraints.txt anew (uv is not among the test extras)
constraints:
    uv pip compile pyproject.toml --extra judge --extra math --extra text --extra distributed \
        --python-version 3.11 --python-platform x86_64-manylinux_2_28 --generate-hashes \
        --no-annotate --no-strip-extras --upgrade --custom-compile-command "just constraints" \
        -q -o eval_pipeline/docs/constraints.txt

# what a stranger would do: a new environment, the README's commands, the linters
ci:
    bash .ci/run
