"""Writes the lab: benchmarks, checkpoints, a corpus, judges' votes and people's labels.

One seed, no language model: the same seed gives the same files.
"""

import hashlib

import pyarrow as pa

from eval_pipeline.ingest.checkpoint import write_success
from eval_pipeline.lab import contracts, expected, replies, samples, votes, words
from eval_pipeline.lab.corpus import PlantedDocument, documents, leaked_items
from eval_pipeline.lab.files import Line, columns, lines, packed, put
from eval_pipeline.lab.functions import FUNCTIONS
from eval_pipeline.lab.nights import write_nights
from eval_pipeline.lab.planted import (
    CHECKPOINTS,
    DRAWS,
    FUNCTION_DRAWS,
    JUDGES,
    MARKERS,
    PROBLEMS_PER_STORY,
    SEED,
    Checkpoint,
)
from eval_pipeline.lab.scores import write_scores
from eval_pipeline.lab.tricks import write_tricks
from eval_pipeline.lab.truth import Planted, Truth, write_truth
from eval_pipeline.layout import DataRoot, versioned

WORDS, CODE, REPLIES = "arithmetic_words@1", "python_functions@1", "helpful_replies@1"
CORPUS = "nursery_web@1"
RATER_SET = "helpful_raters"
TOPPED_UP_FROM = 6  # the draw from which a second file was needed

SAMPLE_SCHEMA = pa.schema(
    [
        ("item_id", pa.string()),
        ("draw", pa.int32()),
        ("text", pa.string()),
        ("reasoning", pa.string()),
        ("attempt", pa.int32()),
        ("status", pa.string()),
        ("detail", pa.string()),
        ("finish_reason", pa.string()),
        ("confidence", pa.float64()),
        ("tokens_in", pa.int64()),
        ("tokens_out", pa.int64()),
        ("latency_ms", pa.float64()),
    ]
)
DOCUMENT_SCHEMA = pa.schema([("id", pa.string()), ("text", pa.string())])


def write_lab(root: DataRoot, seed: int = SEED) -> Truth:
    """Writes everything below the root and returns what was planted.

    Files that are there already are replaced; nothing else below the root is touched.
    """
    _write_contracts(root)
    values, leaks = _write_words(root, seed)
    values += _write_code(root, seed)
    values += _write_replies(root, seed)
    for checkpoint in CHECKPOINTS:
        _write_manifest(root, checkpoint, seed)
        write_success(root.checkpoint(checkpoint.name))
    truth = Truth(
        seed=seed,
        values=tuple(values),
        leaks_of="arithmetic_words",
        leaks=leaks,
        licences_of="helpful_replies",
        licences={judge.name: judge.deserves_licence for judge in (*JUDGES, *MARKERS)},
        background=expected.background(),
    )
    write_truth(truth, root.truth)
    return truth


def _write_contracts(root: DataRoot) -> None:
    for preset, text in contracts.PRESETS.items():
        put(root.presets / f"{preset}.yaml", text)
    for contract, text in contracts.CONTRACTS.items():
        put(root.contract_file(contract, 1), text)
    put(root.accepted, contracts.ACCEPTED)
    for name, text in contracts.PROMPTS.items():
        put(root.prompts / name, text)


def _write_words(root: DataRoot, seed: int) -> tuple[list[Planted], dict[str, str]]:
    asked = words.problems(seed, PROBLEMS_PER_STORY)
    leaks = leaked_items(asked, seed)
    items: list[Line] = [
        {
            "item_id": problem.item_id,
            "question": problem.question,
            "answer": str(problem.answer),
            "template_id": problem.template_id,
            "operation": problem.operation,
            "difficulty": problem.difficulty,
        }
        for problem in asked
    ]
    _write_benchmark(root, WORDS, items, seed)
    _write_corpus(root, documents(asked, leaks, seed))
    difficulties = samples.word_difficulties(asked, seed)
    right, answered = {}, {}
    for checkpoint in CHECKPOINTS:
        drawn = samples.word_samples(checkpoint, asked, difficulties, leaks, DRAWS, seed)
        right[checkpoint.name], answered[checkpoint.name] = drawn.right, drawn.answered
        _write_word_samples(root, checkpoint.name, drawn.rows)
    values = expected.word_values(asked, right, leaks)
    values += expected.facility_values(asked, right)
    return [*values, *expected.confidence_values(answered)], leaks


def _write_word_samples(root: DataRoot, checkpoint: str, rows: list[Line]) -> None:
    """Every form that generations come in: plain, packed, with a top-up, and Parquet."""
    folder, name = root.checkpoint(checkpoint), versioned(WORDS, "benchmark")[0]
    if checkpoint == "tern@step1000":
        put(folder / f"{name}.jsonl", lines(rows))
    elif checkpoint == "tern@step2000":
        put(folder / f"{name}.jsonl.gz", packed(lines(rows)))
    elif checkpoint == "heron@step2000":
        put(folder / f"{name}.parquet", columns(rows, SAMPLE_SCHEMA))
    else:
        late = [_is_late(row) for row in rows]
        first = [row for row, is_late in zip(rows, late, strict=True) if not is_late]
        second = [row for row, is_late in zip(rows, late, strict=True) if is_late]
        put(folder / f"{name}.jsonl.gz", packed(lines(first)))
        put(folder / f"{name}.part-1.jsonl", lines(second))


def _is_late(row: Line) -> bool:
    """Whether a draw was made in a second sitting."""
    draw = row["draw"]
    return row.get("attempt") == 2 or (isinstance(draw, int) and draw >= TOPPED_UP_FROM)


def _write_corpus(root: DataRoot, planted: list[PlantedDocument]) -> None:
    """Two shards, one of each form; the documents do not say what was planted in them."""
    rows: list[Line] = [{"id": document.name, "text": document.text} for document in planted]
    half = len(rows) // 2
    folder = root.corpus(CORPUS)
    put(folder / "shard-0.jsonl.gz", packed(lines(rows[:half])))
    put(folder / "shard-1.parquet", columns(rows[half:], DOCUMENT_SCHEMA))


def _write_code(root: DataRoot, seed: int) -> list[Planted]:
    topics = [(topic, function) for topic, each in FUNCTIONS.items() for function in each]
    asked = [(f"pf-{n:02d}", function) for n, (_, function) in enumerate(topics)]
    items: list[Line] = [
        {
            "item_id": item_id,
            "prompt": function.prompt,
            "entry_point": function.name,
            "test": function.test,
            "topic": topic,
        }
        for (item_id, function), (topic, _) in zip(asked, topics, strict=True)
    ]
    _write_benchmark(root, CODE, items, seed)
    name = versioned(CODE, "benchmark")[0]
    difficulties = samples.code_difficulties(len(asked), seed)
    right = {}
    for checkpoint in CHECKPOINTS:
        drawn = samples.code_samples(checkpoint, asked, difficulties, FUNCTION_DRAWS, seed)
        right[checkpoint.name] = drawn.right
        put(root.checkpoint(checkpoint.name) / f"{name}.jsonl", lines(drawn.rows))
    return expected.code_values(right)


def _write_replies(root: DataRoot, seed: int) -> list[Planted]:
    asked = replies.prompts()
    item_ids = [prompt.item_id for prompt in asked]
    items: list[Line] = [
        {"item_id": prompt.item_id, "prompt": prompt.text, "topic": prompt.topic.name}
        for prompt in asked
    ]
    _write_benchmark(root, REPLIES, items, seed)
    name = versioned(REPLIES, "benchmark")[0]
    texts = {one.name: replies.replies(one, asked, seed) for one in CHECKPOINTS}
    lengths = {name: replies.tokens(each) for name, each in texts.items()}
    for checkpoint in CHECKPOINTS:
        rows: list[Line] = [
            {"item_id": item_id, "draw": 0, "text": text, "finish_reason": "stop"}
            for item_id, text in zip(item_ids, texts[checkpoint.name], strict=True)
        ]
        put(root.checkpoint(checkpoint.name) / f"{name}.jsonl.gz", packed(lines(rows)))
    pairs = votes.judged_pairs(CHECKPOINTS, lengths, seed)
    for judge in JUDGES:
        for later in sorted({pair.later for pair in pairs}):
            mine = [pair for pair in pairs if pair.later == later]
            rows = [row for pair in mine for row in votes.votes(judge, pair, item_ids, seed)]
            path = root.judgments(judge.name, name, later)
            path = path.with_name(f"{later}.jsonl.gz")
            put(path, packed(lines(rows)))
    labels = [row for pair in pairs for row in votes.labels(pair, item_ids, seed)]
    labels += votes.honeypots(item_ids, CHECKPOINTS[0].name, seed)
    put(root.annotations(RATER_SET), lines(labels))
    tried = write_tricks(root, "helpful_replies", texts, item_ids, seed)
    watched = write_nights(root, "helpful_replies", name, pairs[0], item_ids, seed)
    scored = write_scores(root, "helpful_replies", name, lengths, item_ids, seed)
    return [*expected.reply_values(pairs), *tried, *watched, *scored]


def _write_benchmark(root: DataRoot, benchmark: str, items: list[Line], seed: int) -> None:
    path = root.items(benchmark)
    put(path, lines(items))
    text = contracts.DATASHEETS[benchmark].format(items=len(items), seed=seed)
    put(path.with_name("datasheet.yaml"), text)


def _write_manifest(root: DataRoot, checkpoint: Checkpoint, seed: int) -> None:
    text = contracts.MANIFEST.format(
        family=checkpoint.family,
        parent=checkpoint.parent or "null",
        date=checkpoint.date,
        seed=seed,
        weights=_digest("weights", checkpoint.name),
        template=_digest("chat template", checkpoint.family),
    )
    put(root.checkpoint(checkpoint.name) / "checkpoint.yaml", text)


def _digest(*named: str) -> str:
    return hashlib.sha256(" ".join(named).encode()).hexdigest()
