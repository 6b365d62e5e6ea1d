"""Planting and counting: what is found, what is spared, and when the bar cannot be shown."""

import numpy as np
import pytest

from eval_pipeline.contamination.index.entries import FieldEntry, entries_of
from eval_pipeline.contamination.index.masks import masked_entries
from eval_pipeline.contamination.rule import MIN_SHARE, SHARES, FieldMatch
from eval_pipeline.contamination.text.fields import Field
from eval_pipeline.contamination.text.normalise import TEXT
from eval_pipeline.contamination.validation.imitation import imitations
from eval_pipeline.contamination.validation.negatives import ValidationCase, negatives
from eval_pipeline.contamination.validation.planting import MECHANISMS, OF_CODE, OF_SCRIPTS, Hosts
from eval_pipeline.contamination.validation.rows import (
    POOLED,
    Trials,
    chosen_share,
    code_entries,
    doubt_of,
    planted_field,
    validation_rows,
)
from eval_pipeline.contamination.verdict.fields import verdict
from eval_pipeline.statistics.randomness import generator
from eval_pipeline.warehouse.schemas import TABLES


def sentences(prefix: str, count: int, seed: int) -> list[str]:
    rng = np.random.default_rng(seed)
    return [
        " ".join(f"{prefix}{n}" for n in rng.integers(0, 400, int(rng.integers(15, 40))))
        for _ in range(count)
    ]


def entries(texts: list[str]) -> list[FieldEntry]:
    fields = [Field(f"i{n:03d}", "question", text) for n, text in enumerate(texts)]
    return masked_entries(entries_of(fields))


ITEMS = entries(sentences("w", 80, 1))
CLUSTERS = {e.field.item_id: e.field.item_id for e in ITEMS}
DOCUMENTS = sentences("d", 50, 2)


def rows(items=ITEMS, documents=DOCUMENTS, bar=0.05, seed=3):
    clusters = {e.field.item_id: e.field.item_id for e in items}
    return {r["mechanism"]: r for r in validation_rows(items, clusters, documents, seed, bar)}


@pytest.fixture(scope="module")
def made():
    return rows()


KINDS = {"other_items", "imitations", "template", "quote", "identity", "licence"}


def test_every_mechanism_is_reported_with_its_interval(made):
    TABLES["contamination_validation"].from_rows(list(made.values()))
    assert set(made) == {*MECHANISMS, *OF_SCRIPTS, *OF_CODE, *KINDS, POOLED}
    for name in ("verbatim", "splice", "format", "embedded", "wrapped"):
        assert (made[name]["n_planted"], made[name]["n_found"]) == (40, 40)  # the other half chose
        assert made[name]["miss_high"] == pytest.approx(1 - 0.025 ** (1 / 40))
    assert made["edit_25"]["miss_rate"] > made["edit_15"]["miss_rate"]
    assert made[POOLED]["n_negatives"] == sum(made[kind]["n_negatives"] for kind in KINDS)
    assert made[POOLED]["n_false"] == 0
    assert {r["threshold"] for r in made.values()} == {SHARES[0]}
    assert all(r["calibrated"] for r in made.values())
    for name, reason in (("cjk", "without spaces"), ("code", "no code")):
        assert made[name]["status"] == "undefined"
        assert reason in made[name]["reason"]


def test_scripts_without_spaces_and_code_are_planted_as_such():
    rng = np.random.default_rng(5)
    chinese = ["".join(chr(0x4E00 + n) for n in rng.integers(0, 900, 30)) for _ in range(20)]
    made = rows(entries(chinese), documents=sentences("d", 9, 2))
    assert (made["cjk"]["n_planted"], made["cjk"]["n_found"]) == (10, 10)
    body = (
        "def f{n}(x):\n    y = x + {n}\n    if y > {m}:\n        return y * 2\n    return [y, {n}]"
    )
    fields = [Field(f"i{n:03d}", "code", body.format(n=n, m=7 * n)) for n in range(100, 120)]
    code = masked_entries(entries_of(fields))
    assert code_entries([*ITEMS, *code]) == code
    clusters = {e.field.item_id: e.field.item_id for e in ITEMS}
    found = {r["mechanism"]: r for r in validation_rows(ITEMS, clusters, DOCUMENTS, 3, 0.05, code)}
    assert (found["code"]["n_planted"], found["code"]["n_found"]) == (10, 10)


def partly(share: float) -> FieldMatch:
    return FieldMatch("ngram", 10, share, share, 12)


def test_the_lowest_share_is_chosen_that_keeps_the_bar():
    entry = ITEMS[0]
    clean = [ValidationCase(entry, [])] * 400
    assert chosen_share(clean, 0.01) == SHARES[0]
    assert chosen_share([*clean, *[ValidationCase(entry, [partly(0.37)])] * 9], 0.01) == 0.4
    assert chosen_share([ValidationCase(entry, [partly(0.9)])] * 400, 0.01) == SHARES[-1]
    assert chosen_share(clean[:9], 0.01) == MIN_SHARE  # too few to choose by


def test_a_part_that_many_documents_hold_is_for_review():
    entry = ITEMS[0]
    assert verdict(entry, [partly(0.5)] * 2, 1).status == "contaminated"
    everywhere = verdict(entry, [partly(0.5)] * 3, 1)
    assert everywhere.status == "review"
    assert "3 documents hold a part of it" in everywhere.reason
    assert verdict(entry, [partly(0.5)] * 3 + [partly(0.9)], 1).status == "contaminated"


def test_the_same_seed_gives_the_same_rows(made):
    assert rows() == made
    assert rows(seed=4) != made


def test_too_few_negatives_are_said():
    made = rows(entries(sentences("w", 10, 1)), documents=[], bar=0.01)
    assert not any(r["calibrated"] for r in made.values())
    assert "299 without a false one could" in made["verbatim"]["reason"]
    assert made["imitations"]["status"] == "undefined"


@pytest.mark.parametrize(
    ("trials", "bar", "says"),
    [
        (Trials(299, 0), 0.01, None),
        (Trials(298, 0), 0.01, "299 without"),
        (Trials(598, 0), 0.005, None),
        (Trials(597, 0), 0.005, "598 without"),
        (Trials(1000, 30), 0.01, "30 of 1000 negatives are flagged"),
        (Trials(0, 0), 0.01, "no negatives"),
        (Trials(50, 0), 0.0, "cannot show"),
    ],
)
def test_the_bar_needs_enough_negatives(trials: Trials, bar: float, says: str | None):
    doubt = doubt_of(trials, bar)
    assert (doubt is None) if says is None else (says in (doubt or ""))


def test_variants_of_one_cluster_are_no_negatives():
    text = "robins build their nests beneath old roofs every quiet spring"
    near = entries([text, text.replace("roofs", "roof"), text, "a b c d e f g h i j"])
    apart = {e.field.item_id: e.field.item_id for e in near}
    together = {**apart, "i000": "t", "i001": "t", "i002": "t"}

    def found(items, clusters):
        cases = negatives(items, clusters, [], 1)["other_items"]
        return len(cases), sum(bool(case.matches) for case in cases)

    assert found(near, apart) == (4, 3)
    assert found(near, together) == (4, 0)
    assert found(near[:1], apart) == (0, 0)


def test_imitations_are_new_and_of_the_same_idiom():
    items = [tuple(TEXT.words(t)) for t in ("a b c d e", "x b c y z", "q b c d z")]
    made = imitations(items, 20, generator(1, "t"))
    assert made
    assert not set(made) & set(items)
    triples = {words[i : i + 3] for words in items for i in range(len(words) - 2)}
    for words in made:
        assert {words[i : i + 3] for i in range(len(words) - 2)} <= triples
    assert imitations([], 5, generator(1, "t")) == []
    assert imitations([("only", "one", "way")], 5, generator(1, "t")) == []


@pytest.mark.parametrize("name", MECHANISMS)
def test_mechanisms_work_on_any_text(name: str):
    for text in ("word", "日本語の問題です。答えは何ですか", "one two three four five six seven"):
        for hosts in (Hosts.of([]), Hosts.of(["", "a b c", "d e f g h"])):
            assert MECHANISMS[name](text, hosts, generator(1, name)).strip()


@pytest.mark.parametrize("name", ["verbatim", "format", "embedded", "wrapped"])
def test_these_mechanisms_keep_every_word(name: str):
    text = "Don't count on 3 of Ann's apples, said he"
    words = TEXT.words(text)
    for n in range(20):
        planted = TEXT.words(MECHANISMS[name](text, Hosts(()), generator(n, name)))
        assert planted == words


def test_the_question_is_planted_where_there_is_one():
    assert planted_field(["answer", "question"]) == "question"
    assert planted_field(["test", "code"]) == "code"
