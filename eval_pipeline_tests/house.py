"""The source of the product as the tests of the house read it: modules, rooms, who imports whom.

`python -m eval_pipeline_tests.house` prints the measures that the tests hold, by room.
"""

import ast
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
NAME = "eval_pipeline"
PACKAGE = ROOT / NAME
LOOSE = re.compile(r"\b(?:dict|Mapping)\[str, Any\]")


def modules() -> dict[str, Path]:
    """Every module of the product, by its path below the package."""
    return {path.relative_to(PACKAGE).as_posix(): path for path in sorted(PACKAGE.rglob("*.py"))}


@cache
def dotted() -> Mapping[str, Path]:
    """Every module and package of the product, by its dotted name below the package."""
    named = {name.removesuffix(".py").replace("/", "."): path for name, path in modules().items()}
    return {name.removesuffix(".__init__"): path for name, path in named.items()}


def room_of(name: str) -> str:
    """The room of a dotted name below the package."""
    return name.split(".")[0]


def rooms() -> list[str]:
    """The packages that stand directly in the product."""
    return sorted(path.parent.name for path in PACKAGE.glob("*/__init__.py"))


@cache
def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


@cache
def imports(path: Path) -> tuple[str, ...]:
    """Dotted names of all modules that a file imports, at any depth of its code."""
    found: list[str] = []
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Import):
            found += (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            found.append(node.module)
            found += (f"{node.module}.{alias.name}" for alias in node.names)
    return tuple(found)


@cache
def imported() -> Mapping[str, frozenset[str]]:
    """Module -> the modules of the product that it imports, wherever in its code.

    At the top, inside a function, and for types alone: whoever reads one has to know the other.
    """
    known = dotted()
    return {
        name: frozenset(
            inside
            for imported in imports(path)
            if (inside := imported.removeprefix(f"{NAME}.")) in known and inside != name
        )
        - {name.rpartition(".")[0]}
        for name, path in known.items()
    }


def circles() -> list[list[str]]:
    """Groups of modules of which each imports, over others, itself; the largest first."""
    edges = imported()
    reach: dict[str, set[str]] = {}
    for name in edges:
        seen: set[str] = set()
        ahead = list(edges[name])
        while ahead:
            one = ahead.pop()
            if one not in seen:
                seen.add(one)
                ahead += edges[one]
        reach[name] = seen
    groups = {
        tuple(sorted(other for other in reach[name] if name in reach[other]))
        for name in edges
        if name in reach[name]
    }
    return sorted(map(list, groups), key=lambda group: (-len(group), group))


def loose_types() -> Counter[str]:
    """How often a room says `dict[str, Any]` or `Mapping[str, Any]`."""
    counts: Counter[str] = Counter()
    for name, path in dotted().items():
        counts[room_of(name)] += len(LOOSE.findall(path.read_text(encoding="utf-8")))
    return +counts


def classes() -> dict[str, list[str]]:
    """Public class -> the modules that define one of that name.

    Public is what another module imports, or a door shows; what is used at home is named there.
    """
    taken = {name for path in dotted().values() for name in imports(path)}
    taken |= {
        f"{NAME}.{room}.{module}.{name}"
        for room in rooms()
        for name, module in door_names(room).items()
    }
    where: dict[str, list[str]] = defaultdict(list)
    for name, path in dotted().items():
        for node in tree(path).body:
            if isinstance(node, ast.ClassDef) and f"{NAME}.{name}.{node.name}" in taken:
                where[node.name].append(name)
    return dict(where)


def door_names(room: str) -> dict[str, str]:
    """Public name of a room -> the module below the room that its stub takes it from."""
    stub = PACKAGE / room / "__init__.pyi"
    if not stub.exists():
        return {}
    return {
        alias.asname or alias.name: node.module or ""
        for node in tree(stub).body
        if isinstance(node, ast.ImportFrom) and node.level == 1
        for alias in node.names
    }


def unused() -> list[str]:
    """Modules that nothing in the product imports or loads by name, and no door shows."""
    used = {name for others in imported().values() for name in others}
    used |= {f"{room}.{module}" for room in rooms() for module in door_names(room).values()}
    used |= set(_loaded())
    return [
        name
        for name, path in dotted().items()
        if name not in used and path.name != "__init__.py" and name not in ("", "definitions")
    ]


def _loaded() -> Iterator[str]:
    """Modules that are loaded by name: the product holds that name as a text.

    The name below the room with a class, as in "numbers.last_number:LastNumber"; the name of the
    file; the whole dotted name; or a name of which a part is put in, as in
    f"eval_pipeline.cli.{verb}", where that part stands as a text too.
    """
    nodes = [node for path in dotted().values() for node in ast.walk(tree(path))]
    constants = (node.value for node in nodes if isinstance(node, ast.Constant))
    texts = {value for value in constants if isinstance(value, str)}
    classes_of = {text.partition(":")[0] for text in texts if re.fullmatch(r"[\w.]+:\w+", text)}
    said = {name for text in texts for name in re.findall(rf"\b{NAME}(?:\.\w+)+", text)}
    made = [_pattern(node) for node in nodes if isinstance(node, ast.JoinedStr)]
    patterns = [pattern for pattern in made if pattern.pattern.startswith(re.escape(f"{NAME}."))]
    for name, path in dotted().items():
        whole = f"{NAME}.{name}"
        completed = any(
            set(match.groups()) <= texts for one in patterns if (match := one.fullmatch(whole))
        )
        inside = name.partition(".")[2]
        if completed or inside in classes_of or path.name in texts or whole in said:
            yield name


def _pattern(text: ast.JoinedStr) -> re.Pattern[str]:
    """What an f-string can become, each part that is put in being one word."""
    parts = (
        re.escape(str(part.value)) if isinstance(part, ast.Constant) else r"(\w+)"
        for part in text.values
    )
    return re.compile("".join(parts))


def main() -> None:
    lines = {
        name: len(path.read_text(encoding="utf-8").splitlines()) for name, path in dotted().items()
    }
    loose = loose_types()
    for room in sorted({room_of(name) for name in lines}):
        mine = [count for name, count in lines.items() if room_of(name) == room]
        print(
            f"{room or NAME:16} {len(mine):4} modules, {sum(mine):6} lines, {loose[room]:3} loose"
        )
    print(f"{loose.total()} of dict[str, Any] and Mapping[str, Any]")
    print(f"circles: {circles() or 'none'}")
    print(f"unused: {', '.join(unused()) or 'none'}")
    for name, where in sorted(classes().items()):
        if len(where) > 1:
            print(f"class {name}: {', '.join(where)}")


if __name__ == "__main__":
    main()
