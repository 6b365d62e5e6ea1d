"""What a retriever found, by rank, whatever was made of it.

`formula` has `recall_at_k`, `precision_at_k`, `reciprocal_rank` and `ndcg_at_k`, a value a query.
"""
