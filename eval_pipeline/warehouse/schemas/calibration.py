"""Tables in which judges and raters are calibrated: probes, sentinels, raters, disputes."""

from eval_pipeline.warehouse.schemas.estimates import INTERVAL, STANDING
from eval_pipeline.warehouse.schemas.model import FLOAT, INT, SMALL, STRING, Column, Table
from eval_pipeline.warehouse.schemas.samples import REJECT_COLUMNS
from eval_pipeline.warehouse.schemas.vocabulary import (
    AGREEMENT_MEASURES,
    DRIFT_OUTCOMES,
    PROBE_KINDS,
    PROBE_ORDERS,
    PROBE_VERDICTS,
    RATER_OUTCOMES,
    SLOT_ORDERS,
    VERDICTS,
    VOTE_STATUSES,
)

JUDGE_PROBE_VOTES = Table(
    "judge_probe_votes",
    "One row a vote of a judge on a probe: a reply against a variant of it.",
    "contract",
    (
        Column("judge", STRING, "Name of the judge."),
        Column("probe_set", STRING, "Name of the set of probes."),
        Column("probe", STRING, "Name of the probe, which follows from its texts."),
        Column("item_id", STRING, "Name of the item whose question was asked."),
        Column("cluster_id", STRING, "Sampling unit of the item."),
        Column("kind", STRING, "What the variant is.", allowed=PROBE_KINDS),
        Column("detail", STRING, "Level of padding, name of the attack, the error or the change."),
        Column("added_tokens", FLOAT, "Length of the variant minus the original, tokens."),
        Column("slot_order", STRING, "Which text was shown first.", allowed=PROBE_ORDERS),
        Column("repeat", SMALL, "Number of the repeat in this order, from 0."),
        Column("status", STRING, "Whether the vote can be used.", allowed=VOTE_STATUSES),
        Column("verdict", STRING, "Who won, or tie.", nullable=True, allowed=PROBE_VERDICTS),
        Column("file", STRING, "File that holds the vote."),
        Column("line", INT, "Line in the file, from 1."),
    ),
    key=("judge", "probe_set", "probe", "slot_order", "repeat"),
)

REJECTED_PROBE_VOTES = Table(
    "rejected_probe_votes",
    "Rows of probe sets and of votes on them that could not be used.",
    "contract",
    REJECT_COLUMNS,
    key=("file", "line"),
)

JUDGE_SENTINEL_VOTES = Table(
    "judge_sentinel_votes",
    "One row a vote on a sentinel: a pair that a judge is asked again each night.",
    "contract",
    (
        Column("judge", STRING, "Name of the judge."),
        Column("night", STRING, "Date (ISO) of the night."),
        Column("item_id", STRING, "Name of the item."),
        Column("cluster_id", STRING, "Sampling unit of the item."),
        Column("model_a", STRING, "The pair's model that sorts first."),
        Column("model_b", STRING, "The other one."),
        Column("slot_order", STRING, "Which model was shown first.", allowed=SLOT_ORDERS),
        Column("repeat", SMALL, "Number of the repeat in this order, from 0."),
        Column("status", STRING, "Whether the vote can be used.", allowed=VOTE_STATUSES),
        Column("verdict", STRING, "The model that won, or tie.", nullable=True, allowed=VERDICTS),
        Column("file", STRING, "File that holds the vote."),
        Column("line", INT, "Line in the file, from 1."),
    ),
    key=("judge", "night", "item_id", "model_a", "model_b", "slot_order", "repeat"),
)

REJECTED_SENTINEL_VOTES = Table(
    "rejected_sentinel_votes",
    "Rows of sentinel files that could not become votes.",
    "contract",
    REJECT_COLUMNS,
    key=("file", "line"),
)

JUDGE_DRIFT = Table(
    "judge_drift",
    "How a judge's votes on the sentinels moved since it was audited, night by night.",
    "contract",
    (
        Column("judge", STRING, "Name of the judge."),
        Column("night", STRING, "Date (ISO) of the night."),
        Column("measure", STRING, "changed_votes, position_shift or tie_shift."),
        Column("estimate", FLOAT, "The estimate; 0 where nothing moved.", nullable=True),
        *INTERVAL,
        Column("outcome", STRING, "Whether the interval excludes 0.", allowed=DRIFT_OUTCOMES),
        Column("n_units", INT, "Clusters that the interval rests on."),
        Column("n_pairs", INT, "Sentinel pairs compared."),
        Column(
            "n_excluded",
            INT,
            "Sentinel pairs of the night that tell nothing: a vote is missing, then or now.",
            nullable=True,
        ),
        *STANDING,
    ),
    key=("judge", "night", "measure"),
)

RATER_AGREEMENT = Table(
    "rater_agreement",
    "How far raters agree with each other, in the measure that the design of the labels asks.",
    "contract",
    (
        Column("annotation_set", STRING, "Name of the set."),
        Column("measure", STRING, "The coefficient.", allowed=AGREEMENT_MEASURES),
        Column("chosen_because", STRING, "The rule that picked the measure."),
        Column("estimate", FLOAT, "The coefficient; 1 is full agreement.", nullable=True),
        *INTERVAL,
        Column("n_raters", INT, "Raters."),
        Column("n_units", INT, "Pairs of replies with two labels or more."),
        Column("n_single", INT, "Pairs of replies with one label, which tell nothing."),
        Column("n_labels", INT, "Labels used."),
        *STANDING,
    ),
    key=("annotation_set", "measure"),
)

RATER_QUALITY = Table(
    "rater_quality",
    "What each rater's labels are worth: honeypots, and agreement with the other raters.",
    "contract",
    (
        Column("annotation_set", STRING, "Name of the set."),
        Column("rater", STRING, "Name of the rater."),
        Column("n_labels", INT, "Labels on pairs that are no honeypots."),
        Column("n_honeypots", INT, "Honeypots with a known answer that were labelled."),
        Column("n_right", INT, "Of these, labelled rightly."),
        Column("accuracy", FLOAT, "Share labelled rightly.", nullable=True),
        Column("accuracy_low", FLOAT, "Lower end, Clopper-Pearson.", nullable=True),
        Column("accuracy_high", FLOAT, "Upper end, Clopper-Pearson.", nullable=True),
        Column("bar", FLOAT, "The contract's bar on accuracy.", nullable=True),
        Column("pool_agreement", FLOAT, "Agreement with the other raters.", nullable=True),
        Column("pool_kappa", FLOAT, "The same beyond chance.", nullable=True),
        Column("n_pool", INT, "Pairs that another rater labelled too."),
        Column("outcome", STRING, "Whether the labels count.", allowed=RATER_OUTCOMES),
        Column("reason", STRING, "Why.", nullable=True),
    ),
    key=("annotation_set", "rater"),
)

LABEL_DISPUTES = Table(
    "label_disputes",
    "Pairs of replies on which raters differ, for a person to settle.",
    "contract",
    (
        Column("annotation_set", STRING, "Name of the set."),
        Column("item_id", STRING, "Name of the item."),
        Column("model_a", STRING, "The pair's model that sorts first."),
        Column("model_b", STRING, "The other one."),
        Column("n_model_a", INT, "Raters who prefer model_a."),
        Column("n_model_b", INT, "Raters who prefer model_b."),
        Column("n_tie", INT, "Raters who see a tie."),
        Column("split", FLOAT, "Share of pairs of raters that differ, 0 to 1."),
    ),
    key=("annotation_set", "item_id", "model_a", "model_b"),
)

CALIBRATION = (
    JUDGE_PROBE_VOTES,
    REJECTED_PROBE_VOTES,
    JUDGE_SENTINEL_VOTES,
    REJECTED_SENTINEL_VOTES,
    JUDGE_DRIFT,
    RATER_AGREEMENT,
    RATER_QUALITY,
    LABEL_DISPUTES,
)
