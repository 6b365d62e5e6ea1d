"""Refits of a fit to recounted battles: many at once, sharing one Cholesky factor.

The chord method takes Newton steps with the curvature of the full data, for all replicates
together; the few that it does not bring home are refitted one by one.
"""

from functools import cache, cached_property, partial

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import cho_factor, cho_solve
from scipy.special import expit

from eval_pipeline.ranking.bradley_terry import (
    BradleyTerryFit,
    Likelihood,
    centred,
    prior_precision,
)
from eval_pipeline.ranking.encode import Battles
from eval_pipeline.ranking.finite import FiniteFits
from eval_pipeline.ranking.meetings import Meetings
from eval_pipeline.ranking.newton import maximise

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

CHORD_TOLERANCE = 1e-8
"""Longest last step; the steps shrink at least tenfold, so the error is far less."""
CHORD_LIMIT = 60
CHUNK_CELLS = 1_500_000
"""Meetings x replicates held at once: 20 MB an array."""


class Recount:
    """The battles of a fit, ready to be counted again under other weights of their clusters."""

    def __init__(self, fit: BradleyTerryFit, battles: Battles) -> None:
        self._fit, self._battles = fit, battles
        # Made once, when first asked for. No method of this object: what holds it in a circle
        # would keep two million rows until the next collection.
        self._made = cache(partial(Meetings, fit, battles))

    def finite(self, weights: NDArray[np.floating]) -> Bools:
        """Whether each row of weights, shape (replicates, clusters), leaves a finite fit."""
        return self._finite_fits.among(weights)

    def refitted(self, start: Floats, weights: NDArray[np.floating], finite: Bools) -> Floats:
        """Exact parameters of each replicate, shape (replicates, p); NaN where not finite.

        start: where to begin, such as one step from the fit.
        """
        result = np.full(start.shape, np.nan)
        rows = max(1, CHUNK_CELLS // max(1, len(self._meetings)))
        wanted = np.flatnonzero(finite)
        for s in range(0, len(wanted), rows):
            part = wanted[s : s + rows]
            up, down = self._meetings.won(weights[part].T)
            found = self._chord(start[part], up, down)
            for k in np.flatnonzero(np.isnan(found).any(axis=1)):
                found[k] = self._newton(self._meetings.table(up[:, k], down[:, k]))
            result[part] = found
        return result

    @property
    def _meetings(self) -> Meetings:
        return self._made()

    @cached_property
    def _finite_fits(self) -> FiniteFits:
        return FiniteFits(self._fit, self._battles, self._made)

    def _chord(self, start: Floats, up: Floats, down: Floats) -> Floats:
        """Newton steps with the full data's curvature, for all replicates; NaN where too far."""
        fit, n, meetings = self._fit, len(self._fit.models), self._meetings
        factor = cho_factor(fit.information)
        into = meetings.incidence(len(fit.parameters))
        prior = prior_precision(fit.group, fit.prior_sd)
        met = up + down
        point = start.T.copy()
        size = np.full(len(start), np.inf)
        for _ in range(CHORD_LIMIT):
            logits = point[meetings.first]
            logits -= point[meetings.second]
            if fit.has_order_effect:
                logits += meetings.seated[:, None] * point[n]
            residual = expit(logits, out=logits)
            residual *= met
            np.subtract(up, residual, out=residual)
            gradient = into @ residual
            if fit.prior_sd is not None:
                gradient[:n] -= prior @ point[:n]
            step = cho_solve(factor, gradient)
            point += step
            size = np.abs(step).max(axis=0)
            if (size <= CHORD_TOLERANCE).all():
                break
        point[:, ~(size <= CHORD_TOLERANCE)] = np.nan
        return point.T

    def _newton(self, wins: Floats) -> Floats:
        fit, n = self._fit, len(self._fit.models)
        likelihood = Likelihood(
            wins, fit.group, order_effect=fit.has_order_effect, prior_sd=fit.prior_sd
        )
        optimum = maximise(likelihood, np.zeros(likelihood.n_parameters))
        if not optimum.converged:
            return np.full(likelihood.n_parameters, np.nan)
        optimum.point[:n] = centred(optimum.point[:n], fit.group)
        return optimum.point
