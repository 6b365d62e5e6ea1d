"""The `eval-pipeline` command: each verb is a module here, and imports what it needs, inside.

Door: `main`, which takes the words of a call. Read `command` first (the list of verbs, and how an
error is said), then any verb. What verbs share stands on shelves: `reading` (the project that they
stand in), `showing` (tables, JSON, examples), `drafting`, `sheets`, `trying`, `comparing` and
`forecast` by what they are for. A verb computes nothing: it asks a room and prints.
"""

from eval_pipeline.cli.command import main

__all__ = ["main"]
