"""The baseline against versions of itself told to be long or short: how far length alone goes.

Such rows hold the length and difficulty coefficients near the judge's answer to mere verbosity,
which matters where a model gamed the length: a reply that says nothing, or all of it twice. They
have no theta: a model does not beat itself.
Source: Dubois et al. 2024, arXiv:2404.04475, section 3.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import expit, log_expit

from eval_pipeline.length_control.design import refuse, standard_deviation

Floats = NDArray[np.float64]

TERMS = ("length", "difficulty")


@dataclass(frozen=True)
class GamedBaseline:
    """Rows of the baseline against gamed versions of itself.

    length, difficulty: terms of each row, shape (rows,). weight: of each row. won_length,
    won_difficulty: sums of weight x term x preference, all that a logistic fit needs to know of
    the preferences.
    """

    length: Floats
    difficulty: Floats
    weight: Floats
    won_length: float
    won_difficulty: float

    @classmethod
    def from_rows(
        cls,
        length_difference: ArrayLike,
        preference: ArrayLike,
        *,
        difficulty: ArrayLike | None = None,
        version: ArrayLike | None = None,
        weight: ArrayLike,
    ) -> "GamedBaseline":
        """Rows with known preferences for the gamed version, 0 to 1.

        version: which gamed version a row is of: each scales its lengths by its own spread.
        """
        y = np.asarray(preference, dtype=np.float64)
        refuse(~((y >= 0) & (y <= 1)), "preference must lie in 0 to 1", y)
        bare = cls.from_statistics(
            length_difference,
            difficulty=difficulty,
            version=version,
            weight=weight,
            won_length=0.0,
            won_difficulty=0.0,
        )
        if y.shape != bare.length.shape:
            raise ValueError(f"{len(y)} preferences but {len(bare.length)} lengths")
        taken = bare.weight * y
        won = float(taken @ bare.length), float(taken @ bare.difficulty)
        return cls(bare.length, bare.difficulty, bare.weight, *won)

    @classmethod
    def from_statistics(
        cls,
        length_difference: ArrayLike,
        *,
        difficulty: ArrayLike | None = None,
        version: ArrayLike | None = None,
        weight: ArrayLike,
        won_length: float,
        won_difficulty: float,
    ) -> "GamedBaseline":
        """Rows whose preferences are known by their two weighted sums only.

        length_difference: gamed minus plain baseline, shape (rows,). weight: of each row, or one
        for all, where a comparison weighs 1.
        Raises ValueError where a value is not finite, or the weight is not positive.
        """
        delta = np.asarray(length_difference, dtype=np.float64)
        refuse(~np.isfinite(delta), "length_difference must be finite", delta)
        hard = np.zeros(len(delta)) if difficulty is None else np.asarray(difficulty, dtype=float)
        kind = np.zeros(len(delta)) if version is None else np.asarray(version)
        if hard.shape != delta.shape or kind.shape != delta.shape:
            raise ValueError(
                f"gamed rows differ in length: {len(delta)} lengths, {len(hard)} difficulties, "
                f"{len(kind)} versions"
            )
        refuse(~np.isfinite(hard), "difficulty must be finite", hard)
        load = np.broadcast_to(np.asarray(weight, dtype=np.float64), delta.shape).copy()
        bad = ~(np.isfinite(load) & (load > 0))
        refuse(bad, "the weight of a gamed row must be positive", load)
        if not np.isfinite([won_length, won_difficulty]).all():
            raise ValueError(f"won sums must be finite, got {won_length} and {won_difficulty}")
        term = np.zeros(len(delta))
        for one in np.unique(kind):
            rows = kind == one
            sd = standard_deviation(delta[rows], np.ones(int(rows.sum())))
            term[rows] = np.tanh(delta[rows] / sd) if sd > 0 else 0.0
        return cls(term, hard, load, won_length, won_difficulty)

    def matrix(self, names: Sequence[str]) -> Floats:
        """The rows as columns of a design with these names, shape (rows, columns)."""
        columns = np.zeros((len(self.length), len(names)))
        for name, values in zip(TERMS, (self.length, self.difficulty), strict=True):
            if name in names:
                columns[:, list(names).index(name)] = values
        return columns

    def won(self, names: Sequence[str]) -> Floats:
        """Sums of weight x term x preference for these columns."""
        sums = dict(zip(TERMS, (self.won_length, self.won_difficulty), strict=True))
        return np.array([sums.get(name, 0.0) for name in names])

    def log_likelihood(self, beta: Floats, names: Sequence[str]) -> tuple[float, Floats, Floats]:
        """Value, slope, and minus the second derivatives, as of `model.log_likelihood`."""
        matrix, won = self.matrix(names), self.won(names)
        eta = matrix @ beta
        chance = expit(eta)
        value = float(won @ beta + self.weight @ log_expit(-eta))
        slope = won - matrix.T @ (self.weight * chance)
        information = matrix.T @ ((self.weight * chance * (1 - chance))[:, None] * matrix)
        return value, slope, information
