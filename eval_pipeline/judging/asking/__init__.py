"""Judges that are asked live: what each is due, what it may cost, the calls, what came of them.

Read `asks` (a call and its key), `conduct` (many calls at once), then `client` (one of them).
`services` and `purse` say where, how fast and for how much; `live_rows` makes rows of what is kept.
"""
