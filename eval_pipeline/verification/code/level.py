"""Which sandbox this machine offers, and how much of it holds."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from eval_pipeline.verification.code.limits import Limits
from eval_pipeline.verification.code.selftest import PROBE_LIMITS, failed_layers, is_alive
from eval_pipeline.verification.code.worker import SandboxError, Worker

SANDBOXES = ("namespaces", "bubblewrap", "landlock")  # from the best
# without one of these the code could read, harm or outlive what is not its own
ESSENTIAL = frozenset(
    {"runs", "host_files", "writes", "network", "other_processes", "environment", "privileges"}
)


@dataclass(frozen=True)
class Sandbox:
    """`level`: full (every layer of the self-test holds), partial (the essential ones), none.

    memory_of_a_run: what bounds it, as `Worker.memory_of_a_run`.
    """

    mode: str
    level: str
    failed: tuple[str, ...] = ()
    memory_of_a_run: str = "watch"

    def notes(self) -> Mapping[str, str | int | float]:
        """What the lineage records of it; a group or a watch that did not hold is none."""
        lacking = {"sandbox_lacks": ", ".join(self.failed)} if self.failed else {}
        lax = self.mode == "limits" or "memory_together" in self.failed
        return {
            "sandbox": self.mode,
            "sandbox_level": self.level,
            "sandbox_memory_of_a_run": "none" if lax else self.memory_of_a_run,
            **lacking,
        }


def chosen(allow_unsafe_code: bool = False) -> Sandbox:
    """The best sandbox that withstands the self-test; limits alone where a person allowed that.

    Raises SandboxError with the reasons, where there is none.
    """
    tried: dict[str, Sandbox | str] = {}
    for mode in SANDBOXES:
        sandbox = tried[mode] = tested(mode)
        if isinstance(sandbox, Sandbox) and sandbox.level != "none":
            return sandbox
    if allow_unsafe_code:
        return Sandbox("limits", "none")
    raise SandboxError(f"{_reasons(tried)}; allow it without one with --allow-unsafe-code")


@cache
def tested(mode: str) -> Sandbox | str:
    """The sandbox of that mode after its self-test, or why it cannot be entered."""
    try:
        with Worker(mode, PROBE_LIMITS) as worker:
            failed, memory = failed_layers(worker), worker.memory_of_a_run
    except SandboxError as error:
        return str(error)
    if ESSENTIAL & set(failed):
        return Sandbox(mode, "none", failed, memory)
    level = "partial" if failed or mode != "namespaces" else "full"
    return Sandbox(mode, level, failed, memory)


@cache
def absent() -> str | None:
    """Why there is no sandbox, or None: enters one and runs one program, for a plan.

    It starts the very server that a run would use, so it cannot promise what a run would not find.
    """
    reasons = []
    for mode in SANDBOXES:
        try:
            with Worker(mode, Limits(1, 3, 512)) as worker:
                if is_alive(worker):
                    return None
            reasons.append(f"{mode} runs no program")
        except SandboxError as error:
            reasons.append(str(error))
    return "; ".join(reasons)


def _reasons(tried: Mapping[str, Sandbox | str]) -> str:
    reasons = [
        outcome if isinstance(outcome, str) else f"{mode} does not hold {', '.join(outcome.failed)}"
        for mode, outcome in tried.items()
    ]
    return "; ".join(reasons)
