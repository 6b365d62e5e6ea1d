"""From draft to frozen: one word of the file changes, after everything was checked."""

import re

from eval_pipeline.contracts.items import read_items
from eval_pipeline.contracts.load import FurtherRule, load_contract
from eval_pipeline.contracts.pinned import identified
from eval_pipeline.contracts.reading import read_yaml
from eval_pipeline.contracts.writing import replace_file
from eval_pipeline.layout import DataRoot

_DRAFT = re.compile(
    rb"""(?P<key>\bstatus["']?\s*:\s*)(?P<quote>["']?)draft(?P=quote)(?=[\s,}]|$)"""
)


def freeze(
    root: DataRoot, contract: str, version: int, further_rules: tuple[FurtherRule, ...] = ()
) -> str:
    """Writes `frozen` for `draft` in the contract's file and returns the identity.

    Every other byte of the file stays. Raises ContractFaults or ItemFaults where something is
    wrong with the contract or its items, ValueError where it is frozen already.
    """
    path = root.contract_file(contract, version)
    loaded = load_contract(root, path, further_rules)
    if loaded.contract.status == "frozen":
        raise ValueError(f"contract {loaded.contract.title} is frozen already")
    read_items(root, loaded.contract)
    old = path.read_bytes()
    new = _with_frozen(old, loaded.lines["status"][1])
    before, after = read_yaml(old, loaded.file), read_yaml(new, loaded.file)
    if after.faults or after.data != {**before.data, "status": "frozen"}:
        raise ValueError(
            f"{loaded.file}: cannot find the draft status to change: "
            "write `status: draft` on a line of its own"
        )
    replace_file(path, new)
    return identified(root, loaded.contract)


def _with_frozen(content: bytes, line: int) -> bytes:
    """The content with the first draft status of that line (from 1) frozen."""
    lines = content.split(b"\n")
    lines[line - 1] = _DRAFT.sub(rb"\g<key>\g<quote>frozen\g<quote>", lines[line - 1], count=1)
    return b"\n".join(lines)
