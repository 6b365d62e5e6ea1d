"""Tables of what was asked and what came back."""

from eval_pipeline.warehouse.schemas.model import (
    FLOAT,
    FLOATS,
    INT,
    LABELS,
    SMALL,
    STRING,
    STRINGS,
    Column,
    Table,
)
from eval_pipeline.warehouse.schemas.vocabulary import GENERATION_STATUSES, SAMPLE_STATUSES

CONTRACT = Table(
    "contract",
    "The expanded evaluation contract, one row.",
    "contract",
    (
        Column("identity", STRING, "Identity digest, prefixed by the version of its algorithm."),
        Column("status", STRING, "Whether the contract is frozen.", allowed=("frozen", "draft")),
        Column("question", STRING, "The question that the contract answers."),
        Column("primary_endpoint", STRING, "Label of the primary metric, such as pass@1."),
        Column("body", STRING, "The canonical form, JSON."),
    ),
    key=("identity",),
)

ITEMS = Table(
    "items",
    "The benchmark's items as the contract pins them.",
    "contract",
    (
        Column("item_id", STRING, "Name of the item."),
        Column("cluster_id", STRING, "Sampling unit of the item: the contract's clustered_by."),
        Column("question", STRING, "Text shown to the model, before the prompt template."),
        Column("answer", STRING, "Reference answer.", nullable=True),
        Column("options", STRINGS, "Choices in order, for choice items.", nullable=True),
        Column("entry_point", STRING, "Function that the tests call.", nullable=True),
        Column("test", STRING, "Unit tests of a code item.", nullable=True),
        Column("slices", LABELS, "Slice name to slice value, as the contract asks."),
        Column("extra", STRING, "Further keys of the item, JSON.", nullable=True),
    ),
    key=("item_id",),
)

RUN_MANIFEST = Table(
    "run_manifest",
    "How the checkpoint was made and run: checkpoint.yaml, one row a field.",
    "checkpoint",
    (
        Column("field", STRING, "Name of the field; nested names are joined by a dot."),
        Column("value", STRING, "Its value as text; lists are JSON.", nullable=True),
        Column("unknown", STRING, "Why the value is not known.", nullable=True),
    ),
    key=("field",),
)

INGEST_FILES = Table(
    "ingest_files",
    "Row accounting of each generation file: accepted + rejected = lines read.",
    "checkpoint",
    (
        Column("file", STRING, "Path below the checkpoint folder."),
        Column("sha256", STRING, "Digest of the file's bytes."),
        Column("bytes", INT, "Size of the file as it lies on disk, bytes."),
        Column("lines", INT, "Rows read, blank lines left out."),
        Column("accepted", INT, "Rows that became samples or attempts of one."),
        Column("rejected", INT, "Rows in rejected_lines."),
        Column("superseded", INT, "Accepted rows that a later attempt replaced."),
    ),
    key=("file",),
)

GENERATIONS = Table(
    "generations",
    "One row a sample: the draw of a checkpoint on an item that counts.",
    "checkpoint",
    (
        Column("item_id", STRING, "Name of the item."),
        Column("draw", SMALL, "Number of the draw, from 0."),
        Column("text", STRING, "The reply, reasoning left out."),
        Column("reasoning", STRING, "Reasoning that the model kept apart.", nullable=True),
        Column("n_chars", INT, "Length of text in Unicode code points."),
        Column("status", STRING, "The one status of the sample.", allowed=GENERATION_STATUSES),
        Column("detail", STRING, "What lies behind the status.", nullable=True),
        Column("attempts", SMALL, "Attempts recorded for this draw."),
        Column("finish_reason", STRING, "As the engine gave it.", nullable=True),
        Column("tokens_in", INT, "Prompt tokens.", nullable=True),
        Column("tokens_out", INT, "Reply tokens.", nullable=True),
        Column("latency_ms", FLOAT, "Wall time of the call, milliseconds.", nullable=True),
        Column("cost_usd", FLOAT, "Price of the call, US dollars.", nullable=True),
        Column("confidence", FLOAT, "Stated chance of being right, 0 to 1.", nullable=True),
        Column("token_logprobs", FLOATS, "Log-probability a token, nats.", nullable=True),
        Column("file", STRING, "File below the checkpoint folder."),
        Column("line", INT, "Line (or Parquet row) in the file, from 1."),
        Column("byte_offset", INT, "Where the line starts; null in Parquet.", nullable=True),
        Column("extra", STRING, "Further keys of the row, JSON.", nullable=True),
    ),
    key=("item_id", "draw"),
)

REJECT_COLUMNS = (
    Column("file", STRING, "File that holds the row."),
    Column("line", INT, "Line (or Parquet row), from 1."),
    Column("byte_offset", INT, "Where the line starts; null in Parquet.", nullable=True),
    Column("reason", STRING, "Why the row was rejected, one word of a fixed list."),
    Column("detail", STRING, "The reason in a sentence."),
    Column("excerpt", STRING, "Start of the row, control characters escaped."),
)

REJECTED_LINES = Table(
    "rejected_lines",
    "Rows of generation files that could not become samples.",
    "checkpoint",
    REJECT_COLUMNS,
    key=("file", "line"),
)

MISSING_DRAWS = Table(
    "missing_draws",
    "Draws that the contract's budget asks for and no file holds, or that await a retry.",
    "checkpoint",
    (
        Column("item_id", STRING, "Name of the item."),
        Column("draw", SMALL, "Number of the draw, from 0."),
        Column("reason", STRING, "Absent, or a failure to retry.", allowed=("absent", "retry")),
    ),
    key=("item_id", "draw"),
)

VERIFIER_SCORES = Table(
    "verifier_scores",
    "The verdict on each sample, and the score that the contract's failure policy makes of it.",
    "checkpoint",
    (
        Column("item_id", STRING, "Name of the item."),
        Column("draw", SMALL, "Number of the draw, from 0."),
        Column("cluster_id", STRING, "Sampling unit of the item."),
        Column("status", STRING, "Status after verification.", allowed=SAMPLE_STATUSES),
        Column("detail", STRING, "What lies behind the status.", nullable=True),
        Column("extracted", STRING, "The answer found in the reply.", nullable=True),
        Column("verdict", FLOAT, "What the verifier says, 0 to 1; null if not ok.", nullable=True),
        Column("score", FLOAT, "Score under the policy, 0 to 1; null = excluded.", nullable=True),
        Column("chance", FLOAT, "Expected credit of a guess; choice items only.", nullable=True),
        Column("explanation", STRING, "Why the verdict is what it is."),
        Column("verifier", STRING, "Instruments that judged, such as numeric@1."),
        Column(
            "engine",
            STRING,
            "What decided, of instruments with more than one way: exact or sympy.",
            nullable=True,
        ),
    ),
    key=("item_id", "draw"),
)

SAMPLES = (
    CONTRACT,
    ITEMS,
    RUN_MANIFEST,
    INGEST_FILES,
    GENERATIONS,
    REJECTED_LINES,
    MISSING_DRAWS,
    VERIFIER_SCORES,
)
