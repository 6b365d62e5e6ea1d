"""Tables in which the contract's own verdicts are held against those that a publisher recorded."""

from eval_pipeline.warehouse.schemas.model import FLOAT, INT, SMALL, STRING, Column, Table
from eval_pipeline.warehouse.schemas.vocabulary import SAMPLE_STATUSES, VERDICT_RELATIONS

RECORDED_VERDICTS = Table(
    "recorded_verdicts",
    "What a publisher said of each sample, beside what the contract's verifier says.",
    "checkpoint",
    (
        Column("item_id", STRING, "Name of the item."),
        Column("draw", SMALL, "Number of the draw, from 0."),
        Column("cluster_id", STRING, "Sampling unit of the item."),
        Column("relation", STRING, "How the two stand.", allowed=VERDICT_RELATIONS),
        Column("ours", FLOAT, "Our verdict, 0 to 1; null if not ok.", nullable=True),
        Column("ours_status", STRING, "Status of ours.", allowed=SAMPLE_STATUSES),
        Column("ours_detail", STRING, "What lies behind the status of ours.", nullable=True),
        Column("extracted", STRING, "The answer that our verdict is on.", nullable=True),
        Column("explanation", STRING, "Why our verdict is what it is."),
        Column("recorded", FLOAT, "The publisher's, 0 to 1; null if none is read.", nullable=True),
        Column(
            "recorded_detail", STRING, "Why none is read, or wrong for a score of 0.", nullable=True
        ),
        Column("recorded_explanation", STRING, "What the row says, and who graded."),
    ),
    key=("item_id", "draw"),
)


def _interval(of: str, what: str) -> tuple[Column, ...]:
    return (
        Column(of, FLOAT, what, nullable=True),
        Column(f"{of}_se", FLOAT, "Standard error.", nullable=True),
        Column(f"{of}_low", FLOAT, "Lower end of the interval.", nullable=True),
        Column(f"{of}_high", FLOAT, "Upper end of the interval.", nullable=True),
        Column(f"{of}_method", STRING, "How the interval was made.", nullable=True),
        Column(f"{of}_reason", STRING, "Why there is no number, or no interval.", nullable=True),
    )


VERDICT_AGREEMENT = Table(
    "verdict_agreement",
    "How far our verdicts agree with the recorded ones, on the samples that both judged.",
    "checkpoint",
    (
        Column("slice", STRING, "`all`, or step=name where a chain reads answers."),
        Column("metric", STRING, "The publisher's name of the recorded verdict."),
        Column("grader", STRING, "Who graded, as the contract says."),
        Column("threshold", FLOAT, "Score from which a verdict counts as right.", nullable=True),
        Column("n_samples", INT, "Samples."),
        Column("n_compared", INT, "Samples that both judged right or wrong."),
        Column("n_only_ours", INT, "Samples that only our verifier judged."),
        Column("n_only_recorded", INT, "Samples that only the publisher judged."),
        Column("n_neither", INT, "Samples that neither judged."),
        Column("n_between", INT, "Samples with a score between 0 and 1, and no threshold."),
        Column("both_right", INT, "Of those compared, right by both."),
        Column("only_ours_right", INT, "Right by ours, wrong by the publisher's."),
        Column("only_recorded_right", INT, "Wrong by ours, right by the publisher's."),
        Column("both_wrong", INT, "Wrong by both."),
        Column("ours", FLOAT, "Mean of our verdicts on those compared.", nullable=True),
        Column("recorded", FLOAT, "Mean of the recorded ones on the same.", nullable=True),
        Column("recorded_all", FLOAT, "Mean of every recorded verdict.", nullable=True),
        Column("n_recorded", INT, "Samples with a recorded verdict that is read."),
        *_interval("agreement", "Share of those compared on which both say the same, 0 to 1."),
        *_interval("kappa", "The same beyond chance: Cohen's kappa, -1 to 1."),
        Column("confidence", FLOAT, "Nominal coverage, 0 to 1."),
        Column("n_units", INT, "Clusters that the intervals rest on."),
    ),
    key=("slice",),
)

AGREEMENT = (RECORDED_VERDICTS, VERDICT_AGREEMENT)
