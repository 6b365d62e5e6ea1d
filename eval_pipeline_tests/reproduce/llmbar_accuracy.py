"""LLMBar: the four published accuracies of all 499 cells, by the product's own table.

Each cell is a judge; output 1 and output 2 are its models, so that the order in which output 1 is
shown first is the published one without a swap. A missing verdict is wrong on both sides.
Source: Zeng et al. 2024, arXiv:2310.07641, statistics.json beside each result.json.
"""

import numpy as np
import pyarrow.parquet as pq

from eval_pipeline.judging.audits.label_accuracy import accuracy_rows, truth_of
from eval_pipeline.judging.pairs.swap import JudgedPairs, combine_votes
from eval_pipeline.judging.people.labels import LabelledPairs
from eval_pipeline_tests.reproduce.llmbar import cell_name, judge_votes, reference_folder
from eval_pipeline_tests.reproduce.row import Row

ALLOWED = 1e-9  # percent: both sides are ratios of the same small counts
READINGS = {"acc_ab": "a_first", "acc_ba": "b_first", "acc_average": "mean", "acc_both": "both"}
NUMBER = {"1": 0, "2": 1}


def rows() -> list[Row]:
    """Each published accuracy beside the value of its reading in `label_accuracies`."""
    folder = reference_folder()
    table = pq.read_table(folder / "llmbar_verdicts_both_orders.parquet")
    pairs = combine_votes(judge_votes(table))
    label = {f"{row['dataset']}/{row['item']}": str(row["label"]) for row in table.to_pylist()}
    found = []
    for cell in pq.read_table(folder / "llmbar_published_statistics.parquet").to_pylist():
        name = cell_name(cell)
        mine = pairs.where(pairs.judge == name)
        truth = truth_of(mine, _labels(mine, label))
        made = accuracy_rows(name, truth, {}, "both", 0.95)
        ours = {str(row["reading"]): 100 * float(str(row["value"])) for row in made}
        for key, reading in READINGS.items():
            theirs = cell[key]
            difference = ours[reading] - theirs
            found.append(Row(f"{name} {key}", theirs, ours[reading], difference, ALLOWED))
    return found


def _labels(pairs: JudgedPairs, label: dict[str, str]) -> LabelledPairs:
    counts = np.zeros((len(pairs), 3), dtype=np.int64)
    counts[np.arange(len(pairs)), [NUMBER[label[item]] for item in pairs.item_id]] = 1
    return LabelledPairs(
        pairs.item_id, np.asarray(pairs.cluster_id), pairs.model_a, pairs.model_b, counts
    )
