"""What the corpora hold of the benchmark, and what it does to the scores."""

from collections import Counter

from eval_pipeline.reporting.escaping import shortened
from eval_pipeline.reporting.markup import Markup, data_table, interval, join, tag
from eval_pipeline.reporting.tables import ReportTables


def contamination(tables: ReportTables) -> Markup | None:
    """Items by verdict, the score without them, the evidence, and how good the rule is."""
    items = tables.of("contamination_items")
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
            f"Items by verdict, rule {items[0]['rule']}. Only clean means clean.",
            statuses,
        ),
        _delta(tables),
        _validation(tables),
        _evidence(tables),
    )


def _delta(tables: ReportTables) -> Markup | None:
    rows = tables.of("contamination_delta")
    if not rows:
        return None
    shown = [
        {
            "checkpoint": row["checkpoint"],
            "metric": row["metric"],
            "all": row["value_all"],
            "clean": row["value_clean"],
            "difference": interval(row["difference"], row["ci_low"], row["ci_high"]),
            "n": f"{row['n_clean']} of {row['n_all']}",
            "note": row["reason"],
        }
        for row in rows
    ]
    return join(
        tag("h3", "Score with and without the flagged items"),
        data_table(
            shown,
            {
                "checkpoint": "Checkpoint",
                "metric": "Metric",
                "all": "All items",
                "clean": "Clean only",
                "difference": "All minus clean",
                "n": "Clean items",
                "note": "Note",
            },
            None,
            ("all", "clean", "difference", "n"),
        ),
    )


def _validation(tables: ReportTables) -> Markup | None:
    rows = tables.of("contamination_validation")
    if not rows:
        return None
    shown = [
        {
            "mechanism": row["mechanism"].replace("_", " "),
            "found": f"{row['n_found']} of {row['n_planted']}" if row["n_planted"] else None,
            "missed": interval(row["miss_rate"], row["miss_low"], row["miss_high"])
            if row["n_planted"]
            else None,
            "false": f"{row['n_false']} of {row['n_negatives']}" if row["n_negatives"] else None,
            "upper": row["false_high"],
            "calibrated": "yes" if row["calibrated"] else "not calibrated",
        }
        for row in rows
    ]
    return join(
        tag("h3", "How good the rule is on planted text"),
        data_table(
            shown,
            {
                "mechanism": "Planted as",
                "found": "Found",
                "missed": "Miss rate",
                "false": "Clean text flagged",
                "upper": "Upper bound",
                "calibrated": "Calibrated",
            },
            None,
            ("found", "missed", "false", "upper"),
        ),
    )


def _evidence(tables: ReportTables) -> Markup | None:
    hits = tables.of("contamination_hits")
    if not hits:
        return None
    total = tables.totals.get("contamination_hits", len(hits))
    blocks = []
    for row in hits:
        where = f"{row['corpus']}, {row['shard']}, document {row['document']}"
        blocks.append(
            tag(
                "div",
                tag("p", tag("strong", row["item_id"]), f" ({row['field']}) in {where}"),
                tag("blockquote", "Item: ", shortened(row["excerpt_item"], 300)),
                tag("blockquote", "Corpus: ", shortened(row["excerpt_document"], 300)),
            )
        )
    return tag(
        "details",
        tag("summary", f"The strongest {len(hits)} of {total} overlaps, with their text"),
        *blocks,
    )
