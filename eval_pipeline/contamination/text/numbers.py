"""Numbers that differ where two texts are otherwise alike: the same template, another question."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import islice

BESIDE = 2  # words on one side of a number that say which number it is
LONGEST = 20  # digits that are read as a number
MOST_PLACES = 50  # at which a number is looked for, so that the cost is linear
ANY = "#"  # stands for a number among words
_UNITS = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
_UNITS += "fifteen sixteen seventeen eighteen nineteen"
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
_NAMED = {word: str(n) for n, word in enumerate(_UNITS.split())}
_NAMED |= {word: str(10 * n) for n, word in enumerate(_TENS.split(), 2)}
_NAMED |= {"hundred": "100", "thousand": "1000", "million": "1000000"}


def is_number(word: str) -> bool:
    """Whether a word is a number: in digits, or an English name of one."""
    return word[0].isdigit() or word in _NAMED


def other_numbers(item: Sequence[str], document: Sequence[str]) -> int:
    """How many numbers of an item stand in a document with another value.

    Both are words. A number stands where the two words before it do, or the two after; other
    numbers among these are any. Numbers that are left out, or were words before, count for
    nothing.
    """
    there: dict[tuple[str, ...], dict[str, list[int]]] = defaultdict(lambda: defaultdict(list))
    for place, surroundings in _numbers(document):
        for words in surroundings:
            there[words][_value(document[place])].append(place)
    taken: set[int] = set()
    unmet: list[list[int]] = []
    for place, surroundings in _numbers(item):
        value = _value(item[place])
        places = [there[words] for words in surroundings if words in there]
        if same := [of_value[value] for of_value in places if value in of_value]:
            taken.update(at[0] for at in same)
        elif places:
            every = (at for of_value in places for of_one in of_value.values() for at in of_one)
            unmet.append(sorted(islice(every, MOST_PLACES)))
    changed = 0
    for places_of_one in unmet:
        free = next((at for at in places_of_one if at not in taken), None)
        if free is not None:
            changed += 1
            taken.add(free)
    return changed


def _numbers(words: Sequence[str]) -> Iterator[tuple[int, list[tuple[str, ...]]]]:
    """The place of each number, and the words before it and after it."""
    plain = [ANY if is_number(word) else word for word in words]
    for place, word in enumerate(plain):
        if word == ANY:
            sides = [
                ("before", *plain[place - BESIDE : place]) if place >= BESIDE else ("before",),
                ("after", *plain[place + 1 : place + 1 + BESIDE]),
            ]
            yield place, [side for side in sides if len(side) == BESIDE + 1]


def _value(word: str) -> str:
    if word.isdecimal() and len(word) <= LONGEST:
        return str(int(word))
    return _NAMED.get(word, word)
