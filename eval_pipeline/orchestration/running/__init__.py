"""How a run goes: a session of the command, executed as Dagster runs in this process.

`session` first; `in_process` executes its batches; `home` and `databases` are Dagster's own folder
beside the warehouse, and `runs` its records of runs that are ours.
"""
