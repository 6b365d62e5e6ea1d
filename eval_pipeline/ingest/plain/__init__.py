"""Plain files of question, answer and reply, as people write them: one reply a row.

Door: `read_plain` holds a file whole; `raw_rows` and `usable_rows` let rows go by one by one.

Read `keys` (under which keys the parts of a row are looked for), `files` (rows as they stand
there: `cells` of CSV, `parquet_rows`), `rows` (usable rows and rejected ones), `facts` (what only
all rows together tell).
"""
