"""Which figure stands beside which table in the Dagster UI."""

import pyarrow as pa


def figures_of(table: str, data: pa.Table) -> dict[str, str]:
    """Name to SVG; empty for tables without a figure. Drawing is the reporting room's."""
    if table not in ("ratings", "judge_audits", "paired_comparisons") or not data.num_rows:
        return {}
    from eval_pipeline.reporting.figures import Whisker, interval_figure

    rows = data.to_pylist()
    if table == "ratings":
        whiskers = [
            Whisker(f"{r['judge']}: {r['model']}", r["theta"], r["ci_low"], r["ci_high"])
            for r in rows
        ]
        return {"strengths": interval_figure(whiskers, "strength, logits", "Strengths", 0.0)}
    if table == "judge_audits":
        whiskers = [
            Whisker(
                f"{r['judge']}: {r['audit']}",
                r["estimate"],
                r["ci_low"],
                r["ci_high"],
                r["bar"],
                r["outcome"] == "outside",
            )
            for r in rows
            if r["bar"] is not None and r["slice"] == "all" and r["audit"] != "human_ratio"
        ]
        return {"audits": interval_figure(whiskers, "bias", "Audits against their bars", 0.0)}
    whiskers = [
        Whisker(f"{r['checkpoint']} − {r['baseline']}", r["difference"], r["ci_low"], r["ci_high"])
        for r in rows
        if r["slice"] == "all"
    ]
    return {"differences": interval_figure(whiskers, "difference", "Paired differences", 0.0)}
