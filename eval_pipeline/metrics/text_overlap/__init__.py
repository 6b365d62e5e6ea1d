"""What a reply shares with reference texts; all of these reward copying.

`formula_bleu` is BLEU as sacrebleu defines it, kept as sums; `formula_rouge` has ROUGE-N, L and W;
`formula_bertscore` matches embeddings that were made elsewhere, and is asked from a notebook only.
Below them stand `tokens`, `references`, `ngrams` and `lcs`.
"""
