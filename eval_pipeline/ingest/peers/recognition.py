"""Which form a file has, told by its structure and never by its name alone."""

from collections.abc import Sequence

from eval_pipeline.ingest.peers.form import Claimed, PeerForm
from eval_pipeline.ingest.peers.glance import Glance


def forms() -> tuple[PeerForm, ...]:
    """All forms that are known, in alphabetical order."""
    from eval_pipeline.ingest.peers import (
        deepeval,
        helm,
        inspect_log,
        live_code_bench,
        lm_eval,
        open_compass,
        openai_evals,
        promptfoo,
    )

    return (
        deepeval.FORM,
        helm.FORM,
        inspect_log.FORM,
        live_code_bench.FORM,
        lm_eval.FORM,
        openai_evals.FORM,
        open_compass.FORM,
        promptfoo.FORM,
    )


def claimed(glances: Sequence[Glance], named: str | None = None) -> list[tuple[PeerForm, Claimed]]:
    """The forms of the files, each with the files that are its own; named: the only one tried.

    Raises ValueError for a file that no form or that several forms recognise.
    """
    known = [form for form in forms() if named in (None, form.name)]
    if not known:
        raise ValueError(f"form {named!r} is not known: {', '.join(f.name for f in forms())}")
    parts: dict[str, dict[str, list[Glance]]] = {}
    for glance in glances:
        claims = {form.name: part for form in known if (part := form.claims(glance))}
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
        f"({', '.join(form.name for form in known)}): "
        "for plain rows of question, answer and reply there is `eval-pipeline init --from`"
    )
