"""Which verifiers and extractions there are, by name and version.

Names lead to modules that are imported on use, so that a contract is checked in milliseconds.
"""

from collections.abc import Mapping
from dataclasses import Field, fields
from importlib import import_module
from typing import Any, cast

from eval_pipeline.verification.verdict import Extraction, Verifier

Options = Mapping[str, object]  # what a contract declares under verification.options
_ROOM = "eval_pipeline.verification"
VERIFIERS = {
    "choice@1": "first.choice:Choice",
    "choice@2": "choices.choice:Choice",
    "code@1": "code.first:Code",
    "code@2": "code.verifier:Code",
    "exact@1": "texts.exact:Exact",
    "interval@1": "first.listing:Interval",
    "interval@2": "formulas.listing:Interval",
    "json_fields@1": "texts.json_fields:JsonFields",
    "json_schema@1": "texts.json_schema:JsonSchema",
    "math@1": "first.mathematics:Mathematics",
    "math@2": "formulas.mathematics:Mathematics",
    "numeric@1": "first.numeric:Numeric",
    "numeric@2": "numbers.numeric:Numeric",
    "recorded@1": "recorded:RecordedVerdicts",
    "regex@1": "patterns:Regex",
    "set@1": "first.listing:Set",
    "set@2": "formulas.listing:Set",
    "token_f1@1": "texts.exact:TokenF1",
    "tuple@1": "first.listing:Tuple",
    "tuple@2": "formulas.listing:Tuple",
}
EXTRACTIONS = {
    "answer_line@1": "first.extraction:AnswerLine",
    "answer_line@2": "extractions.extraction:AnswerLine",
    "boxed@1": "first.boxed:Boxed",
    "boxed@2": "extractions.boxed:Boxed",
    "chain@1": "extractions.chain:Chain",
    "choice_letter@1": "first.choice:ChoiceLetter",
    "choice_letter@2": "choices.choice:ChoiceLetter",
    "code_block@1": "first.code_block:CodeBlock",
    "code_block@2": "code.code_block:CodeBlock",
    "json_field@1": "first.json_field:JsonField",
    "json_field@2": "extractions.json_field:JsonField",
    "last_number@1": "first.extraction:LastNumber",
    "last_number@2": "numbers.last_number:LastNumber",
    "marker@1": "extractions.marker:Marker",
    "whole_text@1": "first.extraction:WholeText",
    "whole_text@2": "extractions.extraction:WholeText",
}


def resolve(reference: str) -> type:
    """The class of a verifier or extraction named as `name@version`.

    Raises ValueError that lists the known ones.
    """
    known = {**VERIFIERS, **EXTRACTIONS}
    if reference not in known:
        raise ValueError(
            f"no verifier or extraction {reference!r}: verifiers are {', '.join(VERIFIERS)}; "
            f"extractions are {', '.join(EXTRACTIONS)}"
        )
    module, name = known[reference].split(":")
    return cast(type, getattr(import_module(f"{_ROOM}.{module}"), name))


def runs_code(verifier: str) -> bool:
    """Whether the verifier executes what a model wrote."""
    return verifier.startswith("code@")


def may_be_undecided(verifier: str) -> bool:
    """Whether the verifier can say that nobody can tell: those of version 1 always decide."""
    return not verifier.endswith("@1") or verifier.startswith("recorded@")


def is_recorded(verifier: str) -> bool:
    """Whether the verifier takes verdicts from the rows: it judges nothing itself."""
    return verifier.startswith("recorded@")


def instruments(verifier: str, extraction: str, options: Options) -> tuple[Extraction, Verifier]:
    """Both instruments with the contract's options; each takes those that it declares.

    Raises ValueError for an unknown name, an option that neither takes, or a bad value.
    """
    if verifier not in VERIFIERS:
        raise ValueError(f"no verifier {verifier!r}: there are {', '.join(VERIFIERS)}")
    if extraction not in EXTRACTIONS:
        raise ValueError(f"no extraction {extraction!r}: there are {', '.join(EXTRACTIONS)}")
    kinds = resolve(extraction), resolve(verifier)
    takes = [options_of(kind) for kind in kinds]
    if unknown := sorted(options.keys() - takes[0] - takes[1]):
        raise ValueError(
            f"verification.options: {extraction} and {verifier} take "
            f"{sorted(takes[0] | takes[1])}, not {unknown}"
        )
    made = [_made(kind, options) for kind in kinds]
    return cast(Extraction, made[0]), cast(Verifier, made[1])


def extraction_of(reference: str, options: Options) -> Extraction:
    """One extraction with options of its own; errors as `instruments`."""
    kind = resolve(reference)
    if unknown := sorted(options.keys() - options_of(kind)):
        raise ValueError(f"it takes {sorted(options_of(kind)) or 'no options'}, not {unknown}")
    return cast(Extraction, _made(kind, options))


def options_of(kind: type) -> set[str]:
    """The options that a contract may declare for an instrument."""
    return {f.name for f in fields(kind) if f.init and not _is_setting(f)}


def _made(kind: type, options: Options) -> Any:
    return kind(**{name: _frozen(options[name]) for name in options_of(kind) & options.keys()})


def _is_setting(option: Field[Any]) -> bool:
    """Whether it is for the person who runs to set, so that no contract may."""
    return bool(option.metadata.get("setting"))


def _frozen(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value
