"""Numbers that differ where an item and a document are otherwise alike."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval_pipeline.contamination.corpus.batch import UnreadLines
from eval_pipeline.contamination.index.entries import entries_of
from eval_pipeline.contamination.rule import FieldMatch, judged
from eval_pipeline.contamination.text.fields import Field
from eval_pipeline.contamination.text.numbers import other_numbers
from eval_pipeline.contamination.verdict.items import item_rows
from eval_pipeline_tests.contamination.engines import by_kernel, by_reference, shard_by_reference

STORY = (
    "Tom has {} apples in his basket and gives {} of them to the old neighbour who lives beside "
    "the river, so how many apples are left in the basket of Tom before he goes home?"
)
LONG = " ".join(f"word{letter}" for letter in "abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwx")


@pytest.mark.parametrize(
    ("item", "document", "expected"),
    [
        ("tom has 5 apples and", "tom has 7 apples and", 1),
        ("tom has 5 apples and", "tom has 5 apples and", 0),
        ("tom has five apples and", "tom has 5 apples and", 0),
        ("tom has five apples and", "tom has seven apples and", 1),
        ("tom has 05 apples and", "tom has 5 apples and", 0),
        ("tom has 5 apples and 3 more pears", "tom has 7 apples and 4 more pears", 2),
        ("tom has 5 apples and", "tom has many apples and", 0),
        ("tom has 5 apples and", "anna had 7 plums or", 0),
        ("tom has 5 apples and sold 3 apples", "tom has the apples and sold 3 apples", 0),
        ("it cost 1 000 dollars in all", "it cost 500 dollars in all", 1),
        ("5 apples are here", "7 apples are here", 1),
        ("how many are 5", "how many are 7", 1),
        ("", "tom has 7 apples", 0),
    ],
)
def test_a_number_is_held_against_that_in_its_place(item, document, expected):
    assert other_numbers(item.split(), document.split()) == expected


@given(st.lists(st.sampled_from(["a", "b", "c", "1", "2", "3", "four"]), max_size=40))
def test_a_text_has_no_other_numbers_than_itself(words: list[str]):
    assert other_numbers(words, words) == 0
    assert other_numbers(words, ["x", *words, "y"]) == 0


def test_the_cost_is_linear_in_a_text_of_numbers_alone():
    assert other_numbers(["a", "b", "1"] * 20_000, ["a", "b", "2"] * 20_000) > 0


@pytest.mark.parametrize(
    ("span", "others", "expected"),
    [
        (25, 0, "contaminated"),
        (25, 1, "review"),
        (39, 1, "review"),
        (40, 1, "contaminated"),  # so much word by word is an edit rather than a template
        (79, 2, "review"),
        (80, 2, "contaminated"),
    ],
)
def test_what_stands_there_word_by_word_outweighs_a_number(span, others, expected):
    assert judged(FieldMatch("ngram", 9, 0.9, 0.9, span, other_numbers=others), "text") == expected


@pytest.mark.parametrize(
    ("item", "document", "status"),
    [
        (STORY.format(5, 2), STORY.format(7, 3), "review"),
        (STORY.format(5, 2), STORY.format(5, 3), "review"),
        (STORY.format("five", "two"), STORY.format("nine", "two"), "review"),
        (STORY.format(5, 2), STORY.format("five", "two"), "contaminated"),
        (STORY.format(5, 2), STORY.format(5, 2), "contaminated"),
        (STORY.format(5, 2), STORY.format(5, 2).replace("old", "kind"), "contaminated"),
        (STORY.format(5, 2), STORY.format("some", 2), "contaminated"),
        (f"{LONG} 12 {LONG}", f"{LONG} 13 {LONG}", "contaminated"),
        ("小明有 5 个苹果，他把其中的 2 个送给住在河边的老邻居，请问篮子里还剩下多少个苹果呢？",
         "小明有 8 个苹果，他把其中的 3 个送给住在河边的老邻居，请问篮子里还剩下多少个苹果呢？",
         "review"),
    ],
)  # fmt: skip
def test_a_template_with_other_numbers_is_for_review(item, document, status, tmp_path):
    page = f"Some talk before 12 things. {document} Some talk after 4 things."
    path = tmp_path / "a.jsonl"
    path.write_text(json.dumps({"text": page}))
    entries = entries_of([Field("a", "question", item)])
    rows = shard_by_reference("web@1", path, entries, UnreadLines())
    (said,) = item_rows(entries, rows, 1)
    assert said["status"] == status
    assert ("other numbers" in said["reason"]) == (status == "review")
    assert by_kernel(entries, [page]) == by_reference(entries, [page])


def test_a_whole_document_with_other_numbers_is_for_review_too(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_text(json.dumps({"text": STORY.format(7, 3)}))
    entries = entries_of([Field("a", "question", STORY.format(5, 2))])
    rows = shard_by_reference("web@1", path, entries, UnreadLines())
    near = {"relation": "corpus", "item_id": "a", "field": "question", "source": "web@1",
            "other": "a.jsonl:0", "jaccard": 0.85, "excerpt_other": ""}  # fmt: skip
    assert item_rows(entries, rows, 1, [near])[0]["status"] == "review"
    elsewhere = {**near, "other": "a.jsonl:1"}
    assert item_rows(entries, rows, 1, [elsewhere])[0]["status"] == "contaminated"
