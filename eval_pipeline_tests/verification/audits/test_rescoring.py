"""Old replies under a new verifier: which samples flipped, and why."""

import pytest

from eval_pipeline.verification.audits.rescoring import rescored, same_replies


def row(item: str, score: float | None, extracted: str | None = "5", **changed: object):
    given = {
        "item_id": item, "draw": 0, "status": "ok", "detail": None, "extracted": extracted,
        "verdict": score, "score": score, "explanation": "compared",
    }  # fmt: skip
    return {**given, **changed}


def test_each_flip_has_its_cause():
    failed = {"status": "parser_failure", "detail": "no_number", "verdict": None}
    was = [
        row("a", 0.0, "4"), row("b", 0.0), row("c", 0.0, None, **failed), row("d", 1.0),
        row("e", 0.0, None, **failed), row("f", 1.0),
    ]  # fmt: skip
    now = [
        row("a", 1.0, "5"), row("b", 1.0), row("c", None, None, **failed), row("d", 1.0),
        row("e", 1.0), row("g", 1.0),
    ]  # fmt: skip
    same = dict.fromkeys([(name, 0) for name in "abcde"], True)
    result = rescored(was, now, same)
    assert [(f.item_id, f.cause) for f in result.flips] == [
        ("a", "extraction"), ("b", "verdict"), ("c", "policy"), ("e", "extraction"),
    ]  # fmt: skip
    assert (result.compared, result.gained, result.lost) == (5, 3, 0)
    assert result.alone == 2
    assert result.by_cause == {"extraction": 2, "verdict": 1, "policy": 1}
    whys = [flip.why for flip in result.flips]
    assert "found '4', now '5'; verdict 0, now verdict 1" in whys[0]
    assert whys[2] == "parser_failure counted 0 and counts nothing (excluded)"
    assert "parser_failure (no_number), now verdict 1" in whys[3]


def test_where_answers_are_found_alike_the_verifier_has_read_another():
    was, now = [row("a", 1.0, "1204")], [row("a", 0.0, "1,204")]
    (flip,) = rescored(was, now, {("a", 0): True}, same_extraction=True).flips
    assert (flip.cause, flip.why) == ("verdict", "verdict 1, now verdict 0: compared")
    (flip,) = rescored(was, now, {("a", 0): True}).flips
    assert flip.cause == "extraction"


def test_another_reply_says_nothing_of_the_verifier():
    texts = [{"item_id": "a", "draw": 0, "text": t} for t in ("x", "y")]
    same = same_replies(texts[:1], texts[1:])
    result = rescored([row("a", 0.0)], [row("a", 1.0)], same)
    assert (result.compared, result.flips, result.other_reply) == (0, (), 1)


def test_a_sample_that_stands_twice_is_refused():
    with pytest.raises(ValueError, match="'a': draw 0 stands twice"):
        rescored([row("a", 0.0)] * 2, [], {})


def test_an_end_that_moved_while_the_score_stayed_is_told_apart():
    undecided = {"status": "undecided", "detail": "unknown_unit", "verdict": None}
    was = [row("a", 0.0), row("b", 0.0), row("c", 1.0), row("d", 0.5), row("e", 1.0)]
    now = [
        row("a", 0.0, **undecided), row("b", 1.0), row("c", 0.0, **undecided),
        row("d", 0.5), row("e", 1.0, "other"),
    ]  # fmt: skip
    result = rescored(was, now, dict.fromkeys([(name, 0) for name in "abcde"], True))
    assert [flip.item_id for flip in result.flips] == ["b", "c"]
    assert [(flip.item_id, flip.ended, flip.ends) for flip in result.alike] == [
        ("a", "wrong", "undecided")
    ]
    assert [(move.was, move.now, move.n, move.flipped) for move in result.moves] == [
        ("right", "undecided", 1, 1), ("wrong", "right", 1, 1), ("wrong", "undecided", 1, 0),
    ]  # fmt: skip
    assert result.ends == (
        {"in part": 1, "right": 2, "wrong": 2},
        {"in part": 1, "right": 2, "undecided": 2},
    )
    assert sum(move.flipped for move in result.moves) == len(result.flips)
