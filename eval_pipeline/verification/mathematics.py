"""`math@1`: whether two mathematical answers mean the same.

What can be settled exactly is settled here, in rational arithmetic: numbers, constants, sets,
tuples, intervals and words (engine `exact`). Only what is left, formulas with symbols, roots and
functions, goes to math-verify, in a child process with a limit of CPU (engine `sympy`).
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from eval_pipeline.verification.arithmetic import value_of
from eval_pipeline.verification.bounded import Request, Stopped, children
from eval_pipeline.verification.boxed import Boxed
from eval_pipeline.verification.elements import Listing, dressed_down, read_listing
from eval_pipeline.verification.listing import Interval, read_ranges
from eval_pipeline.verification.numeric import Numeric
from eval_pipeline.verification.patterns import stopped
from eval_pipeline.verification.verdict import Item, Verdict

EXACT, SYMBOLIC = "exact", "sympy"
MAX_FORMULA = 2000  # characters that are handed on; a longer answer is no formula


@dataclass(frozen=True)
class Mathematics(Numeric):
    """1 where answer and reference mean the same mathematics, 0 where they do not.

    Options: those of numeric@1; `cpu_seconds`, what one formula may cost (5 unless declared): one
    that costs more has the status timeout and is never counted as wrong in silence. `x = 5` is 5,
    and 3:2 is 3/2. Formulas need the extra `math`.
    """

    thousands: str = ", '"
    number_words: bool = True
    cpu_seconds: float = 5.0

    def __post_init__(self) -> None:
        super().__post_init__()
        seconds = self.cpu_seconds
        if isinstance(seconds, bool) or not isinstance(seconds, int | float) or not seconds > 0:
            raise ValueError(f"cpu_seconds must be a number above 0, got {seconds!r}")

    def check(self, item: Item) -> None:
        if not item.reference.strip():
            raise ValueError(f"item {item.item_id!r}: its answer is empty; mend items.jsonl")

    def verify_all(self, answers: Sequence[tuple[Item, str]], workers: int) -> list[Verdict]:
        verdicts = [self._exactly(answer, item.reference) for item, answer in answers]
        formulas: dict[tuple[str, str], Any] = {
            (answer, item.reference): None
            for (item, answer), verdict in zip(answers, verdicts, strict=True)
            if verdict is None
        }
        if formulas:
            with children(workers) as pool:
                said = pool.ask_all([_request(*pair) for pair in formulas], self.cpu_seconds)
            formulas = dict(zip(formulas, said, strict=True))
        return [
            verdict or _symbolic(answer, item.reference, formulas[answer, item.reference])
            for (item, answer), verdict in zip(answers, verdicts, strict=True)
        ]

    def equal(self, said: str, wanted: str) -> bool | None:
        """Whether two texts mean the same; None where exact arithmetic cannot tell."""
        said, wanted = _side(said), _side(wanted)
        if said == wanted:
            return True
        numbers = self._numbers(said, wanted)
        if numbers is not None:
            return numbers
        if _says_interval(said) or _says_interval(wanted):
            form = Interval(self.thousands, self.decimal)
            ranges = read_ranges(said, form), read_ranges(wanted, form)
            if None not in ranges:
                return ranges[0] == ranges[1]
        a, b = (self._listing(text) for text in (said, wanted))
        if a and b and (_is_several(a) or _is_several(b)):
            return self._several(a, b)
        if _is_words(said) and _is_words(wanted):
            return _words(said) == _words(wanted)
        return None

    def _listing(self, text: str) -> Listing | None:
        return read_listing(text, "," in self.thousands, self.decimal == ",")

    def _numbers(self, said: str, wanted: str) -> bool | None:
        """As `equal`, of two numbers or constants; None where either is none."""
        found, reference = self.read(_ratio(said)), self.read(_ratio(wanted))
        if found and reference:
            return self.difference(found, reference) is None
        values = [value_of(text) for text in (said, wanted)]
        for i, quantity in enumerate((found, reference)):
            if (
                quantity
                and values[i] is None
                and not quantity.words
                and not quantity.number.percent
            ):
                values[i] = value_of(str(quantity.number.value))
        a, b = values
        if a is None or b is None:
            return None
        return a == b or abs(a - b) <= max(self.abs_tol, self.rel_tol * abs(b))

    def _several(self, a: Listing, b: Listing) -> bool | None:
        kinds = [_kind(one) for one in (a, b)]
        if kinds[0] != kinds[1] and "bare" not in kinds:
            return False if {*kinds} == {"set", "tuple"} else None
        if "set" not in kinds and "tuple" not in kinds:  # two lists without brackets: any order
            kinds = ["set", "set"]
        if "tuple" in kinds:
            if len(a.parts) != len(b.parts):
                return False
            return _all(self.equal(x, y) for x, y in zip(a.parts, b.parts, strict=True))
        return _same_elements(self, a.parts, b.parts)

    def _exactly(self, answer: str, reference: str) -> Verdict | None:
        equal = self.equal(answer, reference)
        if equal is None:
            if len(answer) <= MAX_FORMULA:
                return None
            said = f"an answer of {len(answer)} characters is no formula"
            return Verdict.unreadable("too_long", said, answer[:MAX_FORMULA])
        relation = "equals" if equal else "differs from"
        explanation = f"{answer.strip()[:200]!r} {relation} {reference[:200]!r} exactly"
        return Verdict.judged(float(equal), answer.strip(), explanation, EXACT)


def _request(answer: str, reference: str) -> Request:
    return {"task": "formulas", "answer": _formula(answer), "reference": _formula(reference)}


def _symbolic(answer: str, reference: str, said: Any) -> Verdict:
    if isinstance(said, Stopped):
        found = stopped(said, "the comparison of formulas", answer)
        return replace(found, engine=SYMBOLIC)
    if said["equal"] is None:
        if said["unread"] == "reference":
            explanation = f"the reference {reference[:200]!r} cannot be read as a formula"
            return Verdict(
                "infra_error", None, answer, explanation, "unread_reference", engine=SYMBOLIC
            )
        explanation = f"{answer[:200]!r} cannot be read as mathematics"
        found = Verdict.unreadable("not_mathematics", explanation, answer)
        return replace(found, engine=SYMBOLIC)
    relation = "equals" if said["equal"] else "differs from"
    explanation = (
        f"{answer.strip()[:200]!r}, read as {said['read']}, {relation} {reference[:200]!r}"
    )
    return Verdict.judged(float(said["equal"]), answer.strip(), explanation, SYMBOLIC)


_ASSIGNED = re.compile(r"\s*(?:[A-Za-z](?:_\{?\w+\}?)?|[A-Za-z]\([A-Za-z]\))\s*=(?!=)\s*(?=\S)")
_RATIO = re.compile(r"\s*(\d{1,18})\s*:\s*([1-9]\d{0,17})\s*")
_TEXT = re.compile(r"\\(?:text|mathrm|textrm|textbf|mathbf|mbox)\s*\{([^{}]*)\}")
_WORDS = re.compile(r"[^\W\d_]{2,}(?:[\s'’,.-]+[^\W\d_]+)*")


def _side(text: str) -> str:
    """The answer itself: of the last box, without dollar signs and a name before an equals sign."""
    text = text.strip().strip("$").strip()
    if "\\boxed" in text or "\\fbox" in text:
        text = Boxed().extract(text, Item("")).answer or text
    if text.count("=") == 1 and (assigned := _ASSIGNED.match(text)):
        text = text[assigned.end() :]
    return text.rstrip(".").strip() or text


def _formula(text: str) -> str:
    return _side(dressed_math(text))


def dressed_math(text: str) -> str:
    """Unicode signs of mathematics as LaTeX, for a reader that knows LaTeX only."""
    for sign, command in _UNICODE.items():
        text = text.replace(sign, command)
    return text


_UNICODE = {
    "−": "-", "–": "-", "×": "\\times ", "·": "\\cdot ", "÷": "\\div ", "π": "\\pi ",
    "∞": "\\infty ", "∪": "\\cup ", "≤": "\\leq ", "≥": "\\geq ", "±": "\\pm ", "θ": "\\theta ",
    "²": "^{2}", "³": "^{3}", "\u00a0": " ", "\u2009": " ", "\u202f": " ",
}  # fmt: skip


def _ratio(text: str) -> str:
    found = _RATIO.fullmatch(text)
    return f"{found[1]}/{found[2]}" if found else text


def _is_several(one: Listing) -> bool:
    return len(one.parts) > 1 or one.brackets in ("{}", "[]")


def _kind(one: Listing) -> str:
    if one.brackets == "{}":
        return "set"
    return "bare" if not one.brackets else "tuple" if one.brackets in ("()", "[]") else "interval"


def _says_interval(text: str) -> bool:
    return any(sign in text for sign in "[]<>≤≥∞∪") or any(
        command in text for command in ("\\infty", "\\cup", "\\le", "\\ge", "\\lt", "\\gt")
    )


def _all(said: Any) -> bool | None:
    """Whether all are equal; False where one is not, None where one cannot be told."""
    results = list(said)
    return False if False in results else None if None in results else True


def _same_elements(form: Mathematics, a: Sequence[str], b: Sequence[str]) -> bool | None:
    """Whether each element of one equals one of the other; None where a formula must decide."""
    unsure = False
    for parts, others in ((a, b), (b, a)):
        for part in parts:
            results = [form.equal(part, other) for other in others]
            if True not in results:
                if None not in results:
                    return False
                unsure = True
    return None if unsure else True


def _is_words(text: str) -> bool:
    return _WORDS.fullmatch(_bare(text)) is not None


def _words(text: str) -> str:
    return " ".join(re.findall(r"[^\W_]+", _bare(text).casefold()))


def _bare(text: str) -> str:
    return " ".join(dressed_down(_TEXT.sub(r" \1 ", text)).replace("\\ ", " ").split())
