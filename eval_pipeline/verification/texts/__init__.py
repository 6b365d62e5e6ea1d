"""Text and JSON held against a reference or a form, as they are written.

`exact` compares under a declared normalisation, or by shared words (`token_f1`); `json_fields`
counts the fields of an object that are right, `json_schema` says whether it has a declared form.
"""
