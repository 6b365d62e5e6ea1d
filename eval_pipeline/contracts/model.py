"""The evaluation contract: ten things frozen before any number, then the instruments.

Models only; reading, faults, digests and the registry stand beside this file. The description of
a field that must be given says what to decide; it is the mend when the field is missing.
"""

# ruff: noqa: RUF012 - every class here is a pydantic model, which copies its defaults

from datetime import date
from typing import Annotated, Any, Literal

from pydantic import Discriminator, Field, Tag

from eval_pipeline.contracts.analyses import ItemAnalysis, MetricValidity, SafetyFrontier
from eval_pipeline.contracts.bars import Bars
from eval_pipeline.contracts.labels import Labels
from eval_pipeline.contracts.part import (
    Column,
    Count,
    Handling,
    Name,
    Part,
    Share,
    Text,
    VerdictForm,
    VersionedName,
)
from eval_pipeline.contracts.verification import Verification
from eval_pipeline.layout import versioned
from eval_pipeline.metrics.registry import label_of


class Unknown(Part):
    """Said where published data do not tell; printed wherever the number is."""

    unknown: Text = Field(description="say why it is not known")


# Tags stand in the paths of pydantic's errors; `<` keeps them apart from keys of a contract.
Stated = Tag("<stated>")
NotKnown = Annotated[Unknown, Tag("<unknown>")]


def _stated_or_unknown(value: Any) -> str:
    if isinstance(value, Unknown) or (isinstance(value, dict) and "unknown" in value):
        return "<unknown>"
    return "<stated>"


def _one_or_several(value: Any) -> str:
    return "<several>" if isinstance(value, list) else "<one>"


OrUnknown = Discriminator(_stated_or_unknown)
Ks = Annotated[
    Annotated[Count, Tag("<one>")] | Annotated[list[Count], Field(min_length=1), Tag("<several>")],
    Discriminator(_one_or_several),
]


class Endpoint(Part):
    """The primary metric."""

    metric: Text = Field(description="name the one metric that decides")
    k: Count | None = None
    options: dict[str, Any] = {}

    @property
    def label(self) -> str:
        return label_of(self.metric, self.k, self.options)


class Question(Part):
    text: Text = Field(description="ask in one sentence what the contract answers")
    primary_endpoint: Endpoint = Field(description="name the one metric that decides")


class Targets(Part):
    """Which checkpoints the contract is about: a selector, never a list that grows.

    No family named: every family.
    """

    families: list[Name] = []
    exclude: list[Name] = []
    reference: Name = "last_accepted"


class Task(Part):
    benchmark: VersionedName = Field(description="name the benchmark and its version")
    population: Text = Field(description="say which tasks or users the items stand for")
    slices: list[Column] = []


class Prompt(Part):
    template: Text = Field(description="name the file of the prompt template")
    few_shot: int = Field(0, ge=0)


class Decoding(Part):
    temperature: float = Field(ge=0, description="give the sampling temperature, 0 for greedy")
    top_p: float = Field(1.0, gt=0, le=1)
    max_tokens: Count = Field(description="give the longest reply, in tokens")
    stop: list[str] = []
    tools: Any = "none"


class Budget(Part):
    draws_per_item: Count = Field(description="say how many replies each item gets")
    retries: int = Field(0, ge=0)
    timeout_seconds: float | None = Field(None, gt=0)


class Unit(Part):
    of_analysis: Literal["item"] = "item"
    clustered_by: Column = "item_id"


class Aggregation(Part):
    over_draws: Literal["unbiased"] = "unbiased"
    over_items: Literal["micro", "macro"] = "micro"
    macro_over: Column | None = None


class Failures(Part):
    """What each failed sample counts as."""

    parser_failure: Handling = Field(description="say what a reply without an answer counts as")
    model_refusal: Handling = Field(description="say what a refusal counts as")
    timeout: Handling = Field(description="say what a sample that ran out of time counts as")
    permission_denied: Handling = Field(description="say what a forbidden action counts as")
    infra_error: Handling = Field(description="say what a failure of the machinery counts as")
    invalid_sample: Handling = Field(description="say what an unusable sample counts as")
    undecided: Handling | None = None  # as parser_failure, unless declared

    def handling(self) -> dict[str, Handling]:
        """What each failed status counts as, `undecided` among them."""
        return {**self.model_dump(), "undecided": self.undecided or self.parser_failure}


class Guardrail(Part):
    """A bound on a metric, one side only."""

    metric: Text = Field(description="name the metric that is bounded")
    at_most: float | None = None
    at_least: float | None = None


class Decision(Part):
    rule: Literal["superior", "non_inferior", "equivalent"] = Field(
        description="choose what must be shown against the reference"
    )
    margin: float = Field(0.0, ge=0)
    confidence: float = Field(0.95, gt=0.5, lt=1)
    guardrails: list[Guardrail] = []


class Evaluator(Part):
    """Why this kind of evaluator was chosen, and what it leaves uncovered."""

    kind: Literal["verifier", "reference_metric", "human", "judge"] = Field(
        description="choose who or what scores the replies"
    )
    reason: Text = Field(description="say why this kind of evaluator was chosen")
    uncovered: Text = Field(description="say what it leaves uncovered")


class MetricRequest(Part):
    name: Text = Field(description="name the metric")
    k: Ks | None = None
    options: dict[str, Any] = {}

    @property
    def labels(self) -> tuple[str, ...]:
        """The metric at each k: `pass@1`, `pass@8`."""
        ks = self.k if isinstance(self.k, list) else [self.k]
        return tuple(label_of(self.name, k, self.options) for k in ks)


class Contamination(Part):
    corpora: list[VersionedName] = Field(
        min_length=1, description="name the corpora to search, each with its version"
    )
    fields: list[Column] = Field(["question", "answer"], min_length=1)
    canaries: list[Text] = []
    false_positive_bar: Share = 0.01
    unreadable_shards: Literal["skip"] | None = None  # they fail the search where it is not said


class Statistics(Part):
    """sequential: intervals and tests of scores hold at whatever look they are read; wider ones."""

    replicates: int = Field(2000, ge=100)
    seed: int = Field(ge=0, description="choose the seed of all random numbers")
    multiplicity: Literal["holm", "bonferroni", "bh", "by"] = "holm"
    sequential: Literal[True] | None = None


class Pairing(Part):
    """Which pairs are judged; each belongs to the later checkpoint by (date, name)."""

    anchors: list[Name] = []
    last_accepted: bool = False
    nearest: int = Field(0, ge=0)


class JudgeDecoding(Part):
    """How a live judge's replies are drawn; what is not given is not sent."""

    temperature: float = Field(ge=0, description="give the judge's temperature, 0 for greedy")
    max_tokens: Count = Field(description="give the judge's longest reply, in tokens")
    top_p: float | None = Field(None, gt=0, le=1)
    seed: int | None = Field(None, ge=0)


class Judge(Part):
    """A judge: its recorded votes or scores, or a model that is asked live.

    form: what it gives, pairwise where it is not said. prompt: of a pointwise judge it says the
    rubric, so recorded scores name it too. verdicts: the form of recorded verdicts
    (`judging.reading.recorded`), where it is not read from each row's columns: `labels` for labels
    of its own on a line by themselves, and `yes_no` for single replies that are right or wrong.
    verdict_key: the key that holds the label in verdicts of form json. labels: its own words, in
    verdicts of form labels, brackets or json.
    """

    name: Name = Field(description="name the judge")
    family: Name = Field(description="name the judge's model family: it may favour its own")
    source: Literal["recorded", "openai"] = "recorded"
    model: Text | None = None
    prompt: Text | None = None
    decoding: JudgeDecoding | None = None
    form: Literal["pairwise", "pointwise"] | None = None
    verdicts: VerdictForm | None = None
    verdict_key: Text | None = None
    labels: Labels | None = None


class VoteSample(Part):
    """How many items of each pair are judged; as many replies of each checkpoint are scored."""

    per_pair: Count = Field(description="say how many items of each pair are judged")
    stratify: list[Column] = []


class Judging(Part):
    judges: list[Judge] = Field(min_length=1, description="name the judges")
    orders: Literal["both", "one"] = "both"
    score: Literal["probability"] | None = None
    repeats: Count = 1
    sample: VoteSample | None = None
    bars: Bars = Field(description="say how large each bias of a judge may be")
    annotations: list[Name] = []
    reaudit_by: date | None = None
    probes: list[Name] = []
    sentinels: Count | None = None
    honeypots_at_least: Share | None = None

    @property
    def pairwise(self) -> list[Judge]:
        """The judges that vote on pairs."""
        return [judge for judge in self.judges if judge.form != "pointwise"]

    @property
    def pointwise(self) -> list[Judge]:
        """The judges that score single replies."""
        return [judge for judge in self.judges if judge.form == "pointwise"]


class GamedStatistics(Part):
    """Gamed versions of the baseline whose judgments are known by their sums only.

    baseline_length, lengths: keys of the items that hold the length of the baseline's reply and of
    each gamed version's, characters. weight: of each row, where a comparison weighs 1.
    won_length, won_difficulty: sums of weight x term x preference for the gamed version.
    """

    baseline_length: Column = Field(description="name the items' key with the baseline's length")
    lengths: list[Column] = Field(
        min_length=1, description="name the items' keys with the length of each gamed version"
    )
    weight: float = Field(gt=0, description="say how much a gamed row weighs")
    won_length: float = Field(description="give the weighted sum of length term x preference")
    won_difficulty: float = 0.0


class LengthControl(Part):
    """difficulty: key of the items that holds each item's difficulty.

    gamed: checkpoints that are the baseline told to be long or short; their pairs against it hold
    back the length coefficient, each comparison with gamed_weight. gamed_statistics: the same
    where only sums are known. style: what else replies are held equal in, as by length.
    """

    baseline: Name = Field(description="name the checkpoint that the others are held against")
    difficulty: Column | None = None
    gamed: list[Name] = []
    gamed_weight: float | None = Field(None, gt=0)
    gamed_statistics: GamedStatistics | None = None
    style: list[Literal["headers", "lists", "bold"]] = []


class Ranking(Part):
    """How strengths are fitted and printed; the anchor moves the printed scale only.

    weigh: `votes` makes each vote a battle, for crowds of which some pairs saw more than others;
    otherwise each judged pair is one. covariates: what replies differ in; strengths at equal
    covariates then stand beside the plain ones.
    """

    anchor: Name | None = None
    prior_sd: float | None = Field(None, gt=0)
    order_effect: bool = True
    weigh: Literal["votes"] | None = None
    covariates: list[Literal["length", "headers", "lists", "bold"]] = []


class Contract(Part):
    """One expanded contract version: presets merged, defaults filled in."""

    contract: Name = Field(description="name the contract as its folder is named")
    version: Count = Field(description="give the version as the file is named")
    status: Literal["frozen", "draft"] = "frozen"

    question: Question = Field(description="state the question and its primary endpoint")
    targets: Annotated[Annotated[Targets, Stated] | NotKnown, OrUnknown] = Field(
        description="say which checkpoints it is about and what they are held against"
    )
    task: Task = Field(description="name the benchmark and the population it stands for")
    prompt: Annotated[Annotated[Prompt, Stated] | NotKnown, OrUnknown] = Field(
        description="name the template and the number of examples shown"
    )
    decoding: Annotated[Annotated[Decoding, Stated] | NotKnown, OrUnknown] = Field(
        description="state temperature, top_p, max_tokens, stop and tools"
    )
    budget: Annotated[Annotated[Budget, Stated] | NotKnown, OrUnknown] = Field(
        description="state draws_per_item, retries and timeout_seconds"
    )
    unit: Unit = Field(description="state the unit of analysis and what clusters it")
    aggregation: Aggregation = Field(description="state how draws and items are averaged")
    failures: Failures = Field(description="say what each failed status counts as")
    decision: Annotated[Annotated[Decision, Stated] | NotKnown, OrUnknown] = Field(
        description="state rule, margin, confidence and guardrails"
    )

    evaluator: Evaluator = Field(description="state kind, reason and what is left uncovered")
    verification: Verification | None = None
    metrics: list[MetricRequest] = []
    contamination: Contamination | None = None
    statistics: Statistics = Field(
        description="choose a seed, replicates and the multiplicity rule"
    )
    pairing: Pairing | None = None
    judging: Judging | None = None
    length_control: LengthControl | None = None
    ranking: Ranking | None = None
    item_analysis: ItemAnalysis | None = None
    metric_validity: MetricValidity | None = None
    safety_frontier: SafetyFrontier | None = None

    @property
    def title(self) -> str:
        """`name/v1`: the asset group, and how people say it."""
        return f"{self.contract}/v{self.version}"

    @property
    def benchmark(self) -> str:
        """The benchmark's name without its version."""
        return versioned(self.task.benchmark, "benchmark")[0]

    @property
    def annotation_sets(self) -> tuple[str, ...]:
        """Sets of human labels that it reads, those of its judges first."""
        judged = self.judging.annotations if self.judging else []
        surface = self.metric_validity.annotations if self.metric_validity else []
        return tuple(dict.fromkeys((*judged, *surface)))

    @property
    def confidence(self) -> float:
        """Coverage of every interval: the decision's, or 0.95 where that is unknown."""
        return self.decision.confidence if isinstance(self.decision, Decision) else 0.95
