"""The command itself: its verbs, loaded when called, and how an error is said."""

import importlib
import os
import sys
from collections.abc import Sequence

import click

from eval_pipeline import __version__
from eval_pipeline.cli.showing.examples import NAME, example
from eval_pipeline.layout import refusal

# Verb -> (module below eval_pipeline.cli, one line of help). The help stands here so that
# `--help` needs no import of a verb.
VERBS: dict[str, tuple[str, str]] = {
    "run": ("run", "Bring every number up to date: compute what is missing or stale."),
    "ls": ("ls", "List contracts, checkpoints and the standing of their numbers."),
    "validate": ("validate", "Check contracts, items and checkpoint folders; name every fault."),
    "land": ("land", "Complete a checkpoint folder: write its _SUCCESS."),
    "init": ("init", "Make a draft contract from a plain file of answers."),
    "import": ("imports", "Bring in the result files of another tool."),
    "freeze": ("freeze", "Turn a draft contract into a frozen one."),
    "plan": ("plan", "Say what would run and why; the size, cost and licences that it needs."),
    "export": ("export", "Write results in the forms that other tools take."),
    "report": ("report", "Write the HTML report of a contract."),
    "compare": ("compare", "Compare two checkpoints item by item, under one contract."),
    "check": ("check", "Try one verifier on one reply, and say what it found and why."),
    "audit": ("audit", "Have people check a verifier's verdicts, and estimate how often it errs."),
    "review": ("review", "Have people look at what the contamination rule leaves to them."),
    "label": ("label", "Have people compare replies blindly; read their answers; show disputes."),
    "votes": ("votes", "Read judgments that were published elsewhere as votes of a judge."),
    "probe": ("probe", "Write probes that try a judge, and the pairs that watch it each night."),
    "gate": ("gate", "Does the checkpoint ship? Exits 0, 10, 11 or 12."),
    "metrics": ("metrics", "List the metrics that a contract may ask for; explain one."),
    "diff": ("diff", "Say what differs between two contracts and what stays comparable."),
    "trace": ("trace", "Walk from a number to the raw lines that it rests on."),
    "verify": ("verify", "Compute a table again from its recorded inputs and compare digests."),
    "query": ("query", "Ask the warehouse in SQL, read only."),
    "why": ("why", "Show the samples behind a status, or those scored wrong."),
    "lab": ("lab", "Write data with planted truth; ask what a rule and a judge are worth."),
    "ui": ("ui", "Open the Dagster UI on this project, on loopback."),
}


class VerbGroup(click.Group):
    """A group whose verbs are imported when they are called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(VERBS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in VERBS:
            return None
        module = importlib.import_module(f"eval_pipeline.cli.{VERBS[cmd_name][0]}")
        command = module.command
        if not isinstance(command, click.Command):
            raise TypeError(f"eval_pipeline.cli.{cmd_name} holds no click command")
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Verbs"):
            formatter.write_dl([(verb, help_line) for verb, (_, help_line) in VERBS.items()])

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and not args[0].startswith("-") and args[0] not in VERBS:
            import difflib

            near = difflib.get_close_matches(args[0], VERBS, n=1)
            hint = f": did you mean {near[0]}?" if near else ""
            ctx.fail(f"there is no verb {args[0]!r}{hint} (eval-pipeline --help lists them)")
        return super().resolve_command(ctx, args)


@click.group(
    cls=VerbGroup,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog=example("run", "ls arithmetic_words"),
)
@click.version_option(__version__, prog_name=NAME)
@click.pass_context
def group(ctx: click.Context) -> None:
    """Evaluation numbers that a careful person would sign.

    The data folder is EVAL_PIPELINE_DATA, ./data where it is not set.
    """
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


def main(args: Sequence[str] | None = None) -> None:
    """Runs one verb; every foreseen error is one line on stderr and a non-zero exit."""
    _hear_children()
    try:
        asked = list(args) if args is not None else None
        group.main(args=asked, prog_name=NAME, standalone_mode=False)
    except click.ClickException as error:
        _say(error.format_message() + _help_of(error))
        sys.exit(error.exit_code)
    except click.exceptions.Exit as exit_:
        sys.exit(exit_.exit_code)
    except (click.Abort, KeyboardInterrupt):
        click.echo(
            "stopped; what was finished is kept, and the next run goes on from there", err=True
        )
        sys.exit(130)
    except BrokenPipeError:  # the reader has seen enough; nothing is left for the last flush
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
    except (KeyError, IndexError):
        raise  # a LookupError, but a mistake of ours
    except OSError as error:
        _say(refusal(error))
        sys.exit(1)
    except (ValueError, LookupError) as error:
        _say(str(error))
        sys.exit(1)


def _hear_children() -> None:
    """Exit codes of children are lost where whoever started this process ignores SIGCHLD."""
    import signal

    if signal.getsignal(signal.SIGCHLD) is signal.SIG_IGN:
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)


def _say(error: str) -> None:
    """One line on stderr, or a line a fault."""
    from eval_pipeline.reporting.escaping import for_terminal

    click.echo(f"error: {for_terminal(error, keep=chr(10))}", err=True)


def _help_of(error: click.ClickException) -> str:
    """Where to read on, after an error in the way in which a verb was called."""
    if not isinstance(error, click.UsageError) or error.ctx is None or error.ctx.parent is None:
        return ""
    return f" ({error.ctx.command_path} --help)"
