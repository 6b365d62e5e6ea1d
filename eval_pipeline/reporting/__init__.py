"""Tables as people read them: the HTML report, its figures, and the page that labels are given on.

Door: `report_html` makes the page from `ReportTables`; `label_page` makes the page for raters;
`for_html`, `for_terminal` and their like are the one way in which untrusted text reaches anybody.
Nothing is computed here: a section is a pure function of rows.

Read `escaping` and `markup` first (text is escaped unless it was built here), then `tables`,
`page`, `report` and any of `sections/`. `figures/` are SVG without dates: rows in, text out.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
