"""An item's own checker, for tasks with many right answers: it runs beside the tests."""

from collections.abc import Callable
from types import ModuleType
from typing import Any

from eval_pipeline.verification.code import blame, cases
from eval_pipeline.verification.code.messages import Case
from eval_pipeline.verification.code.remote import RunEnded, said

Check = Callable[[Case, Any], str | None]
_REASON_CHARACTERS = 200
_EITHER = "the checker failed on the answer, or is at fault itself"


def checker(source: str | None) -> Check | None:
    """What holds an answer to a case: the fault of the answer, or None; None without a source.

    Raises RunEnded where the checker cannot be loaded: before any program has run.
    """
    if source is None:
        return None
    names = vars(ModuleType("checker"))
    try:
        exec(compile(source, blame.TEST, "exec", dont_inherit=True), names)
    except Exception as error:
        raise RunEnded("infra_error", f"broken_test: checker: {said(error)}") from error

    def check(case: Case, answer: Any) -> str | None:
        try:
            found = names[cases.CHECKER](cases.given(case), answer)
        except (MemoryError, RunEnded):
            raise
        except AssertionError as error:
            return f"the checker says: {said(error)}"
        except BaseException as error:
            if blame.is_of_the_tests(error, source, cases.CHECKER):
                raise RunEnded("infra_error", f"broken_test: checker: {said(error)}") from error
            return f"{said(error)}; {_EITHER}"
        if isinstance(found, str):
            return f"the checker says: {found[:_REASON_CHARACTERS]}"
        if not isinstance(found, bool | int | float):
            return f"the checker returned a {type(found).__name__}; {_EITHER}"
        return None if found else "the checker says that it is wrong"

    return check


def hold_to_its_examples(check: Check, examples: list[tuple[Case, Any]]) -> None:
    """Raises RunEnded where a right answer that the item names is refused: no program matters."""
    for number, (case, example) in enumerate(examples, 1):
        try:
            fault = check(case, example)
        except MemoryError:
            fault = "it takes more memory than there is"
        if fault:
            message = f"broken_test: checker: case {number}, its own example: {fault}"
            raise RunEnded("infra_error", message)
