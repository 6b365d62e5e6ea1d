"""A folder of Parquet tables with a manifest that names each, its rows and its digest."""

import hashlib
import io
import json
from collections.abc import Mapping

import pyarrow as pa
import pyarrow.parquet as pq

from eval_pipeline.reporting.exports.export import Export

MANIFEST = "manifest.json"


def written(export: Export, tables: Mapping[str, pa.Table]) -> dict[str, bytes]:
    """`<table>.parquet` for each table, and the manifest; tables: name -> what it holds."""
    files = {f"{name}.parquet": _bytes(table) for name, table in sorted(tables.items())}
    told = {
        "contract": export.title,
        "contract_identity": export.identity,
        "benchmark": export.benchmark,
        "written_at": export.written_at,
        "release": export.release,
        "tables": [
            {
                "file": f"{name}.parquet",
                "rows": table.num_rows,
                "columns": table.column_names,
                "sha256": hashlib.sha256(files[f"{name}.parquet"]).hexdigest(),
            }
            for name, table in sorted(tables.items())
        ],
    }
    return {**files, MANIFEST: (json.dumps(told, indent=2) + "\n").encode()}


def _bytes(table: pa.Table) -> bytes:
    stream = io.BytesIO()
    pq.write_table(table.replace_schema_metadata(None), stream, compression="zstd")
    return stream.getvalue()
