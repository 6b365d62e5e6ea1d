"""The report of one contract version: a single HTML file."""

from eval_pipeline.reporting.page import page
from eval_pipeline.reporting.sections import (
    across,
    against_labels,
    agreement,
    judge_scores,
    judging,
    measures,
    provenance,
    scores,
    standing,
    tradeoff,
    verifying,
)
from eval_pipeline.reporting.sections import contamination as contaminated
from eval_pipeline.reporting.sections import missing as failed
from eval_pipeline.reporting.tables import ReportTables


def report_title(tables: ReportTables) -> str:
    """`name v1: the question`."""
    return f"{tables.body['contract']} v{tables.body['version']}"


def report_html(tables: ReportTables) -> str:
    """The page; sections of tables that the contract does not have are left out."""
    sections = (
        ("decisions", "Decisions", standing.decisions(tables)),
        ("frontier", "Quality, cost and latency", tradeoff.trade_off(tables)),
        ("leaderboard", "Leaderboard", scores.leaderboard(tables)),
        ("ratings", "Ratings", judging.ratings(tables)),
        ("length", "Length control", judging.length_control(tables)),
        ("scores", "Judges' scores", judge_scores.scores(tables)),
        ("judges", "Judges", judging.licences(tables)),
        ("labels", "Judges against labels", against_labels.against_labels(tables)),
        ("comparisons", "Paired differences", scores.comparisons(tables)),
        ("metrics", "Further metrics", measures.measures(tables)),
        ("validity", "Metrics against people", across.validity(tables)),
        ("safety", "Safety within the budget", across.frontier(tables)),
        ("robustness", "Robustness beside the others", across.robustness(tables)),
        ("statuses", "Samples by status", scores.statuses(tables)),
        ("verifier", "Verifier", verifying.verifier(tables)),
        ("agreement", "Ours and the publisher's", agreement.agreement(tables)),
        ("missing", "What failures may do", failed.missing(tables)),
        ("items", "Items", across.items(tables)),
        ("contamination", "Contamination", contaminated.contamination(tables)),
        ("planted", "Recovered against planted", provenance.planted(tables)),
        ("estimates", "All estimates", scores.metrics(tables)),
        ("manifests", "Run manifests", provenance.manifests(tables)),
        ("contract", "Contract", provenance.contract_body(tables)),
    )
    present = [(anchor, heading, body) for anchor, heading, body in sections if body is not None]
    return page(report_title(tables), standing.head(tables), present)
