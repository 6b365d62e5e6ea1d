"""Which form a file has, told by its structure and never by its name alone."""

from collections.abc import Mapping, Sequence

from eval_pipeline.ingest.peers import plain
from eval_pipeline.ingest.peers.aggregates import refuse_aggregate
from eval_pipeline.ingest.peers.form import Claimed, PeerForm
from eval_pipeline.ingest.peers.glance import Glance


def forms() -> tuple[PeerForm, ...]:
    """All forms that are known, in alphabetical order."""
    from eval_pipeline.ingest.peers import (
        big_code,
        chat_answers,
        deepeval,
        every_eval_ever,
        helm,
        human_eval,
        inspect_log,
        light_eval,
        live_code_bench,
        lm_eval,
        open_compass,
        openai_evals,
        promptfoo,
    )

    return (
        big_code.FORM,
        chat_answers.FORM,
        deepeval.FORM,
        every_eval_ever.FORM,
        helm.FORM,
        human_eval.FORM,
        inspect_log.FORM,
        light_eval.FORM,
        live_code_bench.FORM,
        lm_eval.FORM,
        openai_evals.FORM,
        open_compass.FORM,
        promptfoo.FORM,
    )


def claimed(
    glances: Sequence[Glance],
    named: str | None = None,
    keys: Mapping[str, str] | None = None,
) -> list[tuple[PeerForm, Claimed]]:
    """The forms of the files, each with the files that are its own; named: the only one tried.

    keys: part of a row -> key, which a person says of plain rows. What has no form of a tool is
    read as plain rows.

    Raises ValueError for a file that no form or that several forms recognise.
    """
    rows = plain.form(keys or {})
    known = [form for form in (*forms(), rows) if named in (None, form.name)]
    if not known:
        raise ValueError(
            f"form {named!r} is not known: {', '.join(f.name for f in (*forms(), rows))}"
        )
    parts: dict[str, dict[str, list[Glance]]] = {}
    for glance in glances:
        tools = [form for form in known if form is not rows]
        claims = {form.name: part for form in tools if (part := form.claims(glance))}
        if not claims and rows in known:
            refuse_aggregate(glance)
            claims = {rows.name: part} if (part := rows.claims(glance)) else {}
        if len(claims) != 1:
            raise ValueError(_unclear(glance, sorted(claims), known))
        ((form_name, part),) = claims.items()
        parts.setdefault(form_name, {}).setdefault(part, []).append(glance)
    return [(form, parts[form.name]) for form in known if form.name in parts]


def _unclear(glance: Glance, claims: list[str], known: Sequence[PeerForm]) -> str:
    if claims:
        return f"{glance.name} may be {' or '.join(claims)}: say which with --form"
    if len(known) == 1:
        return f"{glance.name} is no {known[0].name} file ({known[0].what})"
    return (
        f"{glance.name} has none of the forms that are known "
        f"({', '.join(form.name for form in known)}), and no rows: "
        "write one JSON object a line, with a question, an answer and a reply"
    )
