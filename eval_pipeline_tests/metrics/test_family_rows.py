"""Each family through the chain, against its own pure functions and by hand."""

import math

import numpy as np
import pytest

from eval_pipeline.metrics.classification.formula_ranks import discrimination
from eval_pipeline.metrics.text_overlap.formula_bleu import corpus_bleu
from eval_pipeline.metrics.text_overlap.formula_rouge import rouge
from eval_pipeline.statistics.randomness import generator
from eval_pipeline.warehouse.schemas import TABLES
from eval_pipeline_tests.metrics.described import described, rows_of

PRIMARY = ("all", "primary")
WORDS = [
    "the",
    "cat",
    "sat",
    "on",
    "a",
    "mat",
    "while",
    "it",
    "rained",
    "all",
    "day",
    "in",
    "the",
    "old",
    "town",
]


def stories(n=30):
    """Replies that share some words with their references."""
    rng = generator(1, "stories")
    texts = [[" ".join(rng.choice(WORDS, 9)) for _ in range(2)] for _ in range(n)]
    names = [f"i{i:02}" for i in range(n)]
    said = {name: [{"text": reply}] for name, (reply, _) in zip(names, texts, strict=True)}
    items = {name: {"references": [wanted]} for name, (_, wanted) in zip(names, texts, strict=True)}
    return names, texts, said, items


def test_bleu_is_that_of_the_whole_corpus_with_its_signature_and_failures_say_nothing():
    names, texts, said, items = stories()
    marks = dict.fromkeys(names, "-") | {names[0]: "r", names[1]: "x"}
    label = "bleu(max_order=2, smoothing=exp)"
    rows = rows_of(*described(marks, said, items), [label])
    spoken = [["", texts[0][1]], *texts[2:]]
    expected = corpus_bleu(
        [a for a, _ in spoken], [b for _, b in spoken], max_order=2, smoothing="exp"
    )
    row = rows[label, *PRIMARY]
    assert row["value"] == pytest.approx(expected.score)
    assert row["ci_low"] < row["value"] < row["ci_high"]
    assert expected.signature in row["reason"]
    assert (row["n_samples"], row["n_excluded"]) == (29, 1)
    assert row["aggregation"] == "samples pooled, micro over items"
    assert rows[label, "all", "valid_only"]["n_samples"] == 28


def test_rouge_is_the_mean_of_its_samples_and_a_failure_gets_nothing():
    names, texts, said, items = stories()
    marks = dict.fromkeys(names, "-") | {names[0]: "r"}
    label = "rouge(measure=recall, variant=rouge2)"
    row = rows_of(*described(marks, said, items), [label])[label, *PRIMARY]
    expected = rouge([a for a, _ in texts], [b for _, b in texts], ["rouge2"])["rouge2"].recall
    assert row["value"] == pytest.approx(expected[1:].sum() / len(texts))


def test_an_answer_stands_for_references_and_a_fault_names_its_sample():
    said = {"a": [{"text": "one two"}], "b": [{"text": "one"}]}
    items = {"a": {"answer": "one two"}, "b": {"answer": "?"}}
    row = rows_of(*described({"a": "+", "b": "-"}, said, items), ["rouge"])["rouge", *PRIMARY]
    assert math.isnan(row["value"])
    assert row["reason"].startswith("item 'b', draw 0: references[1] has no token")
    items["b"] = {"answer": "two", "references": ["one", "two"]}
    odd = rows_of(*described({"a": "+", "b": "-"}, said, items), ["rouge"])["rouge", *PRIMARY]
    assert odd["value"] == 1.0  # of two references the better one


def likely(verdicts, logprobs, **more):
    marks = dict.fromkeys(logprobs, "+")
    said = {
        name: [{"token_logprobs": row, "text": "ab é", **more.get(name, {})}]
        for name, row in logprobs.items()
    }
    items, samples = described(marks, said)
    rows = [{"item_id": name, "status": verdicts.get(name)} for name in items.ids]
    import pyarrow as pa

    schema = TABLES["contamination_items"].schema
    table = pa.Table.from_pylist(
        rows, pa.schema([schema.field("item_id"), pa.field("status", pa.string())])
    )
    return items, samples.with_tables(
        items, {**samples.further().tables, "contamination_items": table}
    )


def test_perplexity_and_bits_are_of_all_tokens_and_bytes_together():
    logprobs = {"a": [-1.0, -2.0], "b": [-0.5]}
    rows = rows_of(*likely({}, logprobs), ["perplexity", "bits_per_byte", "bits_per_character"])
    assert rows["perplexity", *PRIMARY]["value"] == pytest.approx(math.exp(3.5 / 3))
    assert rows["bits_per_byte", *PRIMARY]["value"] == pytest.approx(3.5 / math.log(2) / 10)
    assert rows["bits_per_character", *PRIMARY]["value"] == pytest.approx(3.5 / math.log(2) / 8)
    masked = likely({}, logprobs, a={"token_mask": [False, True]})
    row = rows_of(*masked, ["perplexity"])["perplexity", *PRIMARY]
    assert row["value"] == pytest.approx(math.exp(2.5 / 2))
    assert row["measured_in"] == "perplexity"


@pytest.mark.parametrize(
    ("logprobs", "more", "said"),
    [
        ([0.5], {}, "item 'a', draw 0: a log-probability of 0.5 is above 0"),
        ([], {}, "item 'a', draw 0: token_logprobs keep no token"),
        ([-1.0, -1.0], {"a": {"token_mask": [True]}}, "item 'a', draw 0: 2 tokens but a mask of 1"),
        ([-1.0], {"a": {"token_mask": [1]}}, "token_mask is \\[1\\], must be a list of true"),
    ],
)
def test_a_likelihood_that_cannot_be_is_undefined_and_names_its_sample(logprobs, more, said):
    row = rows_of(*likely({}, {"a": logprobs, "b": [-1.0]}, **more), ["perplexity"])
    assert math.isnan(row["perplexity", *PRIMARY]["value"])
    assert pytest.raises(ValueError, match=said).matches(
        ValueError(row["perplexity", *PRIMARY]["reason"])
    )


def test_a_likelihood_near_one_on_contaminated_items_is_said_to_be_storage():
    logprobs = {"a": [-0.01, -0.02], "b": [-1.0], "c": [-0.01]}
    verdicts = {"a": "contaminated", "b": "clean", "c": "contaminated"}
    rows = rows_of(*likely(verdicts, logprobs), ["perplexity", "stored_share"])
    assert rows["stored_share", *PRIMARY]["value"] == 1.0
    for label in ("perplexity", "stored_share"):
        assert (
            "2 of 2 contaminated items have a likelihood of 0.9 or more: storage, not quality"
            in (rows[label, *PRIMARY]["reason"])
        )
    clean = rows_of(*likely({"b": "clean"}, {"b": [-1.0]}), ["stored_share"])
    assert clean["stored_share", *PRIMARY]["reason"].startswith("no sample has contamination") is (
        False
    )
    assert "no item is contaminated" in clean["stored_share", *PRIMARY]["reason"]


def test_f1_gives_each_class_the_same_weight_and_a_failure_misses_its_class_only():
    said = {name: [{"label": label}] for name, label in zip("abcd", "xxyx", strict=True)}
    items = {name: {"label": label} for name, label in zip("abcd", "xyyx", strict=True)}
    labels = ["macro_f1", "micro_f1", "label_accuracy"]
    rows = rows_of(*described({"a": "+", "b": "+", "c": "+", "d": "r"}, said, items), labels)
    assert rows["macro_f1", *PRIMARY]["value"] == pytest.approx((2 / 4 + 2 / 3) / 2)
    assert rows["micro_f1", *PRIMARY]["value"] == pytest.approx(2 * 2 / (3 + 4))
    assert rows["label_accuracy", *PRIMARY]["value"] == pytest.approx(0.5)


def test_areas_under_curves_are_read_with_the_prevalence():
    rng = generator(2, "areas")
    event = rng.random(80) < 0.3
    score = np.round(rng.normal(event, 1.0), 1)
    names = [f"i{i:02}" for i in range(80)]
    said = {name: [{"event_score": float(s)}] for name, s in zip(names, score, strict=True)}
    items = {name: {"event": bool(e)} for name, e in zip(names, event, strict=True)}
    rows = rows_of(
        *described(dict.fromkeys(names, "+"), said, items), ["event_auroc", "event_auprc"]
    )
    expected = discrimination(event.astype(float), score)
    assert rows["event_auroc", *PRIMARY]["value"] == pytest.approx(expected.auroc)
    assert rows["event_auprc", *PRIMARY]["value"] == pytest.approx(expected.auprc)
    assert f"prevalence {event.mean():.4f}" in rows["event_auprc", *PRIMARY]["reason"]
    assert rows["event_auroc", *PRIMARY]["ci_method"] == "influence_logit_t"
    one = rows_of(
        *described({"a": "+"}, {"a": [{"event_score": 1}]}, {"a": {"event": True}}), ["event_auroc"]
    )
    assert one["event_auroc", *PRIMARY]["reason"].startswith("only one class occurs")


def test_retrieval_stands_apart_and_an_item_without_relevant_documents_has_no_value():
    said = {name: [{"retrieved": ["p", "q", "r"]}] for name in "abc"}
    items = {
        "a": {"relevance": {"q": 1, "z": 2}},
        "b": {"relevance": {"p": 1}},
        "c": {"relevance": {}},
    }
    labels = ["retrieval_recall(depth=2)", "reciprocal_rank(depth=2)", "ndcg(depth=2)"]
    rows = rows_of(*described(dict.fromkeys("abc", "+"), said, items), labels)
    assert rows[labels[0], *PRIMARY]["value"] == pytest.approx((0.5 + 1) / 2)
    assert rows[labels[1], *PRIMARY]["value"] == pytest.approx((0.5 + 1) / 2)
    row = rows[labels[2], *PRIMARY]
    assert "1 of 3 samples have no value of ndcg" in row["reason"]
    assert (row["n_items"], row["n_samples"], row["n_excluded"]) == (2, 2, 1)
    short = rows_of(*described({"a": "+"}, said, items), ["ndcg"])["ndcg", *PRIMARY]
    assert "item 'a', draw 0: query 0 has 3 documents, fewer than k = 10" in short["reason"]


def test_claims_are_shared_out_over_all_answers():
    yes, no = {"verdict": "supported", "cited": True}, {"verdict": "unknown", "cited": False}
    said = {"a": [{"claims": [yes, no]}], "b": [{"claims": [yes]}], "c": [{"claims": []}]}
    labels = ["support_precision", "decidable_rate", "citation_completeness", "citation_precision"]
    rows = rows_of(*described(dict.fromkeys("abc", "+"), said), labels)
    assert [rows[label, *PRIMARY]["value"] for label in labels[:3]] == pytest.approx(
        [1.0, 2 / 3, 2 / 3]
    )
    assert "no source was looked at" in rows[labels[3], *PRIMARY]["reason"]
    broken = described({"a": "+"}, {"a": [{"claims": [{"verdict": "maybe", "cited": True}]}]})
    row = rows_of(*broken, ["decidable_rate"])["decidable_rate", *PRIMARY]
    assert row["reason"].startswith("item 'a', draw 0: answer 0, claim 0: verdict 'maybe'")


@pytest.mark.slow
@pytest.mark.parametrize("label", ["event_auroc", "event_auprc", "macro_f1", "bleu(max_order=1)"])
def test_intervals_hold_the_truth_as_often_as_they_say(label):
    """Two samples a cluster that share half of their luck; 200 checkpoints of 120 clusters."""
    rng = generator(5, "coverage", label)

    def checkpoint(n_clusters):
        names = [f"i{i:06}" for i in range(2 * n_clusters)]
        luck = np.repeat(rng.normal(size=n_clusters), 2) + rng.normal(size=2 * n_clusters)
        event = rng.random(2 * n_clusters) < 0.3
        score = event + luck
        said = {
            name: [
                {
                    "event_score": float(score[i]),
                    "label": "xyz"[int(np.digitize(score[i], [0.5, 2.0]))],
                    "text": "a b" if luck[i] > 0 else "a c d",
                }
            ]
            for i, name in enumerate(names)
        }
        items = {
            name: {"event": bool(event[i]), "label": "xy"[int(event[i])], "references": ["a b"]}
            for i, name in enumerate(names)
        }
        clusters = {name: f"c{i // 2:06}" for i, name in enumerate(names)}
        made = described(dict.fromkeys(names, "+"), said, items, clusters=clusters)
        return rows_of(*made, [label])[label, *PRIMARY]

    truth = checkpoint(20_000)["value"]
    found = [checkpoint(120) for _ in range(200)]
    held = np.mean([row["ci_low"] <= truth <= row["ci_high"] for row in found])
    assert 0.905 <= held <= 0.99


@pytest.mark.parametrize("label", ["event_auroc", "event_auprc", "macro_f1"])
def test_a_class_of_fewer_than_ten_clusters_leaves_the_value_without_interval(label):
    rng = generator(6, "rare class")
    for rare, held in ((9, False), (10, True)):
        event = np.arange(60) < rare
        score = rng.normal(2.0 * event, 1.0)
        names = [f"i{i:02}" for i in range(60)]
        classes = [(str(bool(e)), str(bool(s > 1))) for e, s in zip(event, score, strict=True)]
        said = {
            name: [{"event_score": float(s), "label": guess}]
            for name, s, (_, guess) in zip(names, score, classes, strict=True)
        }
        items = {
            name: {"event": bool(e), "label": truth}
            for name, e, (truth, _) in zip(names, event, classes, strict=True)
        }
        row = rows_of(*described(dict.fromkeys(names, "+"), said, items), [label])[label, *PRIMARY]
        assert math.isfinite(row["value"])
        assert math.isfinite(row["ci_low"]) is held
        assert (row["status"], held or "10 needed" in row["reason"]) == ("ok", True)
        assert ("a class has 9 of the clusters, 10 needed" in (row["reason"] or "")) is not held
