"""What differs between two contracts, and which results can still be held against each other.

What each field of a contract touches is declared once, in EFFECTS; nothing is guessed.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from eval_pipeline.contracts.digest import Pinned, form_c1, written
from eval_pipeline.contracts.model import Contract

SCORES = ("verifier_scores", "metric_estimates", "contamination_delta")
COMPARISONS = ("paired_comparisons", "decisions")
CONTAMINATION = ("contamination_items", "contamination_validation", "contamination_delta")
FITS = ("length_controlled_win_rates", "ratings", "contrasts", "rank_sets", "fit_diagnostics")
JUDGE_SCORED = ("reply_scores", "judge_score_estimates")
LICENSED = ("judge_licences", "pair_outcomes", *FITS, *JUDGE_SCORED, "decisions")
AGAINST_LABELS = ("label_accuracies", "label_confusions")
JUDGED = ("judge_votes", "judge_scores", "judge_audits", *AGAINST_LABELS, *LICENSED)
AGREEMENT = ("recorded_verdicts", "verdict_agreement")
INTERVALS = (
    "metric_estimates",
    "contamination_delta",
    "judge_audits",
    "judge_score_estimates",
    "metric_validity",
    "robustness_drops",
    "verdict_agreement",
    *FITS,
    *COMPARISONS,
)
OF_ITEMS = ("item_analysis", "differential_functioning")
ACROSS = (*OF_ITEMS, "metric_validity", "safety_frontier", "robustness_drops")
RESULTS = tuple(sorted({*SCORES, *COMPARISONS, *CONTAMINATION, *JUDGED, *ACROSS, *AGREEMENT}))

COMPARABLE = "comparable"


@dataclass(frozen=True)
class Effect:
    """What a changed field does to results.

    breaks: tables whose numbers cannot be held against each other. bends: tables of which a part
    still can; `why` says which.
    """

    why: str
    breaks: tuple[str, ...] = ()
    bends: tuple[str, ...] = ()


@dataclass(frozen=True)
class Difference:
    """A field that differs; None stands for a value that is not given."""

    field: str
    left: Any
    right: Any
    effect: str

    def __str__(self) -> str:
        return f"{self.field} was {said(self.left)} and is {said(self.right)}"


_WORDS = Effect("words only, the numbers do not depend on it")
_ALL = RESULTS
_OTHER_REPLIES = "the replies were made in another way"

# The longest beginning of a field's name counts.
EFFECTS: Mapping[str, Effect] = {
    "contract": Effect("another contract's name, which changes no number by itself"),
    "version": Effect("the version's number, which changes no number by itself"),
    "question.text": _WORDS,
    "question.primary_endpoint": Effect("another metric decides", breaks=("decisions",)),
    "targets": Effect(
        "other checkpoints take part: fits and adjusted p-values rest on the whole set",
        breaks=(*FITS, *ACROSS),
        bends=COMPARISONS,
    ),
    "targets.reference": Effect("held against another reference", breaks=COMPARISONS),
    "task.benchmark": Effect("other items", breaks=_ALL),
    "task.population": Effect("the numbers speak of another population", bends=_ALL),
    "task.slices": Effect("only the rows of `all` and of shared slices", bends=_ALL),
    "prompt": Effect(_OTHER_REPLIES, breaks=_ALL),
    "decoding": Effect(_OTHER_REPLIES, breaks=_ALL),
    "budget": Effect("another effort a reply", breaks=_ALL),
    "budget.draws_per_item": Effect(
        "values stay unbiased, precision differs; majority@k and k above the smaller number do not",
        bends=(*SCORES, *COMPARISONS),
    ),
    "unit": Effect("values stay, intervals and p-values do not", bends=INTERVALS),
    "aggregation": Effect(
        "another average",
        breaks=("metric_estimates", "judge_score_estimates", "contamination_delta", *COMPARISONS),
    ),
    "failures": Effect(
        "failed samples count differently",
        breaks=(*SCORES, "judge_score_estimates", *COMPARISONS, *ACROSS),
    ),
    "decision": Effect("another rule decides", breaks=("decisions",)),
    "decision.confidence": Effect(
        "values stay, intervals do not", breaks=("decisions",), bends=INTERVALS
    ),
    "evaluator": _WORDS,
    "evaluator.kind": Effect("another kind of evaluator decides", breaks=("decisions",)),
    "verification": Effect(
        "replies are scored differently", breaks=(*SCORES, *COMPARISONS, *ACROSS, *AGREEMENT)
    ),
    "verification.recorded": Effect(
        "our verdicts are held against other recorded ones", breaks=AGREEMENT
    ),
    "metrics": Effect("only metrics that both compute", bends=("metric_estimates", *COMPARISONS)),
    "contamination": Effect("leaks are looked for differently", breaks=CONTAMINATION),
    "statistics": Effect("values stay, intervals differ by chance", bends=INTERVALS),
    "statistics.multiplicity": Effect(
        "values and intervals stay, adjusted p-values do not", bends=("paired_comparisons",)
    ),
    "statistics.sequential": Effect(
        "values stay, intervals hold at any look or at one", bends=INTERVALS
    ),
    "pairing": Effect("other pairs are judged", breaks=FITS, bends=JUDGED),
    "judging": Effect("judged differently", breaks=JUDGED),
    "judging.bars": Effect("judges are held to other bars", breaks=LICENSED, bends=JUDGED),
    "judging.annotations": Effect(
        "judges are held against other human labels", breaks=LICENSED, bends=JUDGED
    ),
    "judging.truth": Effect(
        "judges are held against the truth by another rule",
        breaks=(*AGAINST_LABELS, *LICENSED),
        bends=JUDGED,
    ),
    "judging.truth_rule": Effect(
        "both orders are right by another rule", breaks=LICENSED, bends=JUDGED
    ),
    "judging.probes": Effect("judges are tried on other probes", breaks=LICENSED, bends=JUDGED),
    "judging.honeypots_at_least": Effect(
        "other raters' labels count", breaks=LICENSED, bends=JUDGED
    ),
    "judging.sentinels": Effect("drift is looked for on other pairs", bends=LICENSED),
    "judging.reaudit_by": Effect("licences run out on another day", bends=LICENSED),
    "length_control": Effect(
        "length is taken out differently",
        breaks=("length_controlled_win_rates", "decisions"),
    ),
    "length_control.baseline": Effect(
        "win rates are held against another model",
        breaks=("length_controlled_win_rates", "decisions"),
    ),
    "ranking": Effect("strengths are fitted differently", breaks=FITS[1:]),
    "ranking.anchor": Effect("strengths stay, the printed scale moves", bends=("ratings",)),
    "ranking.covariates": Effect(
        "strengths stay, those at equal covariates beside them change",
        bends=("ratings", "fit_diagnostics"),
    ),
    "item_analysis": Effect("items are analysed differently", breaks=OF_ITEMS),
    "metric_validity": Effect(
        "metrics are held against people differently", breaks=("metric_validity",)
    ),
    "safety_frontier": Effect("another budget of refusals", breaks=("safety_frontier",)),
    "files.items": Effect("items.jsonl differs", breaks=_ALL),
    "files.judge_prompts": Effect("a judge's prompt differs", breaks=JUDGED),
    "files.template": Effect("the prompt template differs", breaks=_ALL),
}


def diff(
    a: Contract, b: Contract, a_files: Pinned | None = None, b_files: Pinned | None = None
) -> list[Difference]:
    """The fields in which `b` differs from `a`, sorted; defaults count as written out.

    a_files, b_files: digests of the pinned files, where they should be compared too.
    """
    return changes(form_c1(a, a_files or _NO_FILES), form_c1(b, b_files or _NO_FILES))


def comparable(
    a: Contract, b: Contract, a_files: Pinned | None = None, b_files: Pinned | None = None
) -> dict[str, str]:
    """For each table of results: `comparable`, `partly: why` or `not comparable: why`."""
    differences = diff(a, b, a_files, b_files)
    return {table: _standing(table, differences) for table in RESULTS}


def changes(left: Mapping[str, object], right: Mapping[str, object]) -> list[Difference]:
    """The fields in which two canonical forms differ, sorted. Lists differ as a whole."""
    flat_left, flat_right = _flat(left, ""), _flat(right, "")
    fields = sorted(flat_left.keys() | flat_right.keys())
    pairs = [(field, flat_left.get(field), flat_right.get(field)) for field in fields]
    return [
        Difference(field, was, now, effect_of(field).why)
        for field, was, now in pairs
        if written({"": was}) != written({"": now})
    ]


def effect_of(field: str) -> Effect:
    """What a change of the field does. Raises KeyError for a field that is not declared."""
    beginning = field
    while beginning not in EFFECTS:
        beginning, dot, _ = beginning.rpartition(".")
        if not dot:
            raise KeyError(f"{field}: its effect is not declared in EFFECTS")
    return EFFECTS[beginning]


def said(value: Any) -> str:
    """A value of a canonical form in a sentence."""
    if value is None:
        return "not given"
    text = written({"": value})[len('{"":') : -1]
    return text if len(text) <= 80 else f"{text[:77]}..."


_NO_FILES = Pinned("", None)


def _standing(table: str, differences: list[Difference]) -> str:
    broken = [d for d in differences if table in effect_of(d.field).breaks]
    if broken:
        return "not comparable: " + "; ".join(f"{d.field}: {d.effect}" for d in broken)
    bent = [d for d in differences if table in effect_of(d.field).bends]
    if bent:
        return "partly: " + "; ".join(f"{d.field}: {d.effect}" for d in bent)
    return COMPARABLE


def _flat(form: Mapping[str, object], above: str) -> dict[str, object]:
    """Field to value; the top names `contract` and `files` are left out of names of sections."""
    fields: dict[str, object] = {}
    for key, value in form.items():
        top = not above and key == "contract" and isinstance(value, dict)
        name = "" if top else f"{above}.{key}" if above else key
        if isinstance(value, dict) and value:
            fields |= _flat(value, name)
        else:
            fields[name] = value
    return fields
