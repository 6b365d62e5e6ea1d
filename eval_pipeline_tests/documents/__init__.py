"""The pages of the project held to its code.

`python -m eval_pipeline_tests.documents` writes anew what is generated (`generated` says which
parts of which page). The tests beside it hold the rest: names exist, walks are really walked,
examples run, commands are verbs, dependencies are declared.
"""
