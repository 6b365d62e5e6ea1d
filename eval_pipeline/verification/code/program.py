"""The program that is run: what the model wrote, and what of the prompt it stands on."""

import ast

from eval_pipeline.verification.verdict import Item


def preamble(item: Item) -> str:
    """The imports and helper functions of a prompt that is code, the entry point left out."""
    kept = (ast.Import, ast.ImportFrom, ast.FunctionDef, ast.ClassDef, ast.Assign)
    body = [s for s in _statements(item.question) if isinstance(s, kept)]
    return ast.unparse(ast.Module([s for s in body if not _names(s, item.entry_point)], []))


def program(item: Item, code: str) -> str:
    """The program: the prompt's preamble and the code, or the prompt and the body after it."""
    if not item.entry_point:
        return code
    begun = any(_names(statement, item.entry_point) for statement in _statements(item.question))
    if code[:1].isspace() and begun:
        return f"{item.question.rstrip()}\n{code}"
    return f"{preamble(item)}\n{code}"


def _statements(prompt: str) -> list[ast.stmt]:
    """The statements of a prompt that is code, its last function perhaps without a body."""
    for source in (prompt, f"{prompt.rstrip()}\n    pass"):
        try:
            return ast.parse(source).body
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            continue
    return []


def _names(statement: ast.stmt, name: str | None) -> bool:
    return getattr(statement, "name", None) == name
