"""Tables of judging: plans, votes, audits, licences."""

from eval_pipeline.warehouse.schemas.estimates import INTERVAL, STANDING
from eval_pipeline.warehouse.schemas.model import (
    BOOL,
    FLOAT,
    INT,
    NUMBERS,
    SMALL,
    STRING,
    Column,
    Table,
)
from eval_pipeline.warehouse.schemas.samples import REJECT_COLUMNS
from eval_pipeline.warehouse.schemas.vocabulary import (
    AUDIT_OUTCOMES,
    LABEL_READINGS,
    LICENCE_OUTCOMES,
    PAIR_CATEGORIES,
    SLOT_ORDERS,
    VERDICTS,
    VOTE_ORDERS,
    VOTE_STATUSES,
)

PAIR_PLAN = Table(
    "pair_plan",
    "The pairs to be judged that belong to this checkpoint, as the later of the two.",
    "checkpoint",
    (
        Column("item_id", STRING, "Name of the item."),
        Column("model_a", STRING, "The pair's model that sorts first."),
        Column("model_b", STRING, "The other one."),
        Column("chosen_by", STRING, "Why: anchor, last_accepted, nearest or recorded."),
    ),
    key=("item_id", "model_a", "model_b"),
)

JUDGE_VOTES = Table(
    "judge_votes",
    "One row a vote: one judge, one item, one pair, one order, one repeat.",
    "checkpoint",
    (
        Column("judge", STRING, "Name of the judge."),
        Column("item_id", STRING, "Name of the item."),
        Column("cluster_id", STRING, "Sampling unit of the item."),
        Column("model_a", STRING, "The pair's model that sorts first."),
        Column("model_b", STRING, "The other one."),
        Column("slot_order", STRING, "Which model was shown first.", allowed=VOTE_ORDERS),
        Column("repeat", SMALL, "Number of the repeat in this order, from 0."),
        Column("status", STRING, "Whether the vote can be used.", allowed=VOTE_STATUSES),
        Column("verdict", STRING, "The model that won, or tie.", nullable=True, allowed=VERDICTS),
        Column("prob_a", FLOAT, "Chance of model_a by the judge, 0 to 1.", nullable=True),
        Column("file", STRING, "File that holds the vote."),
        Column("line", INT, "Line in the file, from 1."),
        Column("detail", STRING, "Why there is no verdict, or what to know of it.", nullable=True),
    ),
    key=("judge", "item_id", "model_a", "model_b", "slot_order", "repeat"),
    version=2,
)

REJECTED_VOTES = Table(
    "rejected_votes",
    "Rows of judgment files that could not become votes.",
    "checkpoint",
    REJECT_COLUMNS,
    key=("file", "line"),
)

ANNOTATIONS = Table(
    "annotations",
    "One row a human label on a pair.",
    "contract",
    (
        Column("annotation_set", STRING, "Name of the set."),
        Column("item_id", STRING, "Name of the item."),
        Column("cluster_id", STRING, "Sampling unit of the item."),
        Column("model_a", STRING, "The pair's model that sorts first."),
        Column("model_b", STRING, "The other one."),
        Column("rater", STRING, "Name of the rater."),
        Column("label", STRING, "The model preferred, or tie.", allowed=VERDICTS),
        Column("honeypot", BOOL, "Whether the pair tests the rater."),
        Column("file", STRING, "File that holds the label."),
        Column("line", INT, "Line in the file, from 1."),
        Column("expected", STRING, "Right label of a honeypot.", nullable=True, allowed=VERDICTS),
    ),
    key=("annotation_set", "item_id", "model_a", "model_b", "rater"),
    version=2,
)

REJECTED_ANNOTATIONS = Table(
    "rejected_annotations",
    "Rows of annotation files that could not become labels.",
    "contract",
    REJECT_COLUMNS,
    key=("file", "line"),
)

JUDGE_AUDITS = Table(
    "judge_audits",
    "Each audit of each judge: estimate, interval, the contract's bar, outcome.",
    "contract",
    (
        Column("judge", STRING, "Name of the judge."),
        Column("slice", STRING, "`all`, or name=value."),
        Column("audit", STRING, "What was audited, such as position_effect."),
        Column("estimate", FLOAT, "The estimate.", nullable=True),
        *INTERVAL,
        Column("p_value", FLOAT, "Of the audit's test, where it has one.", nullable=True),
        Column("bar", FLOAT, "The contract's bar.", nullable=True),
        Column("outcome", STRING, "How the interval lies to the bar.", allowed=AUDIT_OUTCOMES),
        Column("n_units", INT, "Clusters that the interval rests on."),
        Column("n_votes", INT, "Votes, or labels, used."),
        Column("n_needed", INT, "Units that would decide, if undecided.", nullable=True),
        *STANDING,
    ),
    key=("judge", "slice", "audit"),
)

LABEL_ACCURACIES = Table(
    "label_accuracies",
    "How often each judge is right, where a label on each pair is the truth.",
    "contract",
    (
        Column("judge", STRING, "Name of the judge."),
        Column("slice", STRING, "`all`, or name=value."),
        Column(
            "reading",
            STRING,
            "An order of showing, or the rule by which both orders are right.",
            allowed=LABEL_READINGS,
        ),
        Column("value", FLOAT, "Share of pairs that are right, 0 to 1.", nullable=True),
        *INTERVAL,
        Column("kappa", FLOAT, "Cohen's kappa of usable votes, in one order.", nullable=True),
        Column("n_units", INT, "Clusters that the interval rests on."),
        Column("n_pairs", INT, "Labelled pairs that the judge was to see."),
        Column("n_right", FLOAT, "Sum over the pairs of how right each is."),
        Column("n_split", INT, "Pairs left out: labels split evenly.", nullable=True),
        Column("decides", BOOL, "Whether it is the contract's rule, which the bar is held to."),
        *STANDING,
    ),
    key=("judge", "slice", "reading"),
)

LABEL_CONFUSIONS = Table(
    "label_confusions",
    "Votes of each judge in each order by the label of their pair.",
    "contract",
    (
        Column("judge", STRING, "Name of the judge."),
        Column("slot_order", STRING, "Which model was shown first.", allowed=SLOT_ORDERS),
        Column("label", STRING, "The label that is the truth.", allowed=VERDICTS),
        Column(
            "verdict",
            STRING,
            "What the judge said; missing where it said nothing usable.",
            allowed=(*VERDICTS, "missing"),
        ),
        Column("n_votes", INT, "Votes."),
    ),
    key=("judge", "slot_order", "label", "verdict"),
)

JUDGE_LICENCES = Table(
    "judge_licences",
    "Whether a judge may be believed under this contract.",
    "contract",
    (
        Column("judge", STRING, "Name of the judge."),
        Column("slice", STRING, "`all`, or name=value."),
        Column("outcome", STRING, "The three outcomes.", allowed=LICENCE_OUTCOMES),
        Column("reason", STRING, "What decided, in a sentence."),
        Column("failed_audits", STRING, "Names of the audits outside or undecided, comma-joined."),
        Column("n_labels", INT, "Human labels used."),
        Column("n_needed", INT, "Units that would decide, if not enough.", nullable=True),
        Column("reaudit_by", STRING, "Date (ISO) of the next audit.", nullable=True),
        Column("suspended_on", STRING, "Night (ISO) on which it drifted.", nullable=True),
    ),
    key=("judge", "slice"),
    version=2,
)

AWAITED_VOTES = Table(
    "awaited_votes",
    "What each judge has cast and has still to cast on each checkpoint.",
    "contract",
    (
        Column("judge", STRING, "Name of the judge."),
        Column("checkpoint", STRING, "The checkpoint whose pairs, or replies, are judged."),
        Column("form", STRING, "What is cast.", allowed=("pairs", "scores")),
        Column("n_due", INT, "Pairs by seating order, or replies, that it is to judge."),
        Column("n_cast", INT, "Those on which it cast anything, usable or not."),
        Column("n_unanswered", INT, "Pairs, or replies, that wait for a reply to be drawn."),
        Column("pending", BOOL, "Whether more lack than the contract's missing_rate allows."),
    ),
    key=("judge", "checkpoint", "form"),
)

PAIR_OUTCOMES = Table(
    "pair_outcomes",
    "One row a judged pair of replies: what both orders say together.",
    "contract",
    (
        Column(
            "judge",
            STRING,
            "A judge, or `panel`: mean of the licensed judges, else of all.",
        ),
        Column("item_id", STRING, "Name of the item."),
        Column("cluster_id", STRING, "Sampling unit of the item."),
        Column("model_a", STRING, "The pair's model that sorts first."),
        Column("model_b", STRING, "The other one."),
        Column("category", STRING, "What the orders say.", allowed=PAIR_CATEGORIES),
        Column("score_a", FLOAT, "model_a's score, 0 to 1, mean of the orders.", nullable=True),
        Column("score_a_first", FLOAT, "model_a's score when shown first.", nullable=True),
        Column("score_a_second", FLOAT, "model_a's score when shown second.", nullable=True),
        Column("half_counts", INT, "score_a in half wins of n_orders x 2.", nullable=True),
        Column("n_orders", SMALL, "Orders with a usable vote: 0, 1 or 2."),
        Column("n_votes", INT, "Usable votes."),
        Column("n_votes_first", INT, "Those with model_a shown first.", nullable=True),
        Column("n_chars_a", INT, "Length of model_a's reply, code points.", nullable=True),
        Column("n_chars_b", INT, "Length of model_b's reply, code points.", nullable=True),
        Column("style", NUMBERS, "Marks in a's reply minus b's, where asked for.", nullable=True),
        Column("quarantined", BOOL, "Whether the judge has no licence."),
    ),
    key=("judge", "item_id", "model_a", "model_b"),
    version=2,
)

JUDGMENTS = (
    PAIR_PLAN,
    JUDGE_VOTES,
    REJECTED_VOTES,
    ANNOTATIONS,
    REJECTED_ANNOTATIONS,
    JUDGE_AUDITS,
    LABEL_ACCURACIES,
    LABEL_CONFUSIONS,
    JUDGE_LICENCES,
    AWAITED_VOTES,
    PAIR_OUTCOMES,
)
