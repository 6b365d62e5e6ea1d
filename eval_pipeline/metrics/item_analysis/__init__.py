"""What items tell of models; no metric of a checkpoint, but tables of their own.

`rows` is the way in (`item_rows`, `functioning_rows`). `responses` says who answered what,
`classical` how easy and how telling an item is, `two_parameter` fits its curve (`curves` draws it),
`differential` whether it favours one family of models among equals.
"""
