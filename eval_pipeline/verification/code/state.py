"""Whether tests can leave something behind in the process that runs them.

Names of a test are its own and end with it; modules are shared by all that the process runs. What
is not seen to be harmless gets a process of its own: a verdict depends on no earlier run.
"""

import ast
from functools import lru_cache

# modules whose functions keep no state; random starts anew before every run
_HARMLESS = """
abc bisect cmath collections collections.abc copy dataclasses datetime enum fractions functools
heapq itertools json math numbers operator pytest random re statistics string textwrap typing
unicodedata unittest
"""
_REACHING_NAMES = """
__builtins__ __import__ breakpoint compile delattr eval exec getattr globals input locals open
setattr vars
"""
HARMLESS = frozenset(_HARMLESS.split())
_REACHING = frozenset(_REACHING_NAMES.split())


@lru_cache(4096)
def leaves_nothing(source: str) -> bool:
    """Whether no statement of the source changes anything but names and values of its own."""
    try:
        nodes = list(ast.walk(ast.parse(source)))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return not any(map(_may_reach, nodes))


def _may_reach(node: ast.AST) -> bool:
    if isinstance(node, ast.Import):
        return any(alias.name not in HARMLESS for alias in node.names)
    if isinstance(node, ast.ImportFrom):
        return node.level > 0 or node.module not in HARMLESS
    if isinstance(node, ast.Name):
        return node.id in _REACHING
    if isinstance(node, ast.Attribute):
        return not isinstance(node.ctx, ast.Load) or node.attr.startswith("__")
    # an element of a module's own table, such as copy.dispatch_table
    if isinstance(node, ast.Subscript):
        return not isinstance(node.ctx, ast.Load) and isinstance(node.value, ast.Attribute)
    return False
