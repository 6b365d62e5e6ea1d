"""The one dynamic partition, and how names of ours become keys of Dagster."""

import dagster as dg

from eval_pipeline.contracts.load import key_form

CHECKPOINT_PARTITION = "checkpoint"
CHECKPOINTS = dg.DynamicPartitionsDefinition(name=CHECKPOINT_PARTITION)


def home_key(contract: str, version: int) -> list[str]:
    """The first two parts of the key of each of a contract's assets."""
    return [key_form(contract), f"v{version}"]


def asset_key(contract: str, version: int, table: str) -> dg.AssetKey:
    """`[<contract>, "v<N>", <table>]`."""
    return dg.AssetKey([*home_key(contract, version), table])


def group_name(contract: str, version: int) -> str:
    """One group a contract version."""
    return "/".join(home_key(contract, version))
