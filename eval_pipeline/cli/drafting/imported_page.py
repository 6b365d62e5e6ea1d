"""The page at the end of an import: what was read and guessed, what disagrees, what is next."""

import click

from eval_pipeline.cli.drafting.imported_contract import alarms_told
from eval_pipeline.cli.drafting.imported_task import JudgedTask
from eval_pipeline.cli.showing.printing import counted, print_fields, print_json, print_table
from eval_pipeline.ingest.imports.landing import ImportRecord
from eval_pipeline.ingest.imports.staging import StagedTask, Staging


def tell(
    record: ImportRecord, staging: Staging, told: dict[str, JudgedTask], as_json: bool
) -> None:
    """What was read, what was guessed and why, what disagrees, and what to do next."""
    numbers = [
        {"model": one.model, "metric": one.metric, "published": one.value, "n": one.n}
        for one in staging.numbers
    ]
    rejected = {
        f"{reason}, first in {staging.first_rejected[reason]}": n
        for reason, n in staging.rejected.items()
    }
    tasks = []
    for task in staging.tasks.values():
        how = told[task.benchmark]
        tasks.append(
            {
                "task": task.task,
                "contract": _contract_told(record, task, how.is_judged),
                "items": task.n_items,
                "draws": task.draws,
                "replies": dict(task.replies),
                "judged by": how.by,
                "state": how.state,
                "because": how.why,
                "agreement": None if how.agreement is None else f"{how.agreement:.1%}",
                "look at": list(alarms_told(how)) or None,
            }
        )
    if as_json:
        print_json(
            {
                "import": record.name,
                "forms": record.forms,
                "tasks": tasks,
                "published": numbers,
                "guesses": staging.guesses,
                "rejected": dict(staging.rejected),
                "written": sorted(record.files),
            }
        )
        return
    for task_told in tasks:
        title = f"{task_told['task']}, from {', '.join(record.forms)}"
        print_fields({k: v for k, v in task_told.items() if v is not None}, title)
    if numbers:
        headings = {"model": "Model", "metric": "Metric", "published": "Published", "n": "n"}
        print_table(numbers, headings, "Published numbers, computed again and equal", wide="metric")
    for guess in staging.guesses:
        click.echo(f"  guessed: {guess}")
    for reason, n in rejected.items():
        click.echo(f"{counted(n, 'row')} rejected: {reason}")
    first = next((name for name, how in told.items() if how.is_judged), None)
    click.echo(
        f"import {record.name}: {counted(len(record.files), 'file')} (--undo takes them away)"
    )
    if first is None:
        click.echo(
            "next: write a contract that says how these replies are judged (a verifier, a judge)"
        )
    else:
        click.echo(f"next: eval-pipeline run --contract {first}; eval-pipeline ls {first}")


def _contract_told(record: ImportRecord, task: StagedTask, is_judged: bool) -> str:
    if not is_judged:
        return "none"
    is_new = any(path.startswith(f"contracts/{task.benchmark}/") for path in record.files)
    return f"{task.benchmark}/v1, {'a draft' if is_new else 'which was there'}"
