"""Numbers: a numeral with all that changes its value, read whole or not at all.

`numeric` is the verifier and `last_number` the extraction; both read by `quantity`. Below them:
`plain` (text without dress), `numerals` (digits to exact rationals), `surroundings` with `sides`
(what stands beside a numeral), `bounds`, `scale` and `multipliers` (words that change it), `units`
and `measures` (what it counts), `joined` (ranges and lists). Numbers in words are read as version 1
reads them, by `first.number_words`.
"""
