"""Plain files of question, answer and reply, as people write them: one reply a row.

Door: `read_plain` for a file that is held whole; `Reading` for rows that go by one after the other.

Read `keys` (under which keys the parts of a row are looked for), `files` (rows as they stand
there), `rows` (usable rows and rejected ones).
"""
