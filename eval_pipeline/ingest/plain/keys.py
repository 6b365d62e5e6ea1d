"""Under which keys the parts of a row are looked for in a plain file, and which one is taken."""

from collections.abc import Iterator, Mapping, Sequence

# Part of a row -> the keys it may have, the first one first; upper and lower case are alike.
SYNONYMS: dict[str, tuple[str, ...]] = {
    "item_id": (
        *("item_id", "id", "question_id", "task_id", "example_id", "qid", "idx", "index", "uid"),
    ),
    "question": ("question", "prompt", "input", "problem", "query", "instruction"),
    "answer": (
        *("answer", "reference", "target", "gold", "label", "expected", "ground_truth"),
        *("reference_answer", "correct_answer", "ref_answer", "standard_answer", "gt"),
        "solution",
    ),
    "reply": (
        *("reply", "response", "output", "completion", "generation", "prediction"),
        *("model_output", "generated_text", "pred", "text"),
    ),
    "model": ("model", "checkpoint", "model_name", "model_id", "system", "generator"),
    "draw": ("draw", "sample", "sample_id", "sample_index", "trial", "repeat", "epoch", "attempt"),
    "options": ("options", "choices"),
}
# keys of a publisher's verdicts, the first one first
FLAGS = (
    *("correct", "is_correct", "passed", "exact_match", "acc", "published_correct", "published"),
)
# keys that belong to the item wherever they stand
OF_ITEMS = frozenset(
    {"subject", "category", "level", "difficulty", "topic", "domain", "subset", "language"}
)
NEEDED = ("question", "answer", "reply")
DEEPEST = 4  # steps of a path that is found by itself


class KeySurvey:
    """Which keys the rows of a file have, and from that the key of each part."""

    def __init__(self, named: Mapping[str, str], lenient: bool = False) -> None:
        """named: part -> the key that a person says; an empty one says that the file has none.

        lenient: a key that is said and is not there is another file's.
        """
        self._named = named
        self._is_lenient = lenient
        self._there: set[str] = set()
        self._paths: set[str] = set()
        self._found: set[str] = set()

    def look(self, row: Mapping[str, object]) -> None:
        """Takes a row into account."""
        for key, value in row.items():
            if value is not None:
                self._there.add(key)
                if isinstance(value, dict):
                    self._paths.update(_paths(value, key, 1))
        for key in self._named.values():
            if key not in self._found and value_at(row, key) is not None:
                self._found.add(key)

    def has(self, key: str) -> bool:
        """Whether a key that a person says holds something."""
        return key in self._found

    @property
    def there(self) -> list[str]:
        """All keys that hold something, sorted."""
        return sorted(self._there)

    def taken(self, name: str, needed: Sequence[str]) -> dict[str, str]:
        """Part -> key. Raises ValueError where the file called `name` lacks what is needed."""
        taken: dict[str, str] = {}
        for part, known in SYNONYMS.items():
            is_elsewhere = self._is_lenient and self._named.get(part, "") not in self._found
            if part in self._named and not (is_elsewhere and self._named[part]):
                if key := self._said(name, part, needed):
                    taken[part] = key
                continue
            found = self._key(known)
            if found is not None:
                taken[part] = found
            elif part in needed:
                raise ValueError(
                    f"{name}: no row has a {part} (looked for {', '.join(known)}; the keys are "
                    f"{', '.join(map(str, self.there[:12]))}): say which it is with --key "
                    f"{part}=..."
                )
        return taken

    def _said(self, name: str, part: str, needed: Sequence[str]) -> str:
        key = self._named[part]
        if key and key not in self._found:
            raise ValueError(f"{name}: no row has the key {key!r} ({part})")
        if not key and part in needed:
            raise ValueError(f"--key {part}=: a {part} is needed, so it must have a key")
        return key

    def _key(self, known: Sequence[str]) -> str | None:
        """The first of the known keys that the rows have; else the one path that ends in one."""
        by_folded = {key.casefold(): key for key in sorted(self._there, reverse=True)}
        free = (by_folded[key] for key in known if key in by_folded)
        found = next((key for key in free if key not in self._named.values()), None)
        if found is not None:
            return found
        for key in known:
            ending = [path for path in self._paths if path.casefold().endswith(f".{key}")]
            if len(ending) == 1 and ending[0] not in self._named.values():
                return ending[0]
        return None


def value_at(row: Mapping[str, object], key: str) -> object:
    """What stands at a key, or at the end of a path into nested values; None where nothing does."""
    if key in row:
        return row[key]
    value: object = row
    for step in key.replace("[", ".").replace("]", "").split("."):
        if isinstance(value, Mapping):
            value = value.get(step)
        elif isinstance(value, list) and step.isascii() and step.isdigit() and len(step) < 10:
            value = value[int(step)] if int(step) < len(value) else None
        else:
            return None
    return value


def _paths(value: Mapping[str, object], begin: str, depth: int) -> Iterator[str]:
    for key, inside in value.items():
        if isinstance(inside, dict) and depth < DEEPEST:
            yield from _paths(inside, f"{begin}.{key}", depth + 1)
        elif inside is not None:
            yield f"{begin}.{key}"
