"""The verifier: which it is, how often it errs by people's word, and what held its programs."""

import json

from eval_pipeline.reporting.markup import Markup, data_table, interval, join, tag
from eval_pipeline.reporting.page import badge
from eval_pipeline.reporting.tables import ReportTables, Row

RATES = {
    "false_negative": ("false negatives", "right replies that it turned down"),
    "false_positive": ("false positives", "wrong replies that it passed"),
    "error": ("any error", "verdicts that are wrong"),
}
LEVELS = {"full": "good", "partial": "wait", "none": "bad"}


def verifier(tables: ReportTables) -> Markup | None:
    """Its name and options, the audit by people, and the sandbox of each checkpoint."""
    asked = tables.body.get("verification")
    if not asked:
        return None
    options = asked.get("options") or {}
    said = f" with {json.dumps(options, ensure_ascii=False, sort_keys=True)}" if options else ""
    return join(
        tag("p", f"{asked['extraction']} + {asked['verifier']}{said}", class_="mono"),
        _audit(tables.audit, f"{tables.body['contract']} --version {tables.body['version']}"),
        _sandboxes(tables),
    )


def _audit(audit: Row | None, contract: str) -> Markup:
    if audit is None:
        return tag(
            "p",
            "How often it errs is not known: no person has checked its verdicts. ",
            tag("span", f"eval-pipeline audit export {contract} --checkpoint ...", class_="mono"),
            " makes a sheet to fill.",
        )
    shown = [
        {
            "rate": name,
            "of": what,
            "value": audit[key]["reason"]
            or interval(audit[key]["value"], audit[key]["low"], audit[key]["high"]),
            "events": audit[key]["events"],
            "n": audit[key]["n"],
        }
        for key, (name, what) in RATES.items()
    ]
    people = ", ".join(f"{name} {count}" for name, count in audit["by"].items())
    disputed = audit["disputed"]
    left_out = f" {disputed} left out, on which they disagree." if disputed else ""
    caption = (
        f"{audit['n']} verdicts checked by people ({people}), drawn at random, one a cluster."
        f"{left_out} {audit['confidence']:.0%} Clopper-Pearson intervals."
    )
    columns = {"rate": "Rate", "of": "Share of", "value": "Estimate", "events": "Events", "n": "Of"}
    return data_table(shown, columns, caption, ("value", "events", "n"))


def _sandboxes(tables: ReportTables) -> Markup | None:
    """What held the programs of each checkpoint; nothing for a verifier that runs none."""
    rows = {name: notes for name, notes in tables.worked.items() if "sandbox_level" in notes}
    if not rows:
        return None
    shown = [
        {
            "checkpoint": name,
            "level": badge(rows[name]["sandbox_level"], LEVELS[rows[name]["sandbox_level"]]),
            "sandbox": rows[name]["sandbox"],
            "lacks": rows[name].get("sandbox_lacks"),
            "memory": rows[name].get("sandbox_memory_of_a_run"),
            "limits": rows[name].get("limits_of_a_run"),
        }
        for name in sorted(rows)
    ]
    columns = {
        "checkpoint": "Checkpoint",
        "level": "Sandbox level",
        "sandbox": "Sandbox",
        "lacks": "Lacks",
        "memory": "Memory of a whole run",
        "limits": "Limits of a run",
    }
    caption = "What held the programs when the scores were computed, as its self-test found it."
    return data_table(shown, columns, caption)
