r"""What a string of a model's JSON says: escapes of JSON, and backslashes of LaTeX left single.

"\frac" and "\pi" are LaTeX: a form feed is never meant, and \p is no escape. "\nu" is a Greek
letter, or a new line and u: where the string does not tell, nobody can.
"""

import json
import re

_ESCAPE = re.compile(
    r"\\(?:(?P<code>u[0-9A-Fa-f]{4}(?:\\u[0-9A-Fa-f]{4})*+)|(?P<word>[A-Za-z]+)|(?P<sign>.))",
    re.DOTALL,
)
_PLAIN = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}
# commands that begin with n, r, t or u; those with b and f need no list
_COMMAND_NAMES = """
nabla natural ncong ne nearrow neg neq newline nexists ngeq ngtr ni nleq nless nmid nolimits
nonumber not notin nparallel nprec nsim nsubset nsubseteq nsucc nsupset nu nwarrow
raise rangle rbrace rbrack rceil real rfloor rho right rightarrow rightharpoonup rightleftharpoons
rm root rtimes
tan tanh tau tbinom text textbf textit textrm textsf texttt textup tfrac therefore theta thicksim
thinspace tilde times tiny to top triangle triangledown triangleleft triangleright
uparrow underbrace underline underset updownarrow uplus upsilon
"""
_COMMANDS = frozenset(_COMMAND_NAMES.split())
# commands that may also be a line's or a cell's first word after its escape
_DOUBTFUL = frozenset({"ne", "ni", "nu", "tan", "tau", "to", "top"})
_BEGINS = frozenset({"nu", "tan", "tau"})  # of those, what an answer may begin with
_FORMULA = re.compile(r"[$^_={}]|\\[(\[]|\\(?![nrtu])[A-Za-z]{2}")
_DOUBLED = re.compile(r"(?<!\\)\\\\[A-Za-z]")


class DoubtfulEscapeError(ValueError):
    """An escape that may be LaTeX as well; the message is what stands there."""


def text_of(quoted: str) -> str:
    """The text of a string, quotes around it; raises DoubtfulEscapeError."""
    inside = quoted[1:-1]
    if "\\" not in inside:
        return inside
    is_doubled = _DOUBLED.search(inside) is not None  # its writer escapes LaTeX
    is_formula = _FORMULA.search(inside) is not None

    def read(found: re.Match[str]) -> str:
        if found["code"]:
            return str(json.loads(f'"{found[0]}"'))
        if found["sign"]:
            sign = found["sign"]
            return sign if sign in "\"\\/'" else found[0]
        word = found["word"]
        if word[0] not in _PLAIN:
            return found[0]
        escaped = _PLAIN[word[0]] + word[1:]
        if len(word) == 1 or (is_doubled and word in _DOUBTFUL):
            return escaped
        if word[0] in "bf":
            return found[0]
        if word not in _COMMANDS:
            return escaped
        is_begun = not found.start() and word in _BEGINS
        if word in _DOUBTFUL and not is_begun and not is_formula:
            raise DoubtfulEscapeError(found[0])
        return found[0]

    return _ESCAPE.sub(read, inside)
