"""The one dynamic partition, and how names of ours become keys of Dagster."""

import re
from collections.abc import Iterable

import dagster as dg

from eval_pipeline.orchestration.cells import ActiveContract

CHECKPOINTS = dg.DynamicPartitionsDefinition(name="checkpoint")

_NOT_A_KEY = re.compile(r"[^A-Za-z0-9_]")


def key_part(name: str) -> str:
    """A name as Dagster takes it in keys and step names: `@ . + -` become `_`."""
    return _NOT_A_KEY.sub("_", name)


def home_key(contract: str, version: int) -> list[str]:
    """The first two parts of the key of each of a contract's assets."""
    return [key_part(contract), f"v{version}"]


def asset_key(contract: str, version: int, table: str) -> dg.AssetKey:
    """`[<contract>, "v<N>", <table>]`."""
    return dg.AssetKey([*home_key(contract, version), table])


def group_name(contract: str, version: int) -> str:
    """One group a contract version."""
    return "/".join(home_key(contract, version))


def collisions(actives: Iterable[ActiveContract]) -> dict[tuple[str, int], str]:
    """Contract versions that would share asset keys with another, each with the reason."""
    owners: dict[tuple[str, ...], list[tuple[str, int]]] = {}
    for active in actives:
        owners.setdefault(tuple(home_key(*active.home)), []).append(active.home)
    return {
        home: f"contracts {', '.join(sorted(name for name, _ in homes))} would share asset keys: "
        "rename all but one"
        for homes in owners.values()
        if len(homes) > 1
        for home in homes
    }
