"""A contest of two models with a known winner, and judges who see it through their biases.

heron is better: it deserves to win TRUE_WIN_RATE of the pairs. tern is longer. The judge `seated`
is of tern's family and has every bias; two more judges are of neither family and have none.
"""

import numpy as np
from numpy.typing import NDArray

from eval_pipeline.ingest.checkpoint import write_success
from eval_pipeline.lab.chance import logistic
from eval_pipeline.lab.contracts import MANIFEST
from eval_pipeline.lab.files import lines, put
from eval_pipeline.lab.judges import Bias, Voter
from eval_pipeline.lab.planted import Checkpoint, CodeRates, PlantedJudge, Rates
from eval_pipeline.lab.votes import ComparedPair, labels, votes
from eval_pipeline.layout import DataRoot
from eval_pipeline.statistics.randomness import generator

TRUE_WIN_RATE = 0.58
BETTER, LONGER = "heron@act", "tern@act"
BIASED = "seated"
CONTEST, PILOT = "contest", "pilot"
ITEMS = {CONTEST: 1000, PILOT: 40}
LENGTHS = (-300.0, 60.0)  # heron's reply minus tern's, tokens, uniform: 120 fewer on average
SHORTEST = 320  # tokens of tern's reply
LABELLED = 800  # items that three people label, of the contest

_STEADY = Voter(consensus=0.97, noise=0.03, tie_share=0.02)
JUDGES = (
    PlantedJudge(BIASED, "tern", Bias(0.12, 0.05, 0.08), _STEADY, 0.0, 0.0, False),
    PlantedJudge("osprey_judge", "osprey", Bias(), _STEADY, 0.0, 0.0, True),
    PlantedJudge("gull_judge", "gull", Bias(), _STEADY, 0.0, 0.0, True),
)
BY_CONTRACT = {CONTEST: JUDGES, PILOT: JUDGES[1:]}

CONTRACT = """\
contract: {name}
version: 1
question:
  text: Which of the two writes the better reply?
  primary_endpoint: {{metric: win_rate}}
targets: {{families: [heron, tern], reference: {longer}}}
task: {{benchmark: {name}@1, population: requests that the lab makes up}}
prompt: {{template: prompts/act.txt, few_shot: 0}}
decoding: {{temperature: 0.7, top_p: 1.0, max_tokens: 512, stop: [], tools: none}}
budget: {{draws_per_item: 1, retries: 0, timeout_seconds: 60}}
unit: {{of_analysis: item}}
aggregation: {{over_draws: unbiased, over_items: micro}}
failures:
  parser_failure: wrong
  model_refusal: wrong
  timeout: wrong
  permission_denied: wrong
  infra_error: exclude
  invalid_sample: exclude
decision: {{rule: superior, confidence: 0.95}}
evaluator: {{kind: judge, reason: replies have no reference answer, uncovered: all but preference}}
metrics: [{{name: win_rate}}, {{name: length_controlled_win_rate}}]
statistics: {{replicates: 100, seed: {seed}}}
pairing: {{nearest: 1}}
judging:
  judges: [{judges}]
  orders: both
  repeats: 2
  bars: {{position_effect: 0.05, verbosity_per_100_tokens: 0.04, self_preference: 0.05,
    human_ratio: 0.8}}
  annotations: [{name}_raters]
length_control: {{baseline: {longer}}}
"""


def write_acts(root: DataRoot, seed: int) -> None:
    """Writes the contest and its pilot below a root: contracts, replies, votes, labels."""
    put(root.prompts / "act.txt", "{question}\n")
    for name, n in ITEMS.items():
        _write_contest(root, name, n, seed)
    for number, checkpoint in enumerate((LONGER, BETTER)):
        family = checkpoint.split("@")[0]
        text = MANIFEST.format(
            family=family,
            parent="null",
            date=f"2026-01-{12 + 7 * number}",
            seed=seed,
            weights="0" * 64,
            template="0" * 64,
        )
        put(root.checkpoint(checkpoint) / "checkpoint.yaml", text)
        write_success(root.checkpoint(checkpoint))


def _write_contest(root: DataRoot, name: str, n: int, seed: int) -> None:
    ids = [f"{name}-{i:04d}" for i in range(n)]
    rng = generator(seed, "acts", name)
    length = np.round(rng.uniform(*LENGTHS, n))
    put(root.items(f"{name}@1"), lines([{"item_id": i, "prompt": f"Request {i}."} for i in ids]))
    tokens = {LONGER: np.full(n, SHORTEST), BETTER: SHORTEST + length.astype(np.int64)}
    for checkpoint, counts in tokens.items():
        rows = [
            {"item_id": item, "draw": 0, "text": ("word" * int(count)), "finish_reason": "stop"}
            for item, count in zip(ids, counts, strict=True)
        ]
        put(root.checkpoint(checkpoint) / f"{name}.jsonl", lines(rows))
    pair = ComparedPair(
        BETTER, _model(BETTER), _model(LONGER), TRUE_WIN_RATE, _evenly(n, rng), length
    )
    for judge in BY_CONTRACT[name]:
        put(root.judgments(judge.name, name, BETTER), lines(votes(judge, pair, ids, seed)))
    put(root.annotations(f"{name}_raters"), lines(labels(pair, ids, seed, LABELLED)))
    named = ", ".join(f"{{name: {one.name}, family: {one.family}}}" for one in BY_CONTRACT[name])
    text = CONTRACT.format(name=name, longer=LONGER, seed=seed, judges=named)
    put(root.contract_file(name, 1), text)


def _evenly(n: int, rng: np.random.Generator) -> NDArray[np.float64]:
    """n opinions spread evenly over 0..1 in random order: so the items' luck decides no act."""
    return np.asarray((rng.permutation(n) + rng.random(n)) / n)


def _model(name: str) -> Checkpoint:
    none, no_code = Rates(0.0, 0.0, 0.0, 0.0), CodeRates(0.0, 0.0, 0.0)
    family = name.split("@")[0]
    return Checkpoint(name, family, "2026-01-01", None, 0.0, none, 0.0, no_code, logistic(0.0), 0.5)
