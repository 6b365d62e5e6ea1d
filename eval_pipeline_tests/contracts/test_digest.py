"""Two contracts that mean the same have one identity, and any other change has another."""

import datetime
import hashlib
import random
import unicodedata
from typing import Any, Literal, get_args, get_origin

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import BaseModel

from eval_pipeline.contracts.digest import (
    CURRENT,
    Pinned,
    algorithm_of,
    canonical,
    identity,
)
from eval_pipeline.contracts.model import Contract
from eval_pipeline.contracts.part import Part
from eval_pipeline.contracts.reading import read_yaml
from eval_pipeline_tests.contracts.project import JUDGED, WORDS

ITEMS, TEMPLATE = "a" * 64, "b" * 64
FULL = (
    JUDGED
    + "verification: {verifier: numeric@1, extraction: last_number@1, options: {tail: [1, 0.5]}}\n"
    + "metrics: [{name: pass_at_k, k: [1, 4]}, {name: accuracy}]\n"
    + "contamination: {corpora: [web@1, books@1], canaries: [x]}\n"
)


def contract(text: str = FULL) -> Contract:
    return Contract.model_validate(read_yaml(text.encode(), "f.yaml").data)


def of(text: str) -> str:
    return identity(contract(text), ITEMS, TEMPLATE)


def test_an_identity_is_pinned_for_ever():
    """If this fails, results recorded by earlier releases would be refused: do not change the
    expected value; keep c1 as it is and add the next algorithm beside it."""
    assert of(WORDS) == ("c1:3021ea6d12cba876aca68c9c922e5bd142971462d5f808ab16409b389bc77963")


def test_options_of_a_metric_belong_to_the_identity_and_none_do_not():
    asked = "metrics: [{name: pass_at_k, k: [1, 4]}, {name: ece_event%s}]"
    plain, empty, finer = (
        of(FULL.replace("metrics: [{name: pass_at_k, k: [1, 4]}, {name: accuracy}]", asked % more))
        for more in ("", ", options: {}", ", options: {bins: 20}")
    )
    assert plain == empty != finer


def test_an_identity_is_the_digest_of_the_form_and_names_its_algorithm():
    form = canonical(contract(), Pinned(ITEMS, TEMPLATE))
    assert of(FULL) == f"{CURRENT}:{hashlib.sha256(form.encode()).hexdigest()}"
    assert algorithm_of(of(FULL)) == "c1"
    with pytest.raises(ValueError, match=r"by an algorithm that is not known here \(c1\)"):
        algorithm_of("c9:" + "0" * 64)


@settings(deadline=None)
@given(st.randoms(use_true_random=False), st.booleans(), st.integers(20, 99))
def test_order_style_and_comments_of_yaml_never_matter(rng, flow, width):
    data = _shuffled(read_yaml(FULL.encode(), "f.yaml").data, rng)
    text = yaml.safe_dump(data, sort_keys=False, default_flow_style=flow, width=width)
    if not flow:
        text = "# first\n" + "".join(
            f"{yaml.safe_dump({key: value}, sort_keys=False, default_flow_style=flow)}# {key}\n\n"
            for key, value in data.items()
        )
    assert of(text) == of(FULL)


def _shuffled(value: Any, rng: random.Random) -> Any:
    if isinstance(value, dict):
        keys = list(value)
        rng.shuffle(keys)
        return {key: _shuffled(value[key], rng) for key in keys}
    return value


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("temperature: 0.7", "temperature: 7e-1"),
        ("temperature: 0.7", "temperature: 0.70"),
        ("template: prompts/plain.txt", "few_shot: 0, template: prompts/plain.txt"),
        ("{families: [tern]}", "{families: [tern], exclude: [], reference: last_accepted}"),
        ("ranking: {}", "ranking: {order_effect: true, anchor: null}"),
        ("{corpora: [web@1, books@1]", "{corpora: [books@1, web@1], fields: [answer, question]"),
        ("k: [1, 4]}", "k: [4, 1]}"),
        ("{name: pass_at_k, k: [1, 4]}", "{name: pass_at_k, k: 4}, {name: pass_at_k, k: 1}"),
        ("tail: [1, 0.5]", "tail: [1.0, .5]"),
        ("version: 1\n", "version: 1\nstatus: draft\n"),
        ("facts", "'facts'"),
        ("no reference exists", "no reference\n  exists"),
    ],
)  # fmt: skip
def test_two_ways_to_write_the_same_have_one_identity(one, other):
    assert one in FULL
    assert of(FULL.replace(one, other)) == of(FULL)


@pytest.mark.parametrize(("one", "other"), [(0.0, -0.0), (0, 0.0), (1, 1.0), (10**22, 1e22)])
def test_a_number_has_one_form(one, other):
    place = ("verification", "options")
    forms = {identity(_with(contract(), place, {"x": x}), ITEMS, None) for x in (one, other)}
    assert len(forms) == 1


@settings(deadline=None)
@given(st.text(st.characters(blacklist_categories=["Cs", "Cc"]), min_size=1).filter(str.strip))
def test_text_is_compared_in_one_unicode_form(words):
    base = contract()
    forms = {
        identity(_with(base, ("question", "text"), unicodedata.normalize(form, words)), ITEMS, None)
        for form in ("NFC", "NFD")
    }
    assert len(forms) == 1


@settings(deadline=None)
@given(st.floats(0, 2, allow_nan=False))
def test_a_float_and_its_written_form_are_one_number(temperature):
    base = contract()
    direct = _with(base, ("decoding", "temperature"), temperature)
    written = _with(base, ("decoding", "temperature"), float(repr(temperature)))
    assert identity(direct, ITEMS, None) == identity(written, ITEMS, None)


OUTSIDE = ("status", "reading")  # what a person has looked at, which changes no number


def test_every_default_may_be_written_out_or_left_out():
    base = contract()
    for path, part in _parts(base):
        for name, info in type(part).model_fields.items():
            if not info.is_required() and name not in part.model_fields_set:
                explicit = _with(base, (*path, name), info.default)
                assert identity(explicit, ITEMS, TEMPLATE) == of(FULL), (*path, name)


def test_every_other_value_of_every_field_has_an_identity_of_its_own():
    base = contract()
    seen = {of(FULL): ()}
    for path, part in _parts(base):
        for name, info in type(part).model_fields.items():
            if name in OUTSIDE or isinstance(getattr(part, name), Part):
                continue
            changed = _other(getattr(part, name), info.annotation, info.metadata)
            new = identity(_with(base, (*path, name), changed), ITEMS, TEMPLATE)
            assert new not in seen, ((*path, name), seen[new])
            seen[new] = (*path, name)
    assert len(seen) > 60


def test_sections_that_are_not_asked_for_count_too():
    without = FULL.replace("ranking: {}\n", "")
    assert of(without) != of(FULL)
    assert of(FULL.replace("decision: {rule: superior}", "decision: {unknown: x}")) != of(FULL)


def test_pinned_files_are_part_of_the_identity():
    found = {
        identity(contract(), items, template)
        for items in (ITEMS, TEMPLATE)
        for template in (ITEMS, TEMPLATE, None)
    }
    assert len(found) == 6


def test_free_options_keep_what_is_null_empty_or_ordered():
    variants = ["[1, 2]", "[2, 1]", "[]", "{}", "null", "''", "true", "1"]
    found = {of(FULL.replace("[1, 0.5]", variant)) for variant in variants}
    assert len(found) == len(variants)


def test_two_option_keys_that_normalise_to_one_are_refused():
    options = {"\u00e9": 1, "e\u0301": 2}
    with pytest.raises(ValueError, match=r"verification\.options: two keys are one"):
        identity(_with(contract(), ("verification", "options"), options), ITEMS, None)


def test_golden_cases_of_identity(golden_vectors):
    """PB126 changed prompt, PB130 default and explicit forms, PB132 algorithm in the digest."""
    cases = {case["id"]: case for case in golden_vectors("bug_cases.jsonl")}
    prompts = cases["PB126"]["minimal_input"]
    digests = {hashlib.sha256(prompts[key].encode()).hexdigest() for key in ("v1", "v2")}
    assert len({identity(contract(), ITEMS, digest) for digest in digests}) == 2
    assert cases["PB130"]["right_behaviour"]["rule"].endswith("equal hashes")
    assert of(FULL.replace("judges: [", "orders: both\n  repeats: 1\n  judges: [")) == of(FULL)
    assert "carries its version" in cases["PB132"]["right_behaviour"]["rule"]
    assert of(FULL).startswith("c1:")


def _parts(part: Part, path: tuple[str, ...] = ()) -> list[tuple[tuple[str, ...], Part]]:
    below = [(name, value) for name, value in part if isinstance(value, Part)]
    return [(path, part), *(one for name, v in below for one in _parts(v, (*path, name)))]


def _with(part: BaseModel, path: tuple[str, ...], value: Any) -> Any:
    """The part with one value replaced, unchecked."""
    name, *rest = path
    if rest:
        value = _with(getattr(part, name), tuple(rest), value)
    return part.model_copy(update={name: value})


def _other(value: Any, annotation: Any, metadata: Any) -> Any:
    """Some other value of the same kind."""
    if get_origin(annotation) is Literal:
        choices = [choice for choice in get_args(annotation) if choice != value]
        return choices[0] if choices else f"{value}x"
    if isinstance(value, bool):
        return not value
    if isinstance(value, int | float):
        return value + 1
    if isinstance(value, str):
        return f"{value}x"
    if isinstance(value, list):
        return [*value, "x"] if not value or isinstance(value[0], str) else value[:-1]
    if isinstance(value, dict):
        return {**value, "x": 1}
    return datetime.date(2026, 1, 5) if value is None else None
