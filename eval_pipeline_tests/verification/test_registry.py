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
        with pytest.raises(ValueError, match=r"choice@2, code@1.*answer_line@2"):
            resolve(reference)
    with pytest.raises(ValueError, match="no verifier 'last_number@2'"):
        instruments("last_number@2", "last_number@2", {})
    with pytest.raises(ValueError, match="no extraction 'numeric@2'"):
        instruments("numeric@2", "numeric@2", {})


def test_an_option_that_neither_takes_is_refused():
    with pytest.raises(ValueError, match=r"take \[.*'thousands'\], not \['tolerance'\]"):
        instruments("numeric@2", "last_number@2", {"tolerance": 1})


def test_each_instrument_gets_its_own_options():
    options = {"thousands": ",", "pattern": "gsm8k", "stop": ["Q:"], "rel_tol": 1e-6}
    extraction, verifier = instruments("numeric@2", "answer_line@2", options)
    assert extraction.stop == ("Q:",)
    assert verifier.thousands == ","


def test_only_code_runs_code():
    assert [name for name in VERIFIERS if runs_code(name)] == ["code@1", "code@2"]


def test_naming_an_instrument_imports_no_array_library():
    code = (
        "import sys; from eval_pipeline.verification.registry import instruments; "
        "instruments('numeric@2', 'last_number@2', {}); "
        "print([m for m in ('numpy', 'pyarrow', 'pydantic', 'scipy') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize(
    ("verifier", "extraction", "options"),
    [
        ("numeric@2", "last_number@2", {"number_words": "yes"}),
        ("interval@2", "boxed@2", {"rel_tol": 0.1}),
        ("math@2", "boxed@2", {"cpu_seconds": 0}),
        ("math@2", "boxed@2", {"stop": "Q:"}),
        ("regex@1", "whole_text@2", {"match": "some"}),
        ("json_schema@1", "json_field@2", {"schema": {"typ": "object"}}),
        ("json_fields@1", "json_field@2", {"score": "f2"}),
        ("json_fields@1", "json_field@2", {"field": "a..b"}),
        ("exact@1", "answer_line@2", {"policy": "squad", "pattern": "("}),
        ("choice@2", "choice_letter@2", {"outside": "maybe"}),
    ],
)
def test_a_bad_option_is_refused_before_any_reply(verifier, extraction, options):
    with pytest.raises(ValueError, match=f"{next(iter(options))}|regular expression|tolerance"):
        instruments(verifier, extraction, options)
