"""`python -m eval_pipeline_tests.documents`: writes anew what is generated in the pages."""

import sys

from eval_pipeline_tests.documents.examples import with_outputs
from eval_pipeline_tests.documents.generated import DOCS, PAGES, renewed
from eval_pipeline_tests.documents.schema import SCHEMA, contract_schema


def main() -> int:
    for page in PAGES:
        path = DOCS / page
        path.write_text(renewed(page, path.read_text(encoding="utf-8")), encoding="utf-8")
    library = DOCS / "LIBRARY.md"
    library.write_text(with_outputs(library.read_text(encoding="utf-8")), encoding="utf-8")
    SCHEMA.write_text(contract_schema(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
