"""Right values from elsewhere, and the runner that holds them against public functions.

`vectors/instruments.json`: an instrument, its inputs, the value that is right and how near it must
come. `vectors/ranking.json`: worked examples on which two independent tools agree, with the names
of the tools. `vectors/bug_cases.jsonl`: inputs on which published tools went wrong, built anew,
with what is right. `answers/` says which of our functions answers each instrument.
"""
