"""The leaderboard: what a person reads first, one row a checkpoint."""

from eval_pipeline.warehouse.schemas.estimates import INTERVAL, STANDING
from eval_pipeline.warehouse.schemas.model import BOOL, FLOAT, INT, STRING, STRINGS, Column, Table
from eval_pipeline.warehouse.schemas.vocabulary import (
    DECISION_OUTCOMES,
    QUARANTINE_SCOPES,
    READINGS,
)

BOARD = Table(
    "leaderboard",
    "The primary endpoint of each checkpoint, with what must be known to read it.",
    "contract",
    (
        Column("checkpoint", STRING, "Name of the checkpoint."),
        Column(
            "place",
            INT,
            "Place from the best value down, from 1, undefined ones last; neighbours may be equal.",
        ),
        Column("metric", STRING, "Label of the primary endpoint."),
        Column("quantity", STRING, "What the value is: the label, and what it is held against."),
        Column("reference", STRING, "What the value is held against.", nullable=True),
        Column("value", FLOAT, "The estimate.", nullable=True),
        *INTERVAL,
        Column("measured_in", STRING, "Unit of the value: share, nats, points.", nullable=True),
        Column("higher_is_better", BOOL, "Null where neither direction is better.", nullable=True),
        Column("n_total", INT, "Items of the benchmark."),
        Column("n_items", INT, "Items in the estimate.", nullable=True),
        Column("n_units", INT, "Clusters that the interval rests on.", nullable=True),
        Column("n_samples", INT, "Samples in it; null of pairs.", nullable=True),
        Column("n_excluded", INT, "Samples, or judged items, left out.", nullable=True),
        Column("bound_low", FLOAT, "Lowest reading of what is missing.", nullable=True),
        Column("bound_high", FLOAT, "Highest reading of what is missing.", nullable=True),
        Column("parser_failure", FLOAT, "Share of draws that nobody could read.", nullable=True),
        Column("undecided", FLOAT, "Share of draws that were left undecided.", nullable=True),
        Column("rejected", FLOAT, "Share of the rows of its files that ingest refused."),
        Column(
            "reading",
            STRING,
            "How far a program could read replies by the instruments that it chose; null once "
            "a person has looked.",
            nullable=True,
            allowed=READINGS,
        ),
        *STANDING,
        Column("terms", STRING, "Estimator, unit of analysis and instrument, in a sentence."),
        Column("read_from", STRING, "Table in which the value stands."),
        Column("jury", STRING, "Whose votes or scores the value is the mean of.", nullable=True),
        Column("recorded_by", STRING, "Who graded, where it was not done here.", nullable=True),
        Column("votes_pending", STRING, "What is not cast on it yet, in words.", nullable=True),
        Column("quarantined", BOOL, "Whether something of the row may not be believed."),
        Column(
            "quarantine_scope",
            STRING,
            "What may not: the decision, the whole board, or this row.",
            nullable=True,
            allowed=QUARANTINE_SCOPES,
        ),
        Column("quarantine_reason", STRING, "Why it may not.", nullable=True),
        Column("draft", BOOL, "Whether the contract is a draft."),
        Column("outcome", STRING, "The decision.", nullable=True, allowed=DECISION_OUTCOMES),
        Column("reason_code", STRING, "Its reason, one word for programs.", nullable=True),
        Column("decision_reason", STRING, "Its reason, one sentence for people.", nullable=True),
        Column("worst_slice", STRING, "The slice with the worst value.", nullable=True),
        Column("worst_value", FLOAT, "The estimate on it.", nullable=True),
        Column("worst_low", FLOAT, "Lower end of its interval.", nullable=True),
        Column("worst_high", FLOAT, "Upper end of its interval.", nullable=True),
        Column("leak_note", STRING, "What leaked items do to the value.", nullable=True),
        Column("remarks", STRINGS, "What a person who ships should know besides."),
        Column("twins", STRINGS, "Checkpoints of the same weights, or with the same replies."),
        Column("gone", BOOL, "Whether it is no longer a complete checkpoint on disk."),
    ),
    key=("checkpoint",),
    order=("place",),
)

LEADERBOARD = (BOARD,)
