"""The words that columns may hold, each list in one place."""

GENERATION_STATUSES = (  # what a row of generations may say of itself
    "ok",
    "parser_failure",
    "model_refusal",
    "timeout",
    "permission_denied",
    "infra_error",
    "invalid_sample",
)
SAMPLE_STATUSES = (*GENERATION_STATUSES, "undecided")  # after verification
FAILURE_STATUSES = SAMPLE_STATUSES[1:]
VERDICT_RELATIONS = ("agrees", "differs", "only_ours", "only_recorded", "neither", "between")
VOTE_STATUSES = ("ok", "judge_unknown", "judge_error")
REPLY_SCORE_STATUSES = (*VOTE_STATUSES, "missing", "no_reply", "pending")
VERDICTS = ("model_a", "model_b", "tie")
SLOT_ORDERS = ("a_first", "b_first")
VOTE_ORDERS = (*SLOT_ORDERS, "unrecorded")  # the last only where the contract takes such votes
LABEL_READINGS = (*SLOT_ORDERS, "both", "sum", "mean")
PROBE_KINDS = (
    "padded",
    "formatted",
    "flattering",
    "injected",
    "decoy",
    "error",
    "harmless",
)
PROBE_ORDERS = ("original_first", "variant_first")
PROBE_VERDICTS = ("original", "variant", "tie")
AGREEMENT_MEASURES = ("raw", "cohen_kappa", "weighted_kappa", "fleiss_kappa", "krippendorff_alpha")
RATER_OUTCOMES = ("kept", "left_out", "not_tested")
DRIFT_OUTCOMES = ("steady", "drifted", "undecided")
ESTIMATE_STATUSES = ("ok", "undefined")
PAIR_CATEGORIES = (
    "consistent_a",
    "consistent_b",
    "tie",
    "flipped",
    "mixed",
    "single_order",
    "missing",
    "forfeit_a",
    "forfeit_b",
    "both_failed",
    "pending",
)
AUDIT_OUTCOMES = ("within", "outside", "undecided", "not_audited", "descriptive")
LICENCE_OUTCOMES = ("licensed", "refused", "not_enough_labels")
CONTAMINATION_STATUSES = (
    "clean",
    "contaminated",
    "review",
    "short_exact",
    "source_overlap",
    "low_information",
    "untestable",
)
MATCH_TYPES = ("exact", "canary", "ngram", "short_exact", "minhash", "embedding")
NEAR_DUPLICATE_RELATIONS = ("benchmark", "version", "corpus")
NEAR_DUPLICATE_STATUSES = ("duplicate", "alike")
EVIDENCE_GRADES = ("evidence", "statistical")
REVIEW_STANDINGS = ("decided", "void", "disputed")
MODEL_STATUSES = ("ok", "undefeated", "winless", "split", "unjudged")
READINGS = ("read", "read, in part", "unsure", "cannot tell")
QUARANTINE_SCOPES = ("decision", "board", "row")
DECISION_OUTCOMES = ("ship", "reject", "not_enough_data", "blocked", "reference")
FRONTIER_STANDINGS = ("frontier", "dominated", "disqualified", "unplaced")
