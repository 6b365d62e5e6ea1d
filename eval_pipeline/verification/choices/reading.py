"""The option that a reply chooses: the surest places first, and in them the last that speaks."""

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, pairwise

from eval_pipeline.verification.choices.claims import ChoiceClaim, claim_at, is_claimed, settled
from eval_pipeline.verification.choices.options import Mention, Options
from eval_pipeline.verification.choices.places import (
    ALSO,
    BECAUSE,
    BEGINNING,
    BEGINNING_OF_A_PARAGRAPH,
    CALLED,
    DECLARED,
    ENUMERATED,
    JOINED,
    LAST_WORDS,
    LINE_ENDS,
    LINE_OPENS,
    LISTED,
    NONE,
    PARAGRAPH,
    SELECTED,
    SENTENCE_ENDS,
    TEXT_BELOW,
)
from eval_pipeline.verification.choices.words import CALLED_RIGHT

NOTHING = ChoiceClaim(None, 0, "no_choice")
REREADS = 4  # of what follows an option that was taken back
RULES = " \t-*_=~`#>"  # what parts paragraphs, as a blank line does
MARKERS = 2_000  # of each kind that are looked at, from the end
LINES = 5_000  # of a reply that are held against the options


@dataclass(frozen=True)
class _Line:
    """A line that is not blank: the option that is all it holds, None where there is more or none.

    `is_next`: no blank line parts it from the line before.
    """

    named: Mention | None
    is_next: bool


def chosen(text: str, options: Options) -> ChoiceClaim:
    """The option that the text chooses, or the reason why it chooses none.

    Where an option is taken back, what follows is read anew.
    """
    for _ in range(REREADS):
        claim = _read(text, options)
        if claim.detail != "withdrawn":
            return claim
        after = _read(text[claim.end :], options)
        if after.detail == "no_choice":
            return claim
        text = text[claim.end :]
    return ChoiceClaim(None, 0, "withdrawn")


def _read(text: str, options: Options) -> ChoiceClaim:
    for place in (_declared, _first_line, _called, _selected, _lines, _last_words, _begun):
        claim = place(text, options)
        if claim is not None:
            return settled(text, claim, options)
    return NOTHING


Place = Callable[[str, Options], ChoiceClaim | None]


def _declared(text: str, options: Options) -> ChoiceClaim | None:
    """After the last marker that an option follows: "the answer is B"."""
    last: tuple[int, ChoiceClaim] | None = None
    for marker in reversed(deque(DECLARED.finditer(text), MARKERS)):
        if not is_claimed(text, marker.start(), marker.end()):
            continue
        also = ALSO.match(text, marker.end())
        claim = claim_at(text, also.end() if also else marker.end(), options)
        if claim is None and last is None and NONE.match(text, marker.end()):
            return NOTHING
        if claim is None:
            continue
        if also:
            return ChoiceClaim(None, claim.end, "several_choices")
        if last is None:
            last = marker.start(), claim
            continue
        start, later = last
        is_joined = claim.end > start or JOINED.fullmatch(text, claim.end, start)
        if claim.label != later.label and is_joined:
            return ChoiceClaim(None, later.end, "several_choices")
        break
    return _unless_listed(text, last[1], options) if last else None


def _unless_listed(text: str, claim: ChoiceClaim, options: Options) -> ChoiceClaim:
    """None where the lines that follow are the other options: who lists all chooses none."""
    if claim.label is None:
        return claim
    below = text.find("\n", claim.end)
    if below < 0 or text[claim.end : below].strip(" \t.*_`)$}"):
        return claim
    others: set[str] = set()
    for count, line in enumerate(_lines_of(text[below + 1 :], options)):
        if line.named is None:
            return claim if len(others) < 2 else ChoiceClaim(None, claim.end, "several_choices")
        if line.named.label != claim.label:
            others.add(line.named.label)
            if line.is_next and count == 0:
                break
    return ChoiceClaim(None, claim.end, "several_choices") if others else claim


def _lines_of(text: str, options: Options) -> Iterator[_Line]:
    at, is_next = 0, True
    for line in islice(text.split("\n"), LINES):
        is_blank = not line.strip(RULES)
        if not is_blank:
            yield _Line(_whole_line(text, at, options), is_next)
        at, is_next = at + len(line) + 1, not is_blank


def _whole_line(text: str, start: int, options: Options) -> Mention | None:
    opened = LINE_OPENS.match(text, start)
    for at in dict.fromkeys((opened.end() if opened else start, start)):
        named = options.mention(text, at)
        ends = LINE_ENDS.match(text, named.end) if named else None
        if named and ends:
            if not named.is_small or named.has_text or "\n" not in text.strip():
                return named
            is_point = text[named.start + 1 : named.end].strip() and TEXT_BELOW.match(
                text, ends.end()
            )
            return None if is_point else named
    return None


def _first_line(text: str, options: Options) -> ChoiceClaim | None:
    """The first line, where it is one option and an explanation follows."""
    lines = list(_lines_of(text, options))
    if len(lines) < 2 or (named := lines[0].named) is None:
        return None
    if named.is_small and not named.has_text:  # the first point of several?
        return None
    others = {mention.label for mention in _not_headings(lines[1:], named.label)}
    if others - {named.label}:
        return ChoiceClaim(None, len(text), "several_choices")
    return _unless_listed(text, _claim(named), options)


def _not_headings(lines: Sequence[_Line], chosen: str = "") -> list[Mention]:
    """The options of lines that head no text below them, if two others do.

    One heading is as good as a choice.
    """
    every = [line.named for line in lines if line.named]
    alone = [
        line.named
        for line, after in pairwise([*lines, _Line(None, False)])
        if line.named and not (after.named is None and after.is_next and _may_head(line.named))
    ]
    headings = {mention.label for mention in every} - {mention.label for mention in alone}
    return alone if len(headings - {chosen}) > 1 else every


def _may_head(named: Mention) -> bool:
    return named.has_text or named.is_text or named.is_small


def _claim(named: Mention) -> ChoiceClaim:
    if named.other is not None:
        return ChoiceClaim(None, named.end, "label_and_text_differ")
    return ChoiceClaim(named.label, named.end)


def _called(text: str, options: Options) -> ChoiceClaim | None:
    """What a sentence calls right: "(B) is the correct answer"."""
    claims = []
    for match in CALLED.finditer(text):
        name = match.lastgroup or 0
        if is_claimed(text, match.start()):
            is_sure = CALLED_RIGHT.match(text, match.end(name)) is not None
            claims.append((ChoiceClaim(match[name], match.end()), is_sure))
    if len({claim.label for claim, is_sure in claims if is_sure}) > 1:
        return ChoiceClaim(None, len(text), "several_choices")
    return claims[-1][0] if claims else None


def _selected(text: str, options: Options) -> ChoiceClaim | None:
    """After words such as "I choose"."""
    for match in reversed(deque(SELECTED.finditer(text), MARKERS)):
        if is_claimed(text, match.start()):
            claim = claim_at(text, match.end(), options)
            if claim is not None:
                return claim
    return None


def _lines(text: str, options: Options) -> ChoiceClaim | None:
    """A line that is an option; lines of different options choose none, but for headings."""
    lines = list(_lines_of(text, options))
    named = _not_headings(lines) or [line.named for line in lines if line.named]
    is_point = any(mention.is_small and not mention.has_text for mention in named)
    if is_point and len(ENUMERATED.findall(text)) > 1:
        return None
    is_cut = (
        named and not (named[-1].has_text or named[-1].is_text) and _ends_a_list(text, named[-1])
    )
    if len({mention.label for mention in named}) > 1 or is_cut:
        return ChoiceClaim(None, len(text), "several_choices")
    return _claim(named[-1]) if named else None


def _ends_a_list(text: str, named: Mention) -> bool:
    """Whether a lone label is the next of a list that breaks off: "A. one", "B."."""
    above = text[: named.start].rstrip(" \t\n*_(").rpartition("\n")[2]
    begun = LISTED.search(above[:20])
    return begun is not None and (begun[1] or begun[2]).upper() != named.label


def _last_words(text: str, options: Options) -> ChoiceClaim | None:
    """A sentence that ends with the option: "So it's B."."""
    claims = []
    for match in deque(LAST_WORDS.finditer(text), MARKERS):
        if not is_claimed(text, match.start(), match.end()):
            continue
        claim = claim_at(text, match.end(), options)
        if claim and SENTENCE_ENDS.match(text, claim.end):
            claims.append(claim)
    if len({claim.label for claim in claims}) > 1:
        return ChoiceClaim(None, len(text), "several_choices")
    return claims[-1] if claims else None


def _begun(text: str, options: Options) -> ChoiceClaim | None:
    """An option with which the reply begins, or a paragraph of it, where no other is labelled."""
    claims, is_texted = [], False
    for start in (0, *(match.end() for match in PARAGRAPH.finditer(text))):
        opened = LINE_OPENS.match(text, start)
        at = opened.end() if opened else start
        named = options.mention(text, at)
        is_begun = (BEGINNING if start == 0 else BEGINNING_OF_A_PARAGRAPH).match(text, start)
        if named and (named.has_text or named.is_text):
            is_begun = is_begun or BECAUSE.match(text, named.end)
        if named and (is_begun or (start == 0 and (named.is_text or named.has_text))):
            claims.append(claim_at(text, at, options))
            is_texted = named.has_text
    said = [claim for claim in claims if claim is not None]
    if len({claim.label for claim in said}) > 1:
        return ChoiceClaim(None, len(text), "several_choices")
    if not said or said[0].label is None:
        return said[0] if said else None
    lines = (line.named for line in _lines_of(text, options))
    alone = {named.label for named in lines if named and not named.is_small}
    if alone - {said[0].label}:
        return ChoiceClaim(None, len(text), "several_choices")
    others = {(one[1] or one[2]).upper() for one in LISTED.finditer(text, said[0].end)}
    if is_texted:  # beside it only labels with their texts make a list
        beside = (options.labelled(text, one.start()) for one in LISTED.finditer(text, said[0].end))
        others = {one.label for one in beside if one and one.has_text}
    if (others & set(options.labels)) - {said[0].label}:
        return ChoiceClaim(None, len(text), "several_choices")
    return said[-1]
