"""What a contract says of judging: the pairs, the judges, their orders, bars, people and probes."""

from datetime import date
from typing import Literal

from pydantic import Field

from eval_pipeline.contracts.bars import Bars
from eval_pipeline.contracts.labels import Labels
from eval_pipeline.contracts.part import (
    Column,
    Count,
    Name,
    Part,
    Share,
    Text,
    TruthRule,
    VerdictForm,
)


class Pairing(Part):
    """Which pairs are judged; each belongs to the later checkpoint by (date, name)."""

    anchors: list[Name] = Field([], description="checkpoints that each is compared with")
    last_accepted: bool = Field(False, description="compare with the one that was accepted last")
    nearest: int = Field(0, ge=0, description="compare with so many that came before")
    recorded: Literal[True] | None = Field(
        None, description="the pairs that the judges' files hold votes on, and no others"
    )


class JudgeDecoding(Part):
    """How a live judge's replies are drawn; what is not given is not sent."""

    temperature: float = Field(ge=0, description="give the judge's temperature, 0 for greedy")
    max_tokens: Count = Field(description="give the judge's longest reply, in tokens")
    top_p: float | None = Field(
        None, gt=0, le=1, description="the share of probability that is sampled from"
    )
    seed: int | None = Field(None, ge=0, description="the seed that the judge's server is given")


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
    source: Literal["recorded", "openai"] = Field(
        "recorded", description="recorded votes, or a model that is asked live"
    )
    model: Text | None = Field(None, description="the live judge's model, as its server calls it")
    prompt: Text | None = Field(
        None, description="the prompt of a live judge, or the rubric of a pointwise one"
    )
    decoding: JudgeDecoding | None = Field(None, description="how a live judge's replies are drawn")
    form: Literal["pairwise", "pointwise"] | None = Field(
        None, description="pairwise: it compares two replies; pointwise: it scores one"
    )
    verdicts: VerdictForm | None = Field(
        None, description="the form of recorded verdicts; read from each row's keys else"
    )
    verdict_key: Text | None = Field(
        None, description="the key that holds the label in verdicts of form json"
    )
    labels: Labels | None = Field(None, description="its own words for the seats and a tie")


class VoteSample(Part):
    """How many items of each pair are judged; as many replies of each checkpoint are scored."""

    per_pair: Count = Field(description="say how many items of each pair are judged")
    stratify: list[Column] = Field(
        [], description="keys of the items over which the sample is spread evenly"
    )


class Judging(Part):
    judges: list[Judge] = Field(min_length=1, description="name the judges")
    orders: Literal["both", "one", "unrecorded"] = Field(
        "both",
        description="whether each pair is shown in both orders, in one, or in an order that "
        "nobody recorded: then nothing tells of position, and no judge is licensed",
    )
    score: Literal["probability"] | None = Field(
        None, description="probability: the judge's probabilities are the score, not its words"
    )
    repeats: Count = Field(1, description="votes on each pair in each order")
    sample: VoteSample | None = Field(None, description="judge a sample of the items; all else")
    bars: Bars = Field(description="say how large each bias of a judge may be")
    annotations: list[Name] = Field(
        [], description="sets of people's labels that judges are held against"
    )
    truth: Literal["label"] | None = Field(
        None, description="label: the annotations are the truth, and one on a pair is enough"
    )
    truth_rule: TruthRule | None = Field(
        None,
        description="when both orders of a pair are right: both (each is), sum (one is, and the "
        "other does not name the other reply), mean (half for each); both where it is not said",
    )
    reaudit_by: date | None = Field(None, description="the day on which licences run out")
    probes: list[Name] = Field([], description="sets of probes that each judge is tried on")
    sentinels: Count | None = Field(
        None, description="pairs that a live judge is asked again each night"
    )
    honeypots_at_least: Share | None = Field(
        None, description="share of honeypots that a rater must get right"
    )

    @property
    def ruled_by(self) -> TruthRule:
        """The rule by which both orders of a pair are right."""
        return self.truth_rule or "both"

    @property
    def pairwise(self) -> list[Judge]:
        """The judges that vote on pairs."""
        return [judge for judge in self.judges if judge.form != "pointwise"]

    @property
    def pointwise(self) -> list[Judge]:
        """The judges that score single replies."""
        return [judge for judge in self.judges if judge.form == "pointwise"]
