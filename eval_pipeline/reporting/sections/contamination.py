"""What the corpora hold of the benchmark, and what it does to the scores."""

from collections import Counter
from collections.abc import Sequence

from eval_pipeline.reporting.escaping import shortened
from eval_pipeline.reporting.figures.charts import Whisker, interval_figure
from eval_pipeline.reporting.markup import Markup, data_table, interval, join, p_value, tag
from eval_pipeline.reporting.page import figure
from eval_pipeline.reporting.tables import ReportTables, Row
from eval_pipeline.rows.contamination import (
    ContaminationEvidenceRow,
    ContaminationHitsRow,
    ContaminationItemsRow,
    ContaminationValidationRow,
    NearDuplicatesRow,
)
from eval_pipeline.rows.estimates import ContaminationDeltaRow

SHOWN_PAIRS = 8


def contamination(tables: ReportTables) -> Markup | None:
    """Items by verdict, the score without them, the evidence, and how good the rule is."""
    items = tables.rows_of(ContaminationItemsRow)
    if not items:
        return None
    counts = Counter((row["field"], row["status"]) for row in items)
    fields = sorted({field for field, _ in counts})
    statuses = sorted({status for _, status in counts})
    shown = [
        {"field": field, **{status: counts[field, status] for status in statuses}}
        for field in fields
    ]
    return join(
        data_table(
            shown,
            {"field": "Field", **{status: status.replace("_", " ") for status in statuses}},
            f"Items by verdict, rule {_rule(tables)}. Only clean means clean.",
            statuses,
        ),
        _review(tables),
        _delta(tables),
        _validation(tables),
        _near_duplicates(tables),
        _log_probabilities(tables),
        _evidence(tables),
    )


def _rule(tables: ReportTables) -> str:
    """The rule with its threshold; a threshold without its validation is not shown."""
    name = str(tables.rows_of(ContaminationItemsRow)[0]["rule"])
    validation = tables.rows_of(ContaminationValidationRow)
    if not validation or validation[0]["threshold"] is None:
        return name
    standing = "calibrated" if validation[0]["calibrated"] else "not calibrated"
    return f"{name}, least share of n-grams {validation[0]['threshold']:g}, {standing}"


def _review(tables: ReportTables) -> Markup:
    rows = tables.rows_of(ContaminationItemsRow)
    waiting = sum(
        row["status"] in ("review", "short_exact", "low_information") and row["review"] != "decided"
        for row in rows
    )
    told = Counter(row["review"] for row in rows if row["review"])
    people = ", ".join(
        sorted({row["reviewer"] or "" for row in rows if row["review"] == "decided"})
    )
    text = f"{waiting} wait for a person (eval-pipeline review export)"
    if told["decided"]:
        text += f"; {told['decided']} decided by {people}, as the verdicts say"
    if told["void"]:
        text += f"; {told['void']} decisions are void, as the evidence changed since"
    if told["disputed"]:
        text += f"; on {told['disputed']} people disagree"
    return tag("p", f"Review: {text}.")


def _delta(tables: ReportTables) -> Markup | None:
    rows = tables.rows_of(ContaminationDeltaRow)
    if not rows:
        return None
    shown = [
        {
            "checkpoint": row["checkpoint"],
            "metric": row["metric"],
            "all": row["value_all"],
            "clean": row["value_clean"],
            "difference": interval(row["difference"], row["ci_low"], row["ci_high"]),
            "matched": interval(row["matched_difference"], row["matched_low"], row["matched_high"]),
            "n": _of(row["n_clean"], row["n_all"]),
            "note": _delta_note(row),
        }
        for row in rows
    ]
    return join(
        tag("h3", "Score with and without the flagged items"),
        _delta_figure(tables),
        data_table(
            shown,
            {
                "checkpoint": "Checkpoint",
                "metric": "Metric",
                "all": "All items",
                "clean": "Clean only",
                "difference": "All minus clean",
                "matched": "Flagged minus clean, same difficulty",
                "n": "Clean items",
                "note": "Note",
            },
            "Difficulty is an item's mean score over other checkpoints, cut into at most five "
            "classes; within each, flagged items are held against clean ones. "
            + " ".join(_matched_on(rows)),
            ("all", "clean", "difference", "matched", "n"),
        ),
    )


def _matched_on(rows: Sequence[Row]) -> list[str]:
    """What the difficulty for each checkpoint rests on, a sentence each."""
    told = {row["checkpoint"]: row["matched_on"] for row in rows if row["matched_on"]}
    return [f"For {checkpoint}: {what}." for checkpoint, what in sorted(told.items())]


def _delta_figure(tables: ReportTables) -> Markup | None:
    """The gap of the primary metric at the same difficulty, a checkpoint a line."""
    contract = tables.one("contract")
    metric = contract["primary_endpoint"] if contract else None
    own = [row for row in tables.rows_of(ContaminationDeltaRow) if row["metric"] == metric]
    order = {name: i for i, name in enumerate(tables.checkpoints)}
    own.sort(key=lambda row: order.get(row["checkpoint"], len(order)))
    if not any(row["matched_difference"] is not None for row in own):
        return None
    whiskers = [
        Whisker(
            row["checkpoint"],
            row["matched_difference"],
            row["matched_low"],
            row["matched_high"],
            emphasis=(row["matched_low"] or 0.0) > 0,
        )
        for row in own
    ]
    svg = interval_figure(
        whiskers,
        f"{metric}: flagged minus clean items of the same difficulty",
        "Gain on flagged items of each checkpoint, with its interval",
        reference=0.0,
    )
    return figure(svg, "Right of the line: flagged items are answered better than they should be.")


def _delta_note(row: Row) -> str | None:
    notes = [row["reason"], row["matched_reason"]]
    if row["n_unmatched"] and not row["matched_reason"]:
        notes.append(f"{row['n_unmatched']} of {row['n_flagged']} flagged without a like")
    return "; ".join(note for note in notes if note) or None


def _validation(tables: ReportTables) -> Markup | None:
    rows = tables.rows_of(ContaminationValidationRow)
    if not rows:
        return None
    shown = [
        {
            "mechanism": row["mechanism"].replace("_", " "),
            "found": _of(row["n_found"], row["n_planted"]) if row["n_planted"] else None,
            "missed": interval(row["miss_rate"], row["miss_low"], row["miss_high"])
            if row["n_planted"]
            else None,
            "false": _of(row["n_false"], row["n_negatives"]) if row["n_negatives"] else None,
            "upper": row["false_high"],
            "note": row["reason"] if row["status"] != "ok" else None,
        }
        for row in sorted(rows, key=_standing_first)
    ]
    doubt = next((row["reason"] for row in rows if not row["calibrated"]), None)
    return join(
        tag("h3", "How good the rule is on planted text"),
        tag("p", tag("strong", doubt)) if doubt else None,
        data_table(
            shown,
            {
                "mechanism": "Planted, or clean, as",
                "found": "Found",
                "missed": "Miss rate",
                "false": "Clean text flagged",
                "upper": "Upper bound",
                "note": "Note",
            },
            "One half of leaks and clean text chose the threshold; this is the other. Intervals "
            "are Clopper-Pearson, the upper bound is one-sided.",
            ("found", "missed", "false", "upper"),
        ),
    )


def _standing_first(row: Row) -> tuple[bool, bool, list[tuple[str, int]]]:
    """Leaks before clean text, what was tried before what could not be, 5 % before 15 %."""
    words = row["mechanism"].split("_")
    parts = [("", int(word)) if word.isdigit() else (word, 0) for word in words]
    return row["n_negatives"] > 0, row["status"] != "ok", parts


def _of(some: int, every: int) -> str:
    """A count of another, on one line."""
    return f"{some}\u00a0of\u00a0{every}"


def _near_duplicates(tables: ReportTables) -> Markup | None:
    rows = tables.rows_of(NearDuplicatesRow)
    if not rows:
        return None
    counts = Counter((row["relation"], row["source"], row["field"], row["status"]) for row in rows)
    places = sorted({key[:3] for key in counts})
    shown = [
        {
            "where": {
                "benchmark": "inside the benchmark",
                "version": "another version",
                "corpus": "a corpus",
            }[relation],
            "source": source,
            "field": field,
            "duplicate": counts[relation, source, field, "duplicate"],
            "alike": counts[relation, source, field, "alike"],
        }
        for relation, source, field in places
    ]
    across = sum(row["relation"] == "benchmark" and bool(row["reason"]) for row in rows)
    likest = sorted(rows, key=lambda r: (-r["jaccard"], r["item_id"], r["other"]))[:SHOWN_PAIRS]
    pairs = [
        tag(
            "div",
            tag(
                "p",
                tag("strong", row["item_id"]),
                f" ({row['field']}) and {row['other']} of {row['source']}, "
                f"Jaccard {row['jaccard']:.2f}",
            ),
            tag("blockquote", shortened(row["excerpt_item"], 300)),
            tag("blockquote", shortened(row["excerpt_other"], 300)),
        )
        for row in likest
    ]
    return join(
        tag("h3", "Near-duplicates"),
        tag(
            "p",
            tag("strong", f"{across} pairs are of different clusters"),
            ": intervals take such items to be independent.",
        )
        if across
        else None,
        data_table(
            shown,
            {
                "where": "Where",
                "source": "Source",
                "field": "Field",
                "duplicate": "Pairs, Jaccard .8 and more",
                "alike": "Pairs, .5 to .8",
            },
            "Whole texts, compared exactly by 5-word shingles.",
            ("duplicate", "alike"),
        ),
        tag("details", tag("summary", f"The likest {len(pairs)} pairs, with their text"), *pairs),
    )


def _log_probabilities(tables: ReportTables) -> Markup | None:
    rows = [row for row in tables.rows_of(ContaminationEvidenceRow) if row["value"] is not None]
    if not rows:
        return None
    shown = [
        {
            "checkpoint": row["checkpoint"],
            "test": f"{row['test'].replace('_', ' ')}, {row['subject']}",
            "grade": row["grade"],
            "value": interval(row["value"], row["ci_low"], row["ci_high"]),
            "unit": row["unit"],
            "p": p_value(row["p_value"]),
            "n": row["n"],
            "note": row["reason"],
        }
        for row in rows
    ]
    return join(
        tag("h3", "Signs in the model itself"),
        data_table(
            shown,
            {
                "checkpoint": "Checkpoint",
                "test": "Test",
                "grade": "Grade",
                "value": "Value",
                "unit": "Unit",
                "p": "p, one-sided",
                "n": "n",
                "note": "Note",
            },
            "Evidence, never proof: each sign has other causes too.",
            ("value", "p", "n"),
        ),
    )


def _evidence(tables: ReportTables) -> Markup | None:
    hits = tables.rows_of(ContaminationHitsRow)
    if not hits:
        return None
    total = tables.totals.get("contamination_hits", len(hits))
    blocks = []
    for row in hits:
        where = f"{row['corpus']}, {row['shard']}, document {row['document']}"
        share = f"{row['window_ratio']:.0%} of its n-grams, {row['longest_span']} words in a row"
        blocks.append(
            tag(
                "div",
                tag("p", tag("strong", row["item_id"]), f" ({row['field']}) in {where}: {share}"),
                tag("blockquote", "Item: ", shortened(row["excerpt_item"], 300)),
                tag("blockquote", "Corpus: ", shortened(row["excerpt_document"], 300)),
            )
        )
    return tag(
        "details",
        tag("summary", f"The strongest {len(hits)} of {total} overlaps, with their text"),
        *blocks,
    )
