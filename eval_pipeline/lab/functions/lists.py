"""Functions on lists."""

from eval_pipeline.lab.functions.model import Function

LISTS = (
    Function(
        "running_total",
        "(numbers: list[int]) -> list[int]",
        "Return the sum of the numbers so far, at every place.",
        ("out, total = [], 0\nfor n in numbers:\n    total += n\n    out.append(total)\nreturn out",
         "return [sum(numbers[: i + 1]) for i in range(len(numbers))]"),
        ("return [sum(numbers[:i]) for i in range(len(numbers))]", "return [sum(numbers)]"),
        ("candidate([]) == []", "candidate([1, 2, 3]) == [1, 3, 6]",
         "candidate([4, -4]) == [4, 0]"),
    ),
    Function(
        "without_repeats",
        "(items: list) -> list",
        "Return the items in order, each only where it comes first.",
        ("return list(dict.fromkeys(items))",
         "out = []\nfor item in items:\n    if item not in out:\n        out.append(item)\n"
         "return out"),
        ("return sorted(set(items))", "return [x for x in items if items.count(x) == 1]"),
        ("candidate([3, 1, 3, 2]) == [3, 1, 2]", "candidate([]) == []",
         "candidate(['b', 'a', 'b']) == ['b', 'a']"),
    ),
    Function(
        "second_largest",
        "(numbers: list[int])",
        "Return the second largest of the different values, or None where there is none.",
        ("values = sorted(set(numbers))\nreturn values[-2] if len(values) > 1 else None",),
        ("return sorted(numbers)[-2] if len(numbers) > 1 else None",
         "return sorted(set(numbers))[-2]"),
        ("candidate([4, 9, 7]) == 7", "candidate([5, 5, 3]) == 3", "candidate([2, 2]) is None"),
    ),
    Function(
        "rotate",
        "(items: list, by: int) -> list",
        "Move the last by items to the front; by may be larger than the list, or negative.",
        ("if not items:\n    return []\nk = by % len(items)\n"
         "return items[len(items) - k :] + items[: len(items) - k]",),
        ("return items[by:] + items[:by]", "return items[-by:] + items[:-by]"),
        ("candidate([1, 2, 3, 4], 1) == [4, 1, 2, 3]", "candidate([1, 2, 3], 5) == [2, 3, 1]",
         "candidate([1, 2, 3], 0) == [1, 2, 3]", "candidate([], 3) == []",
         "candidate([1, 2, 3], -1) == [2, 3, 1]"),
    ),
    Function(
        "chunks",
        "(items: list, size: int) -> list[list]",
        "Cut the list into parts of so many items; the last may be shorter.",
        ("return [items[i : i + size] for i in range(0, len(items), size)]",
         "out = []\nwhile items:\n    out.append(items[:size])\n    items = items[size:]\n"
         "return out"),
        ("return [items[i : i + size] for i in range(0, len(items) - size + 1, size)]",
         "return [items[i::size] for i in range(size)]"),
        ("candidate([1, 2, 3, 4, 5], 2) == [[1, 2], [3, 4], [5]]", "candidate([], 3) == []",
         "candidate([1, 2], 2) == [[1, 2]]"),
    ),
    Function(
        "merge_sorted",
        "(left: list[int], right: list[int]) -> list[int]",
        "Merge two rising lists into one; equal values are all kept.",
        ("return sorted(left + right)",
         "out, i, j = [], 0, 0\nwhile i < len(left) and j < len(right):\n"
         "    if left[i] <= right[j]:\n        out.append(left[i])\n        i += 1\n"
         "    else:\n        out.append(right[j])\n        j += 1\n"
         "return out + left[i:] + right[j:]"),
        ("return sorted(set(left + right))", "return left + right"),
        ("candidate([1, 4], [2, 3]) == [1, 2, 3, 4]", "candidate([], [5]) == [5]",
         "candidate([1, 2], [2]) == [1, 2, 2]"),
    ),
    Function(
        "pairs_with_sum",
        "(numbers: list[int], total: int) -> int",
        "Count the pairs of places whose numbers add up to the total.",
        ("n = len(numbers)\nreturn sum(numbers[i] + numbers[j] == total "
         "for i in range(n) for j in range(i + 1, n))",
         "seen, count = {}, 0\nfor x in numbers:\n    count += seen.get(total - x, 0)\n"
         "    seen[x] = seen.get(x, 0) + 1\nreturn count"),
        ("return sum(total - x in numbers for x in numbers) // 2",
         "return sum(a + b == total for a in numbers for b in numbers)"),
        ("candidate([1, 3, 2, 2], 4) == 2", "candidate([5], 10) == 0",
         "candidate([2, 2, 2], 4) == 3"),
    ),
    Function(
        "transpose",
        "(rows: list[list]) -> list[list]",
        "Swap rows and columns of a table whose rows are equally long.",
        ("return [list(column) for column in zip(*rows)]",
         "return [[row[j] for row in rows] for j in range(len(rows[0]) if rows else 0)]"),
        ("return [row[::-1] for row in rows]", "return list(zip(*rows))"),
        ("candidate([[1, 2], [3, 4], [5, 6]]) == [[1, 3, 5], [2, 4, 6]]", "candidate([]) == []",
         "candidate([[7]]) == [[7]]"),
    ),
    Function(
        "longest_rise",
        "(numbers: list[int]) -> int",
        "Return the length of the longest stretch in which each number is larger than the last.",
        ("best = run = 0\nfor i, n in enumerate(numbers):\n"
         "    run = run + 1 if i and n > numbers[i - 1] else 1\n    best = max(best, run)\n"
         "return best",),
        ("best = run = 1\nfor a, b in zip(numbers, numbers[1:]):\n"
         "    run = run + 1 if b > a else 1\n    best = max(best, run)\nreturn best",
         "return len(set(numbers))"),
        ("candidate([]) == 0", "candidate([3, 1, 2, 5, 4]) == 3", "candidate([2, 2]) == 1"),
    ),
    Function(
        "flatten",
        "(nested: list) -> list",
        "Return the numbers of a list of lists of any depth, in order.",
        ("out = []\nfor x in nested:\n    if isinstance(x, list):\n        out += flatten(x)\n"
         "    else:\n        out.append(x)\nreturn out",),
        ("return [x for part in nested for x in (part if isinstance(part, list) else [part])]",),
        ("candidate([]) == []", "candidate([1, [2, 3]]) == [1, 2, 3]",
         "candidate([[1, [2, [3]]], 4]) == [1, 2, 3, 4]"),
    ),
)  # fmt: skip
