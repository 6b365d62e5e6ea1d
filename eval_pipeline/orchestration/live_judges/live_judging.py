"""The judges that are asked live: whether they may be, with which prompt, and what they are due."""

import os
from collections.abc import Collection, Iterable, Mapping
from typing import TYPE_CHECKING

from eval_pipeline.contracts.judging import Judge, Judging
from eval_pipeline.contracts.model import Contract
from eval_pipeline.layout import DataRoot

if TYPE_CHECKING:
    import pyarrow as pa

    from eval_pipeline.judging.asking.asks import Ask, LiveJudge
    from eval_pipeline.judging.prompts.rubric import Rubric
    from eval_pipeline.judging.prompts.templates import JudgePrompt


def withheld(judges: Iterable[Judge]) -> str | None:
    """Why a judge cannot be asked, if one cannot: nobody is called unless a person says where."""
    for judge in judges:
        if judge.source != "openai":
            continue
        from eval_pipeline.judging.asking.services import PREFIX, service_of

        try:
            named = service_of(judge.name, os.environ) is not None
        except ValueError as error:
            return str(error)
        if not named:
            return (
                f"its judge {judge.name} is asked live, and no endpoint is named: set {PREFIX}_URL "
                f"and {PREFIX}_KEY (`plan cost` says what it may cost)"
            )
    return None


def prompt_of(root: DataRoot, reference: str) -> "JudgePrompt":
    """The template that a judge names. Raises ValueError with all that is wrong with it."""
    from eval_pipeline.contracts.pinned import prompt_name
    from eval_pipeline.contracts.reading import read_yaml_file
    from eval_pipeline.judging.asking.prompt_lint import checked_prompt

    name = prompt_name(reference)
    path = root.judge_prompt(name)
    place = path.relative_to(root.path).as_posix()
    document = read_yaml_file(path, place)
    if document.faults:
        raise ValueError("; ".join(map(str, document.faults)))
    try:
        return checked_prompt(name, document.data, document.sha256)
    except ValueError as error:
        raise ValueError(f"{place}: {error}") from error


def live_judge(root: DataRoot, judge: Judge) -> "LiveJudge":
    """The judge with its prompt. Raises ValueError where the two are of different forms."""
    from eval_pipeline.judging.asking.asks import LiveJudge

    if judge.model is None or judge.prompt is None or judge.decoding is None:
        raise ValueError(f"judge {judge.name} is asked live: name its model, prompt and decoding")
    decoding = judge.decoding.model_dump(exclude_none=True)
    return LiveJudge(judge.name, judge.model, checked_judge_prompt(root, judge), decoding)


def rubric(root: DataRoot, judging: Judging) -> "Rubric":
    """What single replies are scored by: that of every pointwise judge's prompt.

    Raises ValueError where a prompt is none for it, or two judges' rubrics differ.
    """
    from eval_pipeline.judging.prompts.rubric import rubric_of, shared_rubric

    return shared_rubric(
        {judge.name: rubric_of(checked_judge_prompt(root, judge)) for judge in judging.pointwise}
    )


def checked_judge_prompt(root: DataRoot, judge: Judge) -> "JudgePrompt":
    """The prompt of a judge; raises ValueError where the two are of different forms."""
    if judge.prompt is None:
        raise ValueError(f"judge {judge.name} names no prompt: add it")
    prompt = prompt_of(root, judge.prompt)
    form = judge.form or "pairwise"
    if prompt.kind != form:
        raise ValueError(
            f"judge {judge.name} is {form}, and its prompt {prompt.name} is {prompt.kind}: "
            "name another prompt, or write form beside it"
        )
    scale = prompt.scale
    if judge.verdicts == "yes_no" and (
        scale is None or (scale.low, scale.high) != (0, 1) or len(prompt.criteria) > 1
    ):
        raise ValueError(
            f"judge {judge.name} says yes or no, and its prompt {prompt.name} has not one "
            "criterion on a scale of 0 and 1: name a prompt with `yes_no: true`, or read scores"
        )
    return prompt


def judged_texts(generations: "pa.Table", model: str) -> dict[tuple[str, str], str]:
    """Draw 0 of each item, by (model, item): the replies that did not fail."""
    import pyarrow.compute as pc

    kept = generations.filter(
        pc.and_(pc.equal(generations["draw"], 0), pc.equal(generations["status"], "ok"))
    )
    columns = (kept["item_id"].to_pylist(), kept["text"].to_pylist())
    return {(model, item): text for item, text in zip(*columns, strict=True)}


def due_pairs(
    root: DataRoot,
    judging: Judging,
    judge: Judge,
    planned: Collection[tuple[str, str, str]],
    questions: Mapping[str, str],
    texts: Mapping[tuple[str, str], str],
) -> "list[Ask]":
    """The calls on planned (item, model_a, model_b), both orders and all repeats."""
    from eval_pipeline.judging.asking.asks import pair_asks

    asked = live_judge(root, judge)
    return pair_asks(asked, sorted(planned), questions, texts, judging.repeats)


def due_scores(
    root: DataRoot,
    judging: Judging,
    judge: Judge,
    checkpoint: str,
    questions: Mapping[str, str],
    texts: Mapping[tuple[str, str], str],
) -> "list[Ask]":
    """The calls on a checkpoint's own replies, all repeats."""
    from eval_pipeline.judging.asking.asks import single_asks

    asked = live_judge(root, judge)
    return single_asks(asked, checkpoint, sorted(questions), questions, texts, judging.repeats)


def scored_items(contract: Contract, items: "pa.Table") -> list[str]:
    """The items whose replies are scored, sorted: the same ones of every checkpoint."""
    from eval_pipeline.judging.pairs.plan import Sampling, item_slices, sampled_items

    asked = contract.judging.sample if contract.judging else None
    if asked is None:
        return sorted(items["item_id"].to_pylist())
    sampling = Sampling(asked.per_pair, asked.stratify)
    return sampled_items(item_slices(items), sampling, contract.statistics.seed, "scores")


def scored_part(contract: Contract, items: "pa.Table") -> "pa.Table":
    """The rows of the items whose replies are scored."""
    import pyarrow as pa
    import pyarrow.compute as pc

    names = pa.array(scored_items(contract, items), pa.string())
    return items.filter(pc.is_in(items["item_id"], value_set=names))


def questions_of(items: "pa.Table") -> dict[str, str]:
    """Item to the text that its models were shown; the reference answer stays behind."""
    return dict(zip(items["item_id"].to_pylist(), items["question"].to_pylist(), strict=True))
