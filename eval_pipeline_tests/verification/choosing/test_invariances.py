"""What the choice must not depend on: which reference is whose, and the order of anything."""

import random
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from eval_pipeline.verification.choosing.choice import Choice, choose
from eval_pipeline.verification.choosing.reading import Reply
from eval_pipeline.verification.choosing.reference_type import Asked, reference_type
from eval_pipeline.verification.registry import instruments
from eval_pipeline.verification.verdict import Item, find_all
from eval_pipeline_tests.verification.choosing.made import MadeSet, made_set, places

N = 30
CASES = st.tuples(
    st.sampled_from(["number", "letter", "closed", "text"]).flatmap(
        lambda kind: st.tuples(st.just(kind), st.sampled_from(sorted(places(kind))))
    ),
    st.sampled_from(["alone", "chatter", "revised", "absent 10 %", "absent 50 %"]),
).map(lambda drawn: made_set(*drawn[0], drawn[1], n_items=N))
SEEDS = st.integers(0, 1_000)


def choice_of(asked: list[Asked], replies: list[Reply]) -> Choice:
    return choose(reference_type(asked), replies)


def said(choice: Choice) -> tuple[object, ...]:
    """All that the choice says but whose reference is whose."""
    alarms = [(one.place, one.model, one.share, one.doubts) for one in choice.alarms]
    return (
        choice.verifier,
        choice.extraction,
        str(choice.options),
        choice.state,
        dict(choice.unread),
        alarms,
        choice.dropped,
        choice.strict,
    )


def replies_of(made: MadeSet) -> list[Reply]:
    return [one.reply for one in made.planted]


@settings(max_examples=40)
@given(CASES, SEEDS)
def test_references_shuffled_over_the_items(made: MadeSet, seed: int) -> None:
    answers = [one.references for one in made.asked]
    random.Random(seed).shuffle(answers)
    asked = [replace(one, references=two) for one, two in zip(made.asked, answers, strict=True)]
    own = {one.item_id: one.references[0] for one in asked}
    replies = [
        replace(one, item=replace(one.item, answer=own[one.item.item_id]))
        for one in replies_of(made)
    ]
    assert said(choice_of(asked, replies)) == said(choice_of(list(made.asked), replies_of(made)))


@settings(max_examples=40)
@given(CASES, SEEDS)
def test_rows_and_files_in_another_order(made: MadeSet, seed: int) -> None:
    asked, replies = list(made.asked), replies_of(made)
    rng = random.Random(seed)
    rng.shuffle(asked)
    rng.shuffle(replies)
    ours, theirs = choice_of(asked, replies), choice_of(list(made.asked), replies_of(made))
    assert said(ours) == said(theirs)
    assert ours.alarms == theirs.alarms  # the same three replies are shown


@settings(max_examples=20)
@given(st.sampled_from(["letter_alone", "marker", "boxed", "json"]), st.permutations("ABCD"))
def test_letters_permuted_through_replies_and_keys(place: str, order: list[str]) -> None:
    """The verdicts go along, exactly."""
    made = made_set("letter", place, "alone", n_items=N)
    sets = []
    for table in ({}, str.maketrans("ABCD", "".join(order))):
        asked = [
            replace(item, references=(item.references[0].translate(table),)) for item in made.asked
        ]
        replies = [
            Reply(
                Item(two.reply.item.item_id, "?", two.reply.item.reference.translate(table)),
                two.reply.model,
                places("letter")[place]((two.meant or "").translate(table)),
            )
            for two in made.planted
        ]
        choice = choice_of(asked, replies)
        extraction, verifier = instruments(choice.verifier, choice.extraction, choice.options)
        found = find_all(extraction, [(two.item, two.text) for two in replies], 1)
        answers = [
            (two.item, three.answer or "") for two, three in zip(replies, found, strict=True)
        ]
        scores = [verdict.score for verdict in verifier.verify_all(answers, 1)]
        sets.append((choice.extraction, choice.state, scores))
    assert sets[0] == sets[1]


@pytest.mark.parametrize("kind", ["number", "closed"])
def test_a_model_taken_away_leaves_the_chain_that_the_other_used_too(kind: str) -> None:
    made = made_set(kind, "boxed", "alone", n_items=N)
    both = choice_of(list(made.asked), replies_of(made))
    alone = [one for one in replies_of(made) if one.model == "finch"]
    one = choice_of(list(made.asked), alone)
    assert (one.extraction, one.options) == (both.extraction, both.options)
