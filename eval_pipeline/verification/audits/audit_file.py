"""The file in which people's decisions on a verifier's verdicts are kept."""

import json
from pathlib import Path

from eval_pipeline.verification.audits.audit import AuditDecision


def decisions(path: Path) -> list[AuditDecision]:
    """All decisions that were kept, in order; none where there is no file.

    Raises ValueError that names the line which is damaged.
    """
    if not path.exists():
        return []
    made = []
    for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), start=1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
            made.append(AuditDecision(row["row"], row["passed"], row["verifier_is"], row["by"]))
        except (ValueError, KeyError, TypeError):
            raise ValueError(f"{path}, line {number} is no decision: mend or remove it") from None
    return made
