"""Files of other evaluation tools: recognised by their structure, read as replies and verdicts.

Door: `claimed` in `recognition` says which form each file has; `Form.read` gives what it holds,
one entry after the other, in the order of the file.

Read `entries` (what a peer's file may hold), `sources` and `archive` (how bytes are got at),
`recognition`, then any reader: each knows one tool and nothing of the others.
"""
