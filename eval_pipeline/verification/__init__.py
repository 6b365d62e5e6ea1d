"""Replies against references: an extraction finds the answer, a verifier judges it, or says that
nobody can tell.

Door: `instruments` makes both from the names and options of a contract, and `Grader` with
`score_samples` goes from replies to scores.

Read `verdict` first (what is found, what is said, the three ends), then `registry` (every
instrument by name and version), `scoring` (the way of a reply) and `policy` (what a sample counts
as). Shelves:

- `extractions`: where the answer stands in a reply;
- `numbers`, `choices`, `formulas`, `code` and `texts`: each kind of answer, read whole;
- `audits`: verdicts held against people, recorded ones, and an older version's;
- `first`: the instruments of version 1, unmended.

What needs limits of its own runs in the children of `bounded`; `patterns` are such work.
`recorded` takes a publisher's verdicts, `refusal` knows a reply that declines, `tables` is the way
from tables and back, and `option_meanings` says what each option of an instrument means.
"""

try:
    import lazy_loader
except ModuleNotFoundError:  # the sandbox's interpreter has no packages, and asks for no name here
    pass
else:
    __getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
