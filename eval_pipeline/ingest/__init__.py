"""From files that people or machines wrote to tables, with every row accepted or rejected by name.

Door: `read_generations`, `read_votes`, `read_scores`, `read_annotations` and `read_manifest` turn
the files of this project into tables and rejects; `claimed` finds the reader for the files of
another tool, and `importing` guards what `import` does with them.

Read `lines` first (a file is read once, line by line), then `objects` (a line is one JSON object,
strictly), `forms` (what a key's value must look like), `rejects` (the fixed list of reasons), and
`samples` with `generations` as the way that all readers go. Shelves:

- `peers`: readers of the files of other tools, a module a tool, none of which writes anything;
- `plain`: rows of question, answer and reply, as people write them;
- `imports`: what was read becomes benchmarks and checkpoints, whole or not at all.

`excerpts` makes foreign text printable, and `checkpoint` knows when a folder is complete.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
