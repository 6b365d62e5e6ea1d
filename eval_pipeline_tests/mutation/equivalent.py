"""Faults that change nothing that anybody could see, and why; they are not counted."""

_DIGEST = "eval_pipeline/warehouse/digest.py"

# (file, what it was, what it becomes) -> why no test can tell
EQUIVALENT: dict[tuple[str, str, str], str] = {
    (_DIGEST, "shift > 0", "(shift >= 0)"): "at 0 the power is 1: times it and by it are alike",
    (_DIGEST, "values[at] < 0", "(values[at] <= 0)"): "zeros were left out before",
    (
        "eval_pipeline/decision/item_chances.py",
        "centre + sd * _NODES",
        "(centre - sd * _NODES)",
    ): "nodes and weights are symmetric about 0",
    (
        "eval_pipeline/statistics/deviations.py",
        "x >= whole",
        "(x > whole)",
    ): "at the whole size no threshold is left, and both ways give the deviations themselves",
    (
        "eval_pipeline/statistics/deviations.py",
        "with_size(x) + noise",
        "(with_size(x) - noise)",
    ): "each draw of noise stands there with its opposite",
    (
        "eval_pipeline/decision/operating_curve.py",
        "200",
        "201",
    ): "how many experiments tell a standard error: a choice, and no promise",
    (
        "eval_pipeline/warehouse/lock.py",
        "0o644",
        "421",
    ): "who may read the lock's file: the folder's rights decide",
}
