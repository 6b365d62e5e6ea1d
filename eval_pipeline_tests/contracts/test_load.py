"""A contract is taken whole or refused with everything that is wrong, and takes nobody down."""

import subprocess
import sys
from datetime import date

import pytest

from eval_pipeline.contracts.faults import ContractFaults
from eval_pipeline.contracts.load import load_all, load_contract
from eval_pipeline.contracts.model import Contract
from eval_pipeline.contracts.part import Part
from eval_pipeline.contracts.shape import Problem
from eval_pipeline_tests.contracts.project import JUDGED, WORDS, parsed, write, write_project


def message(root, text: str) -> str:
    with pytest.raises(ContractFaults) as caught:
        load_contract(root, write_project(root, text))
    return str(caught.value)


def test_a_whole_contract_is_loaded_with_its_evidence(root):
    loaded = load_contract(root, write_project(root))
    assert loaded.contract.title == "words/v1"
    assert loaded.file == "contracts/words/v1.yaml"
    assert len(loaded.sha256) == 64
    assert loaded.lines["decision.guardrails[0].metric"] == ("contracts/words/v1.yaml", 28)
    assert load_contract(root, write_project(root, JUDGED)).contract.title == "replies/v1"


def test_all_faults_come_at_once_each_with_field_file_line_and_mend(root):
    text = (
        WORDS.replace("k: 1}", "k: 9}")
        .replace("margin: 0.02", "margin: 0")
        .replace("words@1", "wrods@1")
        .replace("[operation]", "operation")
        .replace("plain.txt", "plian.txt")
        .replace("timeout: wrong", "timeout: true")
        .replace("  model_refusal: wrong\n", "")
        .replace("temperature: 0.8", "temprature: 0.8")
        .replace("seed: 7", "seed: '7', confidence: 0.9")
        .replace("reason: answers are numbers", "reason: 5")
        + "margn: 1\n"
    )
    assert message(root, text) == "\n".join(
        [
            "contracts/words/v1.yaml:7: question.primary_endpoint.k: "
            "is 9, but budget.draws_per_item is 8; lower k to 8 or draw more",
            "contracts/words/v1.yaml:10: task.benchmark: is wrods@1, which is not there; "
            "add benchmarks/wrods/v1/items.jsonl; did you mean words@1?",
            "contracts/words/v1.yaml:12: task.slices: must be a list, not 'operation'; "
            "write [operation]",
            "contracts/words/v1.yaml:13: prompt.template: is 'prompts/plian.txt', "
            "which is not there; add prompts/plian.txt; did you mean prompts/plain.txt?",
            "contracts/words/v1.yaml:14: decoding.temperature: is missing; "
            "give the sampling temperature, 0 for greedy",
            "contracts/words/v1.yaml:14: decoding.temprature: is not a key that is known here; "
            "did you mean temperature?",
            "contracts/words/v1.yaml:18: failures.model_refusal: is missing; "
            "say what a refusal counts as: wrong, exclude, chance or retry",
            "contracts/words/v1.yaml:20: failures.timeout: is true, which is no choice here; "
            "use one of wrong, exclude, chance, retry",
            "contracts/words/v1.yaml:26: decision.margin: is 0, and non_inferior needs a margin "
            "above 0; say how large a difference does not matter",
            'contracts/words/v1.yaml:28: evaluator.reason: must be text, not 5; quote it: "5"',
            "contracts/words/v1.yaml:31: statistics.confidence: "
            "is not a key that is known here; it belongs to decision",
            "contracts/words/v1.yaml:31: statistics.seed: must be a whole number, not '7'; "
            "take the quotes away",
            "contracts/words/v1.yaml:32: margn: is not a key that is known here; "
            "use one of contract, version, status, question, targets, task, prompt, decoding, "
            "budget, unit, aggregation, failures, decision, evaluator, verification, metrics, "
            "contamination, statistics, pairing, judging, length_control, ranking, item_analysis, "
            "metric_validity, safety_frontier",
        ]
    )


def test_an_empty_contract_is_told_everything_that_it_has_to_decide(root):
    write_project(root)
    path = write(root, "contracts/words/v1.yaml", "contract: words\nversion: 1\n")
    with pytest.raises(ContractFaults) as caught:
        load_contract(root, path)
    assert {fault.field: fault.mend for fault in caught.value.faults} == {
        "question": "state the question and its primary endpoint",
        "targets": "say which checkpoints it is about and what they are held against",
        "task": "name the benchmark and the population it stands for",
        "prompt": "name the template and the number of examples shown",
        "decoding": "state temperature, top_p, max_tokens, stop and tools",
        "budget": "state draws_per_item, retries and timeout_seconds",
        "unit": "state the unit of analysis and what clusters it",
        "aggregation": "state how draws and items are averaged",
        "failures": "say what each failed status counts as",
        "decision": "state rule, margin, confidence and guardrails",
        "evaluator": "state kind, reason and what is left uncovered",
        "statistics": "choose a seed, replicates and the multiplicity rule",
    }


def test_every_field_that_must_be_given_says_what_to_decide():
    silent = [
        f"{part.__name__}.{name}"
        for part in _parts(Part)
        for name, info in part.model_fields.items()
        if info.is_required() and not info.description
    ]
    assert silent == []


def _parts(part: type[Part]) -> list[type[Part]]:
    return [part, *(below for child in part.__subclasses__() for below in _parts(child))]


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("{clustered_by: template_id}", "{unknown: x}", "unit.unknown: may not be unknown; "
         "state it: no number can be computed without it"),
        ("max_tokens: 256}", "max_tokens: 256, unknown: x}", "decoding.max_tokens: "
         "stands beside `unknown`; keep the values or the reason, not both"),
        ("of primary school", "", ""),
        ("max_tokens: 256", "max_tokens: 256.0", "decoding.max_tokens: "
         "must be a whole number, not 256.0; write 256"),
        ("top_p: 0.95", "top_p: 1.5", "decoding.top_p: is 1.5, must be at most 1; lower it"),
        ("max_tokens: 256", "max_tokens: 0", "decoding.max_tokens: "
         "is 0, must be at least 1; raise it"),
        ("[tern, heron]", "[tern heron]", "targets.families[0]: is 'tern heron', which is not a "
         "name; use letters, digits and . _ @ + -, starting with a letter or digit"),
        ("[tern, heron]", "[2026-01-05]", "targets.families[0]: must be text, "
         'not the date 2026-01-05; quote it: "2026-01-05"'),
        ("answers are numbers", "''", "evaluator.reason: is empty; "
         "say why this kind of evaluator was chosen"),
        ("rule: non_inferior", "rule: noninferior", "decision.rule: is 'noninferior', "
         "which is no choice here; did you mean non_inferior?"),
        ("k: [1, 4, 8]", "k: []", "metrics[0].k: is an empty list; "
         "name at least one, or take the key out"),
        ("{seed: 7}", "", "statistics: has no value; "
         "choose a seed, replicates and the multiplicity rule"),
        ("{seed: 7}", "7", "statistics: must be a mapping, not 7; "
         "choose a seed, replicates and the multiplicity rule"),
        ("status: frozen ", "status: on ", "status: on is true or false to some readers and text "
         'to others; quote it ("on"), or write true or false'),
    ],
)  # fmt: skip
def test_what_does_not_fit_is_said_plainly(root, old, new, said):
    text = WORDS.replace(old, new)
    if not said:
        parsed(root, text)
        return
    first = next(line for line in message(root, text).split("\n") if said[:12] in line)
    assert first.split(": ", 1)[1] == said


def test_what_published_data_do_not_tell_may_be_unknown_with_a_reason(root):
    text = WORDS.replace(
        "decoding: {temperature: 0.8, top_p: 0.95, max_tokens: 256}",
        "decoding: {unknown: not published}",
    )
    assert parsed(root, text).decoding.unknown == "not published"
    assert message(root, text.replace("not published", "''")).endswith(
        "decoding.unknown: is empty; say why it is not known"
    )


def test_a_date_stays_a_date(root):
    text = JUDGED.replace("annotations:", "reaudit_by: 2027-01-31\n  annotations:")
    assert parsed(root, text).judging.reaudit_by == date(2027, 1, 31)
    quoted = text.replace("2027-01-31", "'2027-01-31'")
    assert message(root, quoted) == (
        "contracts/replies/v1.yaml:22: judging.reaudit_by: must be a date, not '2027-01-31'; "
        "write it as 2026-01-31, without quotes"
    )


def test_the_file_and_its_text_must_agree_on_name_and_version(root):
    write_project(root)
    path = write(root, "contracts/other/v3.yaml", WORDS)
    with pytest.raises(ContractFaults) as caught:
        load_contract(root, path)
    assert str(caught.value) == (
        "contracts/other/v3.yaml:2: contract: is 'words', but the folder is other; "
        "write other, or move the file\n"
        "contracts/other/v3.yaml:3: version: is 1, but the file is v3.yaml; "
        "make them agree: a changed contract is a new file and a new version"
    )


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("", "contracts/words/v1.yaml:1: is empty; "),
        ("- a\n", "contracts/words/v1.yaml:1: holds a list at its top; "),
        ("text\n", "contracts/words/v1.yaml:1: holds 'text' at its top; "),
    ],
)
def test_a_file_that_holds_no_contract_says_so(root, content, said):
    path = write(root, "contracts/words/v1.yaml", content)
    with pytest.raises(ContractFaults) as caught:
        load_contract(root, path)
    assert str(caught.value) == (
        said + "write the contract as `key: value` lines, or start with `eval-pipeline init`"
    )


def test_rules_of_other_rooms_are_asked_of_whole_contracts(root):
    def known_verifier(contract: Contract) -> list[Problem]:
        return [Problem(("verification", "verifier"), "is numeric@1, which is gone", "use @2")]

    with pytest.raises(ContractFaults) as caught:
        load_contract(root, write_project(root), [known_verifier])
    assert str(caught.value) == (
        "contracts/words/v1.yaml:30: verification.verifier: is numeric@1, which is gone; use @2"
    )


def test_a_broken_file_never_takes_the_others_down(root):
    write_project(root)
    write_project(root, JUDGED)
    write(root, "contracts/broken/v1.yaml", "contract: [")
    write(root, "contracts/words/v2.yaml", b"\xff\xfe")
    loaded = load_all(root)
    assert [one.contract.title for one in loaded.contracts] == ["replies/v1", "words/v1"]
    assert sorted(loaded.faults_by_file) == ["contracts/broken/v1.yaml", "contracts/words/v2.yaml"]


def test_odd_things_among_the_contracts_are_faults_and_hidden_ones_are_not(root):
    path = write_project(root)
    for place in ("words/v01.yaml", "words/notes.txt", "words/v2.yml", "words/.swap", "v1.yaml"):
        write(root, f"contracts/{place}", "x")
    write(root, "contracts/wo rds/v1.yaml", "x")
    write(root, "contracts/a\x1b[2J/v1.yaml", "x")
    (path.parent / "old").mkdir()
    (path.parent / "v4.yaml").symlink_to(path)
    (root.contracts / "linked").symlink_to(path.parent, target_is_directory=True)
    loaded = load_all(root)
    assert [one.contract.title for one in loaded.contracts] == ["words/v1"]
    place = "contracts lie at contracts/<contract>/v1.yaml"
    more = f"{place}, v2.yaml and so on"
    named = (
        "use letters, digits and . _ @ + -, starting with a letter or digit, at most 128 characters"
    )
    assert [str(fault) for those in loaded.faults_by_file.values() for fault in those] == [
        f"'contracts/a\\x1b[2J/v1.yaml': is no place of a contract; {more}",
        f"contracts/linked: is not the folder of a contract; {place}",
        f"contracts/v1.yaml: is not the folder of a contract; {place}",
        "contracts/wo rds/v1.yaml: lies in a folder that cannot be named; "
        f"contract name 'wo rds' is refused: {named}",
        f"contracts/words/notes.txt: is no place of a contract; {more}",
        f"contracts/words/old: is no place of a contract; {more}",
        f"contracts/words/v01.yaml: is no place of a contract; {more}",
        f"contracts/words/v2.yml: is no place of a contract; {more}",
        "contracts/words/v4.yaml: is a symbolic link; put the file itself there",
    ]


def test_two_names_that_would_share_an_asset_key_are_refused(root):
    write_project(root, WORDS.replace("contract: words", "contract: a.b"))
    write_project(root, WORDS.replace("contract: words", "contract: a-b"))
    loaded = load_all(root)
    assert [one.contract.title for one in loaded.contracts] == ["a-b/v1"]
    assert [str(fault) for fault in loaded.faults_by_file["contracts/a.b/v1.yaml"]] == [
        "contracts/a.b/v1.yaml:2: contract: is a.b, which shares its asset key with a-b; "
        "choose another name"
    ]


def test_a_retired_contract_stays_but_is_not_active(root):
    write_project(root)
    write_project(root, JUDGED)
    write(
        root,
        "contracts/retired.yaml",
        "- {contract: words, version: 1, reason: leaked, date: 2026-02-01}\n"
        "- {contract: gone, version: 1, reason: old, date: 2026-02-01}\n"
        "- {contract: replies, version: 1, reason: old}\n",
    )
    loaded = load_all(root)
    assert [one.contract.title for one in loaded.contracts] == ["replies/v1", "words/v1"]
    assert [one.contract.title for one in loaded.active] == ["replies/v1"]
    assert [str(fault) for fault in loaded.faults_by_file["contracts/retired.yaml"]] == [
        "contracts/retired.yaml:2: [1]: retires gone/v1, whose file is not there; "
        "correct the name, or put the file back: its results stay",
        "contracts/retired.yaml:3: [2].date: is missing; give the day",
    ]


def test_a_project_without_contracts_says_so(root):
    loaded = load_all(root)
    assert loaded.contracts == ()
    assert [str(fault) for those in loaded.faults_by_file.values() for fault in those] == [
        f"contracts: is not a folder in {root.path}; "
        "make it with `eval-pipeline init`, or set EVAL_PIPELINE_DATA"
    ]


def test_a_path_outside_the_data_is_refused(root, tmp_path):
    with pytest.raises(ValueError, match="lies outside"):
        load_contract(root, tmp_path / "contracts/words/v1.yaml")


def test_loading_imports_nothing_heavy():
    code = "import sys, eval_pipeline.contracts.load; print(*sys.modules)"
    run = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    heavy = {"numpy", "scipy", "pandas", "pyarrow", "dagster", "matplotlib"}
    assert heavy.isdisjoint(run.stdout.split())
