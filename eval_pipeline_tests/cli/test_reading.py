"""How sure a program was of the instruments that it chose: said on every table until a look."""

from pathlib import Path

import pytest

from eval_pipeline_tests.cli.calling import called, refused, succeeded
from eval_pipeline_tests.cli.project import lines, put

N = 40
READ = "So the answer is {right}."
UNSURE = "First {other}, then {right}, or maybe {far}."
PROSE = "I would rather not say, dear friend."


def rows(reply: str) -> list[dict[str, object]]:
    """Sums and replies to them."""
    made: list[dict[str, object]] = []
    for i in range(N):
        text = reply.format(right=i, other=i + 1, far=3 * i + 7)
        made.append({"id": f"n{i}", "question": f"Sum {i}?", "answer": str(i), "reply": text})
    return made


def drafted(folder: Path, reply: str) -> Path:
    source, root = folder / "rows.jsonl", folder / "data"
    put(source, lines(rows(reply)))
    succeeded(root, "init", "--from", str(source), "--contract", "tiny")
    succeeded(root, "run")
    return root


def board(root: Path) -> dict[str, object]:
    found: dict[str, object] = succeeded(root, "ls", "tiny", "--json").json
    return found


@pytest.mark.parametrize(
    ("reply", "state", "title"),
    [
        (READ, "read", "replies read, nobody has looked"),
        (UNSURE, "unsure", "UNSURE of the instruments"),
        (PROSE, "cannot tell", "CANNOT TELL"),
    ],
)
def test_the_state_stands_on_the_table(tmp_path: Path, reply: str, state: str, title: str) -> None:
    root = drafted(tmp_path, reply)
    assert board(root)["reading"] == state
    assert title in succeeded(root, "ls", "tiny").stdout
    page = tmp_path / "page.html"
    succeeded(root, "report", "tiny", "--out", str(page))
    assert f"{state.upper()}." in page.read_text(encoding="utf-8")


def test_what_cannot_be_read_gives_no_number(tmp_path: Path) -> None:
    (row,) = succeeded(drafted(tmp_path, PROSE), "ls", "tiny", "--json").json["rows"]
    assert (row["value"], row["ci_low"], row["status"]) == (None, None, "undefined")
    assert "name others in verification" in row["reason"]


def test_instruments_chosen_in_doubt_are_frozen_by_who_confirms_them(tmp_path: Path) -> None:
    root = drafted(tmp_path, UNSURE)
    line = refused(root, "freeze", "tiny", "--accept-guesses")
    assert "contracts/tiny/v1.yaml:" in line
    assert "--confirm-instruments" in line
    before = board(root)
    succeeded(root, "freeze", "tiny", "--accept-guesses", "--confirm-instruments")
    assert "reading" not in (root / "contracts/tiny/v1.yaml").read_text(encoding="utf-8")
    succeeded(root, "run")
    after = board(root)
    assert after["reading"] is None
    assert after["identity"] == before["identity"]  # a look changes no number


def test_a_state_in_a_frozen_contract_is_a_fault(tmp_path: Path) -> None:
    root = drafted(tmp_path, READ)
    path = root / "contracts/tiny/v1.yaml"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("status: draft", "status: frozen"), encoding="utf-8")
    done = called(root, "validate")
    assert done.code == 1
    assert "verification.reading" in done.stdout + done.stderr
