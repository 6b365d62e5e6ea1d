"""Faults planted by hand: each was once a survivor, and the test that kills it is named."""

from dataclasses import dataclass
from pathlib import Path

from eval_pipeline_tests.mutation.operators import Mutant


@dataclass(frozen=True)
class Entry:
    """A fault, said in words; `was` stands once in the file."""

    said: str
    path: str
    was: str
    now: str
    test: str

    def mutant(self, project: Path) -> Mutant:
        """Raises ValueError where the source no longer holds the place."""
        text = (project / self.path).read_text(encoding="utf-8")
        if text.count(self.was) != 1:
            raise ValueError(f"{self.said}: {self.path} holds {self.was!r} {text.count(self.was)}x")
        line = text[: text.index(self.was)].count("\n") + 1
        return Mutant(self.path, line, self.said, "", text.replace(self.was, self.now))


RECORDED = "            self.lineage.append(record)\n"
POINTED = "            write_pointer(self.tables, pointer)\n"
STATISTICS = "eval_pipeline_tests/statistics/test_planted_faults.py::"
ENTRIES = (
    Entry(
        "a share counts as at its boundary from 5 failures, and not from 10",
        "eval_pipeline/statistics/clustered.py",
        "BOUNDARY_COUNT = 10.0",
        "BOUNDARY_COUNT = 5.0",
        f"{STATISTICS}test_a_share_with_seven_failures_is_at_its_boundary",
    ),
    Entry(
        "five clusters are enough for CR1",
        "eval_pipeline/statistics/clustered.py",
        "FEW_CLUSTERS = 10 ",
        "FEW_CLUSTERS = 5 ",
        f"{STATISTICS}test_nine_clusters_are_few_and_ten_are_not",
    ),
    Entry(
        "a p-value equal to alpha does not exclude zero",
        "eval_pipeline/statistics/paired.py",
        "if p_value <= 1 - confidence:",
        "if p_value < 1 - confidence:",
        f"{STATISTICS}test_a_p_value_that_equals_alpha_excludes_zero",
    ),
    Entry(
        "strata weigh alike, whatever their size",
        "eval_pipeline/statistics/bootstrap.py",
        "np.bincount(stratum, minlength=n_strata) / len(codes)",
        "np.ones(n_strata) / n_strata",
        f"{STATISTICS}test_a_stratum_weighs_as_many_items_as_it_has",
    ),
    Entry(
        "a plan of one order misses the other order's vote",
        "eval_pipeline/judging/pairs/swap.py",
        "return np.maximum(none - 1, 0) if self.one_order else none",
        "return none",
        "eval_pipeline_tests/judging/test_planted_faults.py::"
        "test_a_plan_of_one_order_misses_no_vote_of_the_other",
    ),
    Entry(
        "the memory of files looks at size and mtime alone",
        "eval_pipeline/orchestration/planning/cells.py",
        "facts.st_mtime_ns, facts.st_ctime_ns, facts.st_ino]",
        "facts.st_mtime_ns, 0, facts.st_ino]",
        "eval_pipeline_tests/orchestration/planning/test_planted_faults.py::"
        "test_a_file_whose_time_was_set_back_is_read_again",
    ),
    Entry(
        "the pointer moves before the record stands in lineage",
        "eval_pipeline/warehouse/store.py",
        f"{RECORDED}{POINTED}",
        f"{POINTED}{RECORDED}",
        "eval_pipeline_tests/warehouse/test_planted_faults.py::"
        "test_a_pointer_never_names_what_lineage_does_not_tell",
    ),
)
