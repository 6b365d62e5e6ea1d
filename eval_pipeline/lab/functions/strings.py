"""Functions on text."""

from eval_pipeline.lab.functions.model import Function

STRINGS = (
    Function(
        "count_vowels",
        "(text: str) -> int",
        "Count the letters a, e, i, o and u in the text, capitals included.",
        ("return sum(c in 'aeiou' for c in text.lower())",
         "total = 0\nfor c in text:\n    if c in 'aeiouAEIOU':\n        total += 1\nreturn total"),
        ("return sum(c in 'aeiou' for c in text)", "return len(set(text.lower()) & set('aeiou'))"),
        ("candidate('') == 0", "candidate('Otter') == 2", "candidate('banana') == 3"),
    ),
    Function(
        "initials",
        "(name: str) -> str",
        "Return the first letter of every word of a name in capitals, each followed by a point.",
        ("return ''.join(word[0].upper() + '.' for word in name.split())",),
        ("return ''.join(word[0] + '.' for word in name.split())",
         "return '.'.join(word[0].upper() for word in name.split())"),
        ("candidate('mira holm') == 'M.H.'", "candidate('Ada') == 'A.'",
         "candidate('  jo   van  dam ') == 'J.V.D.'"),
    ),
    Function(
        "is_palindrome",
        "(text: str) -> bool",
        "Say whether the letters of the text read the same from both ends; case, blanks and "
        "marks do not count.",
        ("letters = [c.lower() for c in text if c.isalpha()]\nreturn letters == letters[::-1]",),
        ("return text.lower() == text.lower()[::-1]", "return text == text[::-1]"),
        ("candidate('Level') is True", "candidate('A nut for a jar of tuna') is True",
         "candidate('otter') is False", "candidate('') is True"),
    ),
    Function(
        "squeeze_blanks",
        "(text: str) -> str",
        "Return the text with every run of blanks made a single blank and none at its ends.",
        ("return ' '.join(word for word in text.split(' ') if word)",
         "while '  ' in text:\n    text = text.replace('  ', ' ')\nreturn text.strip(' ')"),
        ("return text.replace('  ', ' ').strip()", "return text.strip()"),
        ("candidate('a  b') == 'a b'", "candidate('  a    b c ') == 'a b c'",
         "candidate('') == ''"),
    ),
    Function(
        "longest_word",
        "(text: str) -> str",
        "Return the longest word of the text, the earliest of several; an empty text gives ''.",
        ("return max(text.split(), key=len, default='')",
         "best = ''\nfor word in text.split():\n    if len(word) > len(best):\n"
         "        best = word\nreturn best"),
        ("return sorted(text.split() or [''], key=len)[-1]", "return max(text.split(), key=len)"),
        ("candidate('a fox ran') == 'fox'", "candidate('') == ''", "candidate('lake') == 'lake'",
         "candidate('to be or not') == 'not'"),
    ),
    Function(
        "shift_letters",
        "(text: str, by: int) -> str",
        "Move every small letter a to z on by so many places, from z back to a; leave all else.",
        ("return ''.join(chr((ord(c) - 97 + by) % 26 + 97) if 'a' <= c <= 'z' else c "
         "for c in text)",),
        ("return ''.join(chr(ord(c) + by) if 'a' <= c <= 'z' else c for c in text)",
         "return ''.join(chr((ord(c) - 97 + by) % 26 + 97) for c in text)"),
        ("candidate('abc', 1) == 'bcd'", "candidate('xyz', 3) == 'abc'",
         "candidate('Hi, you', 2) == 'Hk, aqw'"),
    ),
    Function(
        "count_words",
        "(text: str) -> dict[str, int]",
        "Return how often each word occurs, words in small letters.",
        ("counts = {}\nfor word in text.lower().split():\n"
         "    counts[word] = counts.get(word, 0) + 1\nreturn counts",
         "words = text.lower().split()\nreturn {word: words.count(word) for word in words}"),
        ("words = text.split()\nreturn {word: words.count(word) for word in words}",
         "return {word: 1 for word in text.lower().split()}"),
        ("candidate('') == {}", "candidate('Rain rain sun') == {'rain': 2, 'sun': 1}"),
    ),
    Function(
        "common_prefix",
        "(words: list[str]) -> str",
        "Return the longest beginning that all words share; no words share ''.",
        ("if not words:\n    return ''\nlow, high = min(words), max(words)\n"
         "n = 0\nwhile n < len(low) and n < len(high) and low[n] == high[n]:\n    n += 1\n"
         "return low[:n]",),
        ("return words[0][:1] if words else ''",
         "if not words:\n    return ''\na, b = words[0], words[-1]\nn = 0\n"
         "while n < min(len(a), len(b)) and a[n] == b[n]:\n    n += 1\nreturn a[:n]"),
        ("candidate(['meadow', 'metal', 'meadows']) == 'me'", "candidate([]) == ''",
         "candidate(['pine']) == 'pine'", "candidate(['sand', 'tar', 'sandy']) == ''"),
    ),
    Function(
        "run_lengths",
        "(text: str) -> list[tuple[str, int]]",
        "Return each run of equal letters as (letter, length), in order.",
        ("runs = []\nfor c in text:\n    if runs and runs[-1][0] == c:\n"
         "        runs[-1] = (c, runs[-1][1] + 1)\n    else:\n        runs.append((c, 1))\n"
         "return runs",),
        ("return [(c, text.count(c)) for c in dict.fromkeys(text)]",),
        ("candidate('') == []", "candidate('aab') == [('a', 2), ('b', 1)]",
         "candidate('aba') == [('a', 1), ('b', 1), ('a', 1)]"),
    ),
    Function(
        "wrap_words",
        "(text: str, width: int) -> list[str]",
        "Break the text into lines of at most width letters, at blanks only and as full as "
        "possible; no word is longer than width.",
        ("lines = []\nfor word in text.split():\n"
         "    if lines and len(lines[-1]) + 1 + len(word) <= width:\n"
         "        lines[-1] += ' ' + word\n    else:\n        lines.append(word)\nreturn lines",),
        ("lines = []\nfor word in text.split():\n"
         "    if lines and len(lines[-1]) + len(word) <= width:\n"
         "        lines[-1] += ' ' + word\n    else:\n        lines.append(word)\nreturn lines",
         "return [text[i : i + width] for i in range(0, len(text), width)]"),
        ("candidate('', 5) == []", "candidate('a bb cc', 5) == ['a bb', 'cc']",
         "candidate('aa bbb', 5) == ['aa', 'bbb']", "candidate('aa bb', 5) == ['aa bb']"),
    ),
)  # fmt: skip
