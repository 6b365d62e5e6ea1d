"""What an agent did in its episodes: what it achieves, and what it would on sound infrastructure.

`agent_report` takes episodes as they were logged; `agent_sums` are its terms, one an episode, so
that they can be resampled. No contract asks for it by name: log the values and take `elsewhere`.
"""
