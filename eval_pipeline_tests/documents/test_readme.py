"""The README is a front page: short, its commands are there, its links lead somewhere."""

import re
from pathlib import Path

import pytest

from eval_pipeline.cli.command import VERBS
from eval_pipeline_tests.documents.answers import Shown, shown, timeless
from eval_pipeline_tests.documents.generated import DOCS, README

TEXT = README.read_text(encoding="utf-8")
LINES = 250
LINK = re.compile(r"\]\(([^)#]+)(?:#([^)]*))?\)")


def test_a_person_finishes_it() -> None:
    assert len(TEXT.splitlines()) <= LINES


def test_every_command_shown_is_a_verb() -> None:
    shown = set(re.findall(r"^\$? ?eval-pipeline ([a-z]+)", TEXT, re.MULTILINE))
    assert shown
    assert shown <= set(VERBS)


def test_the_first_screen_holds_both_commands() -> None:
    first_screen = TEXT.split("\n## ")[0]
    assert "<!-- main-job -->" in first_screen
    assert "<!-- tests -->" in first_screen


def test_every_page_is_named() -> None:
    assert {path.name for path in DOCS.glob("*.md")} <= {Path(to).name for to, _ in links(TEXT)}


@pytest.mark.parametrize("page", [README, *sorted(DOCS.glob("*.md"))], ids=lambda page: page.name)
def test_every_link_leads_somewhere(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    for to, heading in links(text):
        if "://" in to:
            continue
        target = (page.parent / to).resolve()
        assert target.exists(), f"{page.name} links to {to}"
        if heading:
            assert heading in anchors(target.read_text(encoding="utf-8")), f"{to}#{heading}"
    for heading in re.findall(r"\]\(#([^)]+)\)", text):
        assert heading in anchors(text), f"{page.name}#{heading}"


@pytest.mark.parametrize("one", list(shown(TEXT)), ids=lambda one: one.words[0])
def test_the_command_prints_what_is_shown(one: Shown, finished_bundle: Path) -> None:
    printed = timeless(one.printed(finished_bundle))
    assert printed == timeless(one.answer), "run: just readme, once `just run` is through"


def links(text: str) -> list[tuple[str, str]]:
    return LINK.findall(text)


def anchors(text: str) -> set[str]:
    """What links may name: headings as GitHub spells them, and marks of the page's own."""
    headings = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    spelled = {re.sub(r"[^\w\- ]", "", one.lower()).replace(" ", "-") for one in headings}
    return spelled | set(re.findall(r'<a id="([^"]+)">', text))
