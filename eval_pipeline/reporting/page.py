"""The frame of the report: one file, no script, nothing loaded from anywhere."""

from collections.abc import Sequence

from eval_pipeline.reporting.markup import Markup, join, tag

# Styles stand in the page itself, figures as inline SVG; everything else is refused.
POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'"

STYLE = """
:root{--ink:#1f2937;--quiet:#6b7280;--line:#e5e7eb;--paper:#fff;--accent:#0072b2}
*{box-sizing:border-box}
body{margin:0;font:16px/1.5 system-ui,sans-serif;color:var(--ink);background:#f9fafb}
main{max-width:60rem;margin:0 auto;padding:1rem}
section,header{background:var(--paper);border:1px solid var(--line);border-radius:8px;
padding:1rem 1.25rem;margin:0 0 1rem}
h1{font-size:1.5rem;margin:.2rem 0}h2{font-size:1.15rem;margin:.1rem 0 .6rem}
h3{font-size:1rem;margin:1rem 0 .4rem}
p{margin:.4rem 0;overflow-wrap:anywhere}
nav{font-size:.9rem;margin:.6rem 0 0}nav a{color:var(--accent);margin-right:.9rem}
.quiet,.interval{color:var(--quiet)}.interval{white-space:nowrap}
.number{text-align:right;font-variant-numeric:tabular-nums}
.mono{font-family:ui-monospace,monospace;font-size:.85em;overflow-wrap:anywhere}
.badge{display:inline-block;border:1.5px solid currentColor;border-radius:4px;padding:0 .45rem;
font-size:.8rem;font-weight:600;white-space:nowrap}
.good{color:#00664a}.bad{color:#a33c00}.wait{color:#7a5200}
.banner{border-left:8px solid #d55e00;background:#fff4ed;padding:.7rem 1rem;margin:.8rem 0}
.banner strong{letter-spacing:.04em}
.draft{border-left-color:#e69f00;background:#fffbeb}
.scroll{overflow-x:auto}
table{border-collapse:collapse;width:100%;font-size:.9rem;margin:.4rem 0}
caption{text-align:left;color:var(--quiet);padding:.2rem 0;font-size:.85rem}
th,td{padding:.35rem .6rem;border-bottom:1px solid var(--line);text-align:left;vertical-align:top;
overflow-wrap:break-word}
th{font-size:.8rem;color:var(--quiet);font-weight:600;vertical-align:bottom}
figure{margin:.8rem 0}figure svg{width:100%;height:auto;max-width:44rem;display:block}
figcaption{color:var(--quiet);font-size:.85rem}
details{margin:.6rem 0}summary{cursor:pointer;color:var(--accent)}
blockquote{margin:.3rem 0;padding:.1rem .8rem;border-left:3px solid var(--line);
white-space:pre-wrap;overflow-wrap:anywhere;font-size:.85rem}
@media(max-width:40rem){
main{padding:.5rem}section,header{padding:.8rem}
thead{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
tr{display:block;border:1px solid var(--line);border-radius:6px;margin:.5rem 0;padding:.2rem 0}
td{display:flex;justify-content:space-between;gap:1rem;border:0;padding:.2rem .6rem;
text-align:right;overflow-wrap:anywhere}
td>div{min-width:0}
td ul{margin:.2rem 0;padding:0;list-style:none}
td::before{content:attr(data-label);color:var(--quiet);font-size:.8rem;text-align:left;
flex:0 0 auto;max-width:45%}
.interval{white-space:normal}}
@media print{body{background:#fff}details{display:block}}
"""


def page(title: str, header: Markup, sections: Sequence[tuple[str, str, Markup]]) -> str:
    """A whole HTML document.

    sections: (anchor, heading, body), shown in order and listed at the top.
    """
    links = tag("nav", *(tag("a", heading, href=f"#{anchor}") for anchor, heading, _ in sections))
    blocks = [
        tag("section", tag("h2", heading), body, id=anchor) for anchor, heading, body in sections
    ]
    document = tag(
        "html",
        tag(
            "head",
            Markup('<meta charset="utf-8">'),
            Markup(f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'),
            Markup('<meta name="viewport" content="width=device-width, initial-scale=1">'),
            Markup('<meta name="referrer" content="no-referrer">'),
            tag("title", title),
            tag("style", Markup(STYLE)),
        ),
        tag("body", tag("main", tag("header", header, links), *blocks)),
        lang="en",
    )
    return f"<!doctype html>\n{document}\n"


def figure(svg: str, caption: str) -> Markup:
    """A figure with its caption; the SVG was made by `reporting.figures`."""
    return tag("figure", Markup(svg), tag("figcaption", caption))


def badge(text: str, kind: str) -> Markup:
    """A word in a frame; kind: good, bad or wait. The word says it, the colour repeats it."""
    return tag("span", text, class_=f"badge {kind}")


def banner(lead: str, text: str, kind: str = "") -> Markup:
    """A paragraph that cannot be overlooked."""
    return tag("p", tag("strong", lead), join(" ", text), class_=f"banner {kind}".strip())
