"""Writes anew what is generated in the pages: `python -m eval_pipeline_tests.documents`.

Further: `... answers DATA` writes what the README's calls print on a data folder that was run;
`python -m eval_pipeline_tests.clock | ... durations` takes the durations of tests by room;
`... moved` writes where code stands now that pages name by a former place, where that is plain.
"""

import sys
from collections.abc import Callable, Iterable
from pathlib import Path

from eval_pipeline_tests.documents.answers import with_answers
from eval_pipeline_tests.documents.durations import with_durations
from eval_pipeline_tests.documents.examples import with_outputs
from eval_pipeline_tests.documents.generated import DOCS, PAGES, README, renewed
from eval_pipeline_tests.documents.moved import candidates
from eval_pipeline_tests.documents.names import CODE, WRITTEN, exists, is_dotted
from eval_pipeline_tests.documents.schema import SCHEMA, contract_schema


def main(asked: Iterable[str]) -> int:
    match list(asked):
        case []:
            for page in PAGES:
                rewrite(DOCS / page, lambda text, page=page: renewed(page, text))
            rewrite(DOCS / "LIBRARY.md", with_outputs)
            SCHEMA.write_text(contract_schema(), encoding="utf-8")
        case ["answers", root]:
            rewrite(README, lambda text: with_answers(text, Path(root)))
        case ["moved"]:
            for path in WRITTEN:
                rewrite(path, with_moved_names)
        case ["durations"]:
            table = [line for line in sys.stdin if line.startswith("|")]
            rewrite(DOCS / "CONTRIBUTING.md", lambda text: with_durations(text, table))
        case _:
            print(__doc__, file=sys.stderr)
            return 2
    return 0


def with_moved_names(text: str) -> str:
    """The page with each name that is gone replaced by the one place where it may stand."""
    for name in set(CODE.findall(text)):
        if is_dotted(name) and not exists(name) and len(where := candidates(name)) == 1:
            text = text.replace(f"`{name}`", f"`{where[0]}`")
    return text


def rewrite(path: Path, change: Callable[[str], str]) -> None:
    path.write_text(change(path.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
