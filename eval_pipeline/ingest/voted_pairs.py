"""Which pairs a file of votes is about, before any vote is read.

A contract may plan its pairs as its votes are recorded. Then a line that names an item and two
models makes their pair due, whatever else is wrong with it: a vote that cannot be read is missing,
and does not take its pair out of the plan.
"""

from collections.abc import Iterator
from pathlib import Path

from eval_pipeline.ingest.lines import LineReader
from eval_pipeline.ingest.objects import parse_object, read_batches

NAMES = ("item_id", "model_a", "model_b")


def voted_pairs(path: Path) -> Iterator[tuple[str, str, str]]:
    """(item, model, other model) of each line that names them, in the file's order.

    Nothing where the file is not there. Raises ValueError that names it where it is damaged.
    """
    if not path.exists():
        return
    for batch in read_batches(LineReader(path)):
        for i, row in enumerate(batch.objects):
            fault = batch.faults.get(i)
            if fault is not None and fault.reason == "not_finite":  # a vote may hold NaN
                row = parse_object(batch.lines.contents[i], constants=True)
            item, one, other = (row.get(name) for name in NAMES)
            if not (isinstance(item, str) and isinstance(one, str) and isinstance(other, str)):
                continue
            if one != other:
                yield item, one, other
