"""A page in which a person labels pairs of replies, without a network and without a server.

One file: a strict policy names its one script and one style by digest, and loads nothing. Answers
are kept in the browser, and leave it as a CSV file that the person saves.
"""

import base64
import hashlib
import json
from collections.abc import Mapping, Sequence

from eval_pipeline.reporting.labelling.label_page_parts import FRAME, SCRIPT, STYLE
from eval_pipeline.reporting.markup import Markup, tag

COLUMNS = ("row", "rater", "answer", "note")


def label_page(
    title: str, rater: str, question: str, rows: Sequence[Mapping[str, str]], key: str
) -> str:
    """The HTML document.

    rows: row, question, reply_1 and reply_2 of each pair, as the person should see them; key: what
    tells this sheet from others in the browser's memory.
    """
    policy = (
        f"default-src 'none'; script-src 'sha256-{_digest(SCRIPT)}'; "
        f"style-src 'sha256-{_digest(STYLE)}'; base-uri 'none'; form-action 'none'"
    )
    data = {"key": key, "rater": rater, "columns": COLUMNS, "rows": [dict(row) for row in rows]}
    document = tag(
        "html",
        tag(
            "head",
            Markup('<meta charset="utf-8">'),
            tag("meta", http_equiv="Content-Security-Policy", content=policy),
            Markup('<meta name="viewport" content="width=device-width, initial-scale=1">'),
            Markup('<meta name="referrer" content="no-referrer">'),
            tag("title", title),
            tag("style", Markup(STYLE)),
        ),
        tag(
            "body",
            tag("main", tag("h1", title), tag("p", question, id="task"), Markup(FRAME)),
            tag("div", Markup(_inert(data)), id="data", hidden="hidden"),
            tag("script", Markup(SCRIPT)),
        ),
        lang="en",
    )
    return f"<!doctype html>\n{document}\n"


def _digest(content: str) -> str:
    return base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()


def _inert(data: object) -> str:
    """JSON in base64: no text of a reply can end the element that holds it."""
    return base64.b64encode(json.dumps(data, ensure_ascii=True).encode()).decode()
