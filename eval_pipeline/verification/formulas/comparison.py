"""Whether two statements say the same: True, False, or None where nobody can tell."""

import re
from collections.abc import Iterable, Sequence

from eval_pipeline.verification.formulas.bindings import (
    Bindings,
    evaluated,
    membership,
    name_of,
    read_bindings,
)
from eval_pipeline.verification.formulas.equality import (
    agreed,
    equal_terms,
    settled,
    uncalled,
)
from eval_pipeline.verification.formulas.equations import equal_equations, equal_inequalities
from eval_pipeline.verification.formulas.ranges import Range, has_open_ends, is_range, read_ranges
from eval_pipeline.verification.formulas.shapes import (
    as_written,
    constant_of,
    gap_of,
    in_components,
    in_one_argument,
    is_constant,
    is_one_function,
    matched,
    ratio_terms,
    rows_of,
)
from eval_pipeline.verification.formulas.specials import Special
from eval_pipeline.verification.formulas.statements import (
    Congruence,
    Labelled,
    Matrix,
    PlainWords,
    Ratio,
    Relation,
    Several,
    Statement,
    Union,
    Value,
)
from eval_pipeline.verification.formulas.terms import (
    E,
    product,
    symbol,
    symbols,
)
from eval_pipeline.verification.formulas.values import Values

MAX_PARTS = 60
SHORT = 4  # letters side by side that may be factors
_ORDER = frozenset({"<", ">", "<=", ">=", "!="})


class StatementComparison(Values):
    """Compares statements."""

    def same(self, a: Statement, b: Statement) -> bool | None:
        """Whether an answer says what a reference says."""
        if isinstance(a, Value) != isinstance(b, Value):
            a, b = in_components(a, b), in_components(b, a)
        if isinstance(a, Value) and isinstance(b, Value):
            return self.values(a, b)
        if isinstance(a, PlainWords) or isinstance(b, PlainWords):
            return self.worded(a, b)
        if isinstance(a, Labelled) or isinstance(b, Labelled):
            return self.labelled(a, b)
        if isinstance(a, Congruence) or isinstance(b, Congruence):
            return self.congruent(a, b)
        ours, theirs = read_bindings(a), read_bindings(b)
        if ours and theirs:
            return self.bound(ours, theirs, a, b)
        if is_range(a) or is_range(b):
            if not is_range(b) and (bound := membership(a)):
                return self.bound(bound, theirs, a, b) if theirs else self.same(_set_of(bound), b)
            if not is_range(a) and (bound := membership(b)):
                return self.bound(ours, bound, a, b) if ours else self.same(a, _set_of(bound))
            return self.ranged(a, b)
        if isinstance(a, Relation) and isinstance(b, Relation):
            return self.related(a, b)
        if ours:
            return self.named(ours, b)
        if theirs:
            return self.named(theirs, a, turned=True)
        if isinstance(a, Relation) or isinstance(b, Relation):
            return self.worked_out(a, b)
        if isinstance(a, Special) or isinstance(b, Special):
            return a == b
        if isinstance(a, Matrix) or isinstance(b, Matrix):
            return self.matrices(a, b)
        if isinstance(a, Ratio) or isinstance(b, Ratio):
            return self.ratios(a, b)
        if isinstance(a, Several) or isinstance(b, Several):
            return self.several(a, b)
        return None

    # words and labels

    def worded(self, a: Statement, b: Statement) -> bool | None:
        if isinstance(a, PlainWords) and isinstance(b, PlainWords):
            ours, theirs = (tuple(w for w in s.words if w not in _ARTICLES) for s in (a, b))
            if ours == theirs:
                return True
            if {*ours} <= {*theirs} or {*theirs} <= {*ours}:
                return self.untold("more_words")
            return False
        value = b if isinstance(a, PlainWords) else a
        words = a if isinstance(a, PlainWords) else b
        if isinstance(value, Value) and isinstance(words, PlainWords):
            said = "".join(words.words)
            if value.text.isupper() and value.text.isalpha() and value.text.casefold() == said:
                return True  # \\text{AB}
            letters = tuple(E if letter == "e" else symbol(letter) for letter in said)
            is_run = value.text.isalpha()  # no and on are two words
            if len(letters) <= SHORT and len(words.words) == 1 and symbols(*value.readings) and (
                not is_run
            ):  # fmt: skip
                return self.terms((product(*letters),), value.readings)  # am, and a*m
        return self.untold("words_on_one_side")

    def labelled(self, a: Statement, b: Statement) -> bool | None:
        if not isinstance(a, Labelled) or not isinstance(b, Labelled):
            labelled, other = (a, b) if isinstance(a, Labelled) else (b, a)
            if isinstance(labelled, Labelled) and len(labelled.pairs) == 1:
                value = labelled.pairs[0][1]
                return self.same(value, other) if labelled is a else self.same(other, value)
            return self.untold("labels_on_one_side")
        ours, theirs = dict(a.pairs), dict(b.pairs)
        if ours.keys() != theirs.keys():
            return self.untold("other_labels")
        return self.all(self.same(ours[label], theirs[label]) for label in sorted(ours))

    # relations

    def congruent(self, a: Statement, b: Statement) -> bool | None:
        if not isinstance(a, Congruence) or not isinstance(b, Congruence):
            return self.untold("congruence_on_one_side")
        modulus = self.same(a.modulus, b.modulus)
        if not modulus:
            return modulus
        if a.left and b.left and not self.same(a.left, b.left):
            return self.untold("other_left_side")
        if found := self.same(a.right, b.right):
            return found
        values = [constant_of(side) for side in (a.right, b.right, a.modulus)]
        if None in values or not values[2]:
            return self.untold("not_proved")
        ours, theirs, size = (value for value in values if value is not None)
        return ((ours - theirs) / size).denominator == 1

    def bound(self, a: Bindings, b: Bindings, said: Statement, wanted: Statement) -> bool | None:
        names = {name for name, _ in a}, {name for name, _ in b}
        if names[0] == names[1]:
            ours, theirs = dict(a), dict(b)
            return self.all(self.collection(ours[n], theirs[n]) for n in sorted(names[0]))
        if (renamed := in_one_argument(a, b)) is not None:
            return self.same(renamed, b[0][1][0])
        if is_one_function(a, b):
            return self.collection(a[0][1], b[0][1])
        if isinstance(said, Relation) and isinstance(wanted, Relation):
            if len(a[0][1]) == len(b[0][1]) == 1 and is_constant(a[0][1][0]):
                if self.same(a[0][1][0], b[0][1][0]) is False:
                    return False
                return self.other_name(a[0][0], b[0][0])
            return self.related(said, wanted)
        common = names[0] & names[1]
        ours, theirs = dict(a), dict(b)
        if any(self.collection(ours[n], theirs[n]) is False for n in sorted(common)):
            return False
        return self.untold("other_names")

    def other_name(self, a: str, b: str) -> bool | None:
        """What the same said of two names is: x and x_1, X and x may be one, x and y are two."""
        plain = [re.split(r"[_'(]", name)[0].casefold() for name in (a, b)]
        is_said = any(len(name) > 1 for name in plain)  # Area = 12 and A = 12
        return self.untold("other_name") if is_said or plain[0] == plain[1] else False

    def named(self, bindings: Bindings, other: Statement, turned: bool = False) -> bool | None:
        """Values by name against something without names; turned: the names are the reference's."""

        def held(said: Statement, wanted: Statement) -> bool | None:
            return self.same(wanted, said) if turned else self.same(said, wanted)

        values = [value for _, several in bindings for value in several]
        if len(bindings) == 1:
            if len(values) == 1:
                return held(values[0], other)
            return held(Several(tuple(values)), other)
        if isinstance(other, Several) and other.brackets in ("", "()", "[]"):
            if len(other.parts) != len(values):
                return False
            names = [name for name, _ in bindings]
            found = self.all(held(x, y) for x, y in zip(values, other.parts, strict=True))
            if found and names == sorted(names):
                return True
            return self.untold("names_on_one_side")
        return self.untold("names_on_one_side")

    def related(self, a: Relation, b: Relation) -> bool | None:
        signs = a.signs, b.signs
        if any(len(s) != 1 for s in signs):
            if signs[0] == signs[1]:
                sides = zip(a.sides, b.sides, strict=True)
                if self.all(self.same(x, y) for x, y in sides if x and y):
                    return True
            return self.untold("not_proved")
        terms = [gap_of(one) for one in (a, b)]
        if terms[0] is None or terms[1] is None:
            return self.untold("relation_not_read")
        sign, other = signs[0][0], signs[1][0]
        if not (sign == other == "=" or {sign, other} <= _ORDER):
            return False if {sign, other} & {"="} and {sign, other} & _ORDER else None
        results = []
        for x, y in uncalled(terms[0], terms[1]):
            if sign == "=":
                results.append(equal_equations(x, y, self.oracle))
            else:
                results.append(equal_inequalities(x, sign, y, other, self.oracle))
        found = True if True in results[:1] else agreed(results)
        return self.untold("not_proved") if found is None else found

    def worked_out(self, a: Statement, b: Statement) -> bool | None:
        """A calculation, 2 + 3 = 5, against a value."""
        worked = []
        for said in (a, b):
            if isinstance(said, Relation):
                value = evaluated(said, settled)
                if value is None:
                    return self.untold("relation_on_one_side")
                worked.append(value)
            else:
                worked.append(said)
        found = self.same(*worked)
        return found or self.untold("relation_on_one_side")

    # sets of numbers

    def ranged(self, a: Statement, b: Statement) -> bool | None:
        if not all(
            is_range(s) or isinstance(s, Several | Relation | Special) or read_ranges(s)
            for s in (a, b)
        ):
            return self.untold("relation_on_one_side")
        if isinstance(a, Special) and isinstance(b, Special):
            return a == b
        if isinstance(a, Union) and isinstance(b, Union) and a.sign == b.sign != "minus" and (
            all(name_of(part) for part in (*a.parts, *b.parts))
        ):  # fmt: skip
            return self.as_collection(a.parts, b.parts)
        ours, theirs = read_ranges(a), read_ranges(b)
        if isinstance(a, Relation) and isinstance(b, Relation) and (
            has_open_ends(ours) or has_open_ends(theirs)
        ):  # fmt: skip
            told = self.related(a, b)
            if told is not None:
                return told
        if ours is None or theirs is None:
            if isinstance(a, Relation) and isinstance(b, Relation):
                return self.related(a, b)
            if isinstance(a, Several) and isinstance(b, Several):
                return self.several(a, b)
            return self.untold("range_not_read")
        found = self.equal_ranges(ours.ranges, theirs.ranges)
        if found is not False and ours.name and theirs.name and ours.name != theirs.name:
            return self.other_name(ours.name, theirs.name)
        if not found and isinstance(a, Relation) and isinstance(b, Relation):
            return self.related(a, b) if found is None else found
        return found

    def equal_ranges(self, a: Sequence[Range], b: Sequence[Range]) -> bool | None:
        if len(a) != len(b):
            return False
        found: list[bool | None] = []
        for one, other in zip(a, b, strict=True):
            for x, y in zip(one, other, strict=True):
                if x.belongs != y.belongs or (x.term is None) != (y.term is None):
                    return False
                if x.term is None or y.term is None:
                    found.append(x.at == y.at)
                else:
                    found.append(self.terms((x.term,), (y.term,)))
        return self.all(found)

    # several things

    def several(self, a: Statement, b: Statement) -> bool | None:
        if not isinstance(a, Several) or not isinstance(b, Several):
            several, other = (a, b) if isinstance(a, Several) else (b, a)
            assert isinstance(several, Several)
            if len(several.parts) == 1 and several.brackets != "()":
                part = several.parts[0]
                return self.same(part, other) if several is a else self.same(other, part)
            if several.brackets in ("", "{}"):  # 6 and 6, 6
                said = (several.parts, (other,)) if several is a else ((other,), several.parts)
                return self.as_collection(*said)
            return False if isinstance(other, Value) else self.untold("several_on_one_side")
        kinds = a.brackets, b.brackets
        if "{}" in kinds and any(kind not in ("{}", "") for kind in kinds):
            return False
        if kinds == ("{}", "{}"):
            return self.as_set(a.parts, b.parts)
        if kinds == ("", "") and self.in_order and "pm" not in (a.joint, b.joint):
            return self.ordered(a.parts, b.parts)
        if "{}" in kinds or kinds == ("", ""):
            return self.as_collection(a.parts, b.parts)
        if kinds[0] != kinds[1] and "" not in kinds and (
            len(a.parts) == len(b.parts) == 2 or not {*kinds} <= {"()", "[]"}
        ):  # fmt: skip
            return False  # open and closed ends
        return self.ordered(a.parts, b.parts)

    def ordered(self, a: Sequence[Statement], b: Sequence[Statement]) -> bool | None:
        if len(a) != len(b):
            return False
        return self.all(self.same(x, y) for x, y in zip(a, b, strict=True))

    def as_set(self, a: Sequence[Statement], b: Sequence[Statement]) -> bool | None:
        """Whether each of one is in the other, however often it is said."""
        if max(len(a), len(b)) > MAX_PARTS:
            return self.untold("too_many_parts")
        table = [[self.quietly(x, y) for y in b] for x in a]
        rows = [*table, *map(list, zip(*table, strict=True))]
        return self.all(True if True in row else None if None in row else False for row in rows)

    def as_collection(self, a: Sequence[Statement], b: Sequence[Statement]) -> bool | None:
        """Whether both hold the same, each as often, in any order."""
        if max(len(a), len(b)) > MAX_PARTS:
            return self.untold("too_many_parts")
        if len(a) == len(b):
            table = [[self.quietly(x, y) for y in b] for x in a]
            if matched(table, (True,)):
                return True
            if not matched(table, (True, None)) and self.as_set(a, b) is False:
                return False
            return self.untold("parts_not_told")
        return self.untold("repeated_member") if self.as_set(a, b) is not False else False

    def collection(self, a: Sequence[Statement], b: Sequence[Statement]) -> bool | None:
        """As `as_collection`; of one each, as `same`."""
        if len(a) == len(b) == 1:
            return self.same(a[0], b[0])
        return self.as_collection(a, b)

    def quietly(self, a: Statement, b: Statement) -> bool | None:
        noted = len(self.why)
        found = self.same(a, b)
        if found is not None:
            del self.why[noted:]
        return found

    def matrices(self, a: Statement, b: Statement) -> bool | None:
        ours, theirs = rows_of(a), rows_of(b)
        if ours is None or theirs is None:
            return self.untold("matrix_on_one_side")
        ours, theirs = as_written(a, ours, theirs), as_written(b, theirs, ours)
        if [len(row) for row in ours] != [len(row) for row in theirs]:
            return False
        cells = [
            (x, y)
            for row, other in zip(ours, theirs, strict=True)
            for x, y in zip(row, other, strict=True)
        ]
        return self.all(self.same(x, y) for x, y in cells)

    def ratios(self, a: Statement, b: Statement) -> bool | None:
        parts = [ratio_terms(one) for one in (a, b)]
        ours, theirs = parts
        if ours is None or theirs is None:
            return self.untold("ratio_on_one_side")
        if len(ours) != len(theirs):
            return False
        pairs = list(zip(ours, theirs, strict=True))
        x, y = pairs[0]
        return self.all(
            equal_terms(product(p, y), product(q, x), self.oracle) for p, q in pairs[1:]
        )

    def all(self, results: Iterable[bool | None]) -> bool | None:
        """False where one is, None where one cannot be told, else True."""
        found = list(results)
        return False if False in found else None if None in found else True


def _set_of(bound: Bindings) -> Several:
    return Several(tuple(bound[0][1]), "{}")


_ARTICLES = frozenset({"a", "an", "the", "is", "it", "its", "and"})
