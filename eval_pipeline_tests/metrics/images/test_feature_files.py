"""Features in a file beside the rows, through the chain: the numbers of features inside."""

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from eval_pipeline.ingest.checkpoint import MARKER, write_success
from eval_pipeline.ingest.features import feature_files, read_features
from eval_pipeline.layout import DataRoot
from eval_pipeline.statistics.randomness import generator
from eval_pipeline_tests.cli.calling import succeeded
from eval_pipeline_tests.integration.roots import json_lines, land, write_items
from eval_pipeline_tests.orchestration.plainly import run_plainly
from eval_pipeline_tests.orchestration.small import CONTRACT

ITEMS, WIDTH = 30, 3
RNG = generator(3, "test", "features")
REAL, MADE = RNG.normal(0, 1, (ITEMS, WIDTH)), RNG.normal(0.5, 1, (ITEMS, WIDTH))
NPY, PARQUET = "pictures.features.npy", "pictures.features-1.parquet"


def parquet(path, array, column="features"):
    flat = pa.array(array.ravel())
    pq.write_table(
        pa.table({column: pa.FixedSizeListArray.from_arrays(flat, array.shape[1])}), path
    )


def landed(root, name, day, features, files=None):
    rows = [
        {"item_id": f"i{i:02}", "draw": 0, "text": "image", "features": features(i)}
        for i in range(ITEMS)
    ]
    folder = land(root, name, "owl", f"2026-01-{day:02}", {"pictures.jsonl": json_lines(rows)})
    if files:
        (folder / MARKER).unlink()
        files(folder)
        write_success(folder)


def in_file(file, further=0):
    return lambda i: {"file": file, "row": i + further}


@pytest.fixture(scope="module")
def root(tmp_path_factory):
    root = DataRoot(tmp_path_factory.mktemp("features") / "data")
    text = CONTRACT.format(contract="pictures", version=1, status="frozen")
    start, end = text.index("verification:"), text.index("metrics:")
    text = text[:start] + text[end:]
    text = text.replace("kind: verifier", "kind: reference_metric")
    text = text.replace("{metric: pass_at_k, k: 1}", "{metric: meteor}")
    network = "options: {network: toy}"
    asked = f"{{name: fid, {network}}}, {{name: image_precision, {network}}}"
    text = text.replace("[{name: pass_at_k, k: 1}]", f"[{asked}]")
    path = root.contract_file("pictures", 1)
    path.parent.mkdir(parents=True)
    path.write_text(text, encoding="utf-8")
    items = [
        {"item_id": f"i{i:02}", "question": "draw", "features": in_file("features.npy")(i)}
        for i in range(ITEMS)
    ]
    write_items(root, "pictures@1", items)
    np.save(root.items("pictures@1").parent / "features.npy", REAL)
    objects = np.array([["a"]], dtype=object)
    landed(root, "inside", 1, lambda i: MADE[i].tolist())
    landed(root, "npy", 2, in_file(NPY), lambda folder: np.save(folder / NPY, MADE))
    landed(root, "parquet", 3, in_file(PARQUET), lambda folder: parquet(folder / PARQUET, MADE))
    landed(root, "beyond", 4, in_file(NPY, 1), lambda folder: np.save(folder / NPY, MADE))
    landed(root, "outside", 5, in_file("../npy/pictures.features.npy"))
    landed(root, "absent", 6, in_file(NPY))
    landed(root, "objects", 7, in_file(NPY), lambda folder: np.save(folder / NPY, objects))
    assert not run_plainly(root).failed
    return root


@pytest.fixture(scope="module")
def rows(root):
    sql = "select * from metric_estimates where slice = 'all' and policy = 'primary'"
    found = succeeded(root.path, "query", sql, "--limit", "0", "--json").json
    listed = found["rows"] if isinstance(found, dict) else found
    return {(row["checkpoint"], row["metric"]): row for row in listed}


@pytest.mark.parametrize("checkpoint", ["npy", "parquet"])
@pytest.mark.parametrize("metric", ["fid(network=toy)", "image_precision(network=toy)"])
def test_features_of_a_file_give_the_numbers_of_features_inside(rows, checkpoint, metric):
    inside = rows["inside", metric]["value"]
    assert inside is not None
    assert rows[checkpoint, metric]["value"] == pytest.approx(inside, rel=1e-12)


def test_the_files_are_evidence(root):
    told = succeeded(
        root.path, "trace", "pictures", "metric_estimates", "--checkpoint", "npy"
    ).stdout
    assert "checkpoints/npy/pictures.features.npy" in told
    assert "benchmarks/pictures/v1/features.npy" in told


@pytest.mark.parametrize(
    ("checkpoint", "told"),
    [
        ("beyond", "name row 30 of pictures.features.npy, which has rows 0 to 29"),
        ("outside", "'../npy/pictures.features.npy' is no file of features beside the"),
        ("absent", "'pictures.features.npy' is no file of features beside the generations"),
        ("objects", "memory-mapped: Python objects in dtype"),
    ],
)
def test_a_file_that_cannot_be_read_leaves_the_metric_undefined_and_named(rows, checkpoint, told):
    row = rows[checkpoint, "fid(network=toy)"]
    assert (row["value"], row["status"]) == (None, "undefined")
    assert told in row["reason"]


def test_links_damage_and_other_shapes_are_refused(tmp_path):
    np.save(tmp_path / "real.npy", MADE)
    (tmp_path / "features.npy").symlink_to(tmp_path / "real.npy")
    (tmp_path / "features-1.npy").write_bytes((tmp_path / "real.npy").read_bytes()[:-9])
    np.save(tmp_path / "features-2.npy", MADE[0])
    parquet(tmp_path / "features-3.parquet", MADE, "other")
    (tmp_path / "features-4.parquet").write_bytes(b"PAR1")
    assert len(feature_files(tmp_path)) == 5
    for path in feature_files(tmp_path):
        with pytest.raises(ValueError, match=path.name):
            read_features(path)
