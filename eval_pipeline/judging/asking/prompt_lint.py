"""Which templates may be put before a judge: what is wrong with one, all of it at once.

A template gives criteria, and no expected answer; places the case once, as data, and names
nobody; asks for reasoning before a verdict, in the one form that is read.
"""

import math
import re
from collections.abc import Mapping, Sequence
from typing import Any

from eval_pipeline.judging.prompts.templates import (
    ANSWER_FORM,
    CASE,
    CRITERIA,
    FIRST,
    NO,
    PLACES,
    SCALE,
    SECOND,
    TIE,
    YES,
    Criterion,
    JudgePrompt,
    Kind,
    Scale,
)
from eval_pipeline.judging.reading.spelling import plain

KEYS = {"form", "system", "user", "criteria", "scale", "ties", "labels", "yes_no"}
KINDS: tuple[Kind, ...] = ("pairwise", "pointwise")
MOST_POINTS = 11
SEATS = ("first", "second", "tie")
RIGHT_OR_WRONG = Scale(0, 1, ((0, NO), (1, YES)))

# What a template may not say, and why. Words of the template's own text, not of the cases.
_GIVES_AWAY = re.compile(
    r"(?i)\b(?:expected|reference|correct|gold|ideal|model|target)[ _-]answers?\b"
    r"|\bground[ _-]truth\b|\bgold (?:label|standard)s?\b|\bthe (?:right|true) answer is\b"
)
_NAMES = re.compile(
    r"(?i)\b(?:model_?[ab12]|model names?|checkpoints?|famil(?:y|ies) of models?)\b"
)
_OTHER_FORM = re.compile(r"\[\[|(?i:\bverdict\s*:)|\"(?:verdict|scores|score)\"|<score>")
_HASTE = re.compile(
    r"(?i)\bwithout (?:any )?(?:reasoning|explanation|explaining)\b"
    r"|\b(?:only|just) (?:the )?(?:verdict|label|letter|number|score)\b"
    r"|\bverdict first\b|\bbefore (?:you )?(?:reason|explain)"
)
_PLACE = re.compile(r"\{([^{}\n]*)\}")


def checked_prompt(name: str, data: Any, sha256: str) -> JudgePrompt:
    """The template that a file's data make, if it keeps the rules.

    name: with its version. Raises ValueError with everything that is wrong, `; ` between.
    """
    faults = prompt_faults(data)
    if faults:
        raise ValueError(f"judge prompt {name}: {'; '.join(faults)}")
    n = len(data["criteria"])
    criteria = tuple(
        Criterion(one["name"], one["text"].strip(), float(one.get("weight", 1 / n)))
        for one in data["criteria"]
    )
    scale, ties, yes_no = data.get("scale"), data.get("ties", True), data.get("yes_no", False)
    return JudgePrompt(
        name=name,
        sha256=sha256,
        kind=data["form"],
        system=data["system"].strip(),
        user=data["user"].strip(),
        criteria=criteria,
        scale=RIGHT_OR_WRONG if yes_no else _scale(scale) if scale else None,
        ties=ties,
        labels=_labels(data.get("labels", {})),
        yes_no=yes_no,
    )


def prompt_faults(data: Any) -> list[str]:
    """What breaks the rules, a clause each with its mend; empty where nothing does."""
    if not isinstance(data, Mapping):
        return ["is no mapping: write form, system, user and criteria"]
    faults = [f"has an unknown key {key!r}: take it out" for key in sorted(set(data) - KEYS)]
    kind = data.get("form")
    if kind not in KINDS:
        return [*faults, f"form is {kind!r}: write pairwise or pointwise"]
    for key in ("system", "user"):
        if not (isinstance(data.get(key), str) and data[key].strip()):
            return [*faults, f"has no text under {key}: add it"]
    faults += _of_criteria(data.get("criteria"), kind)
    faults += _of_yes_no(data, kind)
    if data.get("yes_no") is not True:
        faults += _of_scale(data.get("scale"), kind)
    if not isinstance(data.get("ties", True), bool):
        faults.append("ties must be true or false")
    if kind == "pointwise" and "ties" in data:
        faults.append("ties belongs to pairwise judging: take it out")
    faults += _of_labels(data, kind)
    scaled = kind == "pointwise" and data.get("yes_no") is not True
    return [*faults, *_of_places(data["system"], data["user"], scaled), *_of_words(data)]


def _of_yes_no(data: Mapping[str, object], kind: Kind) -> list[str]:
    if "yes_no" not in data:
        return []
    if data["yes_no"] is not True:
        return ["yes_no can only be true: take it out"]
    faults = []
    if kind == "pairwise":
        faults.append("yes_no belongs to pointwise judging: take it out")
    if data.get("scale"):
        faults.append("has a scale beside yes_no, which has its own: take one of them out")
    if isinstance(criteria := data.get("criteria"), list) and len(criteria) > 1:
        faults.append("asks for one yes or no on several criteria: keep one, or give a scale")
    return faults


def _of_labels(data: Mapping[str, object], kind: Kind) -> list[str]:
    if "labels" not in data:
        return []
    if kind == "pointwise":
        return ["labels belongs to pairwise judging: take it out"]
    labels = data["labels"]
    names = SEATS if data.get("ties", True) else SEATS[:-1]
    if not isinstance(labels, Mapping) or set(labels) != set(names):
        return [f"labels must name {', '.join(names)}, and nothing else"]
    words = [labels[name] for name in names]
    faults = [
        f"labels.{name} is {word!r:.80}: use letters, digits, _ and -, 40 characters at most"
        for name, word in zip(names, words, strict=True)
        if not (isinstance(word, str) and re.fullmatch(r"[^\W_][\w-]{0,39}", word))
    ]
    if not faults and len({plain(word) for word in words}) < len(words):
        faults.append("labels has a word twice: give each its own")
    return faults


def _labels(given: Mapping[str, str]) -> tuple[str, str, str]:
    return given.get("first", FIRST), given.get("second", SECOND), given.get("tie", TIE)


def _of_places(system: str, user: str, scaled: bool) -> list[str]:
    both = f"{system}\n{user}"
    listed = ", ".join("{" + one + "}" for one in PLACES)
    faults = [
        f"has the place {{{place}}}: candidate text, names and answers come in through {{{CASE}}} "
        f"alone; there are {listed}"
        for place in _PLACE.findall(both)
        if place not in PLACES
    ]
    needed = [CASE, CRITERIA, ANSWER_FORM, *([SCALE] if scaled else [])]
    for place in needed:
        count = both.count("{" + place + "}")
        if count != 1:
            faults.append(f"has {{{place}}} {count} times: write it once")
    if not scaled and "{" + SCALE + "}" in both:
        faults.append(
            f"has {{{SCALE}}}, and a judge of pairs, or of yes and no, has no scale: take it out"
        )
    faults += [
        f"has {{{place}}} in system: move it to user"
        for place in (CASE, ANSWER_FORM)
        if "{" + place + "}" in system
    ]
    if user.find("{" + ANSWER_FORM + "}") < user.find("{" + CASE + "}"):
        faults.append(f"asks before it shows: write {{{CASE}}} before {{{ANSWER_FORM}}}")
    return faults


def _of_words(data: Mapping[str, object]) -> list[str]:
    faults = []
    criteria = data.get("criteria")
    texts = [str(data["system"]), str(data["user"])]
    texts += [str(one.get("text")) for one in _mappings(criteria)]
    for pattern, why in (
        (_GIVES_AWAY, "speaks of an expected answer, which a judge is never shown"),
        (_NAMES, "speaks of who wrote the replies, which is hidden"),
        (_OTHER_FORM, f"asks for a verdict in a form of its own, and {{{ANSWER_FORM}}} gives it"),
        (_HASTE, "asks for a verdict before, or without, the reasoning"),
    ):
        if found := next(filter(None, map(pattern.search, texts)), None):
            faults.append(f"{why} ({found[0]!r}): take it out")
    return faults


def _of_criteria(criteria: Any, kind: Kind) -> list[str]:
    if not isinstance(criteria, Sequence) or isinstance(criteria, str) or not criteria:
        return ["has no criteria: list each as {name, text}"]
    faults: list[str] = []
    names: list[str] = []
    weights: list[float] = []
    for i, one in enumerate(criteria):
        if not isinstance(one, Mapping) or set(one) - {"name", "text", "weight"}:
            return [*faults, f"criteria[{i}] is not {{name, text}} with an optional weight"]
        name, text = one.get("name"), one.get("text")
        if not (isinstance(name, str) and re.fullmatch(r"[a-z][a-z0-9_]{0,39}", name)):
            faults.append(f"criteria[{i}].name is {name!r}: use a-z, 0-9 and _, 40 at most")
        elif name == "all" or name in names:
            faults.append(f"criteria[{i}].name is {name}, which is taken: choose another")
        names.append(str(name))
        if not (isinstance(text, str) and text.strip()):
            faults.append(f"criteria[{i}] has no text: say what it means")
        weight = one.get("weight")
        if weight is not None:
            if type(weight) not in (int, float) or not 0 <= weight <= 1:
                faults.append(f"criteria[{i}].weight is {weight!r}: give a share from 0 to 1")
            else:
                weights.append(float(weight))
    if weights and kind == "pairwise":
        faults.append("criteria have weights, which only pointwise scores can use: take them out")
    elif weights and (len(weights) < len(names) or abs(math.fsum(weights) - 1) > 1e-9):
        faults.append("weights of the criteria must be given to all and sum to 1")
    return faults


def _of_scale(scale: Any, kind: Kind) -> list[str]:
    if kind == "pairwise":
        return ["has a scale, and its form is pairwise: take it out"] if scale else []
    if not isinstance(scale, Sequence) or isinstance(scale, str) or len(scale) < 2:
        return ["has no anchored scale: list points as {score, means}, the ends among them"]
    scores = []
    for i, one in enumerate(scale):
        if not isinstance(one, Mapping) or set(one) != {"score", "means"}:
            return [f"scale[{i}] is not {{score, means}}"]
        if type(one["score"]) is not int or not str(one["means"] or "").strip():
            return [f"scale[{i}] needs a whole number as score, and a text under means"]
        scores.append(one["score"])
    if scores != sorted(set(scores)):
        return ["scale must go up from point to point"]
    if scores[-1] - scores[0] >= MOST_POINTS:
        return [f"scale has more than {MOST_POINTS} points, which judges cannot tell apart"]
    return []


def _scale(points: Sequence[Any]) -> Scale:
    anchors = tuple((one["score"], one["means"].strip()) for one in points)
    return Scale(anchors[0][0], anchors[-1][0], anchors)


def _mappings(values: object) -> list[Mapping[str, object]]:
    listed = values if isinstance(values, list | tuple) else []
    return [one for one in listed if isinstance(one, Mapping)]
