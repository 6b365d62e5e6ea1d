"""The six acts say what they should, and the lab's dials are found as often as is said."""

from collections import Counter
from functools import partial
from pathlib import Path

import pyarrow as pa
import pytest
from scipy.stats import binom

from eval_pipeline.contracts.load import load_all
from eval_pipeline.contracts.model import Contract
from eval_pipeline.contracts.targets import checkpoint_facts, targets
from eval_pipeline.lab.acts import EXPECTED, TABLES, Act, six_acts
from eval_pipeline.lab.acts_world import BETTER, LONGER, write_acts
from eval_pipeline.lab.planted import JUDGES, SEED
from eval_pipeline.layout import DataRoot
from eval_pipeline.orchestration.chain import stages_of
from eval_pipeline.orchestration.stage import Settings, StageInputs
from eval_pipeline.warehouse.schemas import TABLES as SCHEMAS
from eval_pipeline_tests.cli.calling import succeeded
from eval_pipeline_tests.lab.as_read import Lab

NOT_NEEDED = ("report", "ratings", "paired_comparisons", "decisions", "metric_estimates")
SEEDS = 200
Parts = dict[str, dict[str | None, pa.Table]]


def read(
    parts: Parts, checkpoint: str | None, name: str, columns: list[str] | None = None
) -> pa.Table:
    mine = parts[name]
    chosen = [checkpoint] if checkpoint in mine else sorted(mine, key=str)
    table = pa.concat_tables([mine[key] for key in chosen])
    return table if columns is None else table.select(columns)


def stamped(name: str, table: pa.Table, contract: Contract, checkpoint: str | None) -> pa.Table:
    stamps = {"contract": contract.contract, "version": contract.version, "checkpoint": checkpoint}
    schema = SCHEMAS[name].stored_schema
    ours = [pa.repeat(pa.scalar(stamps[s.name], s.type), len(table)) for s in SCHEMAS[name].stamps]
    return pa.Table.from_arrays([*ours, *table.columns], schema=schema)


def played(root: DataRoot, seed: int) -> list[Act]:
    """The acts through the stages alone, as a run without Dagster would make them."""
    write_acts(root, seed)
    facts = {name: checkpoint_facts(root, name) for name in (BETTER, LONGER)}
    tables = {}
    for one in load_all(root).contracts:
        contract = one.contract
        parts: Parts = {}
        for stage in stages_of(contract):
            if stage.name in NOT_NEEDED:
                continue
            for checkpoint in targets(contract, facts) if stage.scope == "checkpoint" else [None]:
                known = {name: partial(read, parts, checkpoint, name) for name in parts}
                inputs = StageInputs(contract, root, known, checkpoint, Settings())
                for name, made in stage.compute(inputs).tables.items():
                    whole = stamped(name, made, contract, checkpoint)
                    parts.setdefault(name, {})[checkpoint] = whole
        tables[contract.contract] = {name: read(parts, None, name) for name in TABLES}
    return six_acts(tables, seed)


def test_each_act_says_what_it_should(tmp_path: Path) -> None:
    acts = played(DataRoot(tmp_path), SEED)
    assert tuple(act.says for act in acts) == EXPECTED
    assert "outside its bar of 0.05: refused" in acts[1].lesson
    assert acts[4].lesson == "mean vote of the licensed judges: gull_judge, osprey_judge"


@pytest.mark.slow
def test_the_acts_say_it_whatever_the_seed(tmp_path: Path) -> None:
    said = Counter(
        tuple(act.says for act in played(DataRoot(tmp_path / str(seed)), seed))
        for seed in range(20)
    )
    assert said[EXPECTED] >= 18, said


@pytest.mark.slow
def test_the_command_runs_the_acts_through_the_real_assets(tmp_path: Path) -> None:
    figure = tmp_path / "acts.svg"
    shown = succeeded(tmp_path, "lab", "acts", "--json", "--figure", str(figure)).json
    assert tuple(act["says"] for act in shown["acts"]) == EXPECTED
    assert figure.read_text("utf-8").startswith("<svg")
    assert not (tmp_path / "contracts").exists()


@pytest.mark.slow
def test_the_planted_dials_are_covered_as_often_as_the_intervals_say() -> None:
    dials = ("position_effect", "verbosity_per_100_tokens", "self_preference")
    held: Counter[tuple[str, str]] = Counter()
    for seed in range(SEEDS):
        for row in Lab(seed).audits():
            judge = next(one for one in JUDGES if one.name == row["judge"])
            planted = (
                judge.bias.position,
                judge.bias.verbosity_per_100_tokens,
                judge.bias.self_preference,
            )
            for dial, value in zip(dials, planted, strict=True):
                if (row["slice"], row["audit"]) == ("all", dial):
                    held[row["judge"], dial] += row["ci_low"] <= value <= row["ci_high"]
    low, high = binom.interval(0.99, SEEDS, 0.95)
    for (name, dial), count in sorted(held.items()):
        print(f"{name:<12} {dial:<26} {count / SEEDS:.3f} of {SEEDS} intervals hold it")
    print(f"the binomial 99 % band of .95 is {low / SEEDS:.3f} to {high / SEEDS:.3f}")
    assert len(held) == len(JUDGES) * len(dials)
    assert all(low <= count <= high for count in held.values()), held
