"""What looking at replies costs."""

import resource

import pytest

from eval_pipeline.verification.choosing.choice import MOST_REPLIES, choose
from eval_pipeline.verification.choosing.reading import Reply
from eval_pipeline.verification.choosing.reference_type import reference_type
from eval_pipeline_tests.verification.choosing.made import made_set

MOST_CPU = 0.001  # seconds a reply
WORK = "Then we look at the next step of the work and see what remains of it. " * 8


def cpu_seconds() -> float:
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


@pytest.mark.benchmark
@pytest.mark.parametrize("kind", ["number", "letter", "closed", "text"])
def test_a_reply_costs_a_millisecond_at_most(kind: str) -> None:
    made = made_set(kind, "marker", "chatter", n_items=MOST_REPLIES // 2)
    replies = [
        Reply(one.reply.item, one.reply.model, f"{WORK}\n{one.reply.text}") for one in made.planted
    ]
    found, before = reference_type(made.asked), cpu_seconds()
    choose(found, replies)
    assert cpu_seconds() - before < MOST_CPU * len(replies)
