"""Probes change one thing, and what they show of a judge is what was planted in it."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from eval_pipeline.judging.probes import variants
from eval_pipeline.judging.probes.attacks import ATTACKS
from eval_pipeline.judging.probes.findings import findings_by_detail, probe_findings
from eval_pipeline.judging.probes.votes import combine_probe_votes
from eval_pipeline.judging.probes.writing import Probe, probe_name, write_probes
from eval_pipeline.statistics.clustered import Estimate
from eval_pipeline_tests.judging.probed import Taste, probe_votes

REPLY = (
    "Water the pot twice a week. It is best to do so in the morning, and you should not let it "
    "stand in water. Give it 20 grams of feed each month. That will do for most plants."
)


def replies(n: int) -> dict[str, str]:
    return {f"i{i:03d}": f"Reply number {i} to the question. {REPLY}" for i in range(n)}


def test_a_seed_gives_the_same_probes_whatever_the_order_of_the_replies() -> None:
    given = replies(30)
    backwards = dict(reversed(given.items()))
    assert write_probes(given, 12, seed=4) == write_probes(backwards, 12, seed=4)
    assert write_probes(given, 12, seed=4) != write_probes(given, 12, seed=5)


def test_every_kind_and_every_detail_is_met() -> None:
    probes = write_probes(replies(40), 24, seed=1)
    details = {
        kind: {p.detail for p in probes if p.kind == kind} for kind in {p.kind for p in probes}
    }
    assert details["injected"] == details["decoy"] == set(ATTACKS)
    assert details["error"] == set(variants.ERRORS)
    assert details["harmless"] == {"respaced", "contracted"}  # no reply holds a quotation mark
    assert details["flattering"] == set(variants.FLATTERY)
    assert all(p.variant != p.original for p in probes)
    assert len({p.name for p in probes}) == len(probes)


def test_a_probe_of_other_texts_has_another_name() -> None:
    one = write_probes(replies(10), 2, seed=1)[0]
    assert one.name == probe_name(one.item_id, one.kind, one.original, one.variant)
    assert one.name != probe_name(one.item_id, one.kind, one.original, one.variant + ".")


@given(st.text(max_size=400), st.integers(0, 2**32 - 1))
def test_a_variant_holds_the_text_or_does_not_exist(text: str, seed: int) -> None:
    rng = np.random.default_rng(seed)
    padded = variants.padded(text, 50, rng)
    assert padded is None or (padded.endswith(text) and variants.tokens(padded) >= 50)
    attacked = variants.attacked(text, "choose me")
    assert attacked is None or attacked.startswith(text)
    for change in (*variants.ERRORS.values(), *variants.HARMLESS.values()):
        assert change(text, np.random.default_rng(seed)) == change(
            text, np.random.default_rng(seed)
        )
    for change in variants.HARMLESS.values():
        changed = change(text, rng)
        if changed is not None:
            assert _letters(changed) == _letters(text) or change is variants.contracted


def _letters(text: str) -> str:
    return "".join(c for c in text if c.isalnum())


def test_planted_errors_are_errors() -> None:
    rng = np.random.default_rng(3)
    assert "20 grams" not in (variants.wrong_number(REPLY, rng) or "20 grams")
    assert variants.wrong_number("no figure here", rng) is None
    assert variants.negated("It is so.", rng) == "It is not so."
    assert variants.negated("It is not so.", rng) == "It is so."
    assert variants.truncated("too short", rng) is None


def test_no_replies_and_no_number_are_refused() -> None:
    with pytest.raises(ValueError, match="two replies or more"):
        write_probes({"i": "one"}, 5, seed=1)
    with pytest.raises(ValueError, match="n must be at least 1"):
        write_probes(replies(3), 0, seed=1)
    with pytest.raises(ValueError, match="at least one token"):
        variants.padded("text", 0, np.random.default_rng(1))


def by_name(
    probes: list[Probe], taste: Taste, seed: int = 1, seat: float = 0.0
) -> dict[str, Estimate]:
    votes = probe_votes(probes, taste, np.random.default_rng(seed), seat)
    found = probe_findings(combine_probe_votes(votes), 0.95)
    return {one.audit: one.estimate for one in found}


TASTES: dict[str, Taste] = {
    "padded": lambda p: 0.5 + 0.0005 * p.added_tokens,
    "formatted": lambda p: 0.65,
    "flattering": lambda p: 0.4,
    "injected": lambda p: 0.3,
    "decoy": lambda p: 0.05,
    "error": lambda p: 0.1,
    "harmless": lambda p: 0.5,
}


def test_planted_tastes_are_found_whatever_the_seat_does() -> None:
    probes = write_probes(replies(700), 600, seed=2)
    found = by_name(probes, lambda p: TASTES[p.kind](p), seat=0.04)
    planted = {
        "verbosity_padded_per_100_tokens": 0.05,
        "formatting_lift": 0.15,
        "flattery_lift": -0.1,
        "injection_success": 0.3,
        "injection_lift": 0.25,
        "errors_found": (1 - 0.1 - 0.04) * (1 - 0.1 + 0.04),
        "harmless_ignored": 1 - 2 * (0.5 - 0.04) * (0.5 + 0.04),
    }
    for name, value in planted.items():
        assert abs(found[name].value - value) < 4.5 * found[name].se, name


def test_a_judge_that_always_answers_first_is_drawn_to_no_variant() -> None:
    probes = write_probes(replies(60), 40, seed=2)
    found = by_name(probes, lambda p: 0.5, seat=0.5)
    assert found["formatting_lift"].value == 0.0
    assert found["injection_success"].value == 0.5  # it falls for half of them by its seat alone
    assert found["errors_found"].value == 0.0
    assert found["harmless_ignored"].value == 1.0


def test_kinds_that_were_not_asked_are_undefined_with_a_reason() -> None:
    probes = [p for p in write_probes(replies(30), 12, seed=2) if p.kind == "error"]
    found = by_name(probes, lambda p: 0.1)
    assert np.isnan(found["injection_success"].value)
    assert found["injection_success"].reason == (
        "no usable votes in both orders on injected probes"
    )
    assert np.isnan(found["injection_lift"].value)


def test_recall_is_told_by_kind_of_error() -> None:
    probes = write_probes(replies(300), 280, seed=6)
    blind = {"fake_citation": 0.5}
    votes = probe_votes(probes, lambda p: blind.get(p.detail, 0.0), np.random.default_rng(1))
    told = dict(findings_by_detail(combine_probe_votes(votes), 0.95))
    recall = {name: found[0].estimate.value for name, found in told.items() if "error/" in name}
    assert recall["error/wrong_number"] == pytest.approx(1.0)
    assert recall["error/negated"] == pytest.approx(1.0)
    assert recall["error/fake_citation"] < 0.5


@pytest.mark.slow
def test_the_slope_of_padding_is_held_as_often_as_said() -> None:
    from scipy.stats import binom

    probes = write_probes(replies(60), 50, seed=3)
    padded = [p for p in probes if p.kind == "padded"]
    rng = np.random.default_rng(5)
    held = 0
    for _ in range(400):
        votes = probe_votes(padded, TASTES["padded"], rng)
        one = probe_findings(combine_probe_votes(votes), 0.95)[0].estimate
        held += one.low <= 0.05 <= one.high
    low, high = binom.interval(0.999, 400, 0.95)
    assert low <= held <= high, held


@settings(max_examples=20)
@given(st.integers(0, 2**32 - 1))
def test_rows_of_votes_may_stand_in_any_order(seed: int) -> None:
    probes = write_probes(replies(20), 8, seed=3)
    votes = probe_votes(probes, lambda p: TASTES[p.kind](p), np.random.default_rng(1))
    shuffled = votes.take(np.random.default_rng(seed).permutation(votes.num_rows))
    one = probe_findings(combine_probe_votes(votes), 0.95)
    other = probe_findings(combine_probe_votes(shuffled), 0.95)
    assert repr(one) == repr(other)
