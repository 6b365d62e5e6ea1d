"""`python -m eval_pipeline_tests.rows`: writes the row types anew."""

from eval_pipeline_tests.rows.generated import ROWS, modules

for file, text in modules().items():
    (ROWS / file).write_text(text, encoding="utf-8")
