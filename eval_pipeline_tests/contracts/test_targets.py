"""Which checkpoints a contract is about, and which of them its evaluators may not judge."""

from datetime import date

import pytest

from eval_pipeline.contracts.faults import CheckpointFaults
from eval_pipeline.contracts.targets import (
    CheckpointFacts,
    TrainedOn,
    checkpoint_facts,
    decoupling_faults,
    targets,
)
from eval_pipeline_tests.contracts.project import FACTS, JUDGED, WORDS, parsed, write


def facts(name: str, family: str | None = "tern", day: int | None = 1, **trained_on):
    when = date(2026, 1, day) if day else None
    return CheckpointFacts(name, family, None, when, TrainedOn(**trained_on), "sha256:00", {})


def by_name(*those: CheckpointFacts) -> dict[str, CheckpointFacts]:
    return {one.name: one for one in those}


def test_facts_are_read_beside_the_run_manifest(root):
    write(root, "checkpoints/tern@1/checkpoint.yaml", FACTS)
    assert checkpoint_facts(root, "tern@1") == CheckpointFacts(
        "tern@1", "tern", None, date(2026, 1, 5), TrainedOn(), "sha256:00", {}
    )


def test_what_is_not_known_is_said_with_its_reason(root):
    text = (
        FACTS.replace("date: 2026-01-05", "date: {unknown: not published}")
        .replace("trained_on: {}", "trained_on: {unknown: closed model}")
        .replace("parent: null", "parent: tern@0")
    )
    write(root, "checkpoints/tern@1/checkpoint.yaml", text)
    found = checkpoint_facts(root, "tern@1")
    assert (found.parent, found.date, found.trained_on) == ("tern@0", None, None)
    assert found.unknown == {"date": "not published", "trained_on": "closed model"}


def test_all_that_is_wrong_with_a_checkpoint_file_is_said_at_once(root):
    text = (
        FACTS.replace("family: tern", "family: te rn")
        .replace("date: 2026-01-05", "date: January")
        .replace("trained_on: {}", "trained_on: {judge: [stern], reward_models: rm}")
        .replace("parent: null\n", "")
        .replace("sha256:00", "{unknown: ''}")
    )
    write(root, "checkpoints/tern@1/checkpoint.yaml", text)
    with pytest.raises(CheckpointFaults) as caught:
        checkpoint_facts(root, "tern@1")
    place = "checkpoints/tern@1/checkpoint.yaml"
    assert str(caught.value).split("\n") == [
        f"{place}:1: family: is 'te rn', which is not a name; "
        "use letters, digits and . _ @ + -, starting with a letter or digit",
        f"{place}:1: parent: is missing; name the checkpoint it was trained from, "
        "null for none, or write {unknown: <reason>}",
        f"{place}:2: weights_digest.unknown: is empty; say why it is not known",
        f"{place}:3: date: must be a date, not 'January'; write it as 2026-01-31, without quotes",
        f"{place}:4: trained_on.judge: is not a key that is known here; did you mean judges?",
        f"{place}:4: trained_on.reward_models: must be a list, not 'rm'; write [rm]",
    ]


def test_a_checkpoint_without_its_file_or_with_an_empty_one_is_refused(root):
    with pytest.raises(CheckpointFaults, match="cannot be read"):
        checkpoint_facts(root, "tern@1")
    write(root, "checkpoints/tern@1/checkpoint.yaml", "")
    with pytest.raises(CheckpointFaults, match="is empty; write it as"):
        checkpoint_facts(root, "tern@1")
    with pytest.raises(ValueError, match=r"checkpoint name '\.\.' is refused"):
        checkpoint_facts(root, "..")


def test_targets_are_sorted_by_date_and_name_and_undated_ones_come_last(root):
    manifests = by_name(
        facts("z", day=1), facts("b", day=2), facts("a", day=2), facts("0", day=None)
    )
    assert targets(parsed(root), manifests) == ["z", "a", "b", "0"]


def test_families_choose_and_exclude_leaves_out(root):
    contract = parsed(root, WORDS.replace("[tern, heron]", "[tern], exclude: [b]"))
    manifests = by_name(facts("a"), facts("b"), facts("c", "heron"), facts("d", None))
    assert targets(contract, manifests) == ["a"]


def test_without_families_every_checkpoint_is_a_target(root):
    manifests = by_name(facts("a"), facts("c", "heron"), facts("d", None))
    every = parsed(root, WORDS.replace("{families: [tern, heron], ", "{"))
    unknown = parsed(
        root,
        WORDS.replace(
            "{families: [tern, heron], reference: last_accepted}", "{unknown: published data}"
        ),
    )
    assert targets(every, manifests) == targets(unknown, manifests) == ["a", "c", "d"]


def test_a_landing_checkpoint_moves_no_other(root):
    contract = parsed(root)
    before = targets(contract, by_name(facts("a", day=1), facts("b", day=3)))
    after = targets(contract, by_name(facts("a", day=1), facts("b", day=3), facts("c", day=2)))
    assert [name for name in after if name != "c"] == before


@pytest.mark.parametrize(
    ("trained_on", "what"),
    [
        ({"judges": ["stern"]}, "judge stern"),
        ({"reward_models": ["stern@3"]}, "judge stern"),
        ({"judges": ["heron"]}, "judge family heron"),
        ({"preference_sets": ["helpful_labels"]}, "annotation set helpful_labels"),
        ({"benchmarks": ["words@2"]}, "benchmark words"),
    ],
)
def test_what_a_checkpoint_was_trained_on_may_not_judge_it(root, trained_on, what):
    contract = parsed(root, JUDGED)
    assert decoupling_faults(contract, facts("tern@9", **trained_on)) == [
        f"checkpoint tern@9 was trained on {what}, which may not evaluate it in replies/v1: "
        "name another there, or put tern@9 into targets.exclude"
    ]


def test_the_model_behind_a_live_judge_counts(root):
    write(root, "prompts/judges/pairwise/v1.yaml", "form: pairwise\n")
    text = JUDGED.replace(
        "name: mild, family: tern",
        "name: mild, family: tern, source: openai, model: big-1, prompt: prompts/pairwise@1, "
        "decoding: {temperature: 0, max_tokens: 512}",
    )
    found = decoupling_faults(parsed(root, text), facts("tern@9", reward_models=["big-1"]))
    assert ["judge model big-1" in sentence for sentence in found] == [True]


def test_nothing_is_refused_where_nothing_is_shared(root):
    other = {"judges": ["gentle"], "preference_sets": ["else"], "benchmarks": ["wordsmith@1"]}
    assert decoupling_faults(parsed(root, JUDGED), facts("tern@9", **other)) == []
    unknown = CheckpointFacts("x", None, None, None, None, None, {"trained_on": "closed"})
    assert decoupling_faults(parsed(root, JUDGED), unknown) == []
