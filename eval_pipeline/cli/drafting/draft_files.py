"""A first draft as files of a data root: items, checkpoints, a draft contract.

Everything is written and checked beside its place and then moved there, the contract last; what
is there already is never touched.
"""

import json
import re
import shutil
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path

from eval_pipeline.cli.drafting.first_draft import FirstDraft
from eval_pipeline.contracts.freezing import GUESSED
from eval_pipeline.contracts.items import read_items
from eval_pipeline.contracts.load import load_contract
from eval_pipeline.ingest.checkpoint import write_success
from eval_pipeline.ingest.imports.joining import join
from eval_pipeline.ingest.imports.names import PUBLISHED_AS
from eval_pipeline.ingest.plain.files import Rejected
from eval_pipeline.ingest.plain.rows import PlainRow, sample_key
from eval_pipeline.layout import DataRoot
from eval_pipeline.orchestration.planning.world import instruments_exist
from eval_pipeline.verification.verdict import Item

VERSION = 1
SEED = 1
OTHER_NAMES = "--contract, --benchmark and --rename"  # options that say them
REJECTED_ROWS = "rejected_rows.jsonl"
_PLAIN_WORD = re.compile(r"[A-Za-z][A-Za-z0-9_-]*")
# what may not stand in a YAML file, and what would end its line
_UNPRINTED = re.compile("[\x7f-\x9f\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff]")
_YAML_WORDS = frozenset({"true", "false", "yes", "no", "on", "off", "null", "y", "n"})


def write_draft(
    root: DataRoot, draft: FirstDraft, file: str, contract: str, benchmark: str
) -> list[str]:
    """Writes the draft below the root, which is made where it is missing; the paths written.

    A benchmark of checkpoints that are there, and a checkpoint of a benchmark that is there, are
    added: only new files are written.

    Raises ValueError that names what is in the way, before anything is written.
    """
    with beside(root) as made:
        pinned = f"{benchmark}@{VERSION}"
        _write_benchmark(made, pinned, draft, file)
        for model in draft.samples:
            _write_checkpoint(made, model, benchmark, draft, file)
        path = made.contract_file(contract, VERSION)
        put(path, _contract(draft, file, contract, pinned))
        read_items(made, load_contract(made, path, (instruments_exist,)).contract)
        refuse_to_overwrite(root, _in_the_way(root, draft, contract, benchmark), OTHER_NAMES)
        return [*_added(made, root, draft, benchmark), *_new(made, root, draft, contract)]


def _in_the_way(root: DataRoot, draft: FirstDraft, contract: str, benchmark: str) -> list[str]:
    """What would be overwritten; a contract of the benchmark that is there serves new models."""
    replies = [f"checkpoints/{model}/{benchmark}.jsonl" for model in draft.samples]
    if any((root.path / one).exists() for one in replies):
        models = (f"checkpoints/{model}" for model in draft.samples)
        return [f"benchmarks/{benchmark}", *models, f"contracts/{contract}"]
    pinned = f"{benchmark}@{VERSION}"
    if root.items(pinned).parent.parent.exists() and not root.items(pinned).exists():
        return [f"benchmarks/{benchmark}"]
    path = root.contract_file(contract, VERSION)
    if path.exists() and load_contract(root, path).contract.task.benchmark != pinned:
        return [f"contracts/{contract}"]
    return []


def _added(made: DataRoot, root: DataRoot, draft: FirstDraft, benchmark: str) -> list[str]:
    """Adds replies of checkpoints that are there, and takes off the stage what is there already.

    Raises ValueError where the benchmark is there with other items.
    """
    join(root, made, f"{benchmark}@{VERSION}")
    written = []
    for model in draft.samples:
        folder = root.checkpoint(model)
        if folder.exists():
            name = f"{benchmark}.jsonl"
            (made.checkpoint(model) / name).rename(folder / name)
            write_success(folder)
            written.append(f"checkpoints/{model}/{name}")
    return written


def _new(made: DataRoot, root: DataRoot, draft: FirstDraft, contract: str) -> list[str]:
    """Moves what is not there yet, the contract last."""
    folders = [path.relative_to(made.path) for path in made.path.glob("benchmarks/*")]
    folders += [Path("checkpoints") / model for model in draft.samples]
    folders.append(Path("contracts") / contract)
    places = [one.as_posix() for one in folders if not (root.path / one).exists()]
    return moved(made, root, [place for place in places if (made.path / place).exists()])


def refuse_to_overwrite(root: DataRoot, places: Sequence[str], options: str) -> None:
    """Raises ValueError that names what is there already; options: how to choose other names."""
    if there := [place for place in places if (root.path / place).exists()]:
        raise ValueError(
            f"{', '.join(there)} of {root.path} would be overwritten: choose other names "
            f"with {options}, or take them away first"
        )


def moved(made: DataRoot, root: DataRoot, places: Sequence[str]) -> list[str]:
    """Moves what was made beside to its place, in this order; the files' paths below the root."""
    written = []
    for place in places:
        one = made.path / place
        files = [one] if one.is_file() else sorted(one.rglob("*"))
        written += [f.relative_to(made.path).as_posix() for f in files if f.is_file()]
    for place in places:
        target = root.path / place
        target.parent.mkdir(parents=True, exist_ok=True)
        (made.path / place).rename(target)
    return written


@contextmanager
def beside(root: DataRoot) -> Iterator[DataRoot]:
    """An empty data root on the same disk, gone afterwards."""
    root.path.mkdir(parents=True, exist_ok=True)
    folder = Path(tempfile.mkdtemp(prefix=".init-", dir=root.path))
    try:
        yield DataRoot(folder)
    finally:
        shutil.rmtree(folder)


def _write_benchmark(root: DataRoot, benchmark: str, draft: FirstDraft, file: str) -> None:
    path = root.items(benchmark)
    put(path, lines(_item(item) for item in draft.items))
    name = benchmark.partition("@")[0]
    put(path.with_name("datasheet.yaml"), datasheet(name, len(draft.items), file))
    if draft.rejected:
        put(path.with_name(REJECTED_ROWS), lines(_rejected(one, file) for one in draft.rejected))


def _write_checkpoint(
    root: DataRoot, model: str, benchmark: str, draft: FirstDraft, file: str
) -> None:
    folder = root.checkpoint(model)
    put(folder / "checkpoint.yaml", manifest(file))
    rows = (_sample(*sample) for sample in draft.samples[model])
    put(folder / f"{benchmark}.jsonl", lines(rows))
    write_success(folder)


def _item(item: Item) -> dict[str, object]:
    values: dict[str, object] = {
        "item_id": item.item_id,
        "question": item.question,
        "answer": item.answer,
    }
    return values if item.options is None else {**values, "options": list(item.options)}


def _sample(item: Item, draw: int, row: PlainRow) -> dict[str, object]:
    """A row of generations; keys that mean something else there are kept as given_<key>."""
    sample: dict[str, object] = {"item_id": item.item_id, "draw": draw, "text": row.reply}
    for key, value in row.rest.items():
        sample[sample_key(key, value)] = value
    return sample


def _rejected(one: Rejected, file: str) -> dict[str, object]:
    return {"file": file, **asdict(one)}


def lines(rows: Iterable[Mapping[str, object]]) -> str:
    """Rows as JSON lines."""
    return "".join(_line(row) + "\n" for row in rows)


def _line(row: Mapping[str, object]) -> str:
    text = json.dumps(row, ensure_ascii=False)
    # half a character cannot be written as UTF-8; as an escape it reaches ingest, which says so
    return text if not re.search("[\ud800-\udfff]", text) else json.dumps(row)


def put(path: Path, text: str) -> None:
    """Writes a text where it belongs, its folder made."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8", newline="\n")


def word(text: str) -> str:
    """A text as a YAML scalar that is read back as this text."""
    plain = _PLAIN_WORD.fullmatch(text) and text.casefold() not in _YAML_WORDS
    return text if plain else quoted(text)


def quoted(text: str) -> str:
    """A text as a YAML string on one line; what YAML refuses to read stands as an escape."""
    written = json.dumps(text, ensure_ascii=False)
    return _UNPRINTED.sub(lambda found: f"\\U{ord(found[0]):08x}", written)


def unknown(why: str) -> str:
    """A YAML value that says why it is not known."""
    return f"{{unknown: {quoted(why)}}}"


def datasheet(benchmark: str, n_items: int, file: str, verb: str = "init") -> str:
    """A data sheet that says what it does not know."""
    blank = unknown(f"{file} does not say")
    return f"""\
# Made by `eval-pipeline {verb}` from {word(file)}. Fill in what is unknown.
benchmark: {word(benchmark)}
version: {VERSION}
items: {n_items}
made: {blank}
measures: {blank}
splits: {blank}
licence: {blank}
"""


def manifest(file: str, verb: str = "init", published: str | None = None) -> str:
    """A checkpoint.yaml that says what it does not know.

    published: the name that the file gives the model.
    """
    blank = unknown(f"{file} does not say")
    fields = ("family", "weights_digest", "parent", "date", "trained_on")
    run = ("engine", "tokenizer", "chat_template_digest", "dtype", "batch_size", "seed")
    head = f"""\
# Made by `eval-pipeline {verb}` from {word(file)}. Fill in what is unknown, and then write
# _SUCCESS again: it states the digest of this file too.
"""
    named = "" if published is None else f"{PUBLISHED_AS}: {quoted(published)}\n"
    return head + "".join(f"{field}: {blank}\n" for field in (*fields, *run)) + named


def _contract(draft: FirstDraft, file: str, contract: str, benchmark: str) -> str:
    chosen, name = draft.chosen, word(file)
    ks = "1" if draft.draws == 1 else f"[1, {draft.draws}]"
    reference = next(iter(draft.samples))
    question = f"How often is a reply right on the first try, on the items of {file}?"
    return f"""\
# A draft made by `eval-pipeline init` from {name}. `guessed` stands behind what is
# a guess; `unknown` is what the file does not tell. Look at each of them, mend what is wrong, take
# `guessed` away, and then `eval-pipeline freeze {contract}`:
# a draft's numbers are marked and decide nothing.
contract: {word(contract)}
version: {VERSION}
status: draft

question:
  text: {quoted(question)}  {GUESSED}
  primary_endpoint: {{metric: pass_at_k, k: 1}}  {GUESSED}
targets: {{families: [], exclude: [], reference: {word(reference)}}}  {GUESSED}: the first model
task:
  benchmark: {benchmark}
  population: {quoted(f"the items of {file}")}  {GUESSED}: say what they stand for
prompt: {unknown(f"{file} does not say how the questions were put")}
decoding: {unknown(f"{file} does not say how the replies were drawn")}
budget: {{draws_per_item: {draft.draws}}}  {GUESSED}: the most that an item has
unit: {{of_analysis: item, clustered_by: item_id}}  {GUESSED}: items are independent
aggregation: {{over_draws: unbiased, over_items: micro}}  {GUESSED}
failures:  {GUESSED}: a reply without an answer counts as wrong
  parser_failure: wrong
  undecided: wrong
  model_refusal: wrong
  timeout: wrong
  permission_denied: wrong
  infra_error: exclude
  invalid_sample: exclude
decision: {unknown("nobody has said yet what a checkpoint must show")}

evaluator:
  kind: verifier
  reason: {quoted(chosen.kind.reason)}  {GUESSED}
  uncovered: {quoted(chosen.uncovered)}  {GUESSED}
verification:
  verifier: {chosen.verifier}  {GUESSED}
  extraction: {chosen.extraction}  {GUESSED}
  options: {json.dumps(chosen.options)}  {GUESSED}
  reading: {quoted(chosen.state)}  {GUESSED}: take it away when you have looked
{_recorded(draft.flag)}metrics: [{{name: pass_at_k, k: {ks}}}]  {GUESSED}
statistics: {{replicates: 2000, seed: {SEED}, multiplicity: holm}}  {GUESSED}
"""


def _recorded(flag: str | None) -> str:
    """A publisher's verdict that the rows may hold, for a person to say what it is."""
    if flag is None:
        return ""
    return f"""\
  # The rows hold {word(flag)}, perhaps a publisher's verdict. To compare, say who graded:
  # recorded: {{field: {word(flag)}, grader: "say who graded"}}
"""
