"""Writes anew what is generated in the pages: `python -m eval_pipeline_tests.documents`.

Further: `... answers DATA` writes what the README's calls print on a data folder that was run;
`python -m eval_pipeline_tests.clock | ... durations` takes the durations of tests by room.
"""

import sys
from collections.abc import Callable, Iterable
from pathlib import Path

from eval_pipeline_tests.documents.answers import with_answers
from eval_pipeline_tests.documents.durations import with_durations
from eval_pipeline_tests.documents.examples import with_outputs
from eval_pipeline_tests.documents.generated import DOCS, PAGES, README, renewed
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
        case ["durations"]:
            table = [line for line in sys.stdin if line.startswith("|")]
            rewrite(DOCS / "CONTRIBUTING.md", lambda text: with_durations(text, table))
        case _:
            print(__doc__, file=sys.stderr)
            return 2
    return 0


def rewrite(path: Path, change: Callable[[str], str]) -> None:
    path.write_text(change(path.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
