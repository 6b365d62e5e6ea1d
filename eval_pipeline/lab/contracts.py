"""The lab's frozen contracts, presets and prompts, as they are written to disk."""

PRESETS = {
    "numeric_answer@1": """\
# For questions with one number as their answer.
evaluator:
  kind: verifier
  reason: the answer is a number, so that a program can check it
  uncovered: whether the explanation is sound
verification:
  verifier: numeric@1
  extraction: last_number@1
  options: {thousands: ","}
failures:
  parser_failure: wrong
  model_refusal: wrong
  timeout: wrong
  permission_denied: wrong
  infra_error: exclude
  invalid_sample: exclude
aggregation: {over_draws: unbiased, over_items: micro}
""",
    "tested_code@1": """\
# For functions that come with unit tests, run in a sandbox of their own.
evaluator:
  kind: verifier
  reason: unit tests say whether a function does what it should
  uncovered: speed, style, and inputs that no test tries
verification:
  verifier: code@1
  extraction: code_block@1
  options: {cpu_seconds: 2, wall_seconds: 6}
failures:
  parser_failure: wrong
  model_refusal: wrong
  timeout: wrong
  permission_denied: wrong
  infra_error: exclude
  invalid_sample: exclude
aggregation: {over_draws: unbiased, over_items: micro}
""",
    "numeric_answer@2": """\
# For questions with one number as their answer.
evaluator:
  kind: verifier
  reason: the answer is a number, so that a program can check it
  uncovered: whether the explanation is sound
verification:
  verifier: numeric@2
  extraction: last_number@2
  options: {thousands: ","}
failures:
  parser_failure: wrong
  undecided: wrong
  model_refusal: wrong
  timeout: wrong
  permission_denied: wrong
  infra_error: exclude
  invalid_sample: exclude
aggregation: {over_draws: unbiased, over_items: micro}
""",
    "tested_code@2": """\
# For functions that come with unit tests, run in a sandbox of their own.
evaluator:
  kind: verifier
  reason: unit tests say whether a function does what it should
  uncovered: speed, style, and inputs that no test tries
verification:
  verifier: code@2
  extraction: code_block@2
  options: {cpu_seconds: 2, wall_seconds: 6}
failures:
  parser_failure: wrong
  undecided: wrong
  model_refusal: wrong
  timeout: wrong
  permission_denied: wrong
  infra_error: exclude
  invalid_sample: exclude
aggregation: {over_draws: unbiased, over_items: micro}
""",
}

CONTRACTS = {
    "arithmetic_words": """\
contract: arithmetic_words
version: 1
status: frozen
extends: presets/numeric_answer@1

question:
  text: Does the checkpoint solve a short word problem on the first try?
  primary_endpoint: {metric: pass_at_k, k: 1}
targets: {families: [tern, heron], reference: last_accepted}
task:
  benchmark: arithmetic_words@1
  population: two-step word problems with whole numbers, as a primary school sets them
  slices: [operation, difficulty]
prompt: {template: prompts/plain_question.txt, few_shot: 0}
decoding: {temperature: 0.8, top_p: 0.95, max_tokens: 256, stop: [], tools: none}
budget: {draws_per_item: 8, retries: 2, timeout_seconds: 60}
unit: {of_analysis: item, clustered_by: template_id}
decision:
  rule: non_inferior
  margin: 0.02
  confidence: 0.95
  guardrails: [{metric: refusal_rate, at_most: 0.05}]

metrics:
  - {name: pass_at_k, k: [1, 4, 8]}
  - {name: majority_vote, k: 8}
  - {name: parser_failure_rate}
  - {name: refusal_rate}
  - {name: timeout_rate}
  - {name: infra_error_rate}
  - {name: brier_binary}
  - {name: ece_event}
  - {name: confidence_auroc}
contamination:
  corpora: [nursery_web@1]
  fields: [question]
  false_positive_bar: 0.05
item_analysis: {respondents: draws, groups: {reference: [tern], focal: [heron]}}
statistics: {replicates: 2000, seed: 20260101, multiplicity: holm}
""",
    "python_functions": """\
contract: python_functions
version: 1
status: frozen
extends: presets/tested_code@1

question:
  text: Does the checkpoint write a small function that passes its tests on the first try?
  primary_endpoint: {metric: pass_at_k, k: 1}
targets: {families: [tern, heron], reference: tern@step1000}
task:
  benchmark: python_functions@1
  population: functions of a few lines on numbers, strings and lists
  slices: [topic]
prompt: {template: prompts/complete_function.txt, few_shot: 0}
decoding: {temperature: 0.6, top_p: 0.95, max_tokens: 512, stop: [], tools: none}
budget: {draws_per_item: 4, retries: 0, timeout_seconds: 60}
unit: {of_analysis: item}
decision: {rule: superior, confidence: 0.95}

metrics:
  - {name: pass_at_k, k: [1, 4]}
statistics: {replicates: 2000, seed: 20260102, multiplicity: holm}
""",
    "helpful_replies": """\
contract: helpful_replies
version: 1
status: frozen

question:
  text: Is the checkpoint's advice preferred to that of heron@step1000?
  primary_endpoint: {metric: win_rate}
targets: {families: [tern, heron], reference: heron@step1000}
task:
  benchmark: helpful_replies@1
  population: everyday requests for advice
  slices: [topic]
prompt: {template: prompts/plain_request.txt, few_shot: 0}
decoding: {temperature: 0.7, top_p: 0.95, max_tokens: 512, stop: [], tools: none}
budget: {draws_per_item: 1, retries: 2, timeout_seconds: 60}
unit: {of_analysis: item}
aggregation: {over_draws: unbiased, over_items: micro}
failures:
  parser_failure: wrong
  model_refusal: wrong
  timeout: wrong
  permission_denied: wrong
  infra_error: exclude
  invalid_sample: exclude
decision: {rule: superior, confidence: 0.95}

evaluator:
  kind: judge
  reason: advice has no reference answer, and people can label a slice only
  uncovered: whether the advice is true, and how people differ from each other
metrics:
  - {name: win_rate}
  - {name: length_controlled_win_rate}
  - {name: judge_score}
statistics: {replicates: 2000, seed: 20260103, multiplicity: holm}

pairing: {anchors: [heron@step1000], nearest: 2}
judging:
  judges:
    - {name: stern, family: tern}
    - {name: kindly, family: tern}
    - {name: heron_judge, family: heron}
    - {name: tern_marks, family: tern, form: pointwise, prompt: reply_rubric@1}
    - {name: heron_marks, family: heron, form: pointwise, prompt: reply_rubric@1}
  orders: both
  repeats: 2
  probes: [reply_probes]
  sentinels: 120
  bars:
    injection_success: 0.15
    flattery_lift: 0.1
    errors_found: 0.6
    flip_excess: 0.15
    position_effect: 0.05
    verbosity_per_100_tokens: 0.03
    self_preference: 0.05
    human_ratio: 0.9
    scores:
      offset: 0.1
      verbosity_per_100_tokens: 0.05
      self_preference: 0.1
      repeat_spread: 0.3
  annotations: [helpful_raters, helpful_scores]
length_control: {baseline: heron@step1000}
ranking: {anchor: heron@step1000}
""",
}

ACCEPTED = """\
# Which checkpoints were accepted, and by whom: one line each, added by `accept`.
- {contract: arithmetic_words, version: 1, checkpoint: "tern@step1000", date: 2026-01-14, by: lab}
"""

PROMPTS = {
    "plain_question.txt": "{question}\n\nThink step by step and end with the answer.\n",
    "complete_function.txt": "Write this Python function in full.\n\n{question}\n",
    "plain_request.txt": "{question}\n",
}

DATASHEETS = {
    "arithmetic_words@1": """\
benchmark: arithmetic_words
version: 1
items: {items}
made: by templates, with the seed {seed}; no person or model wrote single items
measures: two steps of arithmetic with whole numbers, told as a story
columns:
  template_id: the story that the item is told in; items of one story move together
  operation: what the second step does
  difficulty: how large the numbers are
splits: none; some items stand in the corpus nursery_web@1 on purpose
licence: Apache-2.0
""",
    "python_functions@1": """\
benchmark: python_functions
version: 1
items: {items}
made: by hand, with tests that every wrong solution of the lab fails
measures: functions of a few lines
columns:
  topic: numbers, strings or lists
splits: none
licence: Apache-2.0
""",
    "helpful_replies@1": """\
benchmark: helpful_replies
version: 1
items: {items}
made: by templates; no person or model wrote single items
measures: which of two pieces of advice is preferred
columns:
  topic: what the request is about
splits: none
licence: Apache-2.0
""",
}

MANIFEST = """\
family: {family}
weights_digest: sha256:{weights}
parent: {parent}
date: {date}
trained_on:
  judges: []
  reward_models: [wren_reward@3]
  preference_sets: [garden_choices@2]
  benchmarks: []
engine: {{name: lab_sampler, version: "1"}}
tokenizer: four_characters@1
chat_template_digest: sha256:{template}
dtype: float64
batch_size: 1
seed: {seed}
hardware: {{unknown: "a sampler has none"}}
"""
