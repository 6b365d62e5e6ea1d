"""Answers held against text and JSON: exact, token_f1, json_fields, json_schema."""
