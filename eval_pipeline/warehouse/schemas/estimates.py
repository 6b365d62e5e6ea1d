"""Tables of numbers with intervals, and of what follows from them."""

from eval_pipeline.warehouse.schemas.model import (
    BOOL,
    FLOAT,
    INT,
    STRING,
    STRINGS,
    Column,
    Table,
)
from eval_pipeline.warehouse.schemas.vocabulary import (
    DECISION_OUTCOMES,
    ESTIMATE_STATUSES,
    FRONTIER_STANDINGS,
)

INTERVAL = (
    Column("se", FLOAT, "Standard error.", nullable=True),
    Column("ci_low", FLOAT, "Lower end of the interval.", nullable=True),
    Column("ci_high", FLOAT, "Upper end of the interval.", nullable=True),
    Column("ci_method", STRING, "How the interval was made.", nullable=True),
    Column("confidence", FLOAT, "Nominal coverage, 0 to 1."),
)
STANDING = (
    Column(
        "status",
        STRING,
        "ok where the number exists, be it without an interval.",
        allowed=ESTIMATE_STATUSES,
    ),
    Column(
        "reason",
        STRING,
        "Why the number or its interval does not exist, or what it leaves out.",
        nullable=True,
    ),
)

METRIC_ESTIMATES = Table(
    "metric_estimates",
    "Every score of a checkpoint with its interval, counts and bounds.",
    "checkpoint",
    (
        Column("metric", STRING, "Label of the metric, such as pass@1 or refusal_rate."),
        Column("slice", STRING, "`all`, or name=value."),
        Column("policy", STRING, "`primary`, or the failure policy of a sensitivity row."),
        Column("value", FLOAT, "The estimate.", nullable=True),
        *INTERVAL,
        Column("unit", STRING, "Unit of analysis: the column that clusters are made of."),
        Column("n_units", INT, "Clusters that the interval rests on."),
        Column("n_items", INT, "Items in the estimate."),
        Column("n_samples", INT, "Samples in the estimate."),
        Column("n_excluded", INT, "Samples left out by the failure policy."),
        Column(
            "bound_low",
            FLOAT,
            "Lowest reading of what is missing, over all items: left out, all wrong, all right.",
            nullable=True,
        ),
        Column("bound_high", FLOAT, "Highest reading of what is missing.", nullable=True),
        Column("aggregation", STRING, "How draws and items were averaged."),
        Column("instrument", STRING, "Name and version of the metric."),
        *STANDING,
        Column("measured_in", STRING, "Unit of the value: share, nats, points.", nullable=True),
        Column("higher_is_better", BOOL, "Null where neither direction is better.", nullable=True),
    ),
    key=("metric", "slice", "policy"),
    version=2,
)

RELIABILITY_BINS = Table(
    "reliability_bins",
    "Stated chances of being right against the share that is right, by bin of the chance.",
    "checkpoint",
    (
        Column("metric", STRING, "Label of the calibration error that has these bins."),
        Column("bin", INT, "Number of the bin, from 0; bins without samples have no row."),
        Column("low", FLOAT, "Lower edge of the bin, or its least chance under equal_mass."),
        Column("high", FLOAT, "Upper edge of the bin, or its greatest chance under equal_mass."),
        Column("n_samples", INT, "Samples in the bin."),
        Column("mean_confidence", FLOAT, "Mean stated chance of being right, 0 to 1."),
        Column("share_right", FLOAT, "Share of the samples that are right, 0 to 1."),
        Column("ci_low", FLOAT, "Lower end of the share's interval.", nullable=True),
        Column("ci_high", FLOAT, "Upper end of the share's interval.", nullable=True),
        Column("ci_method", STRING, "How the interval was made.", nullable=True),
        Column("confidence", FLOAT, "Nominal coverage, 0 to 1."),
    ),
    key=("metric", "bin"),
)

CONTAMINATION_DELTA = Table(
    "contamination_delta",
    "Each checkpoint's score on all items, on clean ones, and the difference.",
    "contract",
    (
        Column("checkpoint", STRING, "Name of the checkpoint."),
        Column("metric", STRING, "Label of the metric."),
        Column("n_all", INT, "Items scored."),
        Column("n_clean", INT, "Items scored and clean."),
        Column("value_all", FLOAT, "Score on all items.", nullable=True),
        Column("value_clean", FLOAT, "Score on clean items.", nullable=True),
        Column("difference", FLOAT, "All minus clean.", nullable=True),
        *INTERVAL,
        *STANDING,
        Column(
            "matched_difference",
            FLOAT,
            "Flagged minus clean items of the same difficulty.",
            nullable=True,
        ),
        Column("matched_se", FLOAT, "Its standard error.", nullable=True),
        Column("matched_low", FLOAT, "Lower end of its interval.", nullable=True),
        Column("matched_high", FLOAT, "Upper end of its interval.", nullable=True),
        Column("matched_on", STRING, "What difficulty was taken from.", nullable=True),
        Column("n_flagged", INT, "Scored items that are not clean.", nullable=True),
        Column("n_unmatched", INT, "Those without a clean item as hard.", nullable=True),
        Column("matched_reason", STRING, "Why the matched one does not exist.", nullable=True),
    ),
    key=("checkpoint", "metric"),
    version=2,
)

PAIRED_COMPARISONS = Table(
    "paired_comparisons",
    "Candidate minus baseline on the items that both answered.",
    "contract",
    (
        Column("checkpoint", STRING, "The candidate."),
        Column("baseline", STRING, "What it is compared with."),
        Column("role", STRING, "Why this baseline.", allowed=("reference", "parent")),
        Column("metric", STRING, "Label of the metric."),
        Column("slice", STRING, "`all`, or name=value."),
        Column("difference", FLOAT, "Candidate minus baseline.", nullable=True),
        *INTERVAL,
        Column("p_value", FLOAT, "Two-sided, of no difference.", nullable=True),
        Column("p_adjusted", FLOAT, "After the contract's multiplicity.", nullable=True),
        Column("adjustment", STRING, "Multiplicity rule."),
        Column("n_shared", INT, "Items that both answered."),
        Column("n_unshared", INT, "Items that only one of them answered."),
        Column("n_clusters", INT, "Clusters of the shared items."),
        Column("bound_low", FLOAT, "Difference, worst case of what is missing.", nullable=True),
        Column("bound_high", FLOAT, "Difference, best case of what is missing.", nullable=True),
        Column("items_won", STRINGS, "Items on which the candidate scores higher."),
        Column("items_lost", STRINGS, "Items on which the baseline scores higher."),
        *STANDING,
        Column("quarantined", BOOL, "Whether no judge behind it is licensed.", nullable=True),
    ),
    key=("checkpoint", "baseline", "role", "metric", "slice"),
    version=2,
)

DECISIONS = Table(
    "decisions",
    "What the contract's rule says of each checkpoint.",
    "contract",
    (
        Column("checkpoint", STRING, "Name of the checkpoint."),
        Column("reference", STRING, "What it was held against.", nullable=True),
        Column("outcome", STRING, "The decision.", allowed=DECISION_OUTCOMES),
        Column("reason_code", STRING, "One word for programs."),
        Column("reason", STRING, "One sentence for people."),
        Column("rule", STRING, "superior, non_inferior or equivalent.", nullable=True),
        Column("margin", FLOAT, "Margin of the rule.", nullable=True),
        Column("metric", STRING, "Label of the primary endpoint."),
        Column("difference", FLOAT, "Candidate minus reference.", nullable=True),
        *INTERVAL,
        Column("n_shared", INT, "Items that both answered."),
        Column("n_needed", INT, "Items that would decide, if not enough.", nullable=True),
        Column("guardrails", STRING, "Each guardrail with its value and verdict, JSON list."),
        Column("quarantined", BOOL, "Whether it rests on a judge without a licence."),
        Column("draft", BOOL, "Whether the contract is a draft."),
        Column(
            "quality",
            FLOAT,
            "Primary endpoint as it is traded off; judged: against the reference, minus one half.",
            nullable=True,
        ),
        Column("quality_low", FLOAT, "Lower end of its interval.", nullable=True),
        Column("quality_high", FLOAT, "Upper end of its interval.", nullable=True),
        Column("cost_usd", FLOAT, "Mean price of a sample, US dollars.", nullable=True),
        Column("tokens_out", FLOAT, "Mean reply tokens of a sample.", nullable=True),
        Column("latency_ms", FLOAT, "Mean wall time of a sample, milliseconds.", nullable=True),
        Column(
            "frontier",
            STRING,
            "Place among quality, cost and latency.",
            nullable=True,
            allowed=FRONTIER_STANDINGS,
        ),
        Column("frontier_reason", STRING, "Why it has that place.", nullable=True),
    ),
    key=("checkpoint",),
    version=3,
)

REPORT = Table(
    "report",
    "The self-contained HTML report, one row.",
    "contract",
    (
        Column("title", STRING, "Title of the page."),
        Column("html", STRING, "The page."),
    ),
    key=("title",),
)

ESTIMATES = (
    METRIC_ESTIMATES,
    RELIABILITY_BINS,
    CONTAMINATION_DELTA,
    PAIRED_COMPARISONS,
    DECISIONS,
    REPORT,
)
