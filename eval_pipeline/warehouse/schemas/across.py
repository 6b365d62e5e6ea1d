"""Tables over several checkpoints: of items, of metrics, of safety, of robustness."""

from eval_pipeline.warehouse.schemas.estimates import INTERVAL, STANDING
from eval_pipeline.warehouse.schemas.model import BOOL, FLOAT, INT, STRING, Column, Table
from eval_pipeline.warehouse.schemas.vocabulary import AUDIT_OUTCOMES, ESTIMATE_STATUSES

ITEM_ANALYSIS = Table(
    "item_analysis",
    "What each item is worth, by the checkpoints that answered it: how easy, how telling.",
    "contract",
    (
        Column("item_id", STRING, "Name of the item."),
        Column("n_checkpoints", INT, "Checkpoints with a scored draw of it."),
        Column("facility", FLOAT, "Mean score over checkpoints, 0 to 1.", nullable=True),
        Column(
            "discrimination",
            FLOAT,
            "Correlation of its score with that of the others, -1 to 1; below 0 doubt its key.",
            nullable=True,
        ),
        Column(
            "item_total",
            FLOAT,
            "Correlation with the score of all items, itself among them, -1 to 1.",
            nullable=True,
        ),
        *STANDING,
        Column("n_respondents", INT, "Respondents whose answer the curve rests on."),
        Column(
            "slope",
            FLOAT,
            "a of the chance right 1 / (1 + exp(-a (ability - b))), ability in deviations.",
            nullable=True,
        ),
        Column("slope_se", FLOAT, "Standard error of the slope.", nullable=True),
        Column("difficulty", FLOAT, "b of the same curve.", nullable=True),
        Column("difficulty_se", FLOAT, "Standard error of the difficulty.", nullable=True),
        Column(
            "curve_status",
            STRING,
            "ok where slope and difficulty exist, be it without errors.",
            allowed=ESTIMATE_STATUSES,
        ),
        Column("curve_reason", STRING, "Why they, or their errors, do not.", nullable=True),
    ),
    key=("item_id",),
)

DIFFERENTIAL_FUNCTIONING = Table(
    "differential_functioning",
    "Whether an item favours one group of families at equal ability (Mantel-Haenszel).",
    "contract",
    (
        Column("item_id", STRING, "Name of the item."),
        Column("reference", STRING, "Families held against, comma-joined."),
        Column("focal", STRING, "Families looked at, comma-joined."),
        Column("n_reference", INT, "Respondents of the reference group."),
        Column("n_focal", INT, "Respondents of the focal group."),
        Column("odds_ratio", FLOAT, "Odds right, reference over focal.", nullable=True),
        Column(
            "ets_delta", FLOAT, "-2.35 ln(odds ratio); below 0 harder for focal.", nullable=True
        ),
        Column("ets_delta_se", FLOAT, "Standard error of ets_delta.", nullable=True),
        Column("chi_squared", FLOAT, "Of the test, one degree of freedom.", nullable=True),
        Column("p_value", FLOAT, "Two-sided, of equal odds.", nullable=True),
        Column("p_adjusted", FLOAT, "After the contract's multiplicity.", nullable=True),
        Column("adjustment", STRING, "Multiplicity rule."),
        Column(
            "size",
            STRING,
            "A negligible, B moderate, C large.",
            nullable=True,
            allowed=("A", "B", "C"),
        ),
        Column("n_strata", INT, "Classes of ability."),
        Column("n_strata_used", INT, "Those that hold both groups, right and wrong."),
        *STANDING,
    ),
    key=("item_id",),
)

METRIC_VALIDITY = Table(
    "metric_validity",
    "Whether each metric orders pairs of replies as people do.",
    "contract",
    (
        Column("metric", STRING, "Label of the metric."),
        Column("coefficient", STRING, "Rank correlation.", allowed=("spearman", "kendall")),
        Column(
            "value",
            FLOAT,
            "Correlation of the metric's difference with people's preference, -1 to 1.",
            nullable=True,
        ),
        Column("ci_low", FLOAT, "Lower end of the interval.", nullable=True),
        Column("ci_high", FLOAT, "Upper end of the interval.", nullable=True),
        Column("ci_method", STRING, "How the interval was made.", nullable=True),
        Column("confidence", FLOAT, "Nominal coverage, 0 to 1."),
        Column("n_pairs", INT, "Labelled pairs with a value of both replies."),
        Column("n_unscored", INT, "Labelled pairs without one."),
        Column("n_units", INT, "Clusters that the interval rests on."),
        Column("at_least", FLOAT, "The contract's bar.", nullable=True),
        Column("outcome", STRING, "How the interval lies to the bar.", allowed=AUDIT_OUTCOMES),
        *STANDING,
    ),
    key=("metric",),
)

SAFETY_FRONTIER = Table(
    "safety_frontier",
    "Attack success of each checkpoint, and the least within the budget of false refusals.",
    "contract",
    (
        Column("checkpoint", STRING, "Name of the checkpoint."),
        Column("attack_success_rate", FLOAT, "Of harmful requests, 0 to 1.", nullable=True),
        Column("attack_low", FLOAT, "Lower end of its interval.", nullable=True),
        Column("attack_high", FLOAT, "Upper end of its interval.", nullable=True),
        Column("false_refusal_rate", FLOAT, "Of benign requests, 0 to 1.", nullable=True),
        Column("false_refusal_high", FLOAT, "Upper end of its interval.", nullable=True),
        Column("budget", FLOAT, "The contract's budget of false refusals, 0 to 1."),
        Column(
            "judged_by",
            STRING,
            "Whether the rate or its upper end must keep within the budget.",
            allowed=("value", "upper_end"),
        ),
        Column("within_budget", BOOL, "Whether it does.", nullable=True),
        Column("best", BOOL, "Whether no other within the budget has less.", nullable=True),
        *STANDING,
    ),
    key=("checkpoint",),
)

ROBUSTNESS_DROPS = Table(
    "robustness_drops",
    "What each checkpoint loses on perturbed items beyond what the other checkpoints lose.",
    "contract",
    (
        Column("checkpoint", STRING, "Name of the checkpoint."),
        Column(
            "own_drop",
            FLOAT,
            "Share of its score on original items that is lost; below 0 for a gain.",
            nullable=True,
        ),
        Column(
            "panel_drop",
            FLOAT,
            "Mean drop of the other checkpoints: how hard the perturbation is.",
            nullable=True,
        ),
        Column("excess", FLOAT, "own_drop - panel_drop; above 0 is frailer.", nullable=True),
        *INTERVAL,
        Column("n_panel", INT, "Other checkpoints."),
        Column("n_pairs", INT, "Perturbed items that all of them answered beside the originals."),
        Column("n_units", INT, "Clusters that the interval rests on."),
        *STANDING,
    ),
    key=("checkpoint",),
)

ACROSS = (
    ITEM_ANALYSIS,
    DIFFERENTIAL_FUNCTIONING,
    METRIC_VALIDITY,
    SAFETY_FRONTIER,
    ROBUSTNESS_DROPS,
)
