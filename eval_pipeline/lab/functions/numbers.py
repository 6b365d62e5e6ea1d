"""Functions on numbers."""

from eval_pipeline.lab.functions.model import Function

NUMBERS = (
    Function(
        "digit_sum",
        "(n: int) -> int",
        "Return the sum of the decimal digits of n; the sign does not count.",
        ("return sum(int(d) for d in str(abs(n)))",
         "n, total = abs(n), 0\nwhile n:\n    n, d = divmod(n, 10)\n    total += d\nreturn total"),
        ("return sum(int(d) for d in str(n) if d != '9')",
         "return abs(n) % 10 + abs(n) // 10"),
        ("candidate(0) == 0", "candidate(29) == 11", "candidate(-407) == 11",
         "candidate(99999) == 45"),
    ),
    Function(
        "clamp",
        "(x: float, low: float, high: float) -> float",
        "Return x moved into the range from low to high, both ends allowed.",
        ("return max(low, min(x, high))",
         "if x < low:\n    return low\nreturn high if x > high else x"),
        ("return min(low, max(x, high))", "return low if x < low else x"),
        ("candidate(5, 0, 10) == 5", "candidate(-3, 0, 10) == 0", "candidate(12, 0, 10) == 10",
         "candidate(10, 0, 10) == 10"),
    ),
    Function(
        "is_leap_year",
        "(year: int) -> bool",
        "Say whether the year has 366 days in the Gregorian calendar.",
        ("return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)",
         "if year % 400 == 0:\n    return True\nreturn year % 4 == 0 and year % 100 != 0"),
        ("return year % 4 == 0", "return year % 4 == 0 and year % 100 != 0"),
        ("candidate(2024) is True", "candidate(2023) is False", "candidate(1900) is False",
         "candidate(2000) is True"),
    ),
    Function(
        "count_steps_to_one",
        "(n: int) -> int",
        "Halve n where it is even, else take 3 n + 1; return the number of steps until it is 1.",
        ("steps = 0\nwhile n != 1:\n    n = n // 2 if n % 2 == 0 else 3 * n + 1\n"
         "    steps += 1\nreturn steps",),
        ("steps = 1\nwhile n != 1:\n    n = n // 2 if n % 2 == 0 else 3 * n + 1\n"
         "    steps += 1\nreturn steps",),
        ("candidate(1) == 0", "candidate(8) == 3", "candidate(6) == 8", "candidate(7) == 16"),
    ),
    Function(
        "rounded_up_to",
        "(n: int, step: int) -> int",
        "Return the smallest multiple of step that is at least n.",
        ("return -(-n // step) * step",
         "rest = n % step\nreturn n if rest == 0 else n + step - rest"),
        ("return (n // step + 1) * step", "return round(n / step) * step"),
        ("candidate(7, 5) == 10", "candidate(10, 5) == 10", "candidate(0, 3) == 0",
         "candidate(1, 100) == 100"),
    ),
    Function(
        "proper_divisors",
        "(n: int) -> list[int]",
        "Return the divisors of n below n itself, smallest first.",
        ("return [d for d in range(1, n) if n % d == 0]",
         "found = []\nfor d in range(1, n // 2 + 1):\n    if n % d == 0:\n"
         "        found.append(d)\nreturn found"),
        ("return [d for d in range(1, n + 1) if n % d == 0]",
         "return [d for d in range(2, n) if n % d == 0]"),
        ("candidate(12) == [1, 2, 3, 4, 6]", "candidate(7) == [1]", "candidate(1) == []"),
    ),
    Function(
        "minutes_between",
        "(start: str, end: str) -> int",
        "Return the minutes from start to end, both as HH:MM; an earlier end is on the next day.",
        ("a, b = (int(t[:2]) * 60 + int(t[3:]) for t in (start, end))\nreturn (b - a) % 1440",
         "h, m = start.split(':')\nk, n = end.split(':')\n"
         "gap = (int(k) - int(h)) * 60 + int(n) - int(m)\n"
         "return gap if gap >= 0 else gap + 24 * 60"),
        ("a, b = (int(t[:2]) * 60 + int(t[3:]) for t in (start, end))\nreturn b - a",
         "a, b = (int(t[:2]) * 60 + int(t[3:]) for t in (start, end))\nreturn abs(b - a)"),
        ("candidate('08:15', '09:00') == 45", "candidate('23:50', '00:05') == 15",
         "candidate('12:00', '12:00') == 0"),
    ),
    Function(
        "mean_without_extremes",
        "(values: list[float]) -> float",
        "Leave out one smallest and one largest value and return the mean of the others.",
        ("kept = sorted(values)[1:-1]\nreturn sum(kept) / len(kept)",
         "return (sum(values) - min(values) - max(values)) / (len(values) - 2)"),
        ("kept = values[1:-1]\nreturn sum(kept) / len(kept)",
         "kept = [v for v in values if min(values) < v < max(values)]\n"
         "return sum(kept) / max(len(kept), 1)"),
        ("candidate([1, 2, 3]) == 2", "candidate([9, 1, 4, 6]) == 5",
         "candidate([2, 2, 2, 2]) == 2"),
    ),
    Function(
        "to_roman",
        "(n: int) -> str",
        "Return n, from 1 to 39, in Roman numerals.",
        ("ones = ['', 'I', 'II', 'III', 'IV', 'V', 'VI', 'VII', 'VIII', 'IX']\n"
         "return 'X' * (n // 10) + ones[n % 10]",
         "out = ''\nfor value, mark in ((10, 'X'), (9, 'IX'), (5, 'V'), (4, 'IV'), (1, 'I')):\n"
         "    while n >= value:\n        out += mark\n        n -= value\nreturn out"),
        ("out = ''\nfor value, mark in ((10, 'X'), (5, 'V'), (1, 'I')):\n"
         "    while n >= value:\n        out += mark\n        n -= value\nreturn out",),
        ("candidate(3) == 'III'", "candidate(14) == 'XIV'", "candidate(39) == 'XXXIX'"),
    ),
    Function(
        "change_in_coins",
        "(amount: int) -> dict[int, int]",
        "Pay the amount with coins of 10, 5 and 1, as few as possible; return coin to count, "
        "used coins only.",
        ("paid = {}\nfor coin in (10, 5, 1):\n    count, amount = divmod(amount, coin)\n"
         "    if count:\n        paid[coin] = count\nreturn paid",),
        ("paid = {}\nfor coin in (10, 5, 1):\n    paid[coin], amount = divmod(amount, coin)\n"
         "return paid",
         "return {1: amount} if amount else {}"),
        ("candidate(0) == {}", "candidate(27) == {10: 2, 5: 1, 1: 2}", "candidate(40) == {10: 4}"),
    ),
)  # fmt: skip
