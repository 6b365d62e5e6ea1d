"""The evaluation contract: what is asked, of what, how it is judged, and what decides.

Door: `load_contract` reads a contract file into a `Contract` or names every fault in it; `identity`
is the digest that makes two results comparable or not; `diff` says what differs between two
contracts and which results stay comparable; `freeze` turns a draft into a frozen contract.

Read `model` first (the sections and their keys; `judging`, `verification`, `bars`, `analyses` hold
parts of it), then `load` (file, `presets`, `shape`, `rules` and their faults), `digest` with
`pinned` (what identity covers, and the files that it pins), `registry` (contracts.lock: recorded
results hold a contract to its words) and `targets` (which checkpoints a contract is about).
`items`, `item_versions` and `labels` are the files beside it; `ledgers` are what people wrote down:
retired, accepted. `reading`, `writing` and `faults` are YAML and what is said about it.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
