"""The evaluation contract: ten things frozen before any number, then the instruments.

Models only; reading, faults, digests and the registry stand beside this file. The description of
a field that must be given says what to decide; it is the mend when the field is missing. That of
any other field says what it is, for the reference and for editors.
"""

from typing import Annotated, Any, Literal

from pydantic import Discriminator, Field, Tag

from eval_pipeline.contracts.analyses import ItemAnalysis, MetricValidity, SafetyFrontier
from eval_pipeline.contracts.judging import Judging, Pairing
from eval_pipeline.contracts.part import (
    Column,
    Count,
    Handling,
    Name,
    Part,
    Share,
    Text,
    VersionedName,
)
from eval_pipeline.contracts.strengths import LengthControl, Ranking
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
    k: Count | None = Field(None, description="how many draws, for metrics of k draws")
    options: dict[str, Any] = Field(
        {}, description="the metric's options, as `metrics NAME` lists them"
    )

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

    families: list[Name] = Field(
        [], description="families of checkpoints; every family where none is named"
    )
    exclude: list[Name] = Field([], description="checkpoints that are left out")
    reference: Name = Field(
        "last_accepted",
        description="the checkpoint that the others are held against, or last_accepted",
    )


class Task(Part):
    benchmark: VersionedName = Field(description="name the benchmark and its version")
    population: Text = Field(description="say which tasks or users the items stand for")
    slices: list[Column] = Field([], description="keys of the items by which numbers are split")


class Prompt(Part):
    template: Text = Field(description="name the file of the prompt template")
    few_shot: int = Field(0, ge=0, description="worked examples that the prompt shows")


class Decoding(Part):
    temperature: float = Field(ge=0, description="give the sampling temperature, 0 for greedy")
    top_p: float = Field(
        1.0, gt=0, le=1, description="the share of probability that is sampled from"
    )
    max_tokens: Count = Field(description="give the longest reply, in tokens")
    stop: list[str] = Field([], description="texts at which a reply ends")
    tools: Any = Field("none", description="what the model may call")


class Budget(Part):
    draws_per_item: Count = Field(description="say how many replies each item gets")
    retries: int = Field(0, ge=0, description="how often a failed draw is tried again")
    timeout_seconds: float | None = Field(None, gt=0, description="the longest time for one draw")


class Unit(Part):
    of_analysis: Literal["item"] = Field("item", description="what intervals count")
    clustered_by: Column = Field("item_id", description="the key of the items that move together")


class Aggregation(Part):
    over_draws: Literal["unbiased"] = Field(
        "unbiased", description="how draws of an item become a value"
    )
    over_items: Literal["micro", "macro"] = Field(
        "micro", description="micro: every item counts alike; macro: every group does"
    )
    macro_over: Column | None = Field(
        None, description="the key of the items that makes the groups of a macro mean"
    )


class Failures(Part):
    """What each failed sample counts as."""

    parser_failure: Handling = Field(description="say what a reply without an answer counts as")
    model_refusal: Handling = Field(description="say what a refusal counts as")
    timeout: Handling = Field(description="say what a sample that ran out of time counts as")
    permission_denied: Handling = Field(description="say what a forbidden action counts as")
    infra_error: Handling = Field(description="say what a failure of the machinery counts as")
    invalid_sample: Handling = Field(description="say what an unusable sample counts as")
    undecided: Handling | None = Field(
        None,
        description="what a reply counts as from which nobody can tell; as parser_failure else",
    )

    def handling(self) -> dict[str, Handling]:
        """What each failed status counts as, `undecided` among them."""
        return {**self.model_dump(), "undecided": self.undecided or self.parser_failure}


class Guardrail(Part):
    """A bound on a metric, one side only."""

    metric: Text = Field(description="name the metric that is bounded")
    at_most: float | None = Field(None, description="the highest value that is allowed")
    at_least: float | None = Field(None, description="the lowest value that is allowed")


class Decision(Part):
    rule: Literal["superior", "non_inferior", "equivalent"] = Field(
        description="choose what must be shown against the reference"
    )
    margin: float = Field(
        0.0, ge=0, description="how far from the reference, in units of the metric"
    )
    confidence: float = Field(0.95, gt=0.5, lt=1, description="coverage of every interval")
    guardrails: list[Guardrail] = Field([], description="bounds that come before the rule")


class Evaluator(Part):
    """Why this kind of evaluator was chosen, and what it leaves uncovered."""

    kind: Literal["verifier", "reference_metric", "human", "judge"] = Field(
        description="choose who or what scores the replies"
    )
    reason: Text = Field(description="say why this kind of evaluator was chosen")
    uncovered: Text = Field(description="say what it leaves uncovered")


class MetricRequest(Part):
    name: Text = Field(description="name the metric")
    k: Ks | None = Field(None, description="how many draws, one number or several")
    options: dict[str, Any] = Field(
        {}, description="the metric's options, as `metrics NAME` lists them"
    )

    @property
    def labels(self) -> tuple[str, ...]:
        """The metric at each k: `pass@1`, `pass@8`."""
        ks = self.k if isinstance(self.k, list) else [self.k]
        return tuple(label_of(self.name, k, self.options) for k in ks)


class Contamination(Part):
    corpora: list[VersionedName] = Field(
        min_length=1, description="name the corpora to search, each with its version"
    )
    fields: list[Column] = Field(
        ["question", "answer"], min_length=1, description="parts of the items that are searched for"
    )
    canaries: list[Text] = Field([], description="texts that mark a leak wherever they stand")
    false_positive_bar: Share = Field(0.01, description="how often clean text may be flagged")
    unreadable_shards: Literal["skip"] | None = Field(
        None, description="skip: search the rest and say so; they fail the search else"
    )


class Statistics(Part):
    """sequential: intervals and tests of scores hold at whatever look they are read; wider ones."""

    replicates: int = Field(2000, ge=100, description="replicates of every bootstrap")
    seed: int = Field(ge=0, description="choose the seed of all random numbers")
    multiplicity: Literal["holm", "bonferroni", "bh", "by"] = Field(
        "holm", description="how p-values over slices are adjusted"
    )
    sequential: Literal[True] | None = Field(
        None, description="intervals that hold at whatever look they are read; wider ones"
    )


class Contract(Part):
    """One expanded contract version: presets merged, defaults filled in."""

    contract: Name = Field(description="name the contract as its folder is named")
    version: Count = Field(description="give the version as the file is named")
    status: Literal["frozen", "draft"] = Field(
        "frozen", description="a draft may be edited, and decides nothing"
    )

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
    verification: Verification | None = Field(None, description="how a program judges replies")
    metrics: list[MetricRequest] = Field(
        [], description="further metrics beside the primary endpoint"
    )
    contamination: Contamination | None = Field(None, description="search corpora for the items")
    statistics: Statistics = Field(
        description="choose a seed, replicates and the multiplicity rule"
    )
    pairing: Pairing | None = Field(None, description="which pairs of checkpoints are judged")
    judging: Judging | None = Field(
        None, description="who judges, and how far each may be believed"
    )
    length_control: LengthControl | None = Field(None, description="the win rate at equal length")
    ranking: Ranking | None = Field(None, description="strengths from judged pairs")
    item_analysis: ItemAnalysis | None = Field(None, description="what each item is worth")
    metric_validity: MetricValidity | None = Field(
        None, description="whether metrics rank replies as people do"
    )
    safety_frontier: SafetyFrontier | None = Field(
        None, description="attack success against false refusals"
    )

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
