"""What must hold between the fields of a contract."""

import pytest

from eval_pipeline.contracts.faults import ContractFaults
from eval_pipeline.contracts.load import load_contract
from eval_pipeline_tests.contracts.project import JUDGED, WORDS, parsed, write_project


def said(root, text: str) -> list[str]:
    with pytest.raises(ContractFaults) as caught:
        load_contract(root, write_project(root, text))
    return [f"{fault.field}: {fault.message}; {fault.mend}" for fault in caught.value.faults]


WORDS_CASES = [
    (
        "margin: 0.02",
        "margin: 2",
        "decision.margin: is 2, and two values of pass@1 lie at most 1 apart: every checkpoint "
        "would pass; write the margin in the units of the metric: 0.02 is two points of a share",
    ),
    (
        "metric: pass_at_k, k: 1",
        "metric: pas_at_k, k: 1",
        "question.primary_endpoint.metric: is 'pas_at_k', which is no metric; "
        "did you mean pass_at_k, pass_hat_k, pass_at_k_direct, pass_at_k_plugin?",
    ),
    (
        "metric: pass_at_k, k: 1",
        "metric: pass_at_k",
        "question.primary_endpoint.metric: is pass_at_k, which needs a k; write k beside it",
    ),
    (
        "{name: majority_vote, k: 8}",
        "{name: accuracy, k: 8}",
        "metrics[1].name: is accuracy, which has no k; take k out",
    ),
    (
        "{name: majority_vote, k: 8}",
        "{name: win_rate}",
        "metrics[1].name: is win_rate, which needs the section length_control; "
        "add length_control",
    ),
    (
        "{name: majority_vote, k: 8}",
        "{name: rubric_score, options: {lowest: 5}}",
        "metrics[1].options: go from lowest 5 to highest 5, which is no scale; "
        "let highest lie above lowest",
    ),
    (
        "{name: majority_vote, k: 8}",
        "{name: ece_event, options: {bin: 20}}",
        "metrics[1].options.bin: is no option of ece_event; did you mean bins?",
    ),
    (
        "{name: majority_vote, k: 8}",
        "{name: ece_event, options: {bins: true}}",
        "metrics[1].options.bins: must be a whole number, not True; "
        "number of bins of the confidence, 1 to 1000",
    ),
    (
        "{name: majority_vote, k: 8}",
        "{name: ece_event, options: {rule: equal_mas}}",
        "metrics[1].options.rule: is 'equal_mas', which is no choice here; "
        "did you mean equal_mass?",
    ),
    (
        "{name: majority_vote, k: 8}",
        "{name: accuracy, options: {bins: 3}}",
        "metrics[1].options.bins: is no option of accuracy; accuracy takes no options: take it out",
    ),
    (
        "{name: majority_vote, k: 8}",
        "{name: ece_event}, {name: ece_event, options: {bins: 10}}",
        "metrics: ask for ece_event twice; keep one",
    ),
    (
        "metric: pass_at_k, k: 1",
        "metric: pass_at_k_plugin, k: 1",
        "question.primary_endpoint.metric: is pass_at_k_plugin, which is for diagnosis only; "
        "ask for it in metrics, and let another metric decide",
    ),
    (
        "metric: pass_at_k, k: 1",
        "metric: ece_event",
        "question.primary_endpoint.metric: is ece_event, which has no value of a single item to "
        "compare; ask for it in metrics, and let another metric decide",
    ),
    (
        "metric: pass_at_k, k: 1",
        "metric: overconfidence",
        "question.primary_endpoint.metric: is overconfidence, of which neither more nor less is "
        "better; ask for it in metrics, and let another metric decide",
    ),
    (
        "{name: majority_vote, k: 8}",
        "{name: pass_at_k, k: 4}",
        "metrics: ask for pass@4 twice; keep one",
    ),
    (
        "k: [1, 4, 8]",
        "k: [1, 4, 16]",
        "metrics[0].k[2]: is 16, but budget.draws_per_item is 8; lower k to 8 or draw more",
    ),
    (
        "at_most: 0.05",
        "at_most: 0.05, at_least: 0.01",
        "decision.guardrails[0]: has two bounds; "
        "give either at_most or at_least, and a second guardrail for the other side",
    ),
    (
        ", at_most: 0.05",
        "",
        "decision.guardrails[0]: has no bound; "
        "give either at_most or at_least, and a second guardrail for the other side",
    ),
    (
        "metric: refusal_rate",
        "metric: refusal_rat",
        "decision.guardrails[0].metric: is 'refusal_rat', which is no metric's label; "
        "did you mean refusal_rate or false_refusal_rate?",
    ),
    (
        "metric: refusal_rate",
        "metric: pass@2",
        "decision.guardrails[0].metric: is pass@2, which the contract does not compute; "
        "add it to metrics, or bound one of pass@1, pass@4, pass@8, majority@8",
    ),
    (
        "metric: refusal_rate",
        "metric: pass_at_k",
        "decision.guardrails[0].metric: is 'pass_at_k', which is no metric's label; "
        "metric 'pass_at_k' needs a k: write it as pass@1",
    ),
    (
        "{metric: refusal_rate, at_most: 0.05}",
        "{metric: refusal_rate, at_most: 0.05}, {metric: refusal_rate, at_most: 0.5}",
        "decision.guardrails: bound refusal_rate twice on one side; keep one",
    ),
    (
        "margin: 0.02",
        "margin: 0.0",
        "decision.margin: is 0, and non_inferior needs a margin above 0; "
        "say how large a difference does not matter",
    ),
    (
        "kind: verifier",
        "kind: judge",
        "evaluator.kind: is judge, which needs the section judging; "
        "add judging, or choose another kind",
    ),
    (
        "over_items: micro",
        "over_items: macro",
        "aggregation.over_items: is macro without macro_over; "
        "name the slice whose groups count alike",
    ),
    (
        "over_items: micro",
        "macro_over: operation",
        "aggregation.macro_over: stands beside over_items: micro; "
        "write over_items: macro, or take it out",
    ),
    (
        "over_items: micro",
        "over_items: macro, macro_over: topic",
        "aggregation.macro_over: is 'topic', which is no slice; add it to task.slices",
    ),
    (
        "timeout: wrong",
        "timeout: chance",
        "failures.timeout: is chance, which only a choice verifier can give; "
        "write wrong or exclude",
    ),
    (
        "model_refusal: wrong",
        "model_refusal: retry",
        "failures.model_refusal: may not be retry; "
        "write wrong: drawing until the reply pleases picks replies by outcome",
    ),
    (
        "reference: last_accepted",
        "reference: x, exclude: [x]",
        "targets.reference: is x, which targets.exclude leaves out; "
        "take it out of targets.exclude, or name another",
    ),
    (
        "[tern, heron]",
        "[tern, tern]",
        "targets.families: name tern twice; keep one",
    ),
    (
        "prompts/plain.txt",
        "../prompts/plain.txt",
        "prompt.template: is '../prompts/plain.txt', which is no file below prompts/; "
        "write it as prompts/name.txt",
    ),
    (
        "prompts/plain.txt",
        "/etc/passwd",
        "prompt.template: is '/etc/passwd', which is no file below prompts/; "
        "write it as prompts/name.txt",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("old", "new", "fault"), WORDS_CASES)
def test_a_broken_rule_names_the_field_and_the_mend(root, old, new, fault):
    assert fault in said(root, WORDS.replace(old, new))


JUDGED_CASES = [
    (
        "length_control: {baseline: tern@step1}",
        "",
        "question.primary_endpoint.metric: is length_controlled_win_rate, "
        "which needs the section length_control; add length_control",
    ),
    (
        "pairing: {anchors: [tern@step1], nearest: 1}\n",
        "",
        "evaluator.kind: is judge, which needs the section pairing; "
        "add pairing, or choose another kind",
    ),
    (
        "pairing: {anchors: [tern@step1], nearest: 1}",
        "pairing: {}",
        "pairing: picks no pair; "
        "give anchors, last_accepted: true, nearest above 0, or recorded: true",
    ),
    (
        "pairing: {anchors: [tern@step1], nearest: 1}",
        "pairing: {recorded: true, nearest: 1}",
        "pairing.recorded: stands beside pairs that are picked; "
        "take out anchors, last_accepted and nearest, or take out recorded",
    ),
    (
        "  annotations: [helpful_labels]",
        "  truth: label",
        "judging.truth: is label, and no labels are named; "
        "name the set in judging.annotations, or take truth out",
    ),
    (
        "human_ratio: 0.9}",
        "human_ratio: 0.9, label_accuracy: 0.8}",
        "judging.bars.label_accuracy: needs labels that are the truth; "
        "write judging.truth: label beside it, or take it out",
    ),
    (
        "  annotations: [helpful_labels]",
        "  annotations: [helpful_labels]\n  truth_rule: sum",
        "judging.truth_rule: needs labels that are the truth; "
        "write judging.truth: label beside it, or take it out",
    ),
    (
        "name: mild",
        "name: stern",
        "judging.judges: name stern twice; keep one",
    ),
    (
        "name: mild",
        "name: panel",
        "judging.judges[1].name: is panel, which stands for all judges together; rename the judge",
    ),
    (
        "name: mild, family: tern",
        "name: mild, family: tern, source: openai, model: m",
        "judging.judges[1]: is asked live and has no prompt; "
        "name its prompt, or read recorded votes",
    ),
    (
        "name: mild, family: tern",
        "name: mild, family: tern, source: openai, model: m, prompt: prompts/pairwise",
        "judging.judges[1].prompt: is 'prompts/pairwise'; "
        "prompt 'pairwise' has no version: write it as name@1",
    ),
    (
        "name: mild, family: tern",
        "name: mild, family: tern, form: pointwise",
        "judging.judges[1]: scores single replies and has no prompt; "
        "name its prompt: the rubric there says what the scores mean",
    ),
    (
        "name: mild, family: tern",
        "name: mild, family: tern, form: pointwise, prompt: rubric@1, verdicts: slots",
        "judging.judges[1].verdicts: is for votes on pairs; take it out",
    ),
    (
        "human_ratio: 0.9}",
        "human_ratio: 0.9, scores: {offset: 0.2}}",
        "judging.bars.scores: needs a judge of single replies; "
        "write form: pointwise beside such a judge, or take it out",
    ),
    (
        "{metric: length_controlled_win_rate}",
        "{metric: judge_score}",
        "question.primary_endpoint.metric: is judge_score, which needs a judge that scores single "
        "replies; name one in judging, with form: pointwise",
    ),
    (
        "judges: [{name: stern, family: heron}, {name: mild, family: tern}]",
        "judges: [{name: stern, family: heron, form: pointwise, prompt: rubric@1}]",
        "pairing: is about pairs, and all judges score single replies; "
        "name a judge that sees pairs, or take pairing out",
    ),
    (
        "judges: [{name: stern, family: heron}, {name: mild, family: tern}]",
        "sentinels: 4\n  judges: [{name: stern, family: heron, form: pointwise, prompt: rubric@1}]",
        "judging.sentinels: needs a judge of pairs, and none is; "
        "name a judge that sees pairs, or take it out",
    ),
    (
        "annotations:",
        "sample: {per_pair: 4, stratify: [topic]}\n  annotations:",
        "judging.sample.stratify[0]: is 'topic', which is no slice; add it to task.slices",
    ),
    (
        "{families: [tern]}",
        "{families: [tern], exclude: [tern@step1]}",
        "pairing.anchors[0]: is tern@step1, which targets.exclude leaves out; "
        "take it out of targets.exclude, or name another",
    ),
    (
        "infra_error: exclude",
        "infra_error: retry",
        "failures.infra_error: is retry, but budget.retries is 0; "
        "raise budget.retries, or write exclude",
    ),
    (
        "name: mild, family: tern}]",
        "name: mild, family: tern, source: openai}]\n  orders: one\n  score: probability",
        "judging.orders: is one, but a judge is asked live; "
        "take it out, or read recorded votes only",
    ),
    (
        "length_control: {baseline: tern@step1}",
        "length_control: {baseline: tern@step1, gamed: [tern@long]}",
        "length_control.gamed_weight: is missing, but gamed names checkpoints; "
        "say what a gamed comparison weighs where a plain one weighs 1, such as 0.1",
    ),
    (
        "length_control: {baseline: tern@step1}",
        "length_control: {baseline: tern@step1, gamed_weight: 0.1}",
        "length_control.gamed_weight: weighs nothing: gamed is empty; "
        "name the checkpoints in length_control.gamed, or take it out",
    ),
    (
        "length_control: {baseline: tern@step1}",
        "length_control: {baseline: tern@step1, gamed_weight: 0.1, gamed: [tern@step1]}",
        "length_control.gamed: names the baseline tern@step1 itself; "
        "name versions of the baseline that were told to be long or short",
    ),
    (
        "length_control: {baseline: tern@step1}",
        "length_control: {baseline: tern@step1, gamed_weight: 0.1, gamed: [tern@long], "
        "gamed_statistics: {baseline_length: b, lengths: [l], weight: 0.1, won_length: 1.0}}",
        "length_control.gamed_statistics: stands beside length_control.gamed; "
        "keep the checkpoints, or the sums where only those are known",
    ),
]


def test_early_looks_reach_no_fitted_rate(root):
    text = JUDGED.replace("statistics: {", "statistics: {sequential: true, ")
    of_means = text.replace("metric: length_controlled_win_rate", "metric: win_rate")
    load_contract(root, write_project(root, of_means))
    assert said(root, text) == [
        "statistics.sequential: does not reach the primary endpoint length_controlled_win_rate, "
        "whose interval is of one planned look; let win_rate decide, or take it out"
    ]


@pytest.mark.parametrize(("old", "new", "fault"), JUDGED_CASES)
def test_a_rule_of_judged_contracts_names_the_field_and_the_mend(root, old, new, fault):
    assert fault in said(root, JUDGED.replace(old, new))


def test_sections_that_rest_on_judges_are_refused_without_them(root):
    text = WORDS + "pairing: {nearest: 1}\nranking: {}\n"
    assert said(root, text) == [
        "pairing: needs the section judging; add judging, or take pairing out",
        "ranking: needs the section judging; add judging, or take ranking out",
    ]


def test_what_the_rules_allow_is_loaded(root):
    text = (
        WORDS.replace("numeric@1", "choice@1")
        .replace("timeout: wrong", "timeout: chance")
        .replace("infra_error: exclude", "infra_error: retry")
        .replace("over_items: micro", "over_items: macro, macro_over: operation")
        .replace("refusal_rate, at_most", "majority@8, at_least")
        .replace("rule: non_inferior\n  margin: 0.02", "rule: superior")
    )
    assert parsed(root, text).decision.margin == 0
    unknown = WORDS.replace(
        "budget: {draws_per_item: 8, retries: 2, timeout_seconds: 60}",
        "budget: {unknown: published without it}",
    ).replace("infra_error: exclude", "infra_error: retry")
    assert parsed(root, unknown).budget.unknown


def test_a_rule_is_silent_about_sections_that_are_broken_already(root):
    text = WORDS.replace("draws_per_item: 8", "draws_per_item: eight").replace("k: 1}", "k: 99}")
    assert said(root, text) == [
        "budget.draws_per_item: must be a whole number, not 'eight'; "
        "say how many replies each item gets"
    ]
