"""Published names as names of checkpoints: mapped once, remembered, led back."""

from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from eval_pipeline.cli.drafting.draft_files import quoted
from eval_pipeline.ingest.imports.names import Names, known_names, proposed_name
from eval_pipeline.layout import DataRoot, checked_name

ANY_NAME = st.text(min_size=1, max_size=40).filter(lambda text: any(c.isalnum() for c in text))


@pytest.mark.parametrize(
    ("published", "name"),
    [
        ("gpt-4o", "gpt-4o"),
        ("openai/gpt-4o", "openai--gpt-4o"),
        ("a/b/c", "a--b--c"),
        ("  model (v2) ", "model-v2-"),
        ("../../etc/passwd", "etc--passwd"),
        ("@hidden", "hidden"),
        ("x" * 200, "x" * 128),
    ],
)
def test_names_are_proposed(published: str, name: str) -> None:
    assert proposed_name(published).lstrip("-") == name
    assert proposed_name(name) == name


@given(ANY_NAME)
def test_a_proposed_name_is_a_legal_one(published: str) -> None:
    """Where it has a letter or digit that may stand in one."""
    name = proposed_name(f"{published}1")
    assert checked_name(name, "checkpoint") == name


def test_a_name_of_signs_is_refused() -> None:
    with pytest.raises(ValueError, match="holds no letter or digit: name it with --rename"):
        proposed_name("//")


def test_a_name_is_mapped_once() -> None:
    names = Names({}, {})
    assert names.of("nest/finch") == names.of("nest/finch") == "nest--finch"
    assert names.given == {"nest/finch": "nest--finch"}


def test_what_a_person_says_goes_before_what_is_known() -> None:
    names = Names({"nest/finch": "mine"}, {"nest/finch": "finch", "nest/wren": "wren"})
    assert (names.of("nest/finch"), names.of("nest/wren")) == ("mine", "wren")


def test_two_names_never_become_one() -> None:
    names = Names({}, {})
    names.of("nest/finch")
    with pytest.raises(ValueError, match="'nest/finch' and 'nest--finch' would both be"):
        names.of("nest--finch")


def test_nor_one_of_this_import_and_one_of_another() -> None:
    names = Names({}, {"nest/finch": "nest--finch"})
    with pytest.raises(ValueError, match="'nest/finch' and 'nest--finch' would both be"):
        names.of("nest--finch")
    assert Names({"nest--finch": "nest--finch"}, {"nest/finch": "nest--finch"}).of("nest--finch")


def root_with(folder: Path, **manifests: str) -> DataRoot:
    root = DataRoot(folder)
    for name, text in manifests.items():
        root.checkpoint(name).mkdir(parents=True)
        (root.checkpoint(name) / "checkpoint.yaml").write_text(text, encoding="utf-8")
    return root


def test_names_are_remembered_in_checkpoint_yaml(tmp_path: Path) -> None:
    root = root_with(tmp_path, finch="family: x\npublished_as: nest/finch\n", own="family: x\n")
    assert known_names(root) == {"nest/finch": "finch", "own": "own"}
    assert known_names(DataRoot(tmp_path / "nothing")) == {}


def test_a_checkpoint_of_ones_own_is_not_joined_by_a_mapped_name(tmp_path: Path) -> None:
    root = root_with(tmp_path, **{"nest--finch": "family: x\n"})
    with pytest.raises(ValueError, match="would both be nest--finch"):
        Names({}, known_names(root)).of("nest/finch")
    assert Names({}, known_names(root)).of("nest--finch") == "nest--finch"


@pytest.mark.parametrize("line", ['published_as: "cut', "published_as: [a]", "published_as: 3"])
def test_a_line_that_cannot_be_read_names_its_file(tmp_path: Path, line: str) -> None:
    with pytest.raises(ValueError, match=r"checkpoints/finch/checkpoint\.yaml"):
        known_names(root_with(tmp_path, finch=f"{line}\n"))


@given(st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=30))
def test_a_published_name_comes_back_from_yaml(published: str) -> None:
    line = f"published_as: {quoted(published)}"
    assert "\n" not in line
    assert yaml.safe_load(line) == {"published_as": published}
