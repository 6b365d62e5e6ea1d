r"""The pieces of a formula in LaTeX or plain text; what is no piece makes the whole unread."""

import re
import unicodedata
from dataclasses import dataclass

from eval_pipeline.verification.formulas.terms import UnreadError

MAX_LENGTH = 2000  # characters; a longer text is no formula


@dataclass(frozen=True)
class Token:
    r"""A piece: its kind, its text, and whether a space stands before it.

    Kinds: `number`, `letter`, `name` (a variable of more letters), `function`, `command` (\frac),
    `constant`, `sign`, `relation`, `joint` (or, and), `text` (words in \text), `end`.
    """

    kind: str
    text: str
    spaced: bool = False


END = Token("end", "")
_FUNCTION_NAMES = """
sin cos tan cot sec csc sinh cosh tanh coth arcsin arccos arctan arccot arsinh arcosh artanh asin
acos atan ln lg log exp sqrt cbrt abs floor ceil sgn sign gcd lcm max min det Re Im arg cis
"""
FUNCTIONS = frozenset(_FUNCTION_NAMES.split())
_GREEK_NAMES = """
alpha beta gamma delta epsilon varepsilon zeta eta theta vartheta iota kappa lambda mu nu xi rho
sigma tau upsilon phi varphi chi psi omega Gamma Delta Theta Lambda Xi Pi Sigma Upsilon Phi Psi
Omega ell hbar
"""
GREEK = frozenset(_GREEK_NAMES.split())
RELATIONS = {
    **dict.fromkeys(("=", "=="), "="),
    **dict.fromkeys(("≠", "!=", "\\ne", "\\neq", "<>", "=/="), "!="),
    **dict.fromkeys(("<", "\\lt"), "<"),
    **dict.fromkeys((">", "\\gt"), ">"),
    **dict.fromkeys(("≤", "⩽", "≦", "<=", "=<", "\\le", "\\leq", "\\leqslant", "\\leqq"), "<="),
    **dict.fromkeys(("≥", "⩾", "≧", ">=", "=>", "\\ge", "\\geq", "\\geqslant", "\\geqq"), ">="),
    **dict.fromkeys(("≈", "≃", "≅", "\\approx", "\\simeq", "\\cong", "\\approxeq"), "~"),
    **dict.fromkeys(("≡", "\\equiv"), "equiv"),
    **dict.fromkeys(("∈", "\\in"), "in"),
    **dict.fromkeys(("∉", "\\notin"), "notin"),
    **dict.fromkeys(("∝", "\\propto"), "propto"),
}
_COMMANDS = {  # commands that are another sign
    "cdot": "*", "times": "*", "ast": "*", "div": "/", "pm": "pm", "mp": "mp", "cup": "cup",
    "cap": "cap", "setminus": "minus", "smallsetminus": "minus", "backslash": "minus",
    "lvert": "|", "rvert": "|", "vert": "|", "mid": "|",
    "lfloor": "⌊", "rfloor": "⌋", "lceil": "⌈", "rceil": "⌉", "lbrace": "\\{", "rbrace": "\\}",
    "langle": "(", "rangle": ")", "lbrack": "[", "rbrack": "]", "lparen": "(", "rparen": ")",
    "bmod": "mod", "mod": "mod", "pmod": "pmod", "to": "->", "rightarrow": "->", "colon": ":",
    "circ": "°", "degree": "°", "prime": "'", "lor": "or", "land": "and", "vee": "or",
    "wedge": "and", "ldots": "...", "dots": "...", "cdots": "...", "%": "%",
}  # fmt: skip
_DROPPED_NAMES = """
left right displaystyle textstyle limits nolimits big Big bigg Bigg bigl bigr Bigl Bigr biggl
biggr Biggl Biggr quad qquad , ; : ! space rm it bf
"""
_DROPPED = frozenset(_DROPPED_NAMES.split()) | {" "}
_CONSTANTS = {"pi": "pi", "infty": "inf", "imath": "i", "inf": "inf", "infinity": "inf"}
_TEXT_NAMES = """
text mathrm textrm textbf mathbf mathit textit textsf mathsf mbox operatorname hbox rm boldsymbol
bm mathbb mathcal
"""
_TEXT_COMMANDS = frozenset(_TEXT_NAMES.split())
ACCENTS = frozenset(
    ["vec", "hat", "bar", "tilde", "dot", "ddot", "overline", "overrightarrow", "widehat"]
)
_OTHER_NAMES = """
frac dfrac tfrac cfrac sqrt binom dbinom tbinom sum prod int lim oint begin end mathbb nabla
partial over choose
"""
OTHERS = frozenset(_OTHER_NAMES.split())
_ENGLISH = """
a an is it the of to in as by for not no yes all any one two are at be so we he true false none
more less most least than over if but nor up off per with from
"""
_STOP_WORDS = frozenset(_ENGLISH.split())
_UNITS = frozenset(["cm", "mm", "km", "kg", "mg", "ml", "ft", "min", "sec", "hr", "mph"])
_UNICODE = str.maketrans(
    {
        **dict.fromkeys("−‒–﹣－—", "-"),
        **dict.fromkeys("×·⋅∙•∗＊", "*"),
        **dict.fromkeys("÷⁄∕", "/"),
        **dict.fromkeys("\u00a0\u2007\u2008\u2009\u200a\u202f", " "),
        **dict.fromkeys("\u200b\u200c\u200d\u2060\ufeff\u00ad", ""),
        **dict.fromkeys("’‘′ʹ", "'"),
        "π": "\\pi ", "∞": "\\infty ", "∪": "\\cup ", "∩": "\\cap ", "±": "\\pm ", "∓": "\\mp ",
        "√": "\\sqrt ", "∛": "\\sqrt[3]", "º": "°", "∑": "\\sum ", "∏": "\\prod ", "∫": "\\int ",
        "→": "\\to ", "∖": "\\setminus ", "⟨": "(", "⟩": ")", "〈": "(", "〉": ")", "…": "...",
        "ℝ": "\\mathbb{R}", "ℤ": "\\mathbb{Z}", "ℕ": "\\mathbb{N}", "∅": "\\emptyset ",
        "∠": "\\angle ", "△": "\\triangle ", "∨": "\\lor ", "∧": "\\land ", "∣": "|", "µ": "μ",
        **{c: "\\frac{" + unicodedata.normalize("NFKC", c).replace("\u2044", "}{") + "}"
           for c in "¼½¾⅓⅔⅕⅖⅗⅘⅙⅚⅐⅛⅜⅝⅞⅑⅒"},
    }
)  # fmt: skip
_GREEK_SIGNS = {
    unicodedata.lookup(f"GREEK {'CAPITAL' if n[0].isupper() else 'SMALL'} LETTER {said}"): n
    for n in GREEK - {"varepsilon", "vartheta", "varphi", "ell", "hbar"}
    for said in ["LAMDA" if n.lower() == "lambda" else n.upper()]
} | {"ϕ": "phi", "ϵ": "epsilon", "ϑ": "theta", "ε": "epsilon"}
_ROOT_SIGN = re.compile(r"([√∛])\s?(\d+(?:\.\d+)?)")  # √12 is no √1 times 2
_RAISED = re.compile("[⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁽⁾ⁿˣʸ]+")
_LOWERED = re.compile("[₀₁₂₃₄₅₆₇₈₉ₙₘₖᵢⱼₐₓ]+")
_PIECE = re.compile(
    r"(?P<space>\s+|~)"
    r"|(?P<number>\d++(?:\.\d*+(?:\(\d+\))?)?+(?:[eE][+-]?\d{1,3}(?![\d.A-Za-z]))?|\.\d++)"
    r"|\\(?P<command>[A-Za-z]+|[,;:! %{}|$#&_\\])"
    r"|(?P<letters>[A-Za-z]+)"
    r"|(?P<relation><=|>=|=<|=>|!=|<>|==|=/=|[=<>≠≤≥⩽⩾≦≧≈≃≅≡∈∉∝])"
    r"|(?P<sign>\*\*|\.\.\.|->|[-+*/^_!()\[\]{}|,;:'%°⌊⌋⌈⌉&])"
)
_GROUP = re.compile(r"\s*\{([^{}]*)\}")


def tokens(text: str) -> list[Token]:
    """The pieces of a text, an `end` last; raises UnreadError that names what is no piece."""
    if len(text) > MAX_LENGTH:
        raise UnreadError(f"a text of {len(text)} characters is no formula", "too_long")
    text = ascii_of(text)
    found: list[Token] = []
    at, spaced = 0, False
    while at < len(text):
        match = _PIECE.match(text, at)
        if match is None:
            raise UnreadError(f"{text[at]!r} is not understood")
        at = match.end()
        if match["space"]:
            spaced = True
            continue
        before = len(found)
        if match["command"]:
            at = _command(match["command"], text, at, found, spaced)
        elif match["letters"]:
            is_apart = (spaced or not found) and (at == len(text) or text[at] == " ")
            _letters(match["letters"], found, spaced, is_apart)
        elif match["relation"]:
            found.append(Token("relation", RELATIONS[match["relation"]], spaced))
        elif match["number"]:
            mantissa, euler, _ = match["number"].partition("e")
            if euler and "." not in mantissa:  # 2e-1 is twice e minus 1
                at = match.start() + len(mantissa)
            found.append(Token("number", text[match.start() : at], spaced))
        else:
            sign = {"**": "^"}.get(match["sign"], match["sign"])
            found.append(Token("sign", sign, spaced))
        spaced = spaced and len(found) == before
    return [*found, END]


def ascii_of(text: str) -> str:
    """The text with signs of Unicode written as LaTeX or ASCII."""
    if text.isascii():
        return text
    text = _ROOT_SIGN.sub(lambda m: f"\\sqrt{'[3]' if m[1] == '∛' else ''}{{{m[2]}}}", text)
    text = _RAISED.sub(lambda m: "^{" + _folded(m[0]) + "}", text)
    text = _LOWERED.sub(lambda m: "_{" + _folded(m[0]) + "}", text)
    text = unicodedata.normalize("NFKC", text.translate(_UNICODE)).translate(_UNICODE)
    return "".join(
        f"\\{_GREEK_SIGNS[sign]} " if sign in _GREEK_SIGNS
        else str(unicodedata.decimal(sign)) if sign.isdecimal()
        else sign
        for sign in text
    )  # fmt: skip


def _folded(text: str) -> str:
    return unicodedata.normalize("NFKC", text).replace("−", "-")


def _command(name: str, text: str, at: int, found: list[Token], spaced: bool) -> int:
    """Adds what a command is; where the text goes on."""
    if name in _DROPPED:
        if name in ("left", "right") and text.startswith(".", at):
            return at + 1
        return at
    if name == "not":
        return _negated(text, at, found, spaced)
    if name in _TEXT_COMMANDS and (group := _GROUP.match(text, at)):
        _worded(name, group[1].strip(), found, spaced)
        return group.end()
    if name in _COMMANDS:
        sign = _COMMANDS[name]
        kind = "joint" if sign in ("or", "and") else "sign"
        found.append(Token(kind, sign, spaced))
    elif name in "{}":
        found.append(Token("sign", "\\" + name, spaced))
    elif name == "|":
        found.append(Token("sign", "|", spaced))
    elif "\\" + name in RELATIONS:
        found.append(Token("relation", RELATIONS["\\" + name], spaced))
    elif name in FUNCTIONS and name != "sqrt":
        found.append(Token("function", name, spaced))
    elif name in GREEK:
        found.append(Token("letter", name.removeprefix("var"), spaced))
    elif name in _CONSTANTS:
        found.append(Token("constant", _CONSTANTS[name], spaced))
    elif name == "cdotp":
        found.append(Token("sign", "*", spaced))
    elif name in ("emptyset", "varnothing"):
        found.append(Token("constant", "empty", spaced))
    elif name in ACCENTS or name in OTHERS or name == "\\":
        found.append(Token("command", name, spaced))
    else:
        raise UnreadError(f"the command \\{name} is not known")
    return at


def _negated(text: str, at: int, found: list[Token], spaced: bool) -> int:
    match = re.compile(r"\s*(=|\\in(?![A-Za-z])|\\equiv)").match(text, at)
    if match is None:
        raise UnreadError("\\not stands before what is no relation")
    said = {"=": "!=", "\\in": "notin"}.get(match[1], "notequiv")
    found.append(Token("relation", said, spaced))
    return match.end()


def _worded(command: str, inside: str, found: list[Token], spaced: bool) -> None:
    r"""What stands in \text{...} and its like."""
    if command == "mathbb":
        found.append(Token("constant", f"set {inside}", spaced))
    elif inside in FUNCTIONS:
        found.append(Token("function", inside, spaced))
    elif command in ("mathrm", "operatorname", "rm") and inside in ("e", "i", "j"):
        found.append(Token("constant", {"j": "i"}.get(inside, inside), spaced))
    elif inside in ("or", "and"):
        found.append(Token("joint", inside, spaced))
    elif inside in ("mod", "div"):
        found.append(Token("sign", {"div": "/"}.get(inside, inside), spaced))
    elif inside in (",", ";", "."):
        found += [Token("sign", inside, spaced)] if inside != "." else []
    elif re.fullmatch(r"[A-Za-z]", inside):
        found.append(Token("letter", inside, spaced))
    elif inside.isdigit() and inside.isascii():
        found.append(Token("number", inside, spaced))
    elif inside:
        found.append(Token("text", inside, True))


def _letters(run: str, found: list[Token], spaced: bool, is_apart: bool) -> None:
    """What a run of plain letters is: a function, a Greek name, a joint, or a product.

    is_apart: whether spaces stand around it, as around a word.
    """
    if run in ("or", "and", "OR", "AND"):
        found.append(Token("joint", run.lower(), spaced))
    elif run in FUNCTIONS:
        found.append(Token("function" if run != "sqrt" else "command", run, spaced))
    elif run == "mod":
        found.append(Token("sign", "mod", spaced))
    elif run.lower() in _CONSTANTS and len(run) > 1:
        found.append(Token("constant", _CONSTANTS[run.lower()], spaced))
    elif run in GREEK:
        found.append(Token("letter", run, spaced))
    elif (name := _function_before(run)) is not None:
        found.append(Token("function" if name != "sqrt" else "command", name, spaced))
        _letters(run[len(name) :], found, False, False)
    elif run in _UNITS and spaced and found and found[-1].kind == "number":
        raise UnreadError(f"the unit {run!r} stands within the formula", "unit_in_formula")
    elif is_product(run, is_apart):
        found += [Token("letter", letter, spaced and i == 0) for i, letter in enumerate(run)]
    else:
        raise UnreadError(f"the word {run!r} stands beside the formula", "words_in_formula")


def is_product(run: str, is_apart: bool) -> bool:
    """Whether letters side by side are factors: xy, mgh; a run with such vowels is a word."""
    if len(run) < 3:
        return len(run) == 1 or not is_apart or run.lower() not in _STOP_WORDS
    return len(run) <= 4 and run.lower() not in _STOP_WORDS and not set(run) & set("eiouEIOU")


def _function_before(run: str) -> str | None:
    """The function that a run such as `sinx` begins with."""
    for length in (3, 2, 6):
        if run[:length] in FUNCTIONS and len(run) == length + 1:
            return run[:length]
    return None
