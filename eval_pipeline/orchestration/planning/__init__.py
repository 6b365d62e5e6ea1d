"""What would run, and why: the world on disk held against the records of lineage. No dagster.

`world` reads the disk, `cells` says what a cell is and which key it has, `past` answers from
lineage, and `plan` holds the one against the other. Every trigger executes this plan.
"""
