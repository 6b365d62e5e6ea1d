"""The README says what is true: its generated parts are fresh, its commands are there."""

import re

import pytest

from eval_pipeline.cli.command import VERBS
from eval_pipeline_tests.readme import PARTS, README, renewed

TEXT = README.read_text(encoding="utf-8")


def test_generated_parts_are_fresh() -> None:
    assert renewed(TEXT) == TEXT, "run: python -m eval_pipeline_tests.readme"


@pytest.mark.parametrize("part", PARTS)
def test_every_generated_part_stands_in_the_readme(part: str) -> None:
    assert f"<!-- generated: {part} -->" in TEXT


def test_every_command_shown_is_a_verb() -> None:
    shown = set(re.findall(r"^\$? ?eval-pipeline ([a-z]+)", TEXT, re.MULTILINE))
    assert shown
    assert shown <= set(VERBS)


def test_the_first_screen_holds_both_commands() -> None:
    first_screen = TEXT.split("\n## ")[0:3]
    assert any("<!-- main-job -->" in part for part in first_screen)
    assert any("<!-- tests -->" in part for part in first_screen)


def test_every_option_has_help() -> None:
    assert not re.findall(r"^  - `--(?!json|help)[^:]*$", TEXT, re.MULTILINE)
