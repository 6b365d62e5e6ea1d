"""The chain of places, its state and its alarms, on replies made for each rule."""

from collections.abc import Callable, Sequence

import pytest

from eval_pipeline.verification.choosing.choice import Choice, choose, unlooked
from eval_pipeline.verification.choosing.reading import Reply
from eval_pipeline.verification.choosing.reference_type import Asked, reference_type
from eval_pipeline.verification.registry import instruments
from eval_pipeline.verification.verdict import Item

Write = Callable[[int], str]
N = 50


def chosen(*models: Write, n: int = N, question: str = "How many?") -> Choice:
    """The choice for replies written by each model to items whose answers are 100, 101, ..."""
    asked = [Asked(f"q{i:03d}", question, (str(100 + i),)) for i in range(n)]
    replies = [
        Reply(Item(one.item_id, question, one.references[0]), f"model-{number}", write(100 + i))
        for number, write in enumerate(models)
        for i, one in enumerate(asked)
    ]
    return choose(reference_type(asked), replies)


def labelled(replies: Sequence[str], labels: tuple[str, ...] = ("yes", "no")) -> Choice:
    asked = [Asked(f"q{i:03d}", "Is it?", (labels[i % 2],)) for i in range(len(replies))]
    kind = reference_type(asked)
    return choose(
        kind, [Reply(Item(f"q{i:03d}", "Is it?"), "m", text) for i, text in enumerate(replies)]
    )


def names(choice: Choice) -> list[str]:
    return [place.name for place in choice.steps]


def test_a_mark_comes_before_a_position() -> None:
    choice = chosen(lambda x: f"The answer is {x}. I checked it 3 times.")
    assert (names(choice), choice.state) == (["marker"], "read")
    assert choice.extraction == "marker@1"


def test_what_reads_more_comes_first_and_the_rest_follows() -> None:
    choice = chosen(lambda x: f"#### {x}" if x % 4 else f"\\boxed{{{x}}}")
    assert names(choice) == ["hash", "boxed"]
    assert choice.extraction == "chain@1"
    extraction, _ = instruments(choice.verifier, choice.extraction, choice.options)
    assert extraction.extract(r"It is \boxed{7}.", Item("a")).answer == "7"


def test_a_place_that_is_asked_for_and_used_comes_first_and_is_strict() -> None:
    def write(x: int) -> str:
        return f"\\boxed{{{x}}}" if x % 3 == 0 else f"#### {x}"

    asking = chosen(write, question="How many? Put it in \\boxed{}.")
    assert (names(asking), asking.strict) == (["boxed", "hash"], 1)
    plain = chosen(write)
    assert (names(plain), plain.strict) == (["hash", "boxed"], 0)


def test_a_place_that_is_asked_for_and_not_used_is_nothing() -> None:
    choice = chosen(lambda x: f"#### {x}", question="How many? Put it in \\boxed{}.")
    assert (names(choice), choice.strict) == (["hash"], 0)


def test_a_place_in_one_reply_of_a_thousand_is_no_step() -> None:
    choice = chosen(lambda x: "\\boxed{7}" if x == 100 else f"#### {x}", n=1000)
    assert names(choice) == ["hash"]


def test_a_broken_mark_ends_the_chain_for_its_reply() -> None:
    choice = chosen(lambda x: f"First 5 + 2.\n####{f' {x}' if x % 5 else ''}")
    assert choice.unread["model-0"] == pytest.approx(0.2)
    assert choice.state == "read, in part"


def test_a_position_that_is_seldom_what_is_marked_is_dropped_and_said() -> None:
    def write(x: int) -> str:
        return f"\\boxed{{{x}}} It took {x % 9}." if x % 10 else "After 3 I gave up on 5."

    choice = chosen(write)
    assert names(choice) == ["boxed"]
    assert choice.unread["model-0"] == pytest.approx(0.1)
    assert any(said.startswith("last_number: in 0% of 45 replies") for said in choice.dropped)


def test_a_place_that_says_the_same_in_most_replies_is_dropped_and_said() -> None:
    choice = chosen(lambda x: f"Answer: 5\nIt comes to {x}")
    assert "marker" not in names(choice)
    assert any("most replies say '5' there" in said for said in choice.dropped)


@pytest.mark.parametrize(
    ("unread", "state"),
    [(0, "read"), (1, "read"), (2, "read, in part"), (15, "read, in part"), (16, "cannot tell")],
)
def test_the_state_follows_what_is_unread(unread: int, state: str) -> None:
    choice = chosen(lambda x: f"#### {x}" if x >= 100 + unread else "I pass.")
    assert choice.state == state


def test_the_worst_model_makes_the_state() -> None:
    choice = chosen(lambda x: f"#### {x}", lambda x: f"#### {x}" if x % 2 else "I pass.")
    assert choice.unread == {"model-0": 0.0, "model-1": 0.5}
    assert choice.state == "cannot tell"


def test_numbers_without_a_mark_are_unsure() -> None:
    choice = chosen(lambda x: f"First {x % 9 + 2} + 2, so {x}")
    assert (names(choice), choice.state) == (["last_number"], "unsure")
    assert [(one.place, one.model, one.share) for one in choice.alarms] == [
        ("first_number", "model-0", 1.0)
    ]


def test_one_number_without_a_mark_is_read() -> None:
    assert chosen(lambda x: f"It is {x}").state == "read"


def test_a_position_is_believed_where_the_same_model_marks_there() -> None:
    def write(x: int) -> str:
        return f"First {x % 9 + 2} + 2.\n#### {x}" if x % 5 else f"First {x % 9 + 2} + 2, so {x}"

    assert chosen(write).state == "read"
    other = chosen(write, lambda x: f"First {x % 9 + 2} + 2, so {x}")
    assert other.state == "unsure"
    assert {one.model for one in other.alarms if one.doubts} == {"model-1"}


def test_an_answer_that_leads_the_reply_is_unsure_where_numbers_follow() -> None:
    choice = chosen(lambda x: f"{x}, since {x % 9} remain.")
    assert (names(choice), choice.state) == (["leading_number"], "unsure")


@pytest.mark.parametrize(("every", "alarmed"), [(20, True), (200, False)])
def test_two_marks_that_differ_are_an_alarm(every: int, alarmed: bool) -> None:
    """5 % always, .5 % never."""

    def write(x: int) -> str:
        return f"<answer>{x + (x % every == 0)}</answer>\n\\boxed{{{x}}}"

    choice = chosen(write, n=1000)
    assert (choice.state == "unsure", bool(choice.alarms)) == (alarmed, alarmed)
    if alarmed:
        (alarm,) = choice.alarms
        assert (alarm.share, len(alarm.replies)) == (0.05, 3)
        assert "would read 5.0% of model-0's replies otherwise" in str(alarm)


def test_an_alarm_is_per_model() -> None:
    choice = chosen(
        *(lambda x: f"\\boxed{{{x}}}" for _ in range(9)),
        lambda x: f"<answer>{x + 1}</answer> \\boxed{{{x}}}",
    )
    assert {one.model for one in choice.alarms} == {"model-9"}
    assert choice.state == "unsure"


def test_labels_are_read_where_a_clause_ends() -> None:
    choice = labelled(["So I say yes.", "There is no doubt: it is no."] * 20)
    assert (names(choice), choice.state) == (["last_word"], "read")
    prose = labelled(["There is no way to tell.", "Yes men and no men abound here."] * 20)
    assert prose.state == "cannot tell"


def test_first_and_last_label_that_differ_are_unsure() -> None:
    assert labelled(["Yes, at first. In the end, no."] * 40).state == "unsure"


def test_tags_come_before_words() -> None:
    choice = labelled(["[[yes]]", "Yes, some say. [[no]]"] * 20)
    assert (names(choice)[0], choice.state) == ("tag", "read")


def test_a_whole_reply_as_text_proves_nothing() -> None:
    asked = [Asked(f"q{i}", "Who?", (f"Person {i} of {i * 7}",)) for i in range(30)]
    kind = reference_type(asked)
    bare = [Reply(Item(one.item_id), "m", f"Person {n} of {n * 7}") for n, one in enumerate(asked)]
    assert choose(kind, bare).state == "unsure"
    marked = [Reply(one.item, "m", f"The answer is {one.text}.") for one in bare]
    assert choose(kind, marked).state == "read"
    assert choose(kind, [*marked[:25], *bare[25:]]).state == "read, in part"


def test_prose_for_numbers_cannot_be_told() -> None:
    choice = chosen(lambda x: "I would rather not say.")
    assert choice.state == "cannot tell"
    assert set(choice.tried.values()) == {0.0}


def test_no_reply_is_refused_and_unlooked_is_said() -> None:
    kind = reference_type([Asked("a", "?", ("1",)), Asked("b", "?", ("2",))])
    with pytest.raises(ValueError, match="no reply"):
        choose(kind, [])
    choice = unlooked(kind)
    assert (names(choice), choice.state) == (["last_number"], "cannot tell")


def test_the_reason_says_places_and_what_is_unread() -> None:
    choice = chosen(lambda x: f"#### {x}" if x % 25 else "I pass.")
    assert choice.reason.endswith("replies are read at: hash; 4.0% at most are unread")
    assert choice.uncovered
