"""What a manifest states of how replies were drawn is held against what a contract declares."""

import hashlib

import pytest

from eval_pipeline.contracts.conditions import contradictions, unverified
from eval_pipeline.contracts.targets import CheckpointFacts, checkpoint_facts
from eval_pipeline_tests.contracts.project import FACTS, parsed, write

TEMPLATE = hashlib.sha256(b"{question}\n").hexdigest()
AGREEING = f"""\
decoding: {{temperature: 0.80, top_p: 0.95, max_tokens: 256, stop: []}}
prompt: {{template: prompts/plain.txt, digest: "sha256:{TEMPLATE}"}}
"""


def facts_with(root, stated: str) -> CheckpointFacts:
    write(root, "checkpoints/tern@1/checkpoint.yaml", FACTS + stated)
    return checkpoint_facts(root, "tern@1")


def test_a_manifest_that_says_what_the_contract_declares_vouches_for_it(root):
    contract, facts = parsed(root), facts_with(root, AGREEING)
    assert contradictions(contract, facts, TEMPLATE) == []
    assert unverified(contract, {"tern@1": facts.conditions}) is None


@pytest.mark.parametrize(
    ("stated", "said"),
    [
        ("decoding: {temperature: 1}", "decoding.temperature is 1 and words/v1 declares 0.8"),
        ("decoding: {top_p: 1.0}", "decoding.top_p is 1.0 and words/v1 declares 0.95"),
        ("decoding: {max_tokens: '512'}", "decoding.max_tokens is '512' and words/v1 declares 256"),
        ("decoding: {stop: [END]}", 'decoding.stop is ["END"] and words/v1 declares []'),
        ("decoding: greedy", "decoding is 'greedy' and words/v1 declares "),
        (
            "prompt: {template: prompts/other.txt}",
            "prompt.template is 'prompts/other.txt' and words/v1 declares 'prompts/plain.txt'",
        ),
        ("prompt: {digest: 'sha256:00'}", "prompt.digest is 'sha256:00' and words/v1 declares "),
        ("prompt: {few_shot: 5}", "prompt.few_shot is 5 and words/v1 declares 0"),
    ],
)
def test_a_contradiction_is_one_line_with_its_place_and_mend(root, stated, said):
    (line,) = contradictions(parsed(root), facts_with(root, stated), TEMPLATE)
    assert line.startswith(f"checkpoints/tern@1/checkpoint.yaml: {said}")
    assert "mend what is wrong there, or leave tern@1 out by targets.exclude" in line
    assert "\n" not in line


def test_several_contradictions_are_one_line(root):
    stated = "decoding: {temperature: 1, top_p: 1}"
    (line,) = contradictions(parsed(root), facts_with(root, stated), TEMPLATE)
    said = ("decoding.temperature is 1 and words/v1 declares 0.8", "decoding.top_p is 1 and ")
    assert line.startswith(f"checkpoints/tern@1/checkpoint.yaml: {', '.join(said)}")


def test_what_is_stated_of_the_benchmark_goes_before_what_is_stated_of_all(root):
    contract = parsed(root)
    own = f"conditions: {{{contract.benchmark}: {{decoding: {{temperature: 0.8}}}}}}\n"
    agrees = facts_with(root, own + "decoding: {temperature: 0.1}")
    assert contradictions(contract, agrees, TEMPLATE) == []
    differs = facts_with(root, own.replace("0.8", "0.2") + "decoding: {temperature: 0.8}")
    (line,) = contradictions(contract, differs, TEMPLATE)
    assert f"conditions.{contract.benchmark}.decoding.temperature is 0.2" in line


def test_what_is_not_stated_is_unverified_and_refuses_nothing(root):
    contract = parsed(root)
    silent = facts_with(root, "decoding: {unknown: nobody wrote it down}")
    assert contradictions(contract, silent, TEMPLATE) == []
    alike = {"a": silent.conditions, "b": {}}
    assert unverified(contract, alike) == (
        "words/v1: declared and unverified: decoding, prompt of every checkpoint: "
        "checkpoint.yaml does not state it"
    )
    some = {"a": facts_with(root, AGREEING).conditions, "b": {"decoding": {"temperature": 0.8}}}
    assert unverified(contract, some) == (
        "words/v1: declared and unverified: decoding.top_p, decoding.max_tokens, decoding.stop, "
        "prompt of b: checkpoint.yaml does not state it"
    )
