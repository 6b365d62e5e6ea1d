"""Judges of replies, and people: what they say, what that is worth, and what is still awaited.

Door: `combine_votes` brings the votes in both seating orders of a pair together, `audit_rows` and
`score_audit_rows` measure what is wrong with a judge, `licence_rows` says whether it may be
believed. `standing` is the one place that says how a judge, a jury and a contract stand, and what
that takes out of use; everything else asks it.

Read `standing` and `awaited` first, then `pairs/` and `scoring/` (what is judged, and how it is put
together), `audits/`, `findings` (how an audit lies to its bar) and `licences/`. `verdicts` finds
the verdict in a reply, with what stands on the shelf `reading/`. `asking/` asks live judges,
`prompts/` is what they are asked, `people/` blinds sheets and weighs raters, `probes/` are pairs
whose right verdict is known.

Some formulas are for whoever uses the room as a library, and no stage calls them: `cost_ratio`,
`seat_bias`, `expected_flip_rate`, `flip_rate_passes`, `verbosity_slope`, `parse_score`,
`normalize_swapped_judgment`.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
