"""Bradley-Terry by other packages; run by a Python that has them: `ranking.py PEER FILE TURNS`.

Prints one JSON object: the quickest turn's wall and CPU seconds, and strengths in logits, mean 0.
evalica and arena-rank get the columns in memory, as their interfaces ask; only `pandas` starts
from the file, as we do. Nothing of the project is imported here.
"""

import json
import sys
import time
from collections.abc import Callable
from typing import Any


def evalica(path: str) -> Callable[[], dict[str, float]]:
    import numpy as np
    import pyarrow.parquet as pq
    from evalica import Winner, bradley_terry

    table = pq.read_table(path)
    meaning = {"model_a": Winner.X, "model_b": Winner.Y, "tie": Winner.Draw}
    one, two = table["model_a"].to_pylist(), table["model_b"].to_pylist()
    winners = [meaning[label] for label in table["winner"].to_pylist()]

    def fit() -> dict[str, float]:
        scores = bradley_terry(one, two, winners).scores
        return dict(zip(scores.index, np.log(scores.to_numpy()).tolist(), strict=True))

    return fit


def arena_rank(path: str) -> Callable[[], dict[str, float]]:
    import numpy as np
    import pandas as pd
    from arena_rank.models.bradley_terry import BradleyTerry
    from arena_rank.utils.data_utils import PairDataset

    frame = pd.read_parquet(path)

    def fit() -> dict[str, float]:
        data = PairDataset.from_pandas(frame)
        model = BradleyTerry(n_competitors=len(data.competitors))
        model.fit(data)
        ratings = np.asarray(model.params["ratings"]).tolist()
        return dict(zip(data.competitors, ratings, strict=True))

    return fit


def pandas_lbfgs(path: str) -> Callable[[], dict[str, float]]:
    import numpy as np
    import pandas as pd
    from scipy.optimize import minimize
    from scipy.special import expit, log_expit

    def fit() -> dict[str, float]:
        frame = pd.read_parquet(path, columns=["model_a", "model_b", "winner"])
        cells = frame.groupby(["model_a", "model_b", "winner"]).size().reset_index(name="n")
        models = sorted({*cells["model_a"], *cells["model_b"]})
        place = {model: i for i, model in enumerate(models)}
        i, j = (cells[c].map(place).to_numpy() for c in ("model_a", "model_b"))
        won = cells["n"] * cells["winner"].map({"model_a": 1.0, "model_b": 0.0, "tie": 0.5})
        up, down = won.to_numpy(), (cells["n"] - won).to_numpy()
        total = up.sum() + down.sum()

        def loss(theta: Any) -> tuple[float, Any]:
            gap = theta[i] - theta[j]
            residual = (up - (up + down) * expit(gap)) / total
            slope = np.bincount(i, residual, len(models)) - np.bincount(j, residual, len(models))
            return -(up @ log_expit(gap) + down @ log_expit(-gap)) / total, -slope

        found = minimize(
            loss, np.zeros(len(models)), jac=True, method="L-BFGS-B", options={"gtol": 1e-9}
        )
        return dict(zip(models, found.x.tolist(), strict=True))

    return fit


PEERS = {"evalica": evalica, "arena-rank": arena_rank, "pandas": pandas_lbfgs}


def main() -> None:
    name, path, turns = sys.argv[1:]
    fit = PEERS[name](path)
    times, found = [], {}
    for _ in range(int(turns)):
        wall, cpu = time.perf_counter(), time.process_time()
        found = fit()
        times.append((time.perf_counter() - wall, time.process_time() - cpu))
    middle = sum(found.values()) / len(found)
    theta = {model: value - middle for model, value in found.items()}
    print(json.dumps({"wall": min(times)[0], "cpu": min(times)[1], "theta": theta}))


if __name__ == "__main__":
    main()
