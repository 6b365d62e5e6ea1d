"""Which of the markers in a judge's reply decides, if one does."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from eval_pipeline.judging.reading.own_words import Reason, SpokenReply, VerdictMarker

MOST = 64  # markers that are looked at one by one; of more, the last ones


class Decided(NamedTuple):
    """The place of the deciding marker among all, or why there is none, and the flags."""

    place: int | None
    detail: str | None
    flags: tuple[str, ...]


def decided(
    reply: SpokenReply,
    markers: Sequence[VerdictMarker],
    in_candidates: bool,
    meaning: Callable[[str], str] = str,
) -> Decided:
    """The marker that counts of those that are the judge's own.

    All of one meaning: the last. Of several: the one on the last non-empty line; several there:
    the last of them, if it alone is announced. A label that is denied after it was given is none.
    in_candidates: whether a candidate's text holds a marker. What is known of candidates can take
    a verdict away and never make one: else a candidate could plant the marker that it fears.
    """
    first = max(0, len(markers) - MOST)
    reasons = [
        *[None] * first,
        *(reply.why_not(one._replace(echoed=False)) for one in markers[first:]),
    ]
    flags = _flags(markers, reasons, in_candidates)
    own = [i for i, reason in enumerate(reasons) if reason is None]
    if not own:
        detail = "quoted" if "quoted" in reasons else reasons[-1]
        return Decided(None, detail, flags)
    if _are_planted(reply, [markers[i] for i in own]):
        return Decided(None, "quoted", flags)
    last = own[-1]
    if len({meaning(markers[i].label) for i in own}) > 1:
        line = [i for i in own if markers[i].end > reply.last_line_start]
        if not line:
            return Decided(None, "two_verdicts", flags)
        if len({meaning(markers[i].label) for i in line}) > 1 and (
            [i for i in line if reply.announces(markers[i])] != line[-1:]
        ):
            return Decided(None, "two_verdicts", flags)
        if reply.are_alternatives(markers[own[-2]], markers[last]):
            return Decided(None, "two_verdicts", flags)
        own = line
    said = meaning(markers[last].label)
    for i in range(last + 1, len(markers)):
        if reasons[i] != "quoted" and meaning(markers[i].label) == said:
            return Decided(None, "two_verdicts", flags)
    if _are_planted(reply, [markers[i] for i in own if meaning(markers[i].label) == said]):
        return Decided(None, "quoted", flags)
    return Decided(last, None, flags)


def _are_planted(reply: SpokenReply, markers: Sequence[VerdictMarker]) -> bool:
    """Whether each of the markers may be a candidate's."""
    return all(one.echoed and reply.why_not(one) is not None for one in markers[-MOST:])


def _flags(
    markers: Sequence[VerdictMarker], reasons: Sequence[Reason | None], in_candidates: bool
) -> tuple[str, ...]:
    """quoted: a marker was set aside as a quotation, and of no text that was shown."""
    flags = []
    if len({one.label for one in markers}) > 1:
        flags.append("several_verdicts")
    if in_candidates:
        flags.append("marker_in_candidate")
    elif "quoted" in reasons:
        flags.append("quoted")
    return tuple(flags)
