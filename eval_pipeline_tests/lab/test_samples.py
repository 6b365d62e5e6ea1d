"""Draws: the statuses and the chances are the planted ones."""

from collections import Counter

import numpy as np
import pytest

from eval_pipeline.lab.expected import expected_pass_at_k
from eval_pipeline.lab.functions import FUNCTIONS
from eval_pipeline.lab.planted import CHECKPOINTS, MEMORY, RETRIED, Checkpoint
from eval_pipeline.lab.samples import (
    code_difficulties,
    code_samples,
    word_difficulties,
    word_samples,
)
from eval_pipeline.lab.words import problems
from eval_pipeline.metrics.draws.formula_at_k import pass_at_k
from eval_pipeline.verification.scoring import Grader, Sample, score_samples
from eval_pipeline.verification.verdict import Item

ASKED = problems(7, 2)
EASE = word_difficulties(ASKED, 7)
POLICY = {
    "parser_failure": "wrong",
    "model_refusal": "wrong",
    "timeout": "wrong",
    "permission_denied": "wrong",
    "infra_error": "exclude",
    "invalid_sample": "exclude",
}


@pytest.mark.parametrize("checkpoint", CHECKPOINTS, ids=lambda checkpoint: checkpoint.name)
def test_verified_draws_have_the_planted_statuses_and_scores(checkpoint: Checkpoint) -> None:
    draws = 100
    drawn = word_samples(checkpoint, ASKED, EASE, (), draws, 7)
    rows = scored(drawn.rows)
    assert len(rows) == draws * len(ASKED)
    share = {status: n / len(rows) for status, n in Counter(r["status"] for r in rows).items()}
    for status, rate in checkpoint.failures.chances.items():
        assert share[status] == pytest.approx(rate, abs=0.008), status
    means = np.array(
        [
            np.mean(
                [r["score"] for r in rows if r["item_id"] == p.item_id and r["score"] is not None]
            )
            for p in ASKED
        ]
    )
    assert means.mean() == pytest.approx(drawn.right.mean(), abs=0.02)
    assert np.corrcoef(means, drawn.right)[0, 1] > 0.9


def scored(rows: list[dict[str, object]]) -> list[dict[str, object]]:
    """Rows as ingest and verification would leave them: last attempts, thoughts taken out."""
    last = {(row["item_id"], row["draw"]): row for row in rows}
    samples = [
        Sample(
            str(row["item_id"]),
            int(str(row["draw"])),
            str(row["text"]).split("</think>\n")[-1],
            str(row.get("status", "ok")),
        )
        for row in last.values()
    ]
    items = {p.item_id: Item(p.item_id, p.question, str(p.answer)) for p in ASKED}
    grader = Grader.of("numeric@1", "last_number@1", {"thousands": ","})
    return score_samples(samples, items, grader, POLICY)


def test_a_lost_first_attempt_stands_before_the_one_that_counts() -> None:
    rows = word_samples(CHECKPOINTS[0], ASKED, EASE, (), 40, 7).rows
    attempts = [row for row in rows if "attempt" in row]
    firsts, seconds = attempts[::2], attempts[1::2]
    assert len(seconds) / (40 * len(ASKED)) == pytest.approx(RETRIED, abs=0.01)
    for one, two in zip(firsts, seconds, strict=True):
        assert (one["item_id"], one["draw"]) == (two["item_id"], two["draw"])
        assert (one["attempt"], one["status"], two["attempt"]) == (1, "infra_error", 2)


def test_only_the_checkpoint_that_remembers_gains_from_leaks() -> None:
    leaked = {problem.item_id for problem in ASKED[::3]}
    hit = np.array([problem.item_id in leaked for problem in ASKED])
    for checkpoint in CHECKPOINTS:
        plain = word_samples(checkpoint, ASKED, EASE, (), 1, 7).right
        taught = word_samples(checkpoint, ASKED, EASE, leaked, 1, 7).right
        np.testing.assert_array_equal(plain[~hit], taught[~hit])
        assert np.all(taught[hit] > plain[hit]) == checkpoint.remembers_leaks
    assert MEMORY > 0


def test_expected_pass_at_k_is_what_the_unbiased_estimate_comes_to() -> None:
    rng = np.random.default_rng(1)
    right = rng.uniform(0, 1, 50)
    drawn = rng.binomial(8, right, (4000, 50))
    estimates = [pass_at_k(np.full(50, 8), c, 4).mean() for c in drawn]
    assert np.mean(estimates) == pytest.approx(expected_pass_at_k(right, 4), abs=0.002)


def test_code_replies_are_right_as_often_as_planted() -> None:
    asked = [
        (f"f{n}", function)
        for n, function in enumerate(f for group in FUNCTIONS.values() for f in group)
    ]
    difficulties = code_difficulties(len(asked), 7)
    checkpoint = CHECKPOINTS[0]
    drawn = code_samples(checkpoint, asked, difficulties, 60, 7)
    texts = [str(row["text"]) for row in drawn.rows]
    rates = checkpoint.code_failures
    assert np.mean(["while True:\n        pass" in t for t in texts]) == pytest.approx(
        rates.loop, abs=0.01
    )
    assert np.mean(["```" not in t for t in texts]) == pytest.approx(rates.no_code, abs=0.02)
    by_item = dict(asked)
    right = [
        any(
            by_item[str(row["item_id"])].source(body) in str(row["text"])
            for body in by_item[str(row["item_id"])].right
        )
        for row in drawn.rows
    ]
    assert np.mean(right) == pytest.approx(drawn.right.mean(), abs=0.03)
