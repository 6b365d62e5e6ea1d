"""`why wrong`: the replies that score nothing, with question, reference and the reason."""

from pathlib import Path

from eval_pipeline_tests.cli.calling import refused, succeeded
from eval_pipeline_tests.cli.project import BASE, BETTER

CALL = ("why", "wrong", "--contract", "sums@1", "--checkpoint", BETTER)


def test_what_scores_nothing_is_listed_and_verdicts_come_before_failures(finished: Path) -> None:
    told = succeeded(finished, *CALL, "--json").json
    (count,) = told["counts"]
    zero = succeeded(
        finished,
        "query",
        "SELECT count(*) AS n FROM verifier_scores WHERE contract = 'sums' AND version = 1 "
        f"AND checkpoint = '{BETTER}' AND score = 0",
        "--json",
    ).json
    assert count["n"] == zero[0]["n"] == len(told["rows"])
    assert [row["status"] for row in told["rows"]] == ["ok", "model_refusal"]
    wrong = told["rows"][0]
    assert (wrong["where"], wrong["reference"], wrong["extracted"]) == ("s-13, draw 0", "15", "100")
    assert wrong["excerpt"] == "It is 100."
    assert wrong["file"] == f"checkpoints/{BETTER}/sums.jsonl"


def test_a_person_reads_the_reason_beside_the_reply(finished: Path) -> None:
    shown = succeeded(finished, *CALL, "--limit", "1").stdout
    assert f"sums/v1: 2 samples of {BETTER} scored wrong" in shown
    for part in ("question: 13 + 2 = ?", "reference: 15", "reply: It is 100.", "because: "):
        assert part in shown
    assert "1 of 2 shown" in shown


def test_a_contract_without_a_verifier_has_nothing_wrong(finished: Path) -> None:
    call = ("why", "wrong", "--contract", "preferences", "--checkpoint", BASE)
    assert "no reply was scored wrong" in succeeded(finished, *call).stdout
    assert "did you mean wrong" in refused(finished, "why", "wrng")
