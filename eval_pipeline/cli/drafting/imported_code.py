"""How items with tests are judged: programs are run, and replies without one are counted."""

from collections import Counter
from collections.abc import Iterable

from eval_pipeline.verification.choosing.choice import Choice, State
from eval_pipeline.verification.choosing.places import AnswerPlace
from eval_pipeline.verification.choosing.reading import Reply
from eval_pipeline.verification.choosing.reference_type import ReferenceType
from eval_pipeline.verification.registry import extraction_of
from eval_pipeline.verification.verdict import find_all

VERIFIER, EXTRACTION = "code@2", "code_block@2"
LIMITS = {"cpu_seconds": 2, "wall_seconds": 6}
MOST_UNREAD, MOST_UNREAD_IN_PART = 0.02, 0.3


def code_choice(replies: Iterable[Reply], workers: int) -> Choice:
    """The instruments for code, and the state of what they read; no program is run."""
    told = list(replies)
    found = find_all(extraction_of(EXTRACTION, {}), [(one.item, one.text) for one in told], workers)
    all_, unread = Counter(one.model for one in told), Counter[str]()
    for one, read in zip(told, found, strict=True):
        unread[one.model] += read.answer is None
    shares = {model: unread[model] / n for model, n in all_.items()}
    worst = max(shares.values(), default=0.0)
    state: State = "cannot tell"
    if worst <= MOST_UNREAD_IN_PART:
        state = "read" if worst <= MOST_UNREAD else "read, in part"
    kind = ReferenceType("text", VERIFIER, dict(LIMITS), {}, reason="every item has tests")
    return Choice(kind, (AnswerPlace("code", EXTRACTION, explicit=True),), state, shares)
