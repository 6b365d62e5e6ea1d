"""Strengths of models from judged pairs, on plain arrays; nothing here knows a contract.

Door: `encode_battles` turns names and outcomes into arrays, `fit_bradley_terry` gives strengths
where they are finite and says where they are not. `judge_rows` makes rows of all that is said of
one judge's pairs: strengths, differences, ranks, and how well one line of strengths describes the
judgments. `counts_of_parquet` and `battles_of_parquet` read battles of a file.

Read `encode` and `identify` first (a strength exists only where nobody took everything), then
`bradley_terry` and `uncertainty` (judgments on one prompt move together), `bootstrap` and
`rank_sets`; `leaderboard` puts them in one order and `rows` in tables. The rest stands beside the
main fit: `ties` and `sensitivity` (other accounts of ties), `covariates`, `sandwiches`,
`few_clusters`, `diagnostics`, `elo`. `newton` is the one solver, `minorization` the slow twin that
it is tested against.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
