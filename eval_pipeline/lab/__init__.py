"""A world whose truth is known: benchmarks, checkpoints and judges that we planted ourselves.

Door: `write_lab` writes it as raw files, `read_truth` and `recovered` hold what the pipeline says
of it against what was planted. `expected_win_rate`, `flip_threshold` and `jury_majority` say what a
judge with a known bias (`Bias`) makes of a known win rate.

Read `planted` first, which holds every value that is planted, then `write` (what becomes of it on
disk) and `expected` (in which table each value must be found). `words`, `stories`, `advice` and
`functions` make the items and replies, `samples`, `votes`, `scores`, `nights` and `tricks` what
checkpoints, judges and people do with them; `acts` and `bias_lab` are the lessons of
`eval-pipeline lab`.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
