"""What each option of a verifier or extraction means, in a line."""

# by option, or by instrument and option where the same name means another thing
MEANINGS = {
    "abs_tol": "how far a number may lie from the reference, absolutely",
    "cpu_seconds": "CPU seconds that one answer may cost",
    "decimal": "the sign before decimals, . or ,",
    "field": "names joined by dots that lead to the answer; empty for the whole object",
    "grader": "who graded what is recorded, and with what",
    "ignore_case": "whether capitals and small letters are the same",
    "labels": "the letters of the options in order, where items carry none",
    "lists": "any_order or in_order: whether the order of a bare list counts",
    "match": "full: the whole answer fits the pattern; search: some part of it",
    "may_decide": "whether a decision may rest on what is recorded",
    "memory_mb": "MiB that a program may take beyond the interpreter",
    "metric": "the publisher's name of what is recorded",
    "number_words": "whether twenty-one is read as 21",
    "occurrence": "first or last place; a named pattern takes the last unless told",
    "on_broken": "end: a broken place ends the chain; next: the next step is asked",
    "outside": "failure or wrong: what a letter that is no option of the item is",
    "packages": "modules that programs may import beside the standard library",
    "pattern": "gsm8k, final_answer, marker, or a regular expression with one group",
    "percent": "same: 60% is not 60; ignore: the sign means nothing; hundredth: 60% is 0.6",
    "policy": "how texts are brought to one form before they are compared",
    "recorded.field": "the key of the rows that holds the recorded verdict",
    "references": "one: the item's answer; json: a JSON list of right texts",
    "rel_tol": "how far a number may lie from the reference, as a share of it",
    "schema": "the JSON schema of all items; each item's answer where it is not given",
    "score": "f1, precision, recall, or all: what the agreement of fields counts as",
    "solution_methods": "whether the entry point may be a method of a class Solution",
    "steps": "extractions in order, each with its version and options: [{boxed@2: {}}]",
    "stop": "words that begin a question of the model's own: the reply ends there",
    "strict": "how many of the first steps make the strict number",
    "thousands": "signs that may part groups of three digits",
    "values": "what each recorded label scores: {C: 1, I: 0}",
    "wall_seconds": "seconds that a program may wait",
    "words_only": "whether #### and <answer> are no markers",
}


def meaning(instrument: str, option: str) -> str | None:
    """The line for an option of an instrument, with or without a version; None where none is."""
    return MEANINGS.get(f"{instrument.split('@')[0]}.{option}") or MEANINGS.get(option)
