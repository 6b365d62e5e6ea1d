"""Names and bars that a plan asks the room for. No import stands here, so that a plan is quick."""

MINHASH = "minhash@3"
LOG_PROBABILITY_TESTS = "log_probability_tests@1"
DUPLICATE = 0.8  # Jaccard from which two texts are one, but for an edit
SAMPLED_SHARDS = 1  # the first of a corpus: a shard that comes later changes no mask
