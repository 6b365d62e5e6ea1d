"""The registry: names with versions, options that are known, and a quick import."""

import subprocess
import sys

import pytest

from eval_pipeline.verification.registry import (
    EXTRACTIONS,
    VERIFIERS,
    instruments,
    resolve,
    runs_code,
)


@pytest.mark.parametrize("reference", [*VERIFIERS, *EXTRACTIONS])
def test_every_name_leads_to_an_instrument(reference: str):
    kind = resolve(reference)
    method = "verify_all" if reference in VERIFIERS else "extract"
    assert callable(getattr(kind, method))
    assert kind.__doc__


def test_an_unknown_name_is_answered_with_the_known_ones():
    for reference in ("numeric@9", "numeric"):
        with pytest.raises(ValueError, match=r"choice@1, code@1.*answer_line@1"):
            resolve(reference)
    with pytest.raises(ValueError, match="no verifier 'last_number@1'"):
        instruments("last_number@1", "last_number@1", {})
    with pytest.raises(ValueError, match="no extraction 'numeric@1'"):
        instruments("numeric@1", "numeric@1", {})


def test_an_option_that_neither_takes_is_refused():
    with pytest.raises(ValueError, match=r"take \[.*'thousands'\], not \['tolerance'\]"):
        instruments("numeric@1", "last_number@1", {"tolerance": 1})


def test_each_instrument_gets_its_own_options():
    options = {"thousands": ",", "pattern": "gsm8k", "stop": ["Q:"], "rel_tol": 1e-6}
    extraction, verifier = instruments("numeric@1", "answer_line@1", options)
    assert extraction.stop == ("Q:",)
    assert verifier.thousands == ","


def test_only_code_runs_code():
    assert [name for name in VERIFIERS if runs_code(name)] == ["code@1"]


def test_naming_an_instrument_imports_no_array_library():
    code = (
        "import sys; from eval_pipeline.verification.registry import instruments; "
        "instruments('numeric@1', 'last_number@1', {}); "
        "print([m for m in ('numpy', 'pyarrow', 'pydantic', 'scipy') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize(
    ("verifier", "extraction", "options"),
    [
        ("numeric@1", "last_number@1", {"number_words": "yes"}),
        ("interval@1", "boxed@1", {"rel_tol": 0.1}),
        ("math@1", "boxed@1", {"cpu_seconds": 0}),
        ("math@1", "boxed@1", {"stop": "Q:"}),
        ("regex@1", "whole_text@1", {"match": "some"}),
        ("json_schema@1", "json_field@1", {"schema": {"typ": "object"}}),
        ("json_fields@1", "json_field@1", {"score": "f2"}),
        ("json_fields@1", "json_field@1", {"field": "a..b"}),
        ("exact@1", "answer_line@1", {"policy": "squad", "pattern": "("}),
        ("choice@1", "choice_letter@1", {"outside": "maybe"}),
    ],
)
def test_a_bad_option_is_refused_before_any_reply(verifier, extraction, options):
    with pytest.raises(ValueError, match=f"{next(iter(options))}|regular expression|tolerance"):
        instruments(verifier, extraction, options)
