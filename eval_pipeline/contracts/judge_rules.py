"""What must hold of the judges that a contract names: rules that `rules.RULES` gathers."""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator

from eval_pipeline.contracts.faults import Path, shown
from eval_pipeline.contracts.judging import Judge
from eval_pipeline.contracts.model import Contract
from eval_pipeline.contracts.shape import Problem
from eval_pipeline.layout import PANEL, versioned

PROMPTS = "prompts"
RECORDED = ("verdicts", "verdict_key", "labels")  # how recorded verdicts are read
LABELLED = ("labels", "brackets", "json")


def judges_are_complete(contract: Contract) -> Iterator[Problem]:
    """Each has one name of its own, and all that its source and form ask for."""
    if contract.judging is None:
        return
    names = [judge.name for judge in contract.judging.judges]
    for name in [name for name, n in Counter(names).items() if n > 1]:
        yield Problem(("judging", "judges"), f"name {name} twice", "keep one")
    if PANEL in names:
        path = ("judging", "judges", names.index(PANEL), "name")
        yield Problem(path, f"is {PANEL}, which stands for all judges together", "rename the judge")
    for i, judge in enumerate(contract.judging.judges):
        yield from _live_judge_is_pinned(("judging", "judges", i), judge)
    if any(judge.source != "recorded" for judge in contract.judging.judges):
        mend = "take it out, or read recorded votes only"
        if (orders := contract.judging.orders) != "both":
            yield Problem(("judging", "orders"), f"is {orders}, but a judge is asked live", mend)
        if contract.judging.score is not None:
            yield Problem(("judging", "score"), "is probability, which is for recorded votes", mend)


def judges_can_meet_what_is_asked(contract: Contract) -> Iterator[Problem]:
    """What is for pairs needs a judge of pairs, and what is for scores one that gives them."""
    judging = contract.judging
    if judging is None:
        return
    if not judging.pairwise:
        for field in ("probes", "sentinels"):
            if getattr(judging, field):
                mend = "name a judge that sees pairs, or take it out"
                yield Problem(("judging", field), "needs a judge of pairs, and none is", mend)
    if judging.bars.scores is not None and not judging.pointwise:
        mend = "write form: pointwise beside such a judge, or take it out"
        yield Problem(("judging", "bars", "scores"), "needs a judge of single replies", mend)


def truth_can_be_held(contract: Contract) -> Iterator[Problem]:
    """Labels that are the truth are there, and what rests on them stands beside them."""
    judging = contract.judging
    if judging is None:
        return
    if judging.truth is None:
        mend = "write judging.truth: label beside it, or take it out"
        if judging.truth_rule is not None:
            yield Problem(("judging", "truth_rule"), "needs labels that are the truth", mend)
        if judging.bars.label_accuracy is not None:
            where = ("judging", "bars", "label_accuracy")
            yield Problem(where, "needs labels that are the truth", mend)
        return
    if not judging.annotations:
        mend = "name the set in judging.annotations, or take truth out"
        yield Problem(("judging", "truth"), "is label, and no labels are named", mend)
    if not judging.pairwise:
        mend = "name a judge that sees pairs, or take it out"
        yield Problem(("judging", "truth"), "needs a judge of pairs, and none is", mend)


def _live_judge_is_pinned(path: Path, judge: Judge) -> Iterator[Problem]:
    if judge.source == "recorded":
        yield from _recorded_judge_is_clear(path, judge)
        return
    for field in RECORDED:
        if getattr(judge, field) is not None:
            yield Problem((*path, field), "is for recorded votes", "take it out")
    for field in ("model", "prompt", "decoding"):
        if getattr(judge, field) is None:
            mend = f"name its {field}, or read recorded votes"
            yield Problem(path, f"is asked live and has no {field}", mend)
    yield from _prompt_is_versioned(path, judge)


def _recorded_judge_is_clear(path: Path, judge: Judge) -> Iterator[Problem]:
    if judge.decoding is not None:
        mend = f"take it out, or write source: openai to ask {judge.name} live"
        yield Problem((*path, "decoding"), "is for a judge that is asked live", mend)
    if judge.form != "pointwise":
        if (judge.verdict_key is not None) != (judge.verdicts == "json"):
            mend = "give both, or neither"
            yield Problem(path, "has one of verdicts: json and verdict_key", mend)
        if judge.verdicts == "yes_no":
            mend = "write form: pointwise beside it, or name another form"
            yield Problem((*path, "verdicts"), "is yes_no, which is for single replies", mend)
        yield from _labels_are_clear(path, judge)
        return
    for field in RECORDED:
        if getattr(judge, field) not in (None, "yes_no"):
            yield Problem((*path, field), "is for votes on pairs", "take it out")
    if judge.prompt is None:
        mend = "name its prompt: the rubric there says what the scores mean"
        yield Problem(path, "scores single replies and has no prompt", mend)
    yield from _prompt_is_versioned(path, judge)


def _labels_are_clear(path: Path, judge: Judge) -> Iterator[Problem]:
    """Labels stand where a form takes them, and none can be read for another."""
    if judge.labels is None:
        if judge.verdicts == "labels":
            mend = "add labels: {a: ..., b: ..., tie: ...}"
            yield Problem(path, "has verdicts: labels and no labels", mend)
        return
    if judge.verdicts not in LABELLED:
        mend = f"write verdicts: {', '.join(LABELLED[:-1])} or {LABELLED[-1]} beside it"
        yield Problem((*path, "labels"), "is for forms that take labels", mend)
    words = [(name, word) for name, word in judge.labels if word is not None]
    folded = Counter(_folded(word) for _, word in words)
    for name, word in words:
        if folded[_folded(word)] > 1:
            mend = "give each seat a word of its own"
            yield Problem((*path, "labels", name), f"is {shown(word)}, as another one is", mend)
        if not re.fullmatch(r"\w(?:[\w /<>=+-]{0,38}\w)?", word):
            mend = "use letters, digits, spaces and / < > = + -, 40 characters at most"
            yield Problem((*path, "labels", name), f"is {shown(word)}", mend)


def _folded(word: str) -> str:
    return unicodedata.normalize("NFKC", word).strip().casefold()


def _prompt_is_versioned(path: Path, judge: Judge) -> Iterator[Problem]:
    if judge.prompt is not None:
        try:
            versioned(judge.prompt.removeprefix(f"{PROMPTS}/"), "prompt")
        except ValueError as error:
            yield Problem((*path, "prompt"), f"is {shown(judge.prompt)}", str(error))
