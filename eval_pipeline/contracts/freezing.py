"""From draft to frozen: one word of the file changes, after everything was checked."""

import re
from dataclasses import dataclass

import yaml

from eval_pipeline.contracts.items import read_items
from eval_pipeline.contracts.load import FurtherRule, load_contract
from eval_pipeline.contracts.pinned import identified
from eval_pipeline.contracts.reading import read_yaml
from eval_pipeline.contracts.verification import DOUBTFUL
from eval_pipeline.contracts.writing import replace_file
from eval_pipeline.layout import DataRoot

GUESSED = "# guessed"
_GUESS = re.compile(rf"(?<![^\s]){GUESSED}\b")
_LINE = re.compile(r"[^\r\n]*")
_DRAFT = re.compile(
    rb"""(?P<key>\bstatus["']?\s*:\s*)(?P<quote>["']?)draft(?P=quote)(?=[\s,}]|$)"""
)


@dataclass(frozen=True)
class Guess:
    """A line of a draft that a program guessed and nobody has looked at; line: from 1."""

    line: int
    text: str


class StillGuessedError(ValueError):
    """A draft that holds guesses is frozen only by somebody who accepts them."""

    def __init__(self, file: str, guesses: tuple[Guess, ...]) -> None:
        self.file, self.guesses = file, guesses
        lines = (f"{file}:{guess.line}: {guess.text}" for guess in guesses)
        mend = f"mend each and take `{GUESSED}` away, or --accept-guesses"
        super().__init__("\n".join([*lines, f"{file} still holds guesses: {mend}"]))


def freeze(
    root: DataRoot,
    contract: str,
    version: int,
    further_rules: tuple[FurtherRule, ...] = (),
    accept_guesses: bool = False,
    confirm_instruments: bool = False,
) -> str:
    """Writes `frozen` for `draft` in the contract's file and returns the identity.

    Comments that mark guesses go with it, and so does what a program said of its own choice of
    instruments; every other byte of the file stays. Raises ContractFaults or ItemFaults where
    something is wrong with the contract or its items, StillGuessedError where it holds guesses that
    are not accepted, ValueError where it is frozen already, or where the instruments were chosen in
    doubt and are not confirmed.
    """
    path = root.contract_file(contract, version)
    loaded = load_contract(root, path, further_rules)
    if loaded.contract.status == "frozen":
        raise ValueError(f"contract {loaded.contract.title} is frozen already")
    read_items(root, loaded.contract)
    old = path.read_bytes()
    if (found := guesses(old)) and not accept_guesses:
        raise StillGuessedError(loaded.file, found)
    reading = None if loaded.contract.verification is None else loaded.contract.verification.reading
    if reading in DOUBTFUL and not confirm_instruments:
        file, line = loaded.lines["verification.reading"]
        raise ValueError(
            f"{file}:{line}: the program that chose the instruments says {reading!r}: look at "
            "replies with `eval-pipeline why wrong`, name others in verification or keep these, "
            "and then --confirm-instruments"
        )
    new = _with_frozen(old, loaded.lines["status"][1])
    if reading is not None:
        new = _without_line(new, loaded.lines["verification.reading"][1])
    new = _without_guesses(new)
    before, after = read_yaml(old, loaded.file), read_yaml(new, loaded.file)
    wanted = {**before.data, "status": "frozen"}
    if reading is not None:
        looked_at = {k: v for k, v in before.data["verification"].items() if k != "reading"}
        wanted["verification"] = looked_at
    if after.faults or after.data != wanted:
        raise ValueError(
            f"{loaded.file}: cannot find what to change: write `status: draft` on a line of its "
            "own, and `reading:` below verification likewise"
        )
    replace_file(path, new)
    return identified(root, loaded.contract)


def _without_line(content: bytes, line: int) -> bytes:
    lines = content.split(b"\n")
    return b"\n".join([*lines[: line - 1], *lines[line:]])


def guesses(content: bytes) -> tuple[Guess, ...]:
    """The lines of a draft that are marked as guessed, as they stand there."""
    text = content.decode()
    lines = text.split("\n")
    marked = [text.count("\n", 0, start) for start, _ in _marks(text)]
    return tuple(Guess(line + 1, lines[line].strip()) for line in marked)


def _marks(text: str) -> list[tuple[int, int]]:
    """Where comments that mark guesses begin and end; the same words inside a value are none."""
    values = [
        (token.start_mark.index, token.end_mark.index)
        for token in yaml.scan(text, Loader=yaml.SafeLoader)
        if isinstance(token, yaml.ScalarToken)
    ]
    found: list[tuple[int, int]] = []
    for mark in _GUESS.finditer(text):
        at = mark.start()
        if any(start <= at < end for start, end in values) or (found and at < found[-1][1]):
            continue
        comment = _LINE.match(text, at)
        found.append((at, comment.end() if comment else mark.end()))
    return found


def _without_guesses(content: bytes) -> bytes:
    """The content without comments that mark guesses, and the blanks before them."""
    text = content.decode()
    for start, end in reversed(_marks(text)):
        text = text[:start].rstrip(" \t") + text[end:]
    return text.encode()


def _with_frozen(content: bytes, line: int) -> bytes:
    """The content with the first draft status of that line (from 1) frozen."""
    lines = content.split(b"\n")
    lines[line - 1] = _DRAFT.sub(rb"\g<key>\g<quote>frozen\g<quote>", lines[line - 1], count=1)
    return b"\n".join(lines)
