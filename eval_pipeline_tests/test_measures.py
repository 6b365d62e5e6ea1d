"""Measures of the house: length of a module, loose types, one name for one thing, no dust."""

from eval_pipeline_tests.house import classes, dotted, loose_types, room_of, unused

LINES = 400
LOOSE = 40

# The first version of an instrument is the same thing, kept for contracts that name it.
FIRST = "verification.first"
# One class name for two things, and why it may stay.
TWO_THINGS: dict[str, str] = {}
# Modules that nothing in the product needs, and why they stay.
FOR_OTHERS: dict[str, str] = {}


def test_a_module_holds_one_idea() -> None:
    long = {
        name: len(path.read_text(encoding="utf-8").splitlines()) for name, path in dotted().items()
    }
    assert not {name: lines for name, lines in long.items() if lines > LINES}


def test_rows_that_go_from_room_to_room_have_types() -> None:
    """`dict[str, Any]` says nothing of a row; a renamed column passes it unseen."""
    counts = loose_types()
    by_room = ", ".join(f"{room} {count}" for room, count in counts.most_common())
    assert counts.total() < LOOSE, f"{counts.total()} places: {by_room}"


def test_a_class_name_stands_for_one_thing() -> None:
    twice = {
        name: {room_of(module) for module in where}
        for name, modules in classes().items()
        if len(where := [module for module in modules if not module.startswith(FIRST)]) > 1
    }
    assert twice.keys() == TWO_THINGS.keys(), twice


def test_a_module_has_a_user() -> None:
    """Nothing stands that only its test imports: a verb, a stage or a door leads to each."""
    assert unused() == sorted(FOR_OTHERS)
