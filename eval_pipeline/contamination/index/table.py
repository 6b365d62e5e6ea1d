"""The index as a table: `contamination_index`, and the entries that it stands for."""

from collections.abc import Iterable, Mapping, Sequence

from eval_pipeline.contamination.index.entries import FieldEntry, document_frequency, entries_of
from eval_pipeline.contamination.index.masks import (
    NOT_SAMPLED,
    Spread,
    masked_entries,
    rarity,
    weight_of,
)
from eval_pipeline.contamination.text.exact import digest
from eval_pipeline.contamination.text.fields import Field
from eval_pipeline.rows.contamination import ContaminationIndexRow


def index_rows(
    fields: Sequence[Field], spread: Spread = NOT_SAMPLED, template: str = ""
) -> list[Mapping[str, object]]:
    """Rows of `contamination_index`, sorted by item, field, n-gram; as `masked_entries`."""
    entries = masked_entries(entries_of(fields), spread, template)
    frequency = document_frequency(entries)
    n_items = len({entry.field.item_id for entry in entries})
    rows: list[Mapping[str, object]] = []
    for entry in entries:
        name, normaliser = entry.field.name, entry.field.normaliser.name
        for gram, positions in entry.positions.items():
            item_df, (corpus_df, _) = frequency[name, gram], spread.of(normaliser, gram)
            rows.append(
                {
                    "item_id": entry.field.item_id,
                    "field": name,
                    "ngram": digest(gram.split(" ")),
                    "n": entry.n,
                    "position": positions[0],
                    "item_df": item_df,
                    "corpus_df": corpus_df,
                    "idf": rarity(item_df, corpus_df, n_items, spread.documents),
                    "masked": gram in entry.masked,
                    "shared": gram in entry.shared,
                    "normaliser": entry.field.normaliser.version,
                }
            )
    return sorted(rows, key=lambda row: (str(row["item_id"]), str(row["field"]), str(row["ngram"])))


def open_index(fields: Sequence[Field], rows: Iterable[ContaminationIndexRow]) -> list[FieldEntry]:
    """The entries of fields with the masks and weights of their index.

    Raises ValueError where the index was made of other items, or by another normaliser or
    Unicode version: each row must name the normaliser as it is now, and the n-grams of each field
    must be those of the index.
    """
    known: dict[tuple[str, str], dict[str, ContaminationIndexRow]] = {}
    for row in rows:
        known.setdefault((row["item_id"], row["field"]), {})[row["ngram"]] = row
    entries = []
    for entry in entries_of(fields):
        own_rows = known.get((entry.field.item_id, entry.field.name), {})
        digests = {gram: digest(gram.split(" ")) or "" for gram in entry.positions}
        made_by = {str(row["normaliser"]) for row in own_rows.values() if row.get("normaliser")}
        if stale := sorted(made_by - {entry.field.normaliser.version}):
            raise ValueError(
                f"contamination_index was made by {stale[0]}, this is "
                f"{entry.field.normaliser.version}: compute it again"
            )
        if own_rows.keys() != set(digests.values()):
            raise ValueError(
                f"contamination_index does not fit item {entry.field.item_id!r}, field "
                f"{entry.field.name!r}: it was made of other items or by another normaliser; "
                "compute it again"
            )
        masked = frozenset(gram for gram, key in digests.items() if own_rows[key]["masked"])
        weights = {
            gram: weight_of(idf)
            for gram, key in digests.items()
            if (idf := own_rows[key].get("idf")) is not None
        }
        shared = frozenset(gram for gram, key in digests.items() if own_rows[key].get("shared"))
        entries.append(
            FieldEntry(entry.field, entry.words, entry.positions, masked, weights, shared)
        )
    return entries
