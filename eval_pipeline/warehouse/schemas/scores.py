"""Tables of scores of single replies: by judges, by people, and what they come to."""

from eval_pipeline.warehouse.schemas.estimates import METRIC_ESTIMATES
from eval_pipeline.warehouse.schemas.model import BOOL, FLOAT, INT, SMALL, STRING, Column, Table
from eval_pipeline.warehouse.schemas.samples import REJECT_COLUMNS
from eval_pipeline.warehouse.schemas.vocabulary import (
    REPLY_SCORE_STATUSES,
    SAMPLE_STATUSES,
    VOTE_STATUSES,
)

CRITERION = Column("criterion", STRING, "Name of the criterion; `all` is their weighted mean.")

JUDGE_SCORES = Table(
    "judge_scores",
    "Scores that pointwise judges gave to single replies: one row a criterion and repeat.",
    "checkpoint",
    (
        Column("judge", STRING, "Name of the judge."),
        Column("item_id", STRING, "Name of the item."),
        Column("cluster_id", STRING, "Sampling unit of the item."),
        Column("repeat", SMALL, "Number of the repeat, from 0."),
        CRITERION,
        Column("status", STRING, "Whether the score can be used.", allowed=VOTE_STATUSES),
        Column("score", FLOAT, "The score, in points of the prompt's scale.", nullable=True),
        Column("detail", STRING, "Why there is no score, or what to know of it.", nullable=True),
        Column("file", STRING, "File that holds the reply."),
        Column("line", INT, "Line in the file, from 1."),
    ),
    key=("judge", "item_id", "repeat", "criterion"),
)

REJECTED_SCORES = Table(
    "rejected_scores",
    "Rows of judgment files that could not become scores.",
    "checkpoint",
    REJECT_COLUMNS,
    key=("file", "line"),
)

ANNOTATION_SCORES = Table(
    "annotation_scores",
    "One row a criterion that a person scored a reply on, and `all` for the whole.",
    "contract",
    (
        Column("annotation_set", STRING, "Name of the set."),
        Column("item_id", STRING, "Name of the item."),
        Column("cluster_id", STRING, "Sampling unit of the item."),
        Column("checkpoint", STRING, "The checkpoint whose reply it is."),
        Column("rater", STRING, "Name of the rater."),
        CRITERION,
        Column("score", FLOAT, "The score, in points of the rubric's scale."),
        Column("file", STRING, "File that holds the score."),
        Column("line", INT, "Line in the file, from 1."),
    ),
    key=("annotation_set", "item_id", "checkpoint", "rater", "criterion"),
)

REPLY_SCORES = Table(
    "reply_scores",
    "One row a criterion of a reply: what a judge, or the panel, gives it over all repeats.",
    "contract",
    (
        Column("judge", STRING, "A judge, or `panel`: mean of the licensed judges, else of all."),
        Column("checkpoint", STRING, "The checkpoint whose reply it is."),
        Column("item_id", STRING, "Name of the item."),
        Column("cluster_id", STRING, "Sampling unit of the item."),
        CRITERION,
        Column(
            "reply_status",
            STRING,
            "Status of the reply; null where none is on record.",
            nullable=True,
            allowed=SAMPLE_STATUSES,
        ),
        Column("status", STRING, "Whether there is a score.", allowed=REPLY_SCORE_STATUSES),
        Column("score", FLOAT, "Mean over repeats, then over judges, points.", nullable=True),
        Column("n_scores", INT, "Usable scores behind it."),
        Column("lowest", INT, "Lowest point of the rubric's scale."),
        Column("highest", INT, "Highest point of the rubric's scale."),
        Column("quarantined", BOOL, "Whether the judge has no licence."),
    ),
    key=("judge", "checkpoint", "item_id", "criterion"),
)

JUDGE_SCORE_ESTIMATES = Table(
    "judge_score_estimates",
    "Mean score of each checkpoint by each judge and the panel, criterion by criterion.",
    "contract",
    (
        Column("judge", STRING, "A judge, or `panel`: mean of the licensed judges, else of all."),
        Column("checkpoint", STRING, "Name of the checkpoint."),
        CRITERION,
        *METRIC_ESTIMATES.columns,
        Column("n_failed", INT, "Replies that failed, such as refusals: nothing to score."),
        Column("n_unknown", INT, "Replies of which a judge's answer holds no usable score."),
        Column("n_error", INT, "Replies on which a call of a judge failed."),
        Column("n_missing", INT, "Replies that a judge gave no answer on, and items without one."),
        Column("quarantined", BOOL, "Whether the judge has no licence."),
    ),
    key=("judge", "checkpoint", *METRIC_ESTIMATES.key),
)

SCORES = (
    JUDGE_SCORES,
    REJECTED_SCORES,
    ANNOTATION_SCORES,
    REPLY_SCORES,
    JUDGE_SCORE_ESTIMATES,
)
