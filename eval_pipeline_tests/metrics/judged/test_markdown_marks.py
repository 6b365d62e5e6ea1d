"""Headings, list entries and bold spans are counted; what lies in code is not."""

import pytest

from eval_pipeline.metrics.judged.markdown_marks import markdown_marks


@pytest.mark.parametrize(
    ("text", "headers", "lists", "bold"),
    [
        ("", 0, 0, 0),
        ("# One\n\n### Two\ntext # no\n#no", 2, 0, 0),
        ("- a\n  * b\n+ c\n1. d\n12) e\n-no\n1.no\n---", 0, 5, 0),
        ("**one** and __two__, 2**3**4, snake__case__name, ** no **", 0, 0, 3),
        ("```\n# no\n- no\n**no**\n```\n# yes", 1, 0, 0),
        ("~~~python\n- never closed", 0, 0, 0),
        ("write `**kwargs**` and `- x`", 0, 0, 0),
        ("- **bold entry**\n- plain", 0, 2, 1),
    ],
)
def test_marks_are_counted(text: str, headers: int, lists: int, bold: int) -> None:
    assert markdown_marks(text) == {"headers": headers, "lists": lists, "bold": bold}


def test_a_long_reply_takes_no_long_time() -> None:
    text = "**" * 50_000 + "\n" + "`" * 50_000 + "\n" + "- " * 50_000
    markdown_marks(text)
