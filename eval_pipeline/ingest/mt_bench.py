"""What MT-Bench judgments are about: its questions and the models' answers, in files of their own.

A judgment names a question, a turn and two models, and holds no text. A later turn is an item of
its own: its question is all turns up to it, its reply the answer to the last of them.
Source: lm-sys/FastChat, fastchat/llm_judge.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from eval_pipeline.ingest.peers.sources import Source
from eval_pipeline.ingest.published_rows import published_rows
from eval_pipeline.ingest.published_votes import PublishedRow
from eval_pipeline.ingest.rejects import RowFault

Turns = tuple[str, ...]


@dataclass(frozen=True)
class Dialogues:
    """turns: question -> what the user says. answers: (model, question) -> what it answers."""

    turns: dict[str, Turns] = field(default_factory=dict)
    answers: dict[tuple[str, str], Turns] = field(default_factory=dict)
    about: dict[str, Mapping[str, str]] = field(default_factory=dict)

    def completed(self, row: PublishedRow) -> PublishedRow:
        """The row with its question and both replies.

        Raises RowFault that names what the files lack.
        """
        question, _, turn = (row.item_id or "").partition("/turn")
        place = int(turn or 1) if (turn or "1").isdigit() else 1
        turns = self.turns.get(question, ())
        if len(turns) < place:
            raise RowFault("unknown_item", f"no file holds turn {place} of question {question!r}")
        replies = []
        for model in row.models:
            said = self.answers.get((model, question), ())
            if len(said) < place:
                lacking = f"no file holds the answer of {model!r:.60} to turn {place} of {question}"
                raise RowFault("missing_key", lacking)
            replies.append(said[place - 1])
        asked, about = "\n\n".join(turns[:place]), self.about.get(question, {})
        return replace(row, question=asked, replies=(replies[0], replies[1]), about=about)


def is_beside(row: Mapping[str, object]) -> bool:
    """Whether a file of such rows holds questions or answers that judgments are about."""
    return "question_id" in row and ("turns" in row or {"model_id", "choices"} <= row.keys())


def dialogues(files: Iterable[Source]) -> Dialogues:
    """The questions and answers of the files; the first of an answer's choices counts."""
    found = Dialogues()
    for file in files:
        for _, row in published_rows(file):
            question = str(row.get("question_id"))
            choices = row.get("choices")
            if isinstance(choices, list) and choices and isinstance(choices[0], Mapping):
                model = str(row.get("model_id"))
                found.answers[model, question] = _texts(choices[0].get("turns"))
            elif "turns" in row:
                found.turns[question] = _texts(row["turns"])
                if isinstance(category := row.get("category"), str):
                    found.about[question] = {"category": category}
    return found


def _texts(value: object) -> Turns:
    return tuple(str(one) for one in value) if isinstance(value, list) else ()
