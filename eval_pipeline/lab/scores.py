"""Scores that the lab's markers and raters give to single replies, on a rubric of three criteria.

A score is a whole number whose mean is exactly what the scorer makes of the reply: the fraction is
the chance of the next point. So every planted effect stays exact, as long as none leaves the scale.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr

from eval_pipeline.lab.files import Line, lines, packed, put
from eval_pipeline.lab.judges import Voter, opinions
from eval_pipeline.lab.planted import (
    CHECKPOINTS,
    DESERVED,
    LUCK,
    MARKERS,
    POINTS_PER_STRENGTH,
    RATERS,
    SCORED_BY_PEOPLE,
    SCORED_TWICE,
    Checkpoint,
    PlantedMarker,
)
from eval_pipeline.lab.truth import Planted
from eval_pipeline.lab.votes import luck_of_replies
from eval_pipeline.layout import DataRoot
from eval_pipeline.statistics.randomness import generator

Floats = NDArray[np.float64]

SCORE_SET = "helpful_scores"
LOWEST, HIGHEST = 1, 5
WEIGHTS = {"helpful": 0.5, "accurate": 0.3, "clear": 0.2}
RUBRIC_NAME = "reply_rubric@1"
RUBRIC = """\
form: pointwise
system: |
  You grade one reply to a request. You do not know who wrote it. Judge only what stands in it. A
  longer reply is not a better one.
user: |
  Give a score for each of these criteria:
  {criteria}

  What the points mean, for every criterion:
  {scale}

  {case}

  {answer_form}
criteria:
  - {name: helpful, text: "it does what the request asks for", weight: 0.5}
  - {name: accurate, text: "what it says is right", weight: 0.3}
  - {name: clear, text: "it can be followed at first reading", weight: 0.2}
scale:
  - {score: 1, means: "fails: a reader would have to start again"}
  - {score: 2, means: "mostly fails: little of it is of use"}
  - {score: 3, means: "half way: of use, with a gap or a fault that matters"}
  - {score: 4, means: "good: only small things are missing or wrong"}
  - {score: 5, means: "full: nothing to add or to mend"}
"""


@dataclass(frozen=True)
class Replies:
    """One checkpoint's replies: what each deserves, and its length.

    deserved: criterion -> points, shape (items,); tokens: shape (items,). items: their names.
    """

    checkpoint: Checkpoint
    items: Sequence[str]
    deserved: Mapping[str, Floats]
    tokens: Floats

    def by(self, marker: PlantedMarker) -> dict[str, Floats]:
        """What a marker makes of each reply, points.

        Raises ValueError where its effects leave the scale: a clipped effect is not the planted.
        """
        added = marker.offset + marker.verbosity_per_100_tokens * self.tokens / 100.0
        added = added + marker.self_preference * (self.checkpoint.family == marker.family)
        made = {name: points + added for name, points in self.deserved.items()}
        for name, points in made.items():
            if points.min() < LOWEST or points.max() > HIGHEST:
                raise ValueError(
                    f"{marker.name} gives {self.checkpoint.name} {points.min():.2f} to "
                    f"{points.max():.2f} on {name}, outside {LOWEST} to {HIGHEST}: plant less"
                )
        return made


def write_scores(
    root: DataRoot,
    contract: str,
    benchmark: str,
    tokens: Mapping[str, Floats],
    items: Sequence[str],
    seed: int,
) -> list[Planted]:
    """Writes the rubric, what the markers give every reply, and what people give some.

    tokens: checkpoint -> lengths of its replies. Returns what a contract should find.
    """
    put(root.judge_prompt(RUBRIC_NAME), RUBRIC)
    every = by_checkpoint(items, tokens, seed)
    given: list[Line] = []
    scored: dict[str, list[str]] = {}
    for replies in every:
        name = replies.checkpoint.name
        for marker in MARKERS:
            path = root.judgments(marker.name, benchmark, name).with_name(f"{name}.jsonl.gz")
            put(path, packed(lines(marks(marker, replies, seed))))
        rows = people(replies, seed)
        scored[name] = [str(row["item_id"]) for row in rows]
        given += rows
    put(root.annotations(SCORE_SET), lines(given))
    return score_values(contract, every, scored)


def scored_replies(
    checkpoint: Checkpoint, items: Sequence[str], tokens: Floats, seed: int
) -> Replies:
    """What each reply deserves: its checkpoint's strength, and the luck that its votes show too."""
    luck = LUCK * (2.0 * ndtr(luck_of_replies(checkpoint.name, len(items), seed)) - 1.0)
    strength = POINTS_PER_STRENGTH * checkpoint.strength
    deserved = {name: middle + strength + luck for name, middle in DESERVED.items()}
    return Replies(checkpoint, items, deserved, tokens)


def marks(marker: PlantedMarker, replies: Replies, seed: int) -> list[Line]:
    """The marker's scores of every reply, twice on a sample of them."""
    rng = generator(seed, "lab", "marks", marker.name, replies.checkpoint.name)
    n = len(replies.items)
    twice = np.zeros(n, dtype=bool)
    twice[rng.choice(n, min(n, SCORED_TWICE), replace=False)] = True
    points = _drawn(marker.voter, replies.by(marker), replies, 2, seed, rng)
    lost = rng.random((n, 2))
    rows: list[Line] = []
    for i, item in enumerate(replies.items):
        for repeat in range(2 if twice[i] else 1):
            row: Line = {"item_id": item, "repeat": repeat}
            if lost[i, repeat] < marker.unknown:
                row["reply"] = "It has its merits, and I would not put a number on them."
            elif lost[i, repeat] < marker.unknown + marker.error:
                row["error"] = "no reply after three tries"
            else:
                row["scores"] = {name: int(points[name][i, repeat]) for name in points}
            rows.append(row)
    return rows


def people(replies: Replies, seed: int) -> list[Line]:
    """What every rater gives a sample of the replies, without bias."""
    rng = generator(seed, "lab", "scores of people", replies.checkpoint.name)
    n = len(replies.items)
    chosen = np.sort(rng.choice(n, min(n, SCORED_BY_PEOPLE), replace=False))
    rows: list[Line] = []
    for rater in RATERS:
        points = _drawn(rater.voter, replies.deserved, replies, 1, seed, rng)
        rows += [
            {
                "item_id": replies.items[i],
                "checkpoint": replies.checkpoint.name,
                "rater": rater.name,
                "scores": {name: int(points[name][i, 0]) for name in points},
            }
            for i in chosen
        ]
    return rows


def score_values(
    contract: str, every: Sequence[Replies], scored: Mapping[str, Sequence[str]]
) -> list[Planted]:
    """Biases of every marker in points, and the mean scores that it gives under a contract.

    scored: checkpoint -> items that people scored.
    """
    home: dict[str, str | int] = {"contract": contract, "version": 1}
    values: list[Planted] = []
    for marker in MARKERS:
        biases = {
            "score_offset": _offset(marker, every, scored),
            "score_verbosity_per_100_tokens": marker.verbosity_per_100_tokens,
            "score_self_preference": marker.self_preference,
        }
        for audit, value in biases.items():
            where = {**home, "judge": marker.name, "slice": "all", "audit": audit}
            title = f"{contract}: {audit} of {marker.name}"
            values.append(Planted(title, value, "judge_audits", where, "estimate"))
        for replies in every:
            name = replies.checkpoint.name
            where = {
                **home,
                "judge": marker.name,
                "checkpoint": name,
                "metric": "judge_score",
                "slice": "all",
                "policy": "primary",
            }
            title = f"{contract}: judge_score of {name} by {marker.name}"
            value = float(_whole(replies.by(marker)).mean())
            values.append(Planted(title, value, "judge_score_estimates", where, "value"))
    return values


def _offset(
    marker: PlantedMarker, every: Sequence[Replies], scored: Mapping[str, Sequence[str]]
) -> float:
    """What the marker adds to the replies that people scored, on average."""
    added = []
    for replies in every:
        chosen = np.isin(np.array(replies.items), scored[replies.checkpoint.name])
        apart = _whole(replies.by(marker)) - _whole(replies.deserved)
        added.append(apart[chosen])
    return float(np.concatenate(added).mean())


def _whole(points: Mapping[str, Floats]) -> Floats:
    """The weighted mean of the criteria."""
    return np.asarray(np.sum([weight * points[name] for name, weight in WEIGHTS.items()], axis=0))


def _drawn(
    voter: Voter,
    points: Mapping[str, Floats],
    replies: Replies,
    n_scores: int,
    seed: int,
    rng: np.random.Generator,
) -> dict[str, Floats]:
    """Whole points of each criterion, shape (items, scores): up where the opinion lies below."""
    drawn = {}
    for name, mean in points.items():
        shared = generator(seed, "lab", "fractions", replies.checkpoint.name, name)
        deserved = shared.random(len(mean))
        opinion = opinions(voter, deserved, n_scores, rng)
        floor = np.floor(mean)
        drawn[name] = floor[:, None] + (opinion < (mean - floor)[:, None])
    return drawn


def by_checkpoint(items: Sequence[str], tokens: Mapping[str, Floats], seed: int) -> list[Replies]:
    """The replies of every checkpoint of the lab, in the order in which they landed."""
    return [scored_replies(one, items, tokens[one.name], seed) for one in CHECKPOINTS]
