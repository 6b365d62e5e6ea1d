"""What several items share tells of none of them; one text in two spellings is still found."""

import json
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from eval_pipeline.contamination.corpus.batch import UnreadLines
from eval_pipeline.contamination.index.entries import entries_of
from eval_pipeline.contamination.index.passages import with_passages
from eval_pipeline.contamination.index.siblings import is_respelled, same_texts
from eval_pipeline.contamination.index.table import index_rows, open_index
from eval_pipeline.contamination.text.fields import SHARED, Field
from eval_pipeline.contamination.verdict.items import item_rows, item_statuses
from eval_pipeline_tests.contamination.engines import by_kernel, by_reference, shard_by_reference

ASKED = (
    "Read the task below with care, choose the best of the options that follow, and give nothing "
    "but the letter of the option that you hold for right."
)
PASSAGE = (
    "The mill of Orven was built in the year of the great flood by a widow who had lost her house "
    "to the river. She let the farmers of three valleys grind their rye there without a fee, and "
    "for this the council wrote her name into the stone above the door, where it can be read to "
    "this day by anybody who bends low enough."
)
OTHERS = (
    "How many oars has a rowing boat that four strong sisters share on the lake each morning?",
    "A baker fills nine trays with eight rolls and sells all but five before noon, how many?",
    "If a clock loses two minutes a day, when will it show the right time once more?",
    "What does a shepherd count at dusk when the fog hides the gate and half of his flock?",
)
BIRDS = (
    "Which bird builds under a roof?",
    "Which herb is put on eggs?",
    "Which knot holds a boat?",
)


def statuses(questions: Sequence[str], documents: Sequence[str], tmp_path) -> list[str]:
    """The status of each item; the engines agree on what the documents hold."""
    items = [Field(f"i{n:02d}", "question", text) for n, text in enumerate(questions)]
    fields = with_passages(items)
    entries = open_index(fields, index_rows(fields))
    path = tmp_path / "a.jsonl"
    path.write_text("\n".join(json.dumps({"text": text}) for text in documents))
    rows = shard_by_reference("web@1", path, entries, UnreadLines())
    assert by_kernel(entries, documents) == by_reference(entries, documents)
    found = item_statuses(item_rows(entries, rows, 1))
    return [found[item.item_id] for item in items]


@pytest.mark.parametrize("holders", [2, 3, 5])
@pytest.mark.parametrize("asked", [ASKED, f"{ASKED} {ASKED.replace('the', 'each')}"])
def test_a_template_that_a_few_items_share_is_no_evidence(holders, asked, tmp_path):
    own = (
        "Which bird builds under a roof?",
        "What herb is put on eggs?",
        "Name the best knot.",
        "How does an owl find its way at night?",
        "Who paid for the town's first bell?",
    )
    questions = [f"{asked} {one}" for one in own[:holders]]
    documents = [
        f"{asked} Which fish sleeps in the sand?",
        f"{asked} What is the name of a lamp that burns without oil?",
        asked,
        f"Before. {asked} {asked} How does one weave a rope of grass at home?",
    ]
    found = statuses([*questions, *OTHERS], documents, tmp_path)
    assert not {"contaminated", "short_exact", "review"} & set(found)


def test_at_the_end_and_in_the_middle_a_template_is_none_either(tmp_path):
    own = (
        "The owl of the old mill sleeps",
        "A mayor counts his hats twice",
        "Five ships left port",
    )
    ends = [f"{one} {ASKED}" for one in own]
    middles = [f"{one} {ASKED} {one.lower()} again today" for one in own]
    documents = [f"Nobody knows the tale {ASKED}", f"Nobody knows {ASKED} to this very day"]
    assert "contaminated" not in statuses([*ends, *OTHERS], documents, tmp_path)
    assert "contaminated" not in statuses([*middles, *OTHERS], documents, tmp_path)


def test_an_item_that_leaked_with_its_template_is_found_alone(tmp_path):
    questions = [f"{ASKED} {one}" for one in BIRDS]
    found = statuses([*questions, *OTHERS], [f"Some talk. {questions[1]} Eggs."], tmp_path)
    assert [status == "contaminated" for status in found] == [False, True, *[False] * 5]


def test_an_edited_leak_is_found_by_what_is_its_own(tmp_path):
    own = "Which bird builds under a roof and comes home from the south late in the month of April?"
    edited = f"{ASKED} {own.replace('late', 'early')}"
    found = statuses([f"{ASKED} {own}", f"{ASKED} {BIRDS[1]}", *OTHERS], [edited], tmp_path)
    assert found[0] == "contaminated"
    assert found[1] in ("clean", "low_information")


def test_in_a_benchmark_of_one_template_its_numbers_and_names_are_an_items_own(tmp_path):
    asked = "Every day {} feeds {} brown and {} white rabbits. Each gets one scoop of grain. How "
    asked += "many scoops are gone after {} days?"
    names = ("Zora", "Milan", "Ines", "Otto", "Ruth", "Samir")
    questions = [asked.format(name, 852 + 7 * n, 473 + n, 11 + n) for n, name in enumerate(names)]
    edited = questions[0].replace("and 473", "and so 473").replace("Each", "every")
    found = statuses([*questions, *OTHERS], [f"From a sheet: {edited} Talk."], tmp_path)
    assert found[0] == "contaminated"
    assert "contaminated" not in found[1:]
    other = f"Homework: {asked.format('Karl', 96, 31, 25)}"
    assert "contaminated" not in statuses([*questions, *OTHERS], [other], tmp_path)


@pytest.mark.parametrize(
    ("other", "expected"),
    [
        (OTHERS[0], ["contaminated", "contaminated"]),
        (OTHERS[0].upper().replace(" ", "  "), ["contaminated", "contaminated"]),
        (OTHERS[0].replace("sisters", "sister"), ["contaminated", "contaminated"]),
        (OTHERS[0].replace("rowing boat", "rowing boats"), ["contaminated", "contaminated"]),
        (OTHERS[0].replace("strong sisters", "sisters"), ["contaminated", "contaminated"]),
        (OTHERS[0].replace("four", "seven"), ["contaminated", "clean"]),
    ],
)
def test_an_item_that_stands_twice_in_the_benchmark_is_found_twice(other, expected, tmp_path):
    found = statuses([OTHERS[0], other, *OTHERS[1:]], [f"Talk. {OTHERS[0]} Talk."], tmp_path)
    if expected[1] == "clean":  # another number is another item
        assert (found[0], found[1] == "contaminated") == ("contaminated", False)
    else:
        assert found == [*expected, "clean", "clean", "clean"]


@pytest.mark.parametrize(
    ("document", "expected"),
    [
        (PASSAGE, ["source_overlap"] * 3),
        (PASSAGE.replace("rye", "corn").replace("stone", "oak"), ["source_overlap"] * 3),
        (f"{PASSAGE} Who built the mill of Orven?", ["contaminated", *["source_overlap"] * 2]),
        (f"{PASSAGE}\nQuestion: Who built the mill of Orven?\nAnswer:",
         ["contaminated", *["source_overlap"] * 2]),
        (f"{PASSAGE.replace('rye', 'corn')}\nQuestion: Where can her name be read?",
         ["source_overlap", "contaminated", "source_overlap"]),
        (f"{PASSAGE} And what could the farmers of three valleys do there without any fee?",
         ["source_overlap", "source_overlap", "contaminated"]),
        (f"What could the farmers of three valleys do there without any fee? {PASSAGE[:40]}",
         ["clean", "clean", "contaminated"]),
        ("Nothing of this kind stands here at all.", ["clean"] * 3),
    ],
)  # fmt: skip
def test_a_passage_under_several_questions_is_a_source(document, expected, tmp_path):
    asked = ("Who built the mill of Orven?", "Where can her name be read?",
             "What could the farmers of three valleys do there without any fee?")  # fmt: skip
    found = statuses([*(f"{PASSAGE} {one}" for one in asked), *OTHERS], [document], tmp_path)
    assert [s.replace("low_information", "clean") for s in found[:3]] == expected


def test_a_passage_is_a_field_beside_its_question():
    fields = [Field(f"i{n}", "question", f"{PASSAGE}\n{one}") for n, one in enumerate(BIRDS)]
    (passage,) = {f.text for f in with_passages(fields) if f.name == f"question{SHARED}"}
    assert passage == f"{PASSAGE}\nWhich"  # as far as all of them go
    assert with_passages(fields[:1]) == fields[:1]
    assert {f.kind for f in with_passages(fields) if f.is_passage} == {"source"}


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        ("the colour of the old roof", "the color of the old roof", True),
        ("the colour of the old roof", "the colour of the roof", True),
        ("which of these is right", "which of these is not right", False),
        ("tom has 5 apples", "tom has 7 apples", False),
        ("tom has five apples", "tom has four apples", False),
        ("capital of france", "capital of spain", False),
        ("one two a b c", "one two d e f", False),
    ],
)
def test_a_spelling_is_no_other_text(a: str, b: str, expected: bool):
    assert is_respelled(a.split(), b.split()) is expected
    assert is_respelled(b.split(), a.split()) is expected


@settings(max_examples=50, deadline=None)
@given(st.lists(st.lists(st.sampled_from("abcdef"), min_size=5, max_size=14).map(" ".join),
                min_size=1, max_size=8), st.randoms(use_true_random=False))  # fmt: skip
def test_groups_do_not_depend_on_the_order_of_items(texts, random):
    fields = [Field(f"i{n}", "question", text) for n, text in enumerate(texts)]
    mixed = random.sample(fields, len(fields))

    def groups(some: Sequence[Field]) -> set[frozenset[str]]:
        entries = entries_of(some)
        firsts = same_texts(entries, 5)
        return {
            frozenset(e.field.item_id for e, f in zip(entries, firsts, strict=True) if f == first)
            for first in firsts
        }

    assert groups(fields) == groups(mixed)
    rows = index_rows(with_passages(fields))
    assert rows == index_rows(with_passages(mixed))


WORDS = [
    f"{a}{b}" for a in ("lo", "mi", "ra", "te", "vu", "zo") for b in ("ban", "dek", "fil", "gor")
]


@settings(max_examples=40, deadline=None)
@given(st.integers(1, 5), st.lists(st.sampled_from(WORDS), min_size=12, max_size=40),
       st.randoms(use_true_random=False))  # fmt: skip
def test_siblings_never_make_an_item_contaminated_by_their_template(count, template, random):
    """The document holds the template and words that no item has."""
    own = [" ".join(f"own{n}x{i}" for i in range(random.randrange(3, 14))) for n in range(6)]
    asked = " ".join(template)
    fields = with_passages(
        [Field(f"i{n}", "question", f"{asked} {own[n]}") for n in range(count + 1)]
    )
    entries = open_index(fields, index_rows(fields))
    document = f"{asked} quite another question stands here"
    rows = [{"corpus": "c@1", "shard": "s", **row} for row in by_reference(entries, [document])]
    said = item_statuses(item_rows(entries, rows, 1))
    assert "contaminated" not in said.values()
