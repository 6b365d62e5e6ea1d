"""Tables of what the corpora hold of the benchmark."""

from eval_pipeline.warehouse.schemas.estimates import INTERVAL, STANDING
from eval_pipeline.warehouse.schemas.model import (
    BOOL,
    FLOAT,
    INT,
    SMALL,
    STRING,
    Column,
    Table,
)
from eval_pipeline.warehouse.schemas.vocabulary import (
    CONTAMINATION_STATUSES,
    EVIDENCE_GRADES,
    MATCH_TYPES,
    NEAR_DUPLICATE_RELATIONS,
    NEAR_DUPLICATE_STATUSES,
    REVIEW_STANDINGS,
)

ITEM = Column("item_id", STRING, "Name of the item.")
FIELD = Column("field", STRING, "Part of the item, such as question or answer.")

CONTAMINATION_INDEX = Table(
    "contamination_index",
    "Distinct word n-grams of the items, and how common they are.",
    "contract",
    (
        ITEM,
        FIELD,
        Column("ngram", STRING, "The n-gram's 128-bit digest, hex."),
        Column("n", SMALL, "Words in the n-gram; the whole field where it is shorter."),
        Column("position", SMALL, "Word at which it first starts, from 0."),
        Column("item_df", INT, "Items that hold it."),
        Column("masked", BOOL, "Left out as boilerplate, or as what several items share."),
        Column("corpus_df", INT, "Sampled documents that hold it.", nullable=True),
        Column(
            "idf",
            FLOAT,
            "ln((items + sampled documents + 1) / those that hold it), above 0.",
            nullable=True,
        ),
        Column("normaliser", STRING, "Normaliser and its Unicode version.", nullable=True),
        Column("shared", BOOL, "Left out only because a few items hold it.", nullable=True),
    ),
    key=("item_id", "field", "ngram"),
    version=3,
)

CONTAMINATION_HITS = Table(
    "contamination_hits",
    "Where a corpus document and an item overlap, with the text of both.",
    "contract",
    (
        Column("corpus", STRING, "Corpus as name@version."),
        Column("shard", STRING, "File of the corpus."),
        Column("document", INT, "Row of the document in the shard, from 0."),
        ITEM,
        FIELD,
        Column("match_type", STRING, "What matched.", allowed=MATCH_TYPES),
        Column("hits", INT, "Distinct unmasked n-grams in common."),
        Column("ratio", FLOAT, "Share of the item's n-grams, 0 to 1."),
        Column("window_ratio", FLOAT, "The same inside one window, 0 to 1."),
        Column("longest_span", INT, "Longest aligned run, words."),
        Column("excerpt_document", STRING, "The document around the match."),
        Column("excerpt_item", STRING, "The item's text."),
        Column("verified", BOOL, "Whether the words were compared."),
        Column("idf_ratio", FLOAT, "Share of the n-grams by rarity, 0 to 1.", nullable=True),
        Column(
            "token_coverage",
            FLOAT,
            "Share of the item's words inside an n-gram that was found, 0 to 1.",
            nullable=True,
        ),
        Column("item_start", INT, "Word of the item where the run starts.", nullable=True),
        Column("item_end", INT, "Word of the item after the run.", nullable=True),
        Column("document_start", INT, "Byte of the document where it starts.", nullable=True),
        Column("document_end", INT, "Byte of the document after it.", nullable=True),
        Column(
            "unspaced",
            BOOL,
            "Whether most words of the item are single characters, of scripts without spaces.",
            nullable=True,
        ),
        Column(
            "other_numbers",
            INT,
            "Numbers of the item that stand in the document with another value.",
            nullable=True,
        ),
        Column(
            "whole_ratio",
            FLOAT,
            "Share of all n-grams, masked ones too, around a match that is small without them.",
            nullable=True,
        ),
    ),
    key=("corpus", "shard", "document", "item_id", "field", "match_type"),
    version=4,
)

CONTAMINATION_SHARDS = Table(
    "contamination_shards",
    "What was searched: each shard, how much it holds, and what could not be read.",
    "contract",
    (
        Column("corpus", STRING, "Corpus as name@version."),
        Column("shard", STRING, "File of the corpus."),
        Column("documents", INT, "Documents searched."),
        Column("text_bytes", INT, "Their text as UTF-8, bytes."),
        Column("unread", INT, "Lines or rows that hold no document."),
        Column("first_unread", STRING, "The first of them, and why.", nullable=True),
        *STANDING,
    ),
    key=("corpus", "shard"),
)

CONTAMINATION_ITEMS = Table(
    "contamination_items",
    "The verdict on each item and field.",
    "contract",
    (
        ITEM,
        FIELD,
        Column("status", STRING, "The verdict.", allowed=CONTAMINATION_STATUSES),
        Column("max_ratio", FLOAT, "Largest window ratio over documents, 0 to 1."),
        Column("max_span", INT, "Longest aligned run over documents, words."),
        Column("n_documents", INT, "Documents with a hit."),
        Column("rule", STRING, "Name and version of the rule."),
        Column("reason", STRING, "What decided."),
        Column(
            "rule_status",
            STRING,
            "The verdict of the rule, before any person's.",
            nullable=True,
            allowed=CONTAMINATION_STATUSES,
        ),
        Column("evidence", STRING, "Digest of the text and of what was found.", nullable=True),
        Column(
            "review",
            STRING,
            "What became of people's decisions; void where the evidence changed since.",
            nullable=True,
            allowed=REVIEW_STANDINGS,
        ),
        Column("reviewer", STRING, "Who decided.", nullable=True),
        Column("reviewed_at", STRING, "When, ISO 8601.", nullable=True),
        Column(
            "text_digest",
            STRING,
            "128-bit digest of the field's words, hex: the same text has it in any benchmark.",
            nullable=True,
        ),
    ),
    key=("item_id", "field"),
    version=3,
)

CONTAMINATION_VALIDATION = Table(
    "contamination_validation",
    "How often the rule finds planted leaks and spares clean text.",
    "contract",
    (
        Column("mechanism", STRING, "How the leak, or the hard negative, was planted."),
        Column("n_planted", INT, "Leaks planted."),
        Column("n_found", INT, "Leaks found."),
        Column("miss_rate", FLOAT, "1 - found / planted.", nullable=True),
        Column("miss_low", FLOAT, "Clopper-Pearson, lower.", nullable=True),
        Column("miss_high", FLOAT, "Clopper-Pearson, upper.", nullable=True),
        Column("n_negatives", INT, "Clean texts tried."),
        Column("n_false", INT, "Clean texts flagged."),
        Column("false_rate", FLOAT, "flagged / tried.", nullable=True),
        Column("false_high", FLOAT, "One-sided Clopper-Pearson upper bound.", nullable=True),
        Column("rule", STRING, "Name and version of the rule."),
        Column("confidence", FLOAT, "Of the bounds."),
        Column("calibrated", BOOL, "Whether there were enough negatives for the bar."),
        *STANDING,
        Column(
            "threshold",
            FLOAT,
            "Least share of n-grams, chosen on the other half of leaks and negatives.",
            nullable=True,
        ),
    ),
    key=("mechanism",),
    version=2,
)

NEAR_DUPLICATES = Table(
    "near_duplicates",
    "Whole texts that nearly are the same as an item, each compared exactly.",
    "contract",
    (
        Column(
            "relation", STRING, "Where the other text stands.", allowed=NEAR_DUPLICATE_RELATIONS
        ),
        ITEM,
        Column("field", STRING, "Part of the item; `item` for all searched parts together."),
        Column("source", STRING, "Benchmark or corpus of the other text, as name@version."),
        Column("other", STRING, "The other item, or shard:document."),
        Column("estimate", FLOAT, "Jaccard as the sketches estimate it, 0 to 1."),
        Column("jaccard", FLOAT, "Exact Jaccard of the 5-word shingles, 0 to 1."),
        Column("bands", INT, "Bands of the sketches that agree."),
        Column("cluster", STRING, "First item of a benchmark's group.", nullable=True),
        Column("excerpt_item", STRING, "Start of the item's text."),
        Column("excerpt_other", STRING, "Start of the other text."),
        Column("status", STRING, "How alike they are.", allowed=NEAR_DUPLICATE_STATUSES),
        Column("reason", STRING, "What follows, where something does.", nullable=True),
    ),
    key=("relation", "item_id", "field", "source", "other"),
)

CONTAMINATION_EVIDENCE = Table(
    "contamination_evidence",
    "What log-probabilities and paraphrases say of a checkpoint and the benchmark; never proof.",
    "checkpoint",
    (
        Column("test", STRING, "Name of the test."),
        Column("subject", STRING, "What the log-probabilities are of, or the score's metric."),
        Column(
            "grade",
            STRING,
            "statistical: a p-value that holds if items are exchangeable; else evidence.",
            allowed=EVIDENCE_GRADES,
        ),
        Column("value", FLOAT, "The statistic, in the unit of `unit`.", nullable=True),
        Column("unit", STRING, "Unit of the value."),
        *INTERVAL,
        Column("p_value", FLOAT, "One-sided: small where it speaks for a leak.", nullable=True),
        Column("n", INT, "Shards, pairs or items that the value rests on."),
        *STANDING,
    ),
    key=("test", "subject"),
)

CONTAMINATION = (
    CONTAMINATION_INDEX,
    CONTAMINATION_HITS,
    CONTAMINATION_SHARDS,
    CONTAMINATION_ITEMS,
    CONTAMINATION_VALIDATION,
    NEAR_DUPLICATES,
    CONTAMINATION_EVIDENCE,
)
