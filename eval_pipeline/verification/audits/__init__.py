"""Verdicts themselves under test: by people, by a publisher's records, by an older version.

`audit` draws the sample that people look at and says how often the verifier errs (`audit_file`
keeps their decisions), `agreement` holds ours beside recorded verdicts, and `rescoring` names the
replies that a new version judges otherwise.
"""
