"""Under which keys the parts of a row are looked for in a newcomer's plain file."""

# Part of a row -> the keys it may have, the first one first; upper and lower case are alike.
SYNONYMS: dict[str, tuple[str, ...]] = {
    "item_id": ("item_id", "id", "question_id", "task_id", "example_id", "idx", "index"),
    "question": ("question", "prompt", "input", "problem", "query", "instruction"),
    "answer": (
        *("answer", "reference", "target", "gold", "label", "expected", "ground_truth"),
        *("reference_answer", "correct_answer", "solution"),
    ),
    "reply": (
        *("reply", "response", "output", "completion", "generation", "prediction"),
        *("model_output", "text"),
    ),
    "model": ("model", "checkpoint", "model_name", "model_id", "system"),
    "draw": ("draw", "sample", "sample_id", "trial", "repeat", "epoch", "attempt"),
    "options": ("options", "choices"),
}
NEEDED = ("question", "answer", "reply")
