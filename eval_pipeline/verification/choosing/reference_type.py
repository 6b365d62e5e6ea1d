"""What the references of a benchmark are, taken as a set: numbers, letters, formulas, labels, text.

The type decides the verifier, and how strictly a place in a reply is read. References that the
type does not hold are named, and never turn the others into text where they are few.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Literal

from eval_pipeline.verification.choices.choice import LETTERS
from eval_pipeline.verification.numbers.numerals import NumberForm
from eval_pipeline.verification.numbers.numeric import read_quantity
from eval_pipeline.verification.registry import Options, extraction_of, instruments
from eval_pipeline.verification.verdict import Item, Verifier, find_all

Kind = Literal["choice", "number", "closed", "maths", "text"]

MOST_LABELS = 6  # different answers of a closed set
FEWEST_ITEMS = 20  # below which few answers are no sign of a closed set
MOST_ODD = 0.05  # of the references, that the type may not hold
LONGEST_LABEL = 40
LONGEST_FORMULA = 300
KNOWN_LABELS = frozenset({"yes", "no", "true", "false", "maybe", "unknown", "valid", "invalid"})
FEWEST_LETTERS = 4  # of choices whose options are not given

THOUSANDS = {"thousands": ","}
_FORMULA = re.compile(r"[0-9\\^=+/<>|*_(\[{]|(?<=\w)-(?=\w)")
_WORD = re.compile(r"(?<![\\A-Za-z])[A-Za-z]{3,}")  # not the name of a LaTeX command
_FUNCTIONS = re.compile("sin|cos|tan|cot|sec|csc|log|exp|sqrt|mod|max|min|gcd|lcm|inf|infty")

# what may stand round every reference, as round the answers of replies; options of the extraction
_DRESSES: tuple[tuple[str, str, Options], ...] = (
    ("a last line with #### or A:", "answer_line@2", {"pattern": "gsm8k"}),
    (r"\boxed{}", "boxed@2", {}),
    ("an answer marker", "marker@1", {}),
    ("$ signs", "answer_line@2", {"pattern": r"\A\s*\$([^$]{1,400})\$\s*\Z"}),
)


@dataclass(frozen=True)
class ReferenceType:
    """What the references are. labels: of a closed set, as they are written; letters: of choices.

    odd: the items whose reference is of another kind, by id. dress: what stood round each
    reference and was taken off. answers: item -> reference as it is compared.
    """

    kind: Kind
    verifier: str
    options: Options
    answers: dict[str, str]
    labels: tuple[str, ...] = ()
    odd: tuple[str, ...] = ()
    dress: str | None = None
    reason: str = ""

    @property
    def extraction_options(self) -> Options:
        """The options that extraction and verifier share."""
        return dict(self.options)


@dataclass(frozen=True)
class Asked:
    """An item as it was put: its id, question, right answers and options."""

    item_id: str
    question: str
    references: tuple[str, ...]
    options: tuple[str, ...] | None = None


def reference_type(items: Sequence[Asked]) -> ReferenceType:
    """The type of the references; order and number of models do not matter.

    Raises ValueError where an item has no reference.
    """
    if silent := [item.item_id for item in items if not item.references]:
        raise ValueError(f"{len(silent)} items have no reference, {silent[0]} among them")
    if any(len(set(item.references)) > 1 for item in items):
        return _several(items)
    written = {item.item_id: item.references[0].strip() for item in items}
    dressings: list[tuple[dict[str, str], str | None]] = [(written, None), *_undressed(written)]
    for answers, dress in dressings:
        found = (
            _choice(items, answers, dress)
            or _of_kind("number", "numeric@2", THOUSANDS, answers, dress)
            or _closed(answers, dress)
        )
        if found is not None:
            return found
    for answers, dress in dressings:
        if _may_be_maths(answers):
            found = _of_kind("maths", "math@2", {}, answers, dress)
            if found is not None:
                return found
    return ReferenceType(
        "text",
        "exact@1",
        {"policy": "casefold"},
        written,
        reason="the references are text: upper and lower case are alike, nothing else",
    )


def _several(items: Sequence[Asked]) -> ReferenceType:
    import json

    answers = {item.item_id: json.dumps(list(dict.fromkeys(item.references))) for item in items}
    options = {"policy": "casefold", "references": "json"}
    reason = "items have several right answers: any of them counts, upper and lower case alike"
    return ReferenceType("text", "exact@1", options, answers, reason=reason)


def _undressed(answers: dict[str, str]) -> Iterator[tuple[dict[str, str], str]]:
    """The references without what stands round all of them alike, one way after the other."""
    for name, extraction, options in _DRESSES:
        finds = extraction_of(extraction, options)
        found = find_all(finds, [(Item(item), answer) for item, answer in answers.items()], 1)
        pairs = zip(answers, found, strict=True)
        bare = {item: one.answer for item, one in pairs if one.answer is not None}
        if len(bare) == len(answers):
            yield bare, name


def _choice(
    items: Sequence[Asked], answers: dict[str, str], dress: str | None
) -> ReferenceType | None:
    """Options with their key, or letters without any."""
    if all(item.options for item in items):
        keys = {item.item_id: _key(item, answers[item.item_id]) for item in items}
        odd = tuple(sorted(item for item, key in keys.items() if key is None))
        if len(odd) > MOST_ODD * len(items):
            return None
        answers = {item: answers[item] for item, key in keys.items() if key is not None}
        reason = "every item has options, and its answer is one of them"
        return ReferenceType("choice", "choice@2", {}, answers, odd=odd, dress=dress, reason=reason)
    if any(item.options for item in items):
        return None
    letters = set(answers.values())
    if not all(len(one) == 1 and one in LETTERS for one in letters):
        return None
    n = max(FEWEST_LETTERS, 1 + max(LETTERS.index(one) for one in letters))
    reason = f"every answer is a letter; {LETTERS[:n]} are taken for the options"
    return ReferenceType(
        "choice",
        "choice@2",
        {"labels": LETTERS[:n]},
        answers,
        labels=tuple(LETTERS[:n]),
        dress=dress,
        reason=reason,
    )


def _key(item: Asked, answer: str) -> str | None:
    """The letter of the right option; None where the answer is none of them, or several."""
    options = [one.strip() for one in item.options or ()]
    if options.count(answer) == 1:
        place = options.index(answer)
        return LETTERS[place] if place < len(LETTERS) else None
    is_letter = len(answer) == 1 and answer in LETTERS[: len(options)]
    return answer if is_letter and not options.count(answer) else None


def _of_kind(
    kind: Literal["number", "maths"],
    verifier: str,
    options: Options,
    answers: dict[str, str],
    dress: str | None,
) -> ReferenceType | None:
    """The type, if its verifier can hold nearly all references."""
    holds = _is_number if kind == "number" else _holds(verifier, options)
    most = MOST_ODD * len(answers)
    odd_ones: list[str] = []
    for item, answer in answers.items():
        if not holds(answer):
            odd_ones.append(item)
            if len(odd_ones) > most:
                return None
    odd = tuple(sorted(odd_ones))
    held = {item: answer for item, answer in answers.items() if item not in set(odd)}
    named = {"number": "numbers", "maths": "numbers and formulas"}[kind]
    reason = f"the references are {named}" + (f", all but {len(odd)}" if odd else "")
    return ReferenceType(kind, verifier, options, held, odd=odd, dress=dress, reason=reason)


def _closed(answers: dict[str, str], dress: str | None) -> ReferenceType | None:
    counts = Counter(answer.casefold() for answer in answers.values())
    short = all(0 < len(label) <= LONGEST_LABEL for label in counts)
    many = len(answers) >= FEWEST_ITEMS and len(counts) > 1
    if not (many or counts.keys() <= KNOWN_LABELS) or len(counts) > MOST_LABELS or not short:
        return None
    labels = tuple(sorted(counts))
    reason = f"the references are {len(labels)} labels: {', '.join(labels)}"
    options = {"policy": "casefold"}
    return ReferenceType("closed", "exact@1", options, answers, labels, dress=dress, reason=reason)


def _is_number(answer: str) -> bool:
    """Whether the whole answer is one number, without words."""
    found = read_quantity(answer, NumberForm(THOUSANDS["thousands"]))
    return found is not None and not found.words and not answer.lstrip()[:1].isalpha()


def _may_be_maths(answers: dict[str, str]) -> bool:
    """Whether nearly all references are short enough to be formulas, and none of several lines."""
    long = sum(len(one) > LONGEST_FORMULA or "\n" in one for one in answers.values())
    return long <= MOST_ODD * len(answers)


def _holds(verifier: str, options: Options) -> Callable[[str], bool]:
    _, judge = instruments(verifier, "whole_text@2", options)
    return partial(_passes, judge)


def is_formula(text: str) -> bool:
    """Whether a text is written as a formula: a word is none, though it reads as a product."""
    words = (word.casefold() for word in _WORD.findall(text))
    return _FORMULA.search(text) is not None and all(map(_FUNCTIONS.fullmatch, words))


def _passes(judge: Verifier, answer: str) -> bool:
    if not is_formula(answer):
        return False
    try:
        judge.check(Item("", answer=answer))
    except ValueError:
        return False
    return True
