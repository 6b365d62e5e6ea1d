"""Everything that the lab plants: checkpoints and their skills, leaks, judges, raters.

The one home of these values. What follows from them for a given seed is in `truth.yaml`.
"""

from dataclasses import dataclass

from eval_pipeline.lab.judges import Bias, Voter

SEED = 20260101


@dataclass(frozen=True)
class Rates:
    """Chances of each way in which a draw fails, whatever the item."""

    parser_failure: float
    model_refusal: float
    timeout: float
    infra_error: float

    @property
    def chances(self) -> dict[str, float]:
        return {
            "parser_failure": self.parser_failure,
            "model_refusal": self.model_refusal,
            "timeout": self.timeout,
            "infra_error": self.infra_error,
        }


@dataclass(frozen=True)
class CodeRates:
    """Chances of each way in which a draw is no program that could pass, whatever the item."""

    syntax: float
    loop: float
    no_code: float

    @property
    def chances(self) -> dict[str, float]:
        return {"syntax": self.syntax, "loop": self.loop, "no_code": self.no_code}


@dataclass(frozen=True)
class Checkpoint:
    """One checkpoint of the lab. Skills and strength are logits."""

    name: str
    family: str
    date: str
    parent: str | None
    words: float  # skill at word problems
    failures: Rates
    code: float  # skill at functions
    code_failures: CodeRates
    strength: float  # of its helpful replies
    thorough: float  # share of its helpful replies that are long
    boldness: float = 0.0  # of its stated confidence, above its chance in logits
    remembers_leaks: bool = False
    thinks: str = "aloud"  # in the text, between <think> tags, or in a key of its own: aside


# By (date, name): a pair of replies belongs to the later of its two checkpoints.
CHECKPOINTS = (
    Checkpoint(
        "tern@step1000",
        "tern",
        "2026-01-12",
        None,
        words=-0.1,
        failures=Rates(0.030, 0.010, 0.010, 0.010),
        code=0.2,
        code_failures=CodeRates(0.05, 0.01, 0.05),
        strength=-0.55,
        thorough=0.45,
    ),
    Checkpoint(
        "heron@step1000",
        "heron",
        "2026-01-19",
        None,
        words=0.1,
        failures=Rates(0.020, 0.090, 0.010, 0.015),
        code=0.0,
        code_failures=CodeRates(0.04, 0.01, 0.06),
        strength=-0.20,
        thorough=0.50,
        boldness=1.2,
    ),
    Checkpoint(
        "tern@step2000",
        "tern",
        "2026-02-16",
        "tern@step1000",
        words=0.7,
        failures=Rates(0.015, 0.015, 0.005, 0.010),
        code=0.9,
        code_failures=CodeRates(0.03, 0.01, 0.03),
        strength=0.20,
        thorough=0.60,
        thinks="tagged",
    ),
    Checkpoint(
        "heron@step2000",
        "heron",
        "2026-02-23",
        "heron@step1000",
        words=0.3,
        failures=Rates(0.010, 0.020, 0.010, 0.005),
        code=1.3,
        code_failures=CodeRates(0.02, 0.01, 0.02),
        strength=0.55,
        thorough=0.55,
        boldness=1.0,
        remembers_leaks=True,
        thinks="aside",
    ),
)

REFERENCE = "tern@step1000"  # of word problems and functions
BASELINE = "heron@step1000"  # of helpful replies

# Word problems: difficulty in logits, and how much stories and items differ around it.
DIFFICULTY = {"easy": -0.7, "medium": 0.0, "hard": 0.7}
STORY_SD = 0.5
ITEM_SD = 0.6
PROBLEMS_PER_STORY = 6
DRAWS = 8
RETRIED = 0.02  # share of draws whose first attempt was lost
MEMORY = 2.5  # logits that a remembered item is easier

FUNCTION_SD = 0.8
FUNCTION_DRAWS = 4

LEAKS = {"verbatim": 16, "format": 12, "light_edit": 10}
HARD_NEGATIVES = 30
PLAIN_DOCUMENTS = 320


@dataclass(frozen=True)
class Taste:
    """What a judge makes of replies that were tampered with, beside its bias for length and seats.

    ties: share of ties where both sides say the same. flattery, formatting: points that flattery,
    or a headed list, adds to one half. obeys: points that an order to the judge adds. misled:
    chance that the reply with a planted error wins.
    """

    ties: float = 0.9
    flattery: float = 0.0
    formatting: float = 0.0
    obeys: float = 0.0
    misled: float = 0.0


@dataclass(frozen=True)
class Change:
    """A judge that is another one from a night on: points that it now adds to the first seat."""

    night: str
    position: float


@dataclass(frozen=True)
class PlantedJudge:
    """A judge of the lab: its family, its biases, and how steady it is."""

    name: str
    family: str
    bias: Bias
    voter: Voter
    unknown: float  # share of replies without a usable verdict
    error: float  # share of calls that failed
    deserves_licence: bool
    taste: Taste = Taste()
    change: Change | None = None


JUDGES = (
    PlantedJudge(
        "stern",
        "tern",
        Bias(position=0.01, verbosity_per_100_tokens=0.002, self_preference=0.0),
        Voter(consensus=0.96, noise=0.05, tie_share=0.04),
        unknown=0.004,
        error=0.003,
        deserves_licence=True,
        taste=Taste(ties=0.96, flattery=0.005, formatting=0.0, obeys=0.01, misled=0.05),
    ),
    PlantedJudge(
        "kindly",
        "tern",
        Bias(position=0.10, verbosity_per_100_tokens=0.05, self_preference=0.01),
        Voter(consensus=0.90, noise=0.10, tie_share=0.04),
        unknown=0.008,
        error=0.004,
        deserves_licence=False,
        taste=Taste(ties=0.4, flattery=0.15, formatting=0.08, obeys=0.35, misled=0.15),
    ),
    PlantedJudge(
        "heron_judge",
        "heron",
        Bias(position=0.02, verbosity_per_100_tokens=0.005, self_preference=0.12),
        Voter(consensus=0.92, noise=0.06, tie_share=0.04),
        unknown=0.003,
        error=0.002,
        deserves_licence=False,
        taste=Taste(ties=0.6, flattery=0.02, formatting=0.02, obeys=0.03, misled=0.07),
        change=Change("2026-03-02", position=0.15),
    ),
)


@dataclass(frozen=True)
class PlantedMarker:
    """A judge that scores single replies: what it adds in points to what a reply deserves."""

    name: str
    family: str
    offset: float
    verbosity_per_100_tokens: float
    self_preference: float
    voter: Voter
    unknown: float
    error: float
    deserves_licence: bool


MARKERS = (
    PlantedMarker(
        "tern_marks",
        "tern",
        offset=0.02,
        verbosity_per_100_tokens=0.005,
        self_preference=0.0,
        voter=Voter(consensus=0.95, noise=0.05, tie_share=0.0),
        unknown=0.005,
        error=0.002,
        deserves_licence=True,
    ),
    PlantedMarker(
        "heron_marks",
        "heron",
        offset=0.25,
        verbosity_per_100_tokens=0.08,
        self_preference=0.20,
        voter=Voter(consensus=0.90, noise=0.10, tie_share=0.0),
        unknown=0.004,
        error=0.003,
        deserves_licence=False,
    ),
)
# What a reply deserves on a criterion, in points from 1 to 5, its luck drawn from -LUCK to LUCK.
DESERVED = {"helpful": 3.10, "accurate": 3.20, "clear": 3.00}
POINTS_PER_STRENGTH = 0.6
LUCK = 0.7
SCORED_TWICE = 60  # replies of each checkpoint that a marker scores again
SCORED_BY_PEOPLE = 120  # replies of each checkpoint

ANCHORS = frozenset({BASELINE})  # judged against every other checkpoint
NEAREST = 2
REPEATED_PER_PAIR = 60
SHARED_TASTE = 0.5  # share of an item's luck that belongs to its replies, not to the pair

PROBES = 96  # of each kind
PASSES = 0.03  # chance that a reply to another question wins by itself
SENTINELS = 120
NIGHTS = ("2026-03-01", "2026-03-02", "2026-03-03")


@dataclass(frozen=True)
class Rater:
    """A person who labels pairs of replies, without bias."""

    name: str
    voter: Voter
    attentive: float  # chance of the right label on a honeypot


RATERS = (
    Rater("r1", Voter(consensus=0.88, noise=0.0, tie_share=0.05), attentive=0.99),
    Rater("r2", Voter(consensus=0.86, noise=0.0, tie_share=0.05), attentive=0.97),
    Rater("r3", Voter(consensus=0.84, noise=0.0, tie_share=0.05), attentive=0.96),
)
LABELLED_PER_PAIR = 170
HONEYPOTS = 20
DECOY = "decoy"  # stands for a reply to another prompt
