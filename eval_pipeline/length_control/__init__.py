"""The win rate that a model would have if its replies were as long as the baseline's.

Door: `length_controlled_win_rate` takes judged pairs against one baseline as arrays and gives the
rate at equal length with its interval, `rate_between` sets two models side by side that met the
same baseline. `win_rate_rows` makes the table `length_controlled_win_rates`.

Read `design` first: which terms the data can tell apart. Then `model`, where the loss stands in one
function; `separation` (when no fit exists) and `gamed` (how far length alone goes). `bootstrap`
refits; `rows` and `item_keys` go between tables and arrays; `pair_rate` answers for a pair that a
rule asks about.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
