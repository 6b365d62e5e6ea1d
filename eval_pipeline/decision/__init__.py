"""From differences and guardrails to one decision a checkpoint, and to the board that shows it.

Door: `decision_row` says what the contract's rule makes of the evidence on a checkpoint, `verdict`
is the rule alone, `check` a guardrail; `gate.gate` turns a decision into an exit code;
`board_rows` puts the leaderboard together. No rule, no decision, and every outcome has a reason in
one word.

Read `reasons` (all outcomes and their reasons), `rule` and `guardrails`, then `decide` and
`evidence`; `operating_curve` says beforehand how often a rule ships. `headline`, `remarks`, `twins`
and `leaderboard` are the board.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
