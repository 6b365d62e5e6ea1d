"""What the pages name exists: modules, functions, files, tables, keys, verbs, options, settings."""

import re
from pathlib import Path

import pytest

from eval_pipeline_tests.documents.moved import candidates
from eval_pipeline_tests.documents.names import (
    MODULE,
    RECIPE,
    SETTING,
    WRITTEN,
    calls,
    exists,
    fault_of,
    is_dotted,
    is_path,
    is_run,
    is_setting,
    is_there,
    recipes,
    spoken,
)


@pytest.mark.parametrize("page", WRITTEN, ids=lambda page: page.name)
def test_dotted_names_exist(page: Path) -> None:
    gone = [name for name in spoken(page) if is_dotted(name) and not exists(name)]
    assert {name: candidates(name) for name in gone} == {}, "name -> where it may stand now"


@pytest.mark.parametrize("page", WRITTEN, ids=lambda page: page.name)
def test_files_of_the_project_exist(page: Path) -> None:
    assert [name for name in spoken(page) if is_path(name) and not is_there(name)] == []


@pytest.mark.parametrize("page", WRITTEN, ids=lambda page: page.name)
def test_commands_are_verbs_with_their_options(page: Path) -> None:
    assert [fault for call in calls(page) if (fault := fault_of(call))] == []


@pytest.mark.parametrize("page", WRITTEN, ids=lambda page: page.name)
def test_settings_are_known(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert {name for name in SETTING.findall(text) if not is_setting(name)} == set()


@pytest.mark.parametrize("page", WRITTEN, ids=lambda page: page.name)
def test_modules_that_are_run_and_recipes_exist(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert [name for name in MODULE.findall(text) if not is_run(name)] == []
    named = {match[1] for one in spoken(page) if (match := RECIPE.match(one))}
    assert named <= recipes()


def test_no_page_names_what_is_not_of_the_project() -> None:
    for page in WRITTEN:
        text = page.read_text(encoding="utf-8")
        assert not re.search(r"/work/|/tmp/|\bissue \d+\b|\bhelper `", text), page.name


def test_a_name_that_is_gone_is_found() -> None:
    assert not exists("statistics.clustered.median")
    assert not exists("statistics.gone")
    assert not exists("verifier_scores.colour")
    assert exists("verifier_scores.status")
    assert exists("ranking.prior_sd")
    assert candidates("statistics.gone.sign_flip_p") == ("statistics.sign_flip.sign_flip_p",)
    assert fault_of("plan size --detekt 0.1")
    assert fault_of("plan --cost")
    assert fault_of("plot")
