"""What several stages read alike, from files and from tables.

`landed` reads a checkpoint's folder, `measured` its samples with the columns that metrics read,
`feature_files` the vectors that rows name; `corpora` and `scans` are those of contamination.
"""
