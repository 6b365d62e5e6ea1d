import math

import numpy as np
import pandas as pd
import pytest
from statsmodels.formula.api import ols
from statsmodels.stats.anova import anova_lm

from eval_pipeline.statistics.random_effects import random_effects, within
from eval_pipeline.statistics.randomness import generator
from eval_pipeline.statistics.variance import variance_components


def crossed(n_prompts, n_judges, repeats, seed, keep=1.0):
    """Scores with sd 2 of prompts, 1 of judges, 0.7 of their interaction and 0.5 of the rest."""
    rng = generator(seed, "crossed")
    cells = [(p, j) for p in range(n_prompts) for j in range(n_judges) for _ in range(repeats)]
    prompt, judge = np.array(cells).T
    both = prompt * n_judges + judge
    y = 2 * rng.normal(size=n_prompts)[prompt] + rng.normal(size=n_judges)[judge]
    y = y + 0.7 * rng.normal(size=n_prompts * n_judges)[both] + 0.5 * rng.normal(size=len(both))
    kept = rng.random(len(both)) < keep
    return y[kept], prompt[kept], judge[kept]


def test_balanced_components_are_those_of_two_way_analysis_of_variance():
    y, prompt, judge = crossed(12, 4, 3, seed=1)
    found = random_effects(
        y, {"prompt": prompt, "judge": judge, "prompt x judge": within(prompt, judge)}
    )
    table = anova_lm(ols("y ~ C(p) * C(j)", pd.DataFrame({"y": y, "p": prompt, "j": judge})).fit())[
        "mean_sq"
    ]
    both, rest = table["C(p):C(j)"], table["Residual"]
    assert found.balanced
    assert found.residual == pytest.approx(rest)
    assert found.components["prompt x judge"] == pytest.approx((both - rest) / 3)
    assert found.components["prompt"] == pytest.approx((table["C(p)"] - both) / 12)
    assert found.components["judge"] == pytest.approx((table["C(j)"] - both) / 36)


def test_one_source_gives_the_one_way_components():
    scores = generator(2, "one way").normal(size=(9, 4)) + np.arange(9)[:, None]
    ours = random_effects(scores.ravel(), {"item": np.repeat(np.arange(9), 4)})
    theirs = variance_components(scores)
    assert ours.components["item"] == pytest.approx(theirs.between)
    assert ours.residual == pytest.approx(theirs.within)
    assert ours.se_mean == pytest.approx(theirs.se_mean)
    assert ours.standard_error({"item": 9}, 36) == pytest.approx(theirs.se_mean)


def by_definition(y, sources):
    """Traces of the quadratic forms, written out with whole matrices."""
    n = len(y)
    designs = [np.equal.outer(np.asarray(s), np.unique(s)).astype(float) for s in sources]
    mean = np.full((n, n), 1 / n)
    forms = [z @ np.linalg.inv(z.T @ z) @ z.T - mean for z in designs] + [np.eye(n) - mean]
    spreads = [z @ z.T for z in designs] + [np.eye(n)]
    expected = np.array([[np.trace(a @ v) for v in spreads] for a in forms])
    return np.linalg.solve(expected, [y @ a @ y for a in forms])


def test_unbalanced_components_are_the_quadratic_forms_of_their_definition():
    y, prompt, judge = crossed(6, 3, 2, seed=3, keep=0.7)
    found = random_effects(y, {"prompt": prompt, "judge": judge})
    assert not found.balanced
    theirs = by_definition(y, [prompt, judge])
    assert [*found.components.values(), found.residual] == pytest.approx(theirs.tolist())


def test_unbalanced_components_are_unbiased_crossed_and_nested():
    runs = []
    for seed in range(300):
        y, prompt, judge = crossed(15, 6, 2, seed=seed, keep=0.6)
        found = random_effects(y, {"p": prompt, "j": judge, "pj": within(prompt, judge)})
        runs.append([*found.components.values(), found.residual])
    mean, error = np.mean(runs, axis=0), np.std(runs, axis=0) / math.sqrt(len(runs))
    assert (np.abs(mean - [4.0, 1.0, 0.49, 0.25]) < 4 * error).all()


def test_draws_are_nested_in_their_prompt_whatever_their_numbers():
    prompt, draw = np.repeat([0, 1, 2], 4), np.tile([0, 0, 1, 1], 3)
    y = generator(4, "nested").normal(size=12)
    one = random_effects(y, {"prompt": prompt, "draw": within(prompt, draw)})
    other = random_effects(y, {"prompt": prompt, "draw": within(prompt, draw + 10 * prompt)})
    assert one == other
    assert one.levels == {"prompt": 3, "draw": 6}


def test_more_judges_help_no_more_than_the_prompts_let_them():
    found = random_effects(*crossed_sources())
    few, many = (
        found.standard_error({"prompt": 40, "judge": judges}, 40 * judges) for judges in (2, 200)
    )
    assert many < few
    assert many > math.sqrt(found.components["prompt"] / 40)


def crossed_sources():
    y, prompt, judge = crossed(40, 5, 1, seed=5)
    return y, {"prompt": prompt, "judge": judge}


@pytest.mark.parametrize(
    ("scores", "sources", "said"),
    [
        ([1.0, 2.0, 3.0], {"item": [1, 2, 3]}, "cannot be told apart"),
        ([1.0, 2.0, 3.0, 4.0], {"a": [1, 1, 2, 2], "b": ["x", "x", "y", "y"]}, "a, b cannot"),
        ([1.0, 2.0], {"judge": ["j", "j"]}, "source judge: one level"),
        ([1.0, 2.0], {"judge": ["j", None]}, "source judge: item 1 has no label"),
        ([1.0, 2.0], {"judge": ["j"]}, "1 labels but 2 scores"),
        ([1.0, math.nan], {"judge": ["j", "k"]}, "leave out what is missing"),
        ([1.0, 2.0], {}, "at least one source"),
    ],
)
def test_what_cannot_be_estimated_is_refused(scores, sources, said):
    with pytest.raises(ValueError, match=said):
        random_effects(scores, sources)
