"""Special tokens are no text; what only looks like one stays."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval_pipeline.reply_text import without_turn_tokens

ENDS = [
    "</s>", "<s>", "<eos>", "<eoa>", "<eop>", "<eoh>", "<eod>", "<eom>", "<pad>", "<unk>", "<EOS>",
    "<|im_end|>", "<|endoftext|>", "<|eot_id|>", "<|eom_id|>", "<|end_of_text|>", "<|eot|>",
    "<|end|>", "<|return|>", "<|call|>", "<|EOT|>", "<|eos|>", "<|endofturn|>", "<|end_of_turn|>",
    "<end_of_turn>", "<｜end▁of▁sentence｜>", "<|END_OF_TURN_TOKEN|>", "<|END_RESPONSE|>",
    "<EOS_TOKEN>", "[|endofturn|]", "[EOS]", "[SEP]", "[PAD]", "[EOT]", "[UNK]", "[/INST]",
    "<TOKENS_UNUSED_1>", "<reserved_107>", "<end_of_sentence>", "<seed:eos>", "<|extra_0|>",
    "<|finetune_right_pad_id|>", "<|separator|>", "<｜▁pad▁｜>", "<|end_of_role|>", "<extra_id_1>",
    "<|assistant|>", "<|im_start|>", "<|im_start|>assistant", "<start_of_turn>model",
]  # fmt: skip
BEGINNINGS = [
    "<s>", "<bos>", "<|begin_of_text|>", "<|startoftext|>", "<｜begin▁of▁sentence｜>",
    "<BOS_TOKEN>", "[gMASK]<sop>", "[CLS]", "[/INST]", "<|assistant|>\n", "<|im_start|>assistant\n",
    "<|start_header_id|>assistant<|end_header_id|>\n\n", "<start_of_turn>model\n",
    "<|header_start|>assistant<|header_end|>\n\n", "<|start|>assistant<|channel|>final<|message|>",
    "<|START_OF_TURN_TOKEN|><|CHATBOT_TOKEN|>", "<|start_of_role|>assistant<|end_of_role|>",
    "[|assistant|]", "<｜Assistant｜>", "<|im_assistant|>assistant<|im_middle|>", "<reserved_107>",
]  # fmt: skip
OTHERS = [
    "<|im_start|>user\n", "<|user|>\n", "<|User|>:", "[INST] ", "<start_of_turn>user\n",
    "<|start_header_id|>user<|end_header_id|>\n\n", "<｜User｜>", "<|Human|>: ", "[|user|]",
    "<|START_OF_TURN_TOKEN|><|USER_TOKEN|>", "<|start|>user<|message|>", "<reserved_106>",
    "<|start_of_role|>user<|end_of_role|>", "<|im_user|>user<|im_middle|>", "<|prompter|>",
]  # fmt: skip


@pytest.mark.parametrize("token", ENDS)
@pytest.mark.parametrize("between", ["", " ", "\n", f" {ENDS[0]}"])
def test_a_token_at_the_end_is_no_text(token: str, between: str):
    assert without_turn_tokens(f"Answer: A{between}{token}").rstrip() == "Answer: A"
    assert without_turn_tokens(f"Answer: A{between}{token}\n{token}").rstrip() == "Answer: A"


@pytest.mark.parametrize("token", BEGINNINGS)
def test_a_token_at_the_beginning_is_no_text(token: str):
    assert without_turn_tokens(f"{token}Answer: A").strip() == "Answer: A"
    assert without_turn_tokens(f"{token}Answer: A</s>").strip() == "Answer: A"


@pytest.mark.parametrize("opened", OTHERS)
@pytest.mark.parametrize("end", ["", "</s>", "<|im_end|>\n"])
def test_the_turn_of_another_speaker_is_not_the_replys(opened: str, end: str):
    assert without_turn_tokens(f"Answer: A{end}{opened}And now?\nAnswer: B") == "Answer: A"


@pytest.mark.parametrize("opened", OTHERS)
def test_a_prompt_that_is_echoed_cuts_nothing(opened: str):
    echoed = f"<s>{opened}What?<|im_end|>\n{opened}Please.</s>\n<|im_start|>assistant\nAnswer: A"
    assert without_turn_tokens(echoed).endswith("Answer: A")


def test_the_words_of_two_turns_are_not_one():
    assert without_turn_tokens("42</s>43") == "42\n43"
    assert without_turn_tokens("A<|im_end|>B") == "A\nB"


@pytest.mark.parametrize(
    "text",
    [
        "Use `</s>` to stop.",
        "The token '<|im_end|>' ends a turn.",
        'print("<pad>")',
        '```python\nprompt = f"<|im_start|>user\\n{q}<|im_end|>"\n```',
        "Not <s>B</s> but C",
        "<s>B</s> C",
        "The <unk> is 5",
        "a < b and b > c, or |x| < 3",
        r"$\langle x \rangle < [1, 2] <|x|>$",
        "<html><b>bold</b></html> [1] [link](there)",
        "List<String> x; if (a<s && s>b) {}",
        "no token at all",
        "",
    ],
)
def test_what_is_no_token_stays(text: str):
    assert without_turn_tokens(text) == text


def test_a_token_within_an_open_fence_ends_it():
    assert without_turn_tokens("```python\nx = 1\n<|im_end|>") == "```python\nx = 1"


@given(st.text(alphabet="<|>[]/sINTend`\"' \nAB", max_size=60))
def test_it_does_not_fail_and_adds_nothing(text: str):
    assert len(without_turn_tokens(text)) <= len(text)


@pytest.mark.parametrize(
    "part", ["<", "[", "<|", "<|a", "```", "`", "<s>", "<s>a", "[INST]", "<unk>"]
)
def test_a_hostile_text_costs_no_more_than_its_length(part: str):
    started = time.perf_counter()
    without_turn_tokens(part * (200_000 // len(part)))
    assert time.perf_counter() - started < 2
