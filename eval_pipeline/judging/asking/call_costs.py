"""What the calls that a judge is due would take, before any of them is made."""

from collections.abc import Container, Iterable
from dataclasses import dataclass

from eval_pipeline.judging.asking.asks import Ask
from eval_pipeline.judging.asking.services import Price
from eval_pipeline.judging.asking.tokens import expected_tokens


@dataclass(frozen=True)
class Cost:
    """Calls to make and calls that are kept; tokens in are a guess, tokens out the most.

    usd: at the declared price, None without one.
    """

    calls: int = 0
    kept: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    usd: float | None = None


def cost_of(asks: Iterable[Ask], kept: Container[str], price: Price | None) -> Cost:
    """The cost of the calls that have no kept reply; equal calls count once."""
    due = {ask.key: ask for ask in asks}
    new = [ask for key, ask in due.items() if key not in kept]
    tokens_in = sum(expected_tokens(ask.messages()) for ask in new)
    tokens_out = sum(int(ask.judge.decoding["max_tokens"]) for ask in new)
    usd = None if price is None else price.of(tokens_in, tokens_out)
    return Cost(len(new), len(due) - len(new), tokens_in, tokens_out, usd)
