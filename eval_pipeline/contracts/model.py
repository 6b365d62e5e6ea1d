"""The evaluation contract: ten things frozen before any number, then the instruments.

Models only; reading, faults, digests and the registry stand beside this file.
"""

from datetime import date
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from eval_pipeline.layout import NAME_FORM, versioned

Name = Annotated[str, StringConstraints(pattern=f"^{NAME_FORM}$")]
VersionedName = Annotated[
    str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9._@+-]{0,120}@[1-9][0-9]*$")
]
Share = Annotated[float, Field(ge=0, le=1)]
Handling = Literal["wrong", "exclude", "chance", "retry"]


class Part(BaseModel):
    """A part of a contract: unknown keys are refused, values are never coerced or changed."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class Unknown(Part):
    """Said where published data do not tell; printed wherever the number is."""

    unknown: str


class Endpoint(Part):
    """The primary metric."""

    metric: str
    k: int | None = Field(None, ge=1)

    @property
    def label(self) -> str:
        return metric_label(self.metric, self.k)


class Question(Part):
    text: str
    primary_endpoint: Endpoint


class Targets(Part):
    """Which checkpoints the contract is about: a selector, never a list that grows."""

    families: list[Name] = []
    exclude: list[Name] = []
    reference: Name = "last_accepted"


class Task(Part):
    benchmark: VersionedName
    population: str
    slices: list[str] = []


class Prompt(Part):
    template: str
    few_shot: int = Field(0, ge=0)


class Decoding(Part):
    temperature: float = Field(ge=0)
    top_p: float = Field(1.0, gt=0, le=1)
    max_tokens: int = Field(gt=0)
    stop: list[str] = []
    tools: Any = "none"


class Budget(Part):
    draws_per_item: int = Field(ge=1)
    retries: int = Field(0, ge=0)
    timeout_seconds: float | None = Field(None, gt=0)


class Unit(Part):
    of_analysis: Literal["item"] = "item"
    clustered_by: str = "item_id"


class Aggregation(Part):
    over_draws: Literal["unbiased"] = "unbiased"
    over_items: Literal["micro", "macro"] = "micro"
    macro_over: str | None = None


class Failures(Part):
    """What each failed sample counts as."""

    parser_failure: Handling
    model_refusal: Handling
    timeout: Handling
    permission_denied: Handling
    infra_error: Handling
    invalid_sample: Handling


class Guardrail(Part):
    metric: str
    at_most: float | None = None
    at_least: float | None = None


class Decision(Part):
    rule: Literal["superior", "non_inferior", "equivalent"]
    margin: float = Field(0.0, ge=0)
    confidence: float = Field(0.95, gt=0.5, lt=1)
    guardrails: list[Guardrail] = []


class Evaluator(Part):
    """Why this kind of evaluator was chosen, and what it leaves uncovered."""

    kind: Literal["verifier", "reference_metric", "human", "judge"]
    reason: str
    uncovered: str


class Verification(Part):
    verifier: VersionedName
    extraction: VersionedName
    options: dict[str, Any] = {}


class MetricRequest(Part):
    name: str
    k: int | list[int] | None = None


class Contamination(Part):
    corpora: list[VersionedName]
    fields: list[str] = ["question", "answer"]
    canaries: list[str] = []
    false_positive_bar: Share = 0.01


class Statistics(Part):
    replicates: int = Field(2000, ge=100)
    seed: int = Field(ge=0)
    multiplicity: Literal["holm", "bonferroni", "bh", "by"] = "holm"


class Pairing(Part):
    """Which pairs are judged; each belongs to the later checkpoint by (date, name)."""

    anchors: list[Name] = []
    last_accepted: bool = False
    nearest: int = Field(0, ge=0)


class Judge(Part):
    name: Name
    family: Name
    source: Literal["recorded", "openai"] = "recorded"
    model: str | None = None
    prompt: str | None = None


class Bars(Part):
    """How far from zero (or, for human_ratio, how low) each audit may lie."""

    flip_excess: Share | None = None
    position_effect: Share | None = None
    verbosity_per_100_tokens: Share | None = None
    self_preference: Share | None = None
    injection_success: Share | None = None
    human_ratio: float | None = Field(None, gt=0)
    missing_rate: Share = 0.02


class VoteSample(Part):
    per_pair: int = Field(ge=1)
    stratify: list[str] = []


class Judging(Part):
    judges: list[Judge] = Field(min_length=1)
    orders: Literal["both"] = "both"
    repeats: int = Field(1, ge=1)
    sample: VoteSample | None = None
    bars: Bars
    annotations: list[Name] = []
    reaudit_by: date | None = None


class LengthControl(Part):
    baseline: Name


class Ranking(Part):
    """How strengths are fitted and printed; the anchor moves the printed scale only."""

    anchor: Name | None = None
    prior_sd: float | None = Field(None, gt=0)
    order_effect: bool = True


class Contract(Part):
    """One expanded contract version: presets merged, defaults filled in."""

    contract: Name
    version: int = Field(ge=1)
    status: Literal["frozen", "draft"] = "frozen"

    question: Question
    targets: Targets | Unknown
    task: Task
    prompt: Prompt | Unknown
    decoding: Decoding | Unknown
    budget: Budget | Unknown
    unit: Unit
    aggregation: Aggregation
    failures: Failures
    decision: Decision | Unknown

    evaluator: Evaluator
    verification: Verification | None = None
    metrics: list[MetricRequest] = []
    contamination: Contamination | None = None
    statistics: Statistics
    pairing: Pairing | None = None
    judging: Judging | None = None
    length_control: LengthControl | None = None
    ranking: Ranking | None = None

    @property
    def title(self) -> str:
        """`name/v1`: the asset group, and how people say it."""
        return f"{self.contract}/v{self.version}"

    @property
    def benchmark(self) -> str:
        """The benchmark's name without its version."""
        return versioned(self.task.benchmark, "benchmark")[0]


def metric_label(name: str, k: int | None = None) -> str:
    """How a metric is called in tables: `pass_at_k` with k = 4 is `pass@4`."""
    if k is None:
        return name
    stem = {"pass_at_k": "pass@", "pass_hat_k": "pass^", "majority_vote": "majority@"}
    return f"{stem.get(name, name + '@')}{k}"
