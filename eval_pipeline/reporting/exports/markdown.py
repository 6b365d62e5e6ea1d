"""Markdown for a pull request: the verdicts first, then the numbers, in a remark of its own.

The identity stands in a comment, so that a program can replace its own remark.
"""

from eval_pipeline.reporting.escaping import for_markdown
from eval_pipeline.reporting.exports.export import Export, Files, interval
from eval_pipeline.reporting.unjudged import unjudged
from eval_pipeline.rows.leaderboard import LeaderboardRow

MOST_ROWS = 30  # of checkpoints; the others are counted
MOST_CHARACTERS = 65_000
SIGNS = {"ship": "SHIP", "reject": "REJECT", "blocked": "BLOCKED"}


def written(export: Export) -> Files:
    """One remark of at most 60 lines."""
    rows = export.rows[:MOST_ROWS]
    first = export.rows[0] if export.rows else None
    lines = [f"<!-- eval_pipeline {export.contract} {export.identity} -->"]
    lines += [f"### {_verdict(export)}", ""]
    if first is not None:
        head = for_markdown(first["quantity"])
        held = f"{first['confidence']:.0%} interval"
        lines += [
            f"| checkpoint | {head} | {held} | not judged | n | decision |",
            "|---|--:|---|--:|--:|---|",
            *map(_line, rows),
        ]
        if beyond := len(export.rows) - len(rows):
            lines.append(f"\nand {beyond} further checkpoints")
        lines += ["", f"{for_markdown(first['terms'])}."]
    lines += ["", *_notes(export), f"<sub>identity {export.identity}</sub>"]
    return {f"{export.contract}.md": "\n".join(lines)[:MOST_CHARACTERS] + "\n"}


def _verdict(export: Export) -> str:
    words = [
        f"{for_markdown(row['checkpoint'])}: {SIGNS.get(row['outcome'], 'not enough data')}"
        for row in export.rows
        if row["outcome"] is not None and row["outcome"] != "reference"
    ]
    said = ", ".join(words[:MOST_ROWS]) or "nothing is decided"
    return f"{for_markdown(export.title)}: {said}"


def _line(row: LeaderboardRow) -> str:
    share = unjudged(row)
    cells = (
        for_markdown(row["checkpoint"]),
        "-" if row["value"] is None else f"{row['value']:.4f}",
        for_markdown(interval(row)),
        "-" if share is None else f"{share.share:.1%}",
        "-" if row["n_items"] is None else str(row["n_items"]),
        for_markdown(row["decision_reason"] or row["reason"] or "-"),
    )
    return f"| {' | '.join(cells)} |"


def _notes(export: Export) -> list[str]:
    found = [
        f"- {for_markdown(row['checkpoint'])}: {for_markdown(said)}"
        for row in export.rows
        for said in (row["leak_note"], row["quarantine_reason"], row["votes_pending"])
        if said
    ]
    if not found:
        return []
    shown = found[:10]
    more = [f"- and {len(found) - len(shown)} further notes"] if len(found) > len(shown) else []
    return ["<details><summary>Notes</summary>", "", *shown, *more, "", "</details>", ""]
