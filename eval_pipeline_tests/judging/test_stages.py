"""The judging stages, one after the other, on a planted judge."""

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from eval_pipeline.contracts.model import Contract
from eval_pipeline.lab.judges import Bias
from eval_pipeline.layout import DataRoot
from eval_pipeline.orchestration.stage import Computed, Stage, StageInputs
from eval_pipeline.orchestration.stages import (
    awaited_votes,
    judge_audits,
    judge_licences,
    pair_outcomes,
    raters,
)
from eval_pipeline.warehouse.schemas import TABLES
from eval_pipeline_tests.contracts.project import JUDGED, parsed
from eval_pipeline_tests.judging.planted import FAMILY, PAIRS, Planted, planted

WITH_BARS = (
    JUDGED.replace(
        "bars: {flip_excess: 0.15, human_ratio: 0.9}",
        "bars: {flip_excess: 0.15, position_effect: 0.05, self_preference: 0.06}",
    )
    .replace(
        "{name: stern, family: heron}, {name: mild, family: tern}", "{name: judge, family: tern}"
    )
    .replace("families: [tern]", "families: [tern, heron]")
    .replace("anchors: [tern@step1]", "anchors: [tern@1]")
    .replace("baseline: tern@step1", "baseline: tern@1")
)


@pytest.fixture
def contract(tmp_path: Path) -> Contract:
    return parsed(DataRoot(tmp_path), WITH_BARS)


def stamped(rows: list[dict[str, object]], table: str) -> pa.Table:
    """Rows of a table of checkpoint scope, the checkpoint's stamp included."""
    plain = [{k: v for k, v in row.items() if k != "checkpoint"} for row in rows]
    made = TABLES[table].from_rows(plain)
    return made.append_column("checkpoint", pa.array([row["checkpoint"] for row in rows]))


def tables(made: Planted, failed: tuple[str, str] | None = None) -> dict[str, pa.Table]:
    """What ingest would have published; `failed`: a (model, item) that gave no reply."""
    pairs = made.pairs
    votes, labels = [], []
    words = ("model_a", "model_b", "tie")
    for i in range(len(pairs)):
        named = {
            "item_id": pairs.item_id[i],
            "cluster_id": pairs.cluster_id[i],
            "model_a": pairs.model_a[i],
            "model_b": pairs.model_b[i],
            "file": "f.jsonl",
            "line": i + 1,
        }
        for o, order in enumerate(("a_first", "b_first")):
            counts = pairs.counts[i, o]
            told = [w for w, n in zip(words, counts, strict=True) for _ in range(n)]
            given = [*told, *[None] * (pairs.asked[i, o] - len(told))]
            votes += [
                named
                | {"judge": "judge", "slot_order": order, "repeat": r, "verdict": verdict}
                | {"status": "ok" if verdict else "judge_error", "checkpoint": pairs.model_b[i]}
                for r, verdict in enumerate(given)
            ]
        said = [w for w, n in zip(words, made.labels.counts[i], strict=True) for _ in range(n)]
        labels += [
            named | {"annotation_set": "people", "rater": f"r{r}", "label": w, "honeypot": False}
            for r, w in enumerate(said)
        ]
    items = sorted(set(zip(pairs.item_id, pairs.cluster_id, strict=True)))
    return {
        "judge_votes": stamped(votes, "judge_votes"),
        "annotations": TABLES["annotations"].from_rows(labels),
        "items": TABLES["items"].from_rows(
            [
                {"item_id": item, "cluster_id": cluster, "question": "?", "slices": [("kind", k)]}
                for (item, cluster), k in zip(items, "ab" * len(items), strict=False)
            ]
        ),
        "run_manifest": stamped(
            [{"checkpoint": k, "field": "family", "value": v} for k, v in FAMILY.items()],
            "run_manifest",
        ),
        "generations": stamped(
            [
                {
                    "checkpoint": model,
                    "item_id": item,
                    "draw": 0,
                    "text": "x",
                    "n_chars": n,
                    "status": "model_refusal" if (model, item) == failed else "ok",
                    "attempts": 1,
                    "file": "f.jsonl",
                    "line": 1,
                }
                for (model, item), n in made.n_chars.items()
            ],
            "generations",
        ),
        "pair_plan": stamped(
            [
                {
                    "checkpoint": b,
                    "item_id": item,
                    "model_a": a,
                    "model_b": b,
                    "chosen_by": "anchor",
                }
                for item, _ in items
                for a, b in PAIRS
            ],
            "pair_plan",
        ),
    }


def columns_of(table: pa.Table, columns: Sequence[str] | None = None) -> pa.Table:
    return table if columns is None else table.select(columns)


def run(stage: Stage, contract: Contract, given: Mapping[str, pa.Table]) -> Computed:
    readable = {name: partial(columns_of, given[name]) for name in stage.reads if name in given}
    inputs = StageInputs(contract, DataRoot(Path("nowhere")), readable)
    computed = stage.compute(inputs)
    for check in stage.checks:
        assert check.finds(inputs, computed) is None
    return computed


def chain(contract: Contract, given: dict[str, pa.Table]) -> dict[str, Computed]:
    given = dict(given)
    done = {}
    for module in (raters, awaited_votes, judge_audits, judge_licences, pair_outcomes):
        if module is raters and "annotations" not in given:
            continue
        done[module.STAGE.name] = run(module.STAGE, contract, given)
        given |= done[module.STAGE.name].tables
    return done


def of_all(done: Mapping[str, Computed]) -> Mapping[str, Any]:
    """The licence of the one judge on all pairs."""
    rows = done["judge_licences"].tables["judge_licences"].to_pylist()
    return next(row for row in rows if row["slice"] == "all")


def test_an_honest_judge_is_licensed_and_its_outcomes_are_free(contract: Contract) -> None:
    made = planted(Bias(0.01, 0.0, 0.01), 200, np.random.default_rng(1))
    done = chain(contract, tables(made))
    licence = of_all(done)
    assert licence["outcome"] == "licensed", licence["reason"]
    outcomes = done["pair_outcomes"].tables["pair_outcomes"]
    assert outcomes.num_rows == 2 * 200 * len(PAIRS)
    assert outcomes["quarantined"].to_pylist() == [False] * outcomes.num_rows


def test_a_biased_judge_is_refused_and_its_outcomes_are_quarantined(contract: Contract) -> None:
    made = planted(Bias(0.1, 0.0, 0.0), 200, np.random.default_rng(2))
    done = chain(contract, tables(made))
    licence = of_all(done)
    assert (licence["outcome"], licence["failed_audits"]) == ("refused", "position_effect")
    outcomes = done["pair_outcomes"].tables["pair_outcomes"].to_pylist()
    assert {row["judge"] for row in outcomes if row["quarantined"]} == {"judge", "panel"}


def test_rows_of_all_inputs_may_stand_in_any_order(contract: Contract) -> None:
    made = planted(Bias(0.03, 0.02, 0.02), 30, np.random.default_rng(3), lost=0.05)
    given = tables(made)
    backwards = {
        name: table.take(np.arange(table.num_rows)[::-1].copy()) for name, table in given.items()
    }
    one, other = chain(contract, given), chain(contract, backwards)
    for name, computed in one.items():
        for table, found in computed.tables.items():
            assert found.equals(other[name].tables[table]), table


def test_a_failed_reply_forfeits_and_tells_nothing_of_the_judge(contract: Contract) -> None:
    made = planted(Bias(), 30, np.random.default_rng(4))
    model, item = "tern@1", "i00003"
    done = chain(contract, tables(made, failed=(model, item)))
    rows = done["pair_outcomes"].tables["pair_outcomes"].to_pylist()
    lost = [
        row for row in rows if row["item_id"] == item and model in (row["model_a"], row["model_b"])
    ]
    assert len(lost) == 2 * 3
    for row in lost:
        forfeit_a = row["model_a"] == model
        assert row["category"] == ("forfeit_a" if forfeit_a else "forfeit_b")
        assert row["score_a"] == (0.0 if forfeit_a else 1.0)
    assert done["judge_audits"].notes == {"pairs_with_a_failed_reply": 3}


def test_slices_of_items_have_bars_and_pairs_and_families_are_described(
    contract: Contract,
) -> None:
    made = planted(Bias(), 30, np.random.default_rng(5))
    done = chain(contract, tables(made))
    rows = done["judge_audits"].tables["judge_audits"].to_pylist()
    of_pairs = {f"pair={a} v {b}" for a, b in PAIRS}
    of_families = {"family=heron", "family=tern"}
    assert {row["slice"] for row in rows} == {"all", "kind=a", "kind=b", *of_pairs, *of_families}
    barred = {"all", "kind=a", "kind=b"}
    assert {row["slice"] for row in rows if row["bar"] is not None} == barred
    assert {row["slice"] for row in rows if row["audit"] == "debiased_win_rate"} == of_pairs
    licences = done["judge_licences"].tables["judge_licences"].to_pylist()
    assert {row["slice"] for row in licences} == barred


def test_without_people_the_bars_that_need_them_stay_open(contract: Contract) -> None:
    given = tables(planted(Bias(), 60, np.random.default_rng(6)))
    del given["annotations"]
    done = chain(contract, given)
    licence = of_all(done)
    assert (licence["outcome"], licence["n_labels"]) == ("not_enough_labels", 0)
    assert "self_preference" in licence["failed_audits"]


def test_votes_outside_the_plan_are_counted_and_not_heard(contract: Contract) -> None:
    given = tables(planted(Bias(), 20, np.random.default_rng(7)))
    given["pair_plan"] = given["pair_plan"].slice(0, 30)
    done = chain(contract, given)["pair_outcomes"]
    assert done.tables["pair_outcomes"].num_rows == 2 * 30
    assert done.notes == {"judged_pairs_outside_the_plan": 20 * len(PAIRS) - 30}


def test_a_bar_on_injections_stays_unaudited(tmp_path: Path) -> None:
    text = WITH_BARS.replace(
        "self_preference: 0.06", "self_preference: 0.06, injection_success: 0.02"
    )
    contract = parsed(DataRoot(tmp_path), text)
    done = chain(contract, tables(planted(Bias(), 200, np.random.default_rng(8))))
    licence = of_all(done)
    assert licence["outcome"] == "not_enough_labels"
    assert licence["reason"].startswith("injection_success is not audited: recorded votes hold")


def test_a_few_votes_that_lack_are_missing_and_not_forgotten(contract: Contract) -> None:
    given = tables(planted(Bias(), 60, np.random.default_rng(9)))
    votes = given["judge_votes"]
    keep = [item != "i00000" for item in votes["item_id"].to_pylist()]
    given["judge_votes"] = votes.filter(pa.array(keep))
    done = chain(contract, given)
    rows = done["judge_audits"].tables["judge_audits"].to_pylist()
    whole = {row["audit"]: row for row in rows if row["slice"] == "all"}
    lost = len(PAIRS) * 2 * contract.judging.repeats
    recorded = 59 * len(PAIRS) * 2 * 2
    assert whole["missing_rate"]["estimate"] == pytest.approx(lost / (lost + recorded))
    assert whole["rate_missing"]["estimate"] == pytest.approx(1 / 60)


def test_votes_that_nobody_cast_yet_are_pending_and_no_failure(contract: Contract) -> None:
    given = tables(planted(Bias(0.01, 0.0, 0.01), 200, np.random.default_rng(9)))
    votes = given["judge_votes"]
    *early, late = sorted(set(given["pair_plan"]["checkpoint"].to_pylist()))
    given["judge_votes"] = of(votes, early)
    whole = chain(contract, given | {"pair_plan": of(given["pair_plan"], early)})
    done = chain(contract, given)
    awaited = {
        row["checkpoint"]: row for row in done["awaited_votes"].tables["awaited_votes"].to_pylist()
    }
    assert {name: row["pending"] for name, row in awaited.items()} == {
        **dict.fromkeys(early, False),
        late: True,
    }
    assert (awaited[late]["n_cast"], awaited[late]["n_due"] % 400) == (0, 0)
    audits = [one["judge_audits"].tables["judge_audits"] for one in (done, whole)]
    assert audits[0].equals(audits[1])
    outcomes = done["pair_outcomes"].tables["pair_outcomes"].to_pylist()
    waiting = {row["model_b"] for row in outcomes if row["category"] == "pending"}
    assert waiting == {late}
    cast = pair_outcomes.cast_pairs(done["pair_outcomes"].tables["pair_outcomes"])
    assert cast.equals(whole["pair_outcomes"].tables["pair_outcomes"])
    given["judge_votes"] = votes.slice(0, 0)
    assert of_all(chain(contract, given))["outcome"] == "not_enough_labels"


def of(table: pa.Table, checkpoints: list[str]) -> pa.Table:
    """The rows of these checkpoints."""
    return table.filter(pa.array([one in checkpoints for one in table["checkpoint"].to_pylist()]))
