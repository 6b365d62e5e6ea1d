"""What log-probabilities and paraphrases say of a model: evidence, never proof.

Door: `order_p` and `sharded_order_p` ask whether the published order of the items is likelier than
others, `min_k` how surprising a text's least likely tokens are, `gap` and `difference` compare
scores; `rows` makes the table `contamination_evidence` of them.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
