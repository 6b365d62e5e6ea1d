"""code_block@2: the program of a reply in whatever form it stands, and none where none is read."""

import textwrap
from time import process_time
from typing import Any

import pytest

from eval_pipeline.verification.code.code_block import CodeBlock
from eval_pipeline.verification.verdict import Item

TRIPLES = "def f(n):\n    return n * 3"
FUNCTION, PROGRAM = Item("i", entry_point="f"), Item("p")
T = "```"
MARGIN = textwrap.indent(TRIPLES, "    ")


def found(reply: str, item: Item = FUNCTION) -> str | None:
    return CodeBlock().extract(reply, item).answer


def triples(code: str | None) -> bool:
    names: dict[str, Any] = {}
    exec(code or "", names)
    return [names["f"](n) for n in (0, 4, -1)] == [0, 12, -3]


FORMS = {
    "a fence that is only closed": f"Here you are:\n{TRIPLES}\n{T}",
    "a fence that is only closed, and words after it": f"Sure!\n\n{TRIPLES}\n{T}\nIt triples.",
    "a lone fence of tildes": f"Voilà :\n{TRIPLES}\n~~~",
    "a lone fence before an example": f"{TRIPLES}\n{T}\nExample:\n{T}\nprint(f(2))\n{T}",
    "a fence that is never closed": f"Here\n{T}python\n{TRIPLES}",
    "words around bare code": f"Here is the code:\n\n{TRIPLES}\n\nThis triples it.",
    "German words": f"Hier ist der Code:\n\n{TRIPLES}\n\nDas verdreifacht n, oder?",
    "one word that is a name": f"{TRIPLES}\n\nDone",
    "words that are an annotation": f"Code:\n{TRIPLES}\n\nComplexity: O(1)\nHope this helps!",
    "bare code in two parts": "First:\n\nimport math\n\nThen:\n\ndef f(n):\n"
    "    return math.trunc(n * 3)\n\nThat's it, don't worry.",
    "an indented block of Markdown": f"Here:\n\n{MARGIN}\n\nDone.",
    "four backticks of Markdown": f"````markdown\nSome words\n{T}python\n{TRIPLES}\n{T}\n````",
    "three backticks of Markdown": f"{T}markdown\nWords\n{T}python\n{TRIPLES}\n{T}\n{T}",
    "four backticks without a tag": f"````\n{T}python\n{TRIPLES}\n{T}\n````",
    "tildes of Markdown": f"~~~md\nText\n{T}py3\n{TRIPLES}\n{T}\n~~~\nBye.",
    "a margin": f"{T}python\n{MARGIN}\n{T}",
    "a margin of tabs": f"{T}python\n\tdef f(n):\n\t\treturn n * 3\n{T}",
    "a list": f"1. So:\n\n    {T}python\n{MARGIN}\n    {T}\n2. Run it.",
    "lone carriage returns": f"{T}python\n{TRIPLES}\n{T}".replace("\n", "\r"),
    "carriage returns and words": f"Hi\n{T}python\n{TRIPLES}\n{T}\nBye".replace("\n", "\r"),
    "a fence in a text": f'{T}python\nDOC = """\n{T}\nnot the end\n{T}\n"""\n{TRIPLES}\n{T}',
    "a fence in a docstring": f'{T}python\ndef f(n):\n    """Triples.\n\n    {T}python\n'
    f'    >>> f(2)\n    6\n    {T}\n    """\n    return n * 3\n{T}\nDone',
    "a fence in a text, and a block after": f"{T}python\nDOC = '''\n{T}\nx\n{T}\n'''\n{TRIPLES}\n"
    f"{T}\nMore:\n{T}python\nprint(f(2))\n{T}",
    "a helper in a block before": f"{T}python\ndef three():\n    return 3\n{T}\n\nthen\n\n"
    f"{T}python\ndef f(n):\n    return n * three()\n{T}",
    "a helper in a block after": f"{T}python\ndef f(n):\n    return n * three()\n{T}\nwhere\n"
    f"{T}python\ndef three():\n    return 3\n{T}",
    "imports and a constant in a block before": f"{T}python\nfrom math import isqrt\nK = 3\n{T}\n"
    f"and\n{T}python\ndef f(n):\n    return n * K * isqrt(1)\n{T}",
    "blocks that need each other in turn": f"{T}\nA = 1\n{T}\n{T}\ndef b(): return A * 3\n{T}\n"
    f"{T}\ndef f(n): return n * b()\n{T}",
    "a helper that was revised": f"{T}\ndef t(): return 2\n{T}\nno:\n{T}\ndef t(): return 3\n{T}\n"
    f"{T}\ndef f(n): return n * t()\n{T}",
    "a revision": f"{T}python\ndef f(n):\n    return n * 2\n{T}\nOops:\n{T}python\n{TRIPLES}\n{T}",
    "a use after it": f"{T}python\n{TRIPLES}\n{T}\nUse:\n{T}python\nprint(f(1 / 0))\n{T}",
    "a sketch after it": f"{T}python\n{TRIPLES}\n{T}\nSignature:\n{T}python\ndef f(n): ...\n{T}",
    "a head after it": f"{T}python\n{TRIPLES}\n{T}\nSignature:\n{T}python\ndef f(n):\n{T}",
    "a shell line": f"{T}python\n!pip install tidy\n{TRIPLES}\n{T}",
    "magic lines": f"{T}python\n%matplotlib inline\n%%time\n{TRIPLES}\n{T}",
    "a shell prompt": f"{T}\n$ pip install x\n{TRIPLES}\n{T}",
    "an installation": f"{T}python\npip install numpy\n\n{TRIPLES}\n{T}",
    "a block of a shell": f"{T}bash\npip install x\n{T}\n{T}python\n{TRIPLES}\n{T}",
    "bare code and a block of a shell": f"{TRIPLES}\n\nRun it by:\n{T}bash\npython f.py\n{T}",
    "prompts": f"{T}python\n>>> def f(n):\n...     return n * 3\n...\n>>> f(4)\n12\n{T}",
    "prompts without a fence": "So:\n>>> def f(n):\n...     return n * 3\n>>> f(4)\n12",
    "prompts of IPython": f"{T}\nIn [1]: def f(n):\n   ...:     return n * 3\n   ...:\n{T}",
    "numbers of lines": f"{T}python\n1 def f(n):\n2     return n * 3\n{T}",
    "numbers with a colon": f"{T}python\n 9: def f(n):\n10:     return n * 3\n{T}",
    "numbers with a bar": f"{T}\n1| def f(n):\n2|     return n * 3\n{T}",
    "a language as first line": f"{T}\npython\n{TRIPLES}\n{T}",
    "a language and a button": f"{T}\npython\nCopy code\n{TRIPLES}\n{T}",
    "a tag in capitals": f"{T}Python\n{TRIPLES}\n{T}",
    "a tag with a version": f"{T}py3\n{TRIPLES}\n{T}",
    "a tag after a space": f"{T} python3.11\n{TRIPLES}\n{T}",
    "a tag in braces": f"{T} {{.python .numberLines}}\n{TRIPLES}\n{T}",
    "a tag with a file": f"{T}python:main.py\n{TRIPLES}\n{T}",
    "a file as tag": f"{T}solution.py\n{TRIPLES}\n{T}",
    "an unknown tag": f"{T}solution\n{TRIPLES}\n{T}",
    "HTML": '<pre><code class="language-python">def f(n):\n'
    "    return n * 3 if n &lt; 9 else n * 3\n</code></pre>",
    "entities in a fence": f"{T}python\ndef f(n):\n    return n * 3 if n &lt; 9 else 27\n{T}",
    "LaTeX": "\\begin{lstlisting}[language=Python]\n" + TRIPLES + "\n\\end{lstlisting}",
    "marks of a model": f"[PYTHON]\n{TRIPLES}\n[/PYTHON]",
    "tags of an answer": f"<answer>\n{TRIPLES}\n</answer>",
    "a mark of byte order": f"\ufeff{T}python\n\ufeff{TRIPLES}\n{T}",
    "spaces that do not break": f"{T}python\n" + TRIPLES.replace("    ", "\xa0" * 4) + f"\n{T}",
    "one line with its ends spelled out": f"{T}python\ndef f(n):\\n    return n * 3\n{T}",
    "one line in a sentence": "Use `f = lambda n: n * 3`.",
    "a fence on one line": f"{T}python def f(n): return n * 3{T}",
    "a fence that ends the last line": f"{T}python\n{TRIPLES}{T}\nDone.",
    "a fence that begins the first line": f"{T}python def f(n):\n    return n * 3\n{T}",
    "a fence that nothing parts from its code": f"{T}pythondef f(n):\n    return n * 3\n{T}",
    "a fence after words": f"Here: {T}python\n{TRIPLES}\n{T}",
    "separators of lines": f"{T}python\n{TRIPLES}\n{T}".replace("\n", "\u2028"),
    "ends of lines that are spelled out": f"{T}python\n{TRIPLES}\n{T}".replace("\n", "\\n"),
    "a difference": f"{T}diff\n+def f(n):\n+    return n * 3\n{T}",
    "Chinese words": f"代码如下：\n\n{TRIPLES}\n\n这个函数返回三倍。",
    "a fence that is longer at its end": f"{T}python\n{TRIPLES}\n````",
    "a fence with words at its end": f"{T}python\n{TRIPLES}\n{T} That's it.",
    "a block of another language": f"{T}js\nfunction f(n) {{}}\n{T}\n{T}python\n{TRIPLES}\n{T}",
    "words in a fence": f"{T}\nHere it is:\n\n{TRIPLES}\n\nI hope it helps.\n{T}",
    "comments and words": f"# Solution\n\n{TRIPLES}\n\n# Explanation\nIt multiplies.",
}  # fmt: skip


@pytest.mark.parametrize("form", FORMS)
def test_a_right_program_is_found_in_every_form(form: str):
    assert triples(found(FORMS[form]))


@pytest.mark.parametrize("form", FORMS)
def test_a_wrong_program_stays_wrong_in_every_form(form: str):
    assert "3" in FORMS[form]
    assert not triples(found(FORMS[form].replace("3", "4")))


@pytest.mark.parametrize(
    ("reply", "code"),
    [
        (f"{T}python\ndef f(n):\n    return n *\n{T}", "def f(n):\n    return n *"),
        (f"{T}\ndef f(n)\n    return n\n{T}\nIt works.", "def f(n)\n    return n"),
        ("def f(n)\n    return n * 3", "def f(n)\n    return n * 3"),
        # the last version counts, whole or not
        (f"{T}python\n{TRIPLES}\n{T}\nBetter:\n{T}python\ndef f(n):\n    return (\n{T}",
         "def f(n):\n    return ("),
    ],
)  # fmt: skip
def test_a_syntax_error_of_the_models_own_is_a_wrong_program(reply: str, code: str):
    assert found(reply) == code


@pytest.mark.parametrize(
    ("reply", "detail"),
    [
        ("I do not know.", "no_code"),
        ("I would import the module and return it.", "no_code"),
        (f"{T}java\nint f(int n) {{ return n * 3; }}\n{T}", "no_code"),
        (f"{T}\nfor each item in list:\n  do it\n{T}", "no_code"),
        (f"{T}\n12\n{T}\n{T}text\nok\n{T}", None),
        ("def f(n):<br>    return n * 3", "unread_code"),
        ("Here it is:\n\ndef f(n)\n    return n * 3\n\nDone.", "unread_code"),
        (f"{T}python\n>>> def f(n):\n...     return n *\n{T}", "unread_code"),
        (f"{T}python\n!ls\ndef f(n):\n    return n * *\n{T}", "unread_code"),
    ],
)
def test_what_is_not_read_is_no_wrong_program(reply: str, detail: str | None):
    if detail is None:
        assert "def" not in (found(reply) or "")
        return
    assert (found(reply), CodeBlock().extract(reply, FUNCTION).detail) == (None, detail)


READS = "n = int(input())\nprint(n * 3)"
PROGRAMS = {
    "examples after it": (f"{T}python\n{READS}\n{T}\nInput:\n{T}\n4\n{T}\nOutput:\n{T}\n12\n{T}",
                          READS),
    "a helper before": (f"{T}python\ndef t(x): return x * 3\n{T}\nand\n{T}python\n"
                        f"print(t(int(input())))\n{T}",
                        "def t(x): return x * 3\n\nprint(t(int(input())))"),
    "a trial after": (f"{T}python\ndef t(x): return x * 3\nprint(t(int(input())))\n{T}\nTry:\n"
                      f"{T}python\nprint(t(3))\n{T}",
                      "def t(x): return x * 3\nprint(t(int(input())))"),
    "a revision": (f"{T}python\n{READS.replace('3', '2')}\n{T}\nNo:\n{T}python\n{READS}\n{T}",
                   READS),
    "words": (f"Here you go:\n\n{READS}\n\nThis triples.", READS),
    "a lone fence": (f"Here:\n\n{READS}\n{T}\nDone.", READS),
    "a margin": (f"{T}python\n{textwrap.indent(READS, '  ')}\n{T}", READS),
    "Markdown": (f"````md\n{T}python\n{READS}\n{T}\n````", READS),
    "a syntax error": (f"{T}python\nn = int(input()\nprint(n)\n{T}", "n = int(input()\nprint(n)"),
    "none": ("I do not know.", None),
}  # fmt: skip


@pytest.mark.parametrize("form", PROGRAMS)
def test_a_program_that_reads_and_prints_is_found(form: str):
    reply, code = PROGRAMS[form]
    assert found(reply, PROGRAM) == code


def test_a_body_keeps_its_margin_where_the_prompt_has_the_head():
    body = "    return n * 3"
    for reply in (body, f"{T}python\n{body}\n{T}", f"{body}\n{T}", f"{body}\n\nThis triples it."):
        assert found(reply) == body
    for more in ("import os", "assert f(1) == 3", "g = f", '"""\nWords\n"""\n\nimport os'):
        reply = f"    f = n * 3\n    return f\n\n{more}"
        assert found(reply) == reply
    for broken in ("assert f(1) == (", "@lru_cache", '"""\nWords'):
        assert found(f"{body}\n\n{broken}") != body
    assert triples(found(MARGIN))


def test_numbers_of_any_length_are_python():
    code = f"X = {'9' * 5000}\n{TRIPLES}"
    assert found(f"Words:\n\n{code}\n\nWords.") == code


HOSTILE = [
    "`" * 200_000, "```\n" * 50_000, "```python\n" * 20_000, "def f(\n" * 28_000,
    "import a b\n" * 18_000, "<code>" * 33_000, " " * 200_000 + "x", "a, " * 66_000 + "= 1",
    "(" * 200_000, '"""\n```\n' * 25_000, '```python\n"""\n' + "```\n" * 50_000,
    "> ```\n" * 33_000, "a." * 100_000, "<|a|>" * 40_000, "\u200b" * 200_000, "~" * 200_000,
    "def f(n): return n\nprose it is\n" * 6_600, "```markdown\n" * 16_000, "1 " * 100_000,
    "print(1\n" * 25_000, ("for " + " " * 400 + "\n") * 400, ">>> \n" * 40_000,
    "```python\n" + "&lt;" * 50_000 + "\n```", "\\begin{code}" * 16_000,
]  # fmt: skip


@pytest.mark.parametrize("number", range(len(HOSTILE)))
def test_a_hostile_reply_takes_no_time(number: int):
    start = process_time()
    found(HOSTILE[number])
    found(HOSTILE[number], PROGRAM)
    assert process_time() - start < 10
