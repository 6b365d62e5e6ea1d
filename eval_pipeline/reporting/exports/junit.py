"""JUnit XML: a suite a contract, a case a decision, so that a build server shows what was decided.

There is no official schema; the elements are those that common readers of such files take.
"""

from xml.etree import ElementTree

from eval_pipeline.reporting.escaping import visible
from eval_pipeline.reporting.exports.export import Export, Files, beside, interval
from eval_pipeline.rows.leaderboard import LeaderboardRow

KINDS = {"reject": "failure", "blocked": "error", "not_enough_data": "skipped", None: "skipped"}


def written(export: Export) -> Files:
    """One file; a reference is no case, as nothing is decided on it."""
    decided = [row for row in export.rows if row["outcome"] != "reference"]
    counts = {
        kind: sum(KINDS.get(row["outcome"]) == kind for row in decided)
        for kind in ("failure", "error", "skipped")
    }
    named = {
        "name": export.title,
        "tests": str(len(decided)),
        "failures": str(counts["failure"]),
        "errors": str(counts["error"]),
        "skipped": str(counts["skipped"]),
    }
    suites = ElementTree.Element("testsuites", named)
    suite = ElementTree.SubElement(suites, "testsuite", {**named, "timestamp": export.written_at})
    properties = ElementTree.SubElement(suite, "properties")
    for name, value in (("contract_identity", export.identity), ("question", export.question)):
        ElementTree.SubElement(properties, "property", {"name": name, "value": _plain(value)})
    for row in decided:
        _case(suite, export, row)
    ElementTree.indent(suites)
    text = ElementTree.tostring(suites, encoding="unicode", xml_declaration=False)
    return {f"{export.contract}.xml": f'<?xml version="1.0" encoding="UTF-8"?>\n{text}\n'}


def _case(suite: ElementTree.Element, export: Export, row: LeaderboardRow) -> None:
    name = _plain(f"{row['checkpoint']}: {row['metric']}")
    case = ElementTree.SubElement(suite, "testcase", {"classname": export.contract, "name": name})
    kind = KINDS.get(row["outcome"])
    if kind is not None:
        value = "undefined" if row["value"] is None else f"{row['value']:.4f}"
        reason = row["decision_reason"] or row["reason"] or "nothing is decided"
        message = _plain(f"{reason}: {value} {interval(row)}")
        ElementTree.SubElement(case, kind, {"message": message, "type": row["reason_code"] or kind})
    told = "\n".join(f"{key}: {said}" for key, said in beside(export, row).items())
    ElementTree.SubElement(case, "system-out").text = _plain(told)


def _plain(text: str) -> str:
    """No character that XML 1.0 forbids, or that a screen would hide."""
    return visible(text)
