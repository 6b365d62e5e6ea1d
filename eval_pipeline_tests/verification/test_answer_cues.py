"""The answer begins where a cue ends, with its sign."""

import time

import pytest

from eval_pipeline.verification.extractions.answer_cues import ANSWER_CUE

CUES = [
    "The answer is", "Answer:", "**Answer:**", "The final answer is", "The answer should be",
    "The answer to the question is", "Answer -", "Answer ->", "| **Answer** |", '{"answer":',
    "Die richtige Antwort ist", "Antwort ist:", "Die Antwort lautet", "La respuesta correcta es",
    "La bonne réponse est", "Réponse :", "A resposta correta é", "La risposta corretta è",
    "Правильный ответ:", "Ответ —", "Poprawna odpowiedź to", "Správná odpověď je",
    "Het juiste antwoord is", "Rätt svar är", "Oikea vastaus on", "Doğru cevap:",
    "Jawaban yang benar adalah", "Đáp án đúng là", "Răspunsul corect este",
    "Η σωστή απάντηση είναι", "התשובה הנכונה היא",
    "الإجابة الصحيحة هي", "सही उत्तर:", "คำตอบที่ถูกต้องคือ", "答案是",
    "正确答案为：", "答えは", "정답은", "답:",
]  # fmt: skip


@pytest.mark.parametrize("cue", CUES)
@pytest.mark.parametrize("answer", ["-5", "42", "- 18", "x"])
def test_a_cue_ends_before_the_answer(cue: str, answer: str):
    found = ANSWER_CUE.search(f"{cue} {answer}")
    assert found is not None
    assert found.string[found.end() :].strip() == answer


@pytest.mark.parametrize(
    "text",
    [
        "answering is hard", "The answer, 5", "The answer to 2 + 3", "answer on page 5",
        "The answer isn't 5", "Answer\n- 5", "an answer", "5",
    ],
)  # fmt: skip
def test_other_words_are_no_cue(text: str):
    assert ANSWER_CUE.search(text) is None


@pytest.mark.parametrize(
    "part", ["answer ", "answer is ", "answer to ", "answer:*", "答", "*", " "]
)
def test_a_search_costs_no_more_than_the_text(part: str):
    seconds = []
    for length in (20_000, 200_000):
        started = time.process_time()
        sum(1 for _ in ANSWER_CUE.finditer(part * (length // len(part))))
        seconds.append(time.process_time() - started)
    assert seconds[1] < 25 * max(seconds[0], 0.01)
