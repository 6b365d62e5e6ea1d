"""How the Dagster UI reads markdown, as far as escaped text is concerned."""

import re

LINKS = (  # it turns addresses in text into links, whatever was escaped in them
    re.compile(r"(https?://|www(?=\.))([-.\w]+)", re.IGNORECASE),
    re.compile(r"([-.\w+]+)@([-\w]+(?:\.[-\w]+)+)"),
)
CODE = re.compile(r"(?<!\\)`(://|\.|@)`")
MARKUP = re.compile(r"(?<!\\)[\[\]()|`<!*_#]")  # opens a link, an image, a cell, HTML, a style


def read_as_markdown(markdown: str) -> list[str]:
    """Runs of text, and between them the code spans that keep addresses from being links."""
    pieces = CODE.split(markdown.replace("\\\\", "\0"))  # an escaped backslash escapes nothing
    decoded = [re.sub(r"(?<!\\)&lt;", "<", piece) for piece in pieces]
    return [re.sub(r"\\(.)", r"\1", piece).replace("\0", "\\") for piece in decoded]


def live(markdown: str) -> list[str]:
    """What would be more than text: markup that is not escaped, addresses that become links."""
    markup = MARKUP.findall(CODE.sub("", markdown.replace("\\\\", "")))
    runs = read_as_markdown(markdown)[::2]
    return [*markup, *(run for run in runs if any(link.search(run) for link in LINKS))]
