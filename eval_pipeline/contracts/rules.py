"""What must hold between the fields of a contract, one rule a function.

A rule names the sections that it looks at. It is asked only when those are whole, so that it adds
its faults to those of other sections and never speaks of what is broken already.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import TypeVar

from eval_pipeline.contracts import judge_rules, metric_rules
from eval_pipeline.contracts.faults import Path, nearest, shown
from eval_pipeline.contracts.judge_rules import PROMPTS
from eval_pipeline.contracts.model import (
    Budget,
    Contract,
    Decision,
    Prompt,
    Targets,
)
from eval_pipeline.contracts.shape import Problem
from eval_pipeline.layout import checked_name
from eval_pipeline.metrics.registry import from_label, lookup, names

T = TypeVar("T")

RESERVED_NAMES = ("presets",)  # folders beside those of the contracts
# drawing these again would pick the replies
BY_OUTCOME = ("parser_failure", "model_refusal", "undecided")


@dataclass(frozen=True)
class Rule:
    """A sentence about sections of a contract, and what breaks it."""

    sections: tuple[str, ...]
    broken_by: Callable[[Contract], Iterable[Problem]]


def broken_rules(contract: Contract, broken_sections: Iterable[str] = ()) -> tuple[Problem, ...]:
    """All that breaks a rule, among the sections that are whole."""
    broken = frozenset(broken_sections)
    return tuple(
        problem
        for rule in RULES
        if broken.isdisjoint(rule.sections)
        for problem in rule.broken_by(contract)
    )


def _name_is_free(contract: Contract) -> Iterator[Problem]:
    if contract.contract in RESERVED_NAMES:
        yield Problem(
            ("contract",), f"may not be {shown(contract.contract)}", "choose another name"
        )


def _instruments_are_looked_at(contract: Contract) -> Iterator[Problem]:
    asked = contract.verification
    if contract.status == "frozen" and asked is not None and asked.reading is not None:
        said = f"is {asked.reading!r} in a frozen contract, and says that nobody has looked"
        mend = "look at the instruments and take the line away"
        yield Problem(("verification", "reading"), said, mend)


def _guardrails_are_clear(contract: Contract) -> Iterator[Problem]:
    if not isinstance(contract.decision, Decision):
        return
    for i, guardrail in enumerate(contract.decision.guardrails):
        path: Path = ("decision", "guardrails", i)
        bounds = [b for b in (guardrail.at_most, guardrail.at_least) if b is not None]
        if len(bounds) != 1:
            count = "no bound" if not bounds else "two bounds"
            mend = "give either at_most or at_least, and a second guardrail for the other side"
            yield Problem(path, f"has {count}", mend)
        yield from _guarded_metric(contract, (*path, "metric"), guardrail.metric)
    sides = [(g.metric, g.at_most is None) for g in contract.decision.guardrails]
    for metric, _ in _repeated(sides):
        yield Problem(("decision", "guardrails"), f"bound {metric} twice on one side", "keep one")


def _guarded_metric(contract: Contract, path: Path, label: str) -> Iterator[Problem]:
    try:
        metric, _ = from_label(label)
    except ValueError as error:
        known = [*names(), *_labels(contract)]
        mend = nearest(label, known) if lookup(label) is None else str(error)
        yield Problem(path, f"is {shown(label)}, which is no metric's label", mend)
        return
    if metric.made_from != "status" and label not in _labels(contract):
        mend = f"add it to metrics, or bound one of {', '.join(_labels(contract))}"
        yield Problem(path, f"is {label}, which the contract does not compute", mend)


def _labels(contract: Contract) -> list[str]:
    """The metrics that the contract computes by name, the primary one first."""
    asked = [label for request in contract.metrics for label in request.labels]
    return list(dict.fromkeys([contract.question.primary_endpoint.label, *asked]))


def _margin_is_set(contract: Contract) -> Iterator[Problem]:
    decision = contract.decision
    if isinstance(decision, Decision) and decision.rule != "superior" and decision.margin == 0:
        yield Problem(
            ("decision", "margin"),
            f"is 0, and {decision.rule} needs a margin above 0",
            "say how large a difference does not matter",
        )


def _margin_is_in_range(contract: Contract) -> Iterator[Problem]:
    decision, width = contract.decision, metric_rules.range_of_primary(contract)
    if isinstance(decision, Decision) and width is not None and decision.margin >= width:
        metric = contract.question.primary_endpoint.label
        yield Problem(
            ("decision", "margin"),
            f"is {decision.margin:g}, and two values of {metric} lie at most {width:g} apart: "
            "every checkpoint would pass",
            "write the margin in the units of the metric: 0.02 is two points of a share",
        )


def _recorded_verdicts_may_decide(contract: Contract) -> Iterator[Problem]:
    asked = contract.verification
    if asked is None or not asked.verifier.startswith("recorded@"):
        return
    if isinstance(contract.decision, Decision) and asked.options.get("may_decide") is not True:
        yield Problem(
            ("decision",),
            "rests on recorded verdicts, which nobody here can judge again",
            "write verification.options.may_decide: true, or decision: {unknown: why}",
        )


def _evaluator_is_there(contract: Contract) -> Iterator[Problem]:
    single = contract.judging is not None and not contract.judging.pairwise
    judged = ("judging",) if single else ("judging", "pairing")
    needs = {"verifier": ("verification",), "judge": judged}
    for section in needs.get(contract.evaluator.kind, ()):
        if getattr(contract, section) is None:
            yield Problem(
                ("evaluator", "kind"),
                f"is {contract.evaluator.kind}, which needs the section {section}",
                f"add {section}, or choose another kind",
            )


def _judged_sections_have_judges(contract: Contract) -> Iterator[Problem]:
    judging = contract.judging
    if judging is not None and judging.pairwise and contract.pairing is None:
        mend = "add pairing: it says which pairs are judged"
        yield Problem(("judging",), "needs the section pairing", mend)
    for section in ("pairing", "length_control", "ranking"):
        if getattr(contract, section) is None:
            continue
        if judging is None:
            mend = f"add judging, or take {section} out"
            yield Problem((section,), "needs the section judging", mend)
        elif not judging.pairwise:
            mend = f"name a judge that sees pairs, or take {section} out"
            yield Problem((section,), "is about pairs, and all judges score single replies", mend)


def _gamed_baseline_is_said_once(contract: Contract) -> Iterator[Problem]:
    control = contract.length_control
    if control is None:
        return
    where = "length_control"
    if control.gamed and control.gamed_statistics is not None:
        mend = "keep the checkpoints, or the sums where only those are known"
        yield Problem((where, "gamed_statistics"), "stands beside length_control.gamed", mend)
    if control.gamed and control.gamed_weight is None:
        mend = "say what a gamed comparison weighs where a plain one weighs 1, such as 0.1"
        yield Problem((where, "gamed_weight"), "is missing, but gamed names checkpoints", mend)
    if control.gamed_weight is not None and not control.gamed:
        mend = "name the checkpoints in length_control.gamed, or take it out"
        yield Problem((where, "gamed_weight"), "weighs nothing: gamed is empty", mend)
    if control.baseline in control.gamed:
        mend = "name versions of the baseline that were told to be long or short"
        yield Problem((where, "gamed"), f"names the baseline {control.baseline} itself", mend)


def _pairing_picks_pairs(contract: Contract) -> Iterator[Problem]:
    pairing, judging = contract.pairing, contract.judging
    if pairing is None:
        return
    picked = bool(pairing.anchors or pairing.last_accepted or pairing.nearest)
    if not pairing.recorded:
        if not picked:
            mend = "give anchors, last_accepted: true, nearest above 0, or recorded: true"
            yield Problem(("pairing",), "picks no pair", mend)
        return
    where = ("pairing", "recorded")
    if picked:
        mend = "take out anchors, last_accepted and nearest, or take out recorded"
        yield Problem(where, "stands beside pairs that are picked", mend)
    if judging is not None and judging.sample is not None:
        mend = "take out judging.sample: every pair that has a vote is judged"
        yield Problem(where, "stands beside a sample of the items", mend)
    for judge in judging.pairwise if judging else ():
        if judge.source != "recorded":
            mend = "say which pairs are to be judged, by anchors, last_accepted or nearest"
            found = f"picks pairs by their votes, and judge {judge.name} is asked live"
            yield Problem(where, found, mend)


def _slices_hold_what_is_sliced_by(contract: Contract) -> Iterator[Problem]:
    over = contract.aggregation.macro_over
    if contract.aggregation.over_items == "macro" and over is None:
        mend = "name the slice whose groups count alike"
        yield Problem(("aggregation", "over_items"), "is macro without macro_over", mend)
    if contract.aggregation.over_items == "micro" and over is not None:
        mend = "write over_items: macro, or take it out"
        yield Problem(("aggregation", "macro_over"), "stands beside over_items: micro", mend)
    if over is not None and over not in contract.task.slices:
        yield _no_slice(contract, ("aggregation", "macro_over"), over)


def _strata_are_slices(contract: Contract) -> Iterator[Problem]:
    if contract.judging is None or contract.judging.sample is None:
        return
    for i, column in enumerate(contract.judging.sample.stratify):
        if column not in contract.task.slices:
            yield _no_slice(contract, ("judging", "sample", "stratify", i), column)


def _no_slice(contract: Contract, path: Path, column: str) -> Problem:
    return Problem(path, f"is {shown(column)}, which is no slice", "add it to task.slices")


def _chance_needs_choices(contract: Contract) -> Iterator[Problem]:
    verifier = contract.verification.verifier if contract.verification else None
    if verifier is not None and verifier.startswith("choice"):
        return
    for status, handling in contract.failures:
        if handling == "chance":
            yield Problem(
                ("failures", status),
                "is chance, which only a choice verifier can give",
                "write wrong or exclude",
            )


def _retries_are_allowed(contract: Contract) -> Iterator[Problem]:
    retries = contract.budget.retries if isinstance(contract.budget, Budget) else None
    for status, handling in contract.failures:
        if handling != "retry":
            continue
        if status in BY_OUTCOME:
            mend = "write wrong: drawing until the reply pleases picks replies by outcome"
            yield Problem(("failures", status), "may not be retry", mend)
        elif retries == 0:
            mend = "raise budget.retries, or write exclude"
            yield Problem(("failures", status), "is retry, but budget.retries is 0", mend)


def _reference_is_not_excluded(contract: Contract) -> Iterator[Problem]:
    if not isinstance(contract.targets, Targets):
        return
    named: list[tuple[Path, str | None]] = [(("targets", "reference"), contract.targets.reference)]
    if contract.length_control:
        named.append((("length_control", "baseline"), contract.length_control.baseline))
    if contract.ranking:
        named.append((("ranking", "anchor"), contract.ranking.anchor))
    if contract.pairing:
        anchors = enumerate(contract.pairing.anchors)
        named += [(("pairing", "anchors", i), anchor) for i, anchor in anchors]
    for path, name in named:
        if name in contract.targets.exclude:
            mend = "take it out of targets.exclude, or name another"
            yield Problem(path, f"is {name}, which targets.exclude leaves out", mend)


def _template_is_below_prompts(contract: Contract) -> Iterator[Problem]:
    if not isinstance(contract.prompt, Prompt):
        return
    parts = PurePosixPath(contract.prompt.template).parts
    written = "/".join(parts)
    try:
        for part in parts:
            checked_name(part, "file")
        inside = len(parts) > 1 and parts[0] == PROMPTS and written == contract.prompt.template
    except ValueError:
        inside = False
    if not inside:
        yield Problem(
            ("prompt", "template"),
            f"is {shown(contract.prompt.template)}, which is no file below {PROMPTS}/",
            f"write it as {PROMPTS}/name.txt",
        )


def _lists_name_a_thing_once(contract: Contract) -> Iterator[Problem]:
    for path, values in _lists_of_names(contract):
        for value in _repeated(values):
            yield Problem(path, f"name {value} twice", "keep one")


def _lists_of_names(contract: Contract) -> Iterator[tuple[Path, Sequence[str]]]:
    if isinstance(contract.targets, Targets):
        yield ("targets", "families"), contract.targets.families
        yield ("targets", "exclude"), contract.targets.exclude
    yield ("task", "slices"), contract.task.slices
    if contract.contamination:
        yield ("contamination", "corpora"), contract.contamination.corpora
        yield ("contamination", "fields"), contract.contamination.fields
    if contract.pairing:
        yield ("pairing", "anchors"), contract.pairing.anchors
    if contract.judging:
        yield ("judging", "annotations"), contract.judging.annotations
        yield ("judging", "probes"), contract.judging.probes
    if contract.length_control:
        yield ("length_control", "gamed"), contract.length_control.gamed
        yield ("length_control", "style"), contract.length_control.style
    if contract.ranking:
        yield ("ranking", "covariates"), contract.ranking.covariates
    if contract.metric_validity:
        yield ("metric_validity", "annotations"), contract.metric_validity.annotations
    if contract.item_analysis and contract.item_analysis.groups:
        for side, families in contract.item_analysis.groups:
            yield ("item_analysis", "groups", side), families


def _repeated(values: Iterable[T]) -> list[T]:
    return [value for value, count in Counter(values).items() if count > 1]


RULES: tuple[Rule, ...] = (
    Rule(("contract",), _name_is_free),
    Rule(("status", "verification"), _instruments_are_looked_at),
    Rule(("question", "metrics"), metric_rules.metrics_are_known),
    Rule(
        ("question", "metrics", "verification", "length_control", "judging"),
        metric_rules.metrics_can_be_made,
    ),
    Rule(
        (
            "question",
            "metrics",
            "verification",
            "item_analysis",
            "metric_validity",
            "safety_frontier",
        ),
        metric_rules.analyses_have_what_they_need,
    ),
    Rule(("targets", "item_analysis"), metric_rules.groups_are_apart),
    Rule(("question",), metric_rules.primary_endpoint_can_decide),
    Rule(("metrics",), metric_rules.metric_is_asked_once),
    Rule(("question", "statistics"), metric_rules.early_looks_are_at_means),
    Rule(("question", "metrics", "budget"), metric_rules.k_is_within_the_draws),
    Rule(("question", "metrics", "decision"), _guardrails_are_clear),
    Rule(("decision",), _margin_is_set),
    Rule(("question", "decision"), _margin_is_in_range),
    Rule(("decision", "verification"), _recorded_verdicts_may_decide),
    Rule(("evaluator", "verification", "judging", "pairing"), _evaluator_is_there),
    Rule(("judging", "pairing", "length_control", "ranking"), _judged_sections_have_judges),
    Rule(("length_control",), _gamed_baseline_is_said_once),
    Rule(("pairing", "judging"), _pairing_picks_pairs),
    Rule(("judging",), judge_rules.judges_are_complete),
    Rule(("judging",), judge_rules.judges_can_meet_what_is_asked),
    Rule(("judging",), judge_rules.truth_can_be_held),
    Rule(("aggregation", "task"), _slices_hold_what_is_sliced_by),
    Rule(("judging", "task"), _strata_are_slices),
    Rule(("failures", "verification"), _chance_needs_choices),
    Rule(("failures", "budget"), _retries_are_allowed),
    Rule(("targets", "length_control", "ranking", "pairing"), _reference_is_not_excluded),
    Rule(("prompt",), _template_is_below_prompts),
    Rule(
        (
            "targets",
            "task",
            "contamination",
            "pairing",
            "judging",
            "length_control",
            "metric_validity",
            "item_analysis",
        ),
        _lists_name_a_thing_once,
    ),
)
