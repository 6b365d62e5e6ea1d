"""Intervals, tests and sample sizes on plain arrays; nothing here knows a table or a contract.

Door: `mean` for one checkpoint (clustered by item, with the interval that its number of clusters
allows), `paired_difference` for two on the same items, `paired_margin_tests` for a rule with a
margin, `items_to_detect` before anything is measured.

Read `intervals` first, then `clustered` (the unit of analysis is the cluster), `paired` and
`bootstrap`. The rest stands on these four:

- few or uneven clusters: `uneven`, `sign_flip`;
- statistics that are no mean: `jackknife`, `deviations`, `random_effects`, `variance`;
- rules and many questions: `margins`, `multiplicity`, `sequential` (looking early and often);
- before anything is measured: `power`, `simulated_power`, `design`.

`clusters` numbers clusters and needs no scipy, `given` refuses what is no number, `rounding` says
what spread is none, `randomness` gives one generator a purpose, and `threads` keeps sums the same
on any number of cores.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
