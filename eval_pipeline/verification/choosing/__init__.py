"""Which instruments suit a benchmark, told by its references as a set and by the replies.

Nothing is chosen by the score that it gives, and the choice is the same when references are
shuffled over the items. `choose` in `choice` is the door.

Read `reference_type` (what the references are), `places` (where answers may stand in a reply),
`reading` (what stands there), then `choice`.
"""
