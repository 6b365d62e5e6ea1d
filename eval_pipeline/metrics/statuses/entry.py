"""How often samples fail, by the way they fail."""

from eval_pipeline.metrics.entry import Metric, MetricColumn


def _rate(name: str, status: str, meaning: str) -> Metric:
    return Metric(
        name,
        1,
        meaning,
        "status",
        (MetricColumn("generations.status", "status"),),
        higher_is_better=False,
        family="statuses",
        counts=status,
        source="mean over draws, then over items",
    )


METRICS = (
    _rate("refusal_rate", "model_refusal", "Share of draws that the model refused."),
    _rate("parser_failure_rate", "parser_failure", "Share of draws without a readable answer."),
    _rate("timeout_rate", "timeout", "Share of draws that ran out of time."),
    _rate("permission_denied_rate", "permission_denied", "Share of draws denied a permission."),
    _rate("infra_error_rate", "infra_error", "Share of draws lost to the infrastructure."),
    _rate("invalid_sample_rate", "invalid_sample", "Share of draws that are no valid sample."),
    _rate("undecided_rate", "undecided", "Share of draws that the verifier could not decide."),
)
