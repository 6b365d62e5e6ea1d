import json
import threading
import time
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from eval_pipeline.layout import FileRead
from eval_pipeline.warehouse import lineage as lineage_module
from eval_pipeline.warehouse.history import History
from eval_pipeline.warehouse.lineage import SEGMENT_RECORDS, Lineage
from eval_pipeline.warehouse.place import Place, TableRef
from eval_pipeline.warehouse.record import CheckResult, Inputs, Record, timestamp

SCORES = Place("verifier_scores", "qa", 1, "step1")
START = datetime(2025, 1, 1, tzinfo=UTC)


def record(number=0, place=SCORES, outcome="ok", **changed):
    moment = timestamp(START + timedelta(seconds=number))
    made = Record(
        id=f"20250101T000000.{number:06d}Z-00000000",
        place=place,
        identity="identity-1",
        stage="verify",
        key="key-1",
        outcome=outcome,
        run_id="run-1",
        attempt=1,
        started_at=moment,
        written_at=moment,
        digest=f"digest-{number}",
        rows=3,
        schema_version=1,
    )
    return replace(made, **changed)


FULL = record(
    detail="löss: 3 rows",
    checks=(CheckResult("rows add up", False, "3 of 4"),),
    instruments={"verifier": "numeric@1"},
    packages={"numpy": "2.4"},
    seed=7,
    inputs=Inputs(
        (TableRef("items", "qa", 1, None, "d"),), (FileRead("checkpoints/a/b.jsonl", "s", 10),)
    ),
)


def test_a_record_survives_json():
    assert Record.from_json(FULL.to_json()) == FULL
    assert "\n" not in FULL.to_json()


@pytest.mark.parametrize("line", ["", "[]", "{}", '{"form": 1}', '{"form": 1, "id": 3', "3"])
def test_what_is_no_record_is_refused(line):
    with pytest.raises(ValueError):  # noqa: PT011 - json has words of its own
        Record.from_json(line)


def test_an_unknown_key_a_later_form_and_an_unknown_outcome_are_refused():
    body = json.loads(FULL.to_json())
    for change, said in (
        ({"colour": "red"}, "colour"),
        ({"form": 2}, "install the eval_pipeline that wrote it"),
        ({"outcome": "fine"}, "outcome 'fine' is not known"),
    ):
        with pytest.raises(ValueError, match=said):
            Record.from_json(json.dumps({**body, **change}))


def test_records_come_back_in_order_and_are_seen_by_others(tmp_path):
    log, other = Lineage(tmp_path), Lineage(tmp_path)
    assert other.history().records() == []
    made = [record(i) for i in (2, 0, 1)]
    for one in made:
        log.append(one)
    assert log.history().records() == sorted(made, key=lambda r: r.id)
    assert other.history().records() == log.history().records()


def test_an_id_is_never_taken_twice(tmp_path):
    log = Lineage(tmp_path)
    log.append(record())
    with pytest.raises(ValueError, match="stands already"):
        log.append(record())


def test_ids_go_up_even_where_the_clock_goes_back(tmp_path, monkeypatch):
    log = Lineage(tmp_path)
    moments = [START, START - timedelta(days=1), START - timedelta(days=1), START]
    monkeypatch.setattr(lineage_module, "now", lambda: moments.pop(0))
    ids = [log.next_id() for _ in range(2)]
    log.append(replace(record(), id=ids[-1]))
    later = Lineage(tmp_path)
    ids += [later.next_id() for _ in range(2)]
    assert ids == sorted(ids)
    assert len(set(ids)) == 4


def test_threads_get_ids_of_their_own(tmp_path):
    log = Lineage(tmp_path)
    threads = [
        threading.Thread(target=lambda: log.append(replace(record(), id=log.next_id())))
        for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(Lineage(tmp_path).history()) == 8


def write_small_files(folder, numbers):
    folder.mkdir(exist_ok=True)
    for number in numbers:
        one = record(number)
        (folder / f"{one.id}.json").write_text(one.to_json() + "\n")


def test_many_small_files_become_one_segment_in_two_steps(tmp_path):
    write_small_files(tmp_path, range(SEGMENT_RECORDS))
    log, reader = Lineage(tmp_path), Lineage(tmp_path)
    expected = log.history().records()
    log.compact()
    assert len(list(tmp_path.glob("*.jsonl"))) == 1
    assert len(list(tmp_path.glob("*.json"))) == SEGMENT_RECORDS
    assert reader.history().records() == expected
    write_small_files(tmp_path, [SEGMENT_RECORDS])
    log.compact()
    assert [path.stem for path in tmp_path.glob("*.json")] == [record(SEGMENT_RECORDS).id]
    for one in (log, reader, Lineage(tmp_path)):
        assert one.history().records() == [*expected, record(SEGMENT_RECORDS)]
    assert [r.id for r in log.loose()] == [record(SEGMENT_RECORDS).id]


def test_few_small_files_stay(tmp_path):
    write_small_files(tmp_path, range(SEGMENT_RECORDS - 1))
    Lineage(tmp_path).compact()
    assert not list(tmp_path.glob("*.jsonl"))


def test_a_compaction_killed_half_way_loses_and_doubles_nothing(tmp_path):
    write_small_files(tmp_path, range(SEGMENT_RECORDS))
    expected = Lineage(tmp_path).history().records()
    Lineage(tmp_path).compact()
    for path in sorted(tmp_path.glob("*.json"))[::2]:  # killed while it removed small files
        path.unlink()
    assert Lineage(tmp_path).history().records() == expected
    Lineage(tmp_path).compact()
    assert not list(tmp_path.glob("*.json"))
    assert Lineage(tmp_path).history().records() == expected


def test_a_file_that_holds_no_record_is_named(tmp_path):
    (tmp_path / "20250101T000000.000000Z-0.json").write_text('{"form": 1, "id"')
    with pytest.raises(ValueError, match=r"0\.json cannot be read .*restore it from a copy"):
        Lineage(tmp_path).history()


def test_temporaries_are_not_read(tmp_path):
    (tmp_path / ".20250101T000000.000000Z-0.json.ab.tmp").write_text("half")
    assert Lineage(tmp_path).history().records() == []


def test_a_place_holds_its_last_success():
    failed = record(2, outcome="failed")
    history = History([record(1, outcome="unchanged"), failed, record(0)])
    assert history.latest(SCORES) == failed
    assert history.latest_success(SCORES) == record(1, outcome="unchanged")
    assert history.latest(Place("items", "qa", 1)) is None
    assert history.of(SCORES)[0] == record(0)


def test_the_past_is_read_by_moment_or_by_record():
    history = History(record(i) for i in range(3))
    assert history.latest_success(SCORES, START + timedelta(seconds=1.5)) == record(1)
    assert history.latest_success(SCORES, record(0).id) == record(0)
    assert history.latest_success(SCORES, START - timedelta(seconds=1)) is None
    with pytest.raises(ValueError, match="has no time zone"):
        history.latest_success(SCORES, datetime(2025, 1, 1))
    with pytest.raises(LookupError, match="no lineage record has the id 'x'"):
        history.latest_success(SCORES, "x")


def test_what_made_a_state_is_the_last_record_before_its_reader():
    history = History(record(i, digest="same") for i in range(3))
    assert history.made(SCORES, "same") == record(2, digest="same")
    assert history.made(SCORES, "same", before=record(2).id) == record(1, digest="same")
    assert history.made(SCORES, "other") is None


def test_identities_of_a_contract_version_are_known():
    other = Place("items", "qa", 2)
    history = History([record(0), record(1, identity="b"), record(2, other, identity="c")])
    assert history.identities("qa", 1) == ["identity-1", "b"]
    assert history.identities("qa", 3) == []


@pytest.mark.benchmark
def test_ten_thousand_records_are_read_in_half_a_second(tmp_path):
    for start in range(0, 10_000, 500):
        records = [
            replace(FULL, id=record(i).id, place=Place(f"t{i % 20}", "qa", 1, f"step{i // 20}"))
            for i in range(start, start + 500)
        ]
        lines = "".join(one.to_json() + "\n" for one in records)
        (tmp_path / f"{records[-1].id}.jsonl").write_text(lines)
    begin = time.process_time()
    history = Lineage(tmp_path).history()
    assert time.process_time() - begin < 0.5
    assert len(history) == 10_000
