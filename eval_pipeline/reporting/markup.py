"""HTML in which text is escaped unless it was built here: the report's only way to make markup."""

from collections.abc import Mapping, Sequence
from typing import Any

from eval_pipeline.reporting.escaping import for_html


class Markup(str):
    """HTML that is safe as it stands."""

    __slots__ = ()


def tag(name: str, *children: Any, **attributes: Any) -> Markup:
    """An element; children that are not Markup are escaped, None is left out.

    An attribute's underscores become hyphens; `class_` is class; None and False are left out.
    """
    parts = [name]
    for key, value in attributes.items():
        if value is None or value is False:
            continue
        parts.append(f'{key.rstrip("_").replace("_", "-")}="{for_html(str(value))}"')
    inside = join(*children)
    return Markup(f"<{' '.join(parts)}>{inside}</{name}>")


def join(*children: Any) -> Markup:
    """Children one behind the other; what is not Markup is escaped, None is left out."""
    return Markup(
        "".join(
            child if isinstance(child, Markup) else for_html(str(child))
            for child in children
            if child is not None
        )
    )


def data_table(
    rows: Sequence[Mapping[str, object]],
    columns: Mapping[str, str],
    caption: str | None = None,
    numeric: Sequence[str] = (),
) -> Markup:
    """Rows as a table that turns into cards on a narrow screen.

    columns: key of a row -> heading. Values are Markup, or shown as text; None is a dash.
    """
    if not rows:
        return tag("p", "No rows.", class_="quiet")
    head = tag("tr", *(tag("th", heading, scope="col") for heading in columns.values()))
    body = [
        tag(
            "tr",
            *(
                tag(
                    "td",
                    tag("div", shown(row.get(key))),
                    data_label=heading,
                    class_="number" if key in numeric else None,
                )
                for key, heading in columns.items()
            ),
        )
        for row in rows
    ]
    return tag(
        "div",
        tag(
            "table",
            tag("caption", caption) if caption else None,
            tag("thead", head),
            tag("tbody", *body),
        ),
        class_="scroll",
    )


def shown(value: Any) -> Markup:
    """A value as people read it."""
    if isinstance(value, Markup):
        return value
    if value is None:
        return tag("span", "–", class_="quiet")
    if isinstance(value, bool):
        return join("yes" if value else "no")
    if isinstance(value, float):
        return join(f"{value:.4f}")
    return join(value)


def p_value(p: float | None) -> str | None:
    """A p-value as people read it; never 0."""
    if p is None:
        return None
    return "< 0.0001" if p < 0.0001 else f"{p:.4f}"


def interval(value: float | None, low: float | None, high: float | None) -> Markup:
    """An estimate above its interval; `undefined` where it does not exist."""
    if value is None:
        return tag("span", "undefined", class_="quiet")
    if low is None or high is None:
        return join(tag("strong", f"{value:.4f}"), tag("span", " no interval", class_="quiet"))
    return join(
        tag("strong", f"{value:.4f}"),
        " ",
        tag("span", f"[{low:.4f}, {high:.4f}]", class_="interval"),
    )
