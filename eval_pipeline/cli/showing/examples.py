"""The example with which the help of a verb ends; a test runs each of them."""

NAME = "eval-pipeline"


def example(*calls: str, before: str = "") -> str:
    """The end of a verb's help: `Example:` and the calls, each on its line as a shell takes it.

    calls: without the name of the command; a line of one that is too long ends with a backslash.
    before: what the help says ahead of it.
    """
    # \b keeps click from filling the lines
    lines = "\n".join(
        f"  {NAME} {call}".replace("\n", "\n" + " " * 6) if call else "" for call in calls
    )
    word = "Example:" if len(calls) == 1 else "Examples:"
    return f"{before}\n\n\b\n{word}\n{lines}".strip("\n")
