"""What a row of each table holds, as types: a column that is renamed fails in the type checker.

Door: one type a table, such as `DecisionsRow` of `decisions`, whose fields may be read and never
set; `rows_of` reads a table as such rows. The types are generated from the registry of tables and
hold nothing else, so that every room may know them: they stand on the ground.

Read `reading` first; the other modules mirror `warehouse/schemas/`, a type a table.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
