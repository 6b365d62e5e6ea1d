"""One measured figure, beside a peer or a floor of the same run."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Figure:
    """value in `unit`; peer and peer_value: what it is held against, None where nothing is."""

    name: str
    value: float
    unit: str
    peer: str
    peer_value: float | None
    bar: str
    held: bool
    cpu_seconds: float
    wall_seconds: float
