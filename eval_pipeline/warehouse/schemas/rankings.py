"""Tables of who beats whom, and by how much."""

from eval_pipeline.warehouse.schemas.estimates import INTERVAL, STANDING
from eval_pipeline.warehouse.schemas.model import (
    BOOL,
    FLOAT,
    INT,
    NUMBERS,
    SMALL,
    STRING,
    Column,
    Table,
)
from eval_pipeline.warehouse.schemas.vocabulary import MODEL_STATUSES

JUDGE = Column("judge", STRING, "Name of the judge, or `panel`.")
QUARANTINED = Column("quarantined", BOOL, "Whether it rests on a judge without a licence.")

LENGTH_CONTROLLED_WIN_RATES = Table(
    "length_controlled_win_rates",
    "Win rate against the baseline with length and seating order taken out.",
    "contract",
    (
        JUDGE,
        Column("model", STRING, "The model."),
        Column("baseline", STRING, "The model it is held against."),
        Column("n_items", INT, "Items judged."),
        Column("n_clusters", INT, "Clusters of those items."),
        Column("n_missing", INT, "Pairs without a usable vote."),
        Column("raw", FLOAT, "Mean score against the baseline, 0 to 1.", nullable=True),
        Column("raw_se", FLOAT, "Clustered standard error of raw.", nullable=True),
        Column("length_controlled", FLOAT, "The rate at equal length, 0 to 1.", nullable=True),
        *INTERVAL,
        Column("length_coefficient", FLOAT, "Logits at tanh(delta / sd) = 1.", nullable=True),
        Column("position_coefficient", FLOAT, "Logits for being shown first.", nullable=True),
        Column("difficulty_coefficient", FLOAT, "Logits per unit of difficulty.", nullable=True),
        Column("style_coefficients", NUMBERS, "Logits at tanh = 1, by style.", nullable=True),
        Column("theta", FLOAT, "Logits in favour of the model.", nullable=True),
        Column("length_sd", FLOAT, "Scale of the length difference, characters.", nullable=True),
        Column("extreme_change", BOOL, "Moved by more than ten points."),
        Column("se_bootstrap", FLOAT, "The error by refits on resampled clusters.", nullable=True),
        Column("largest_cluster", STRING, "Cluster that moves the rate most.", nullable=True),
        Column("largest_share", FLOAT, "Its share of the variance, 0 to 1.", nullable=True),
        Column("notes", STRING, "Diagnostics, such as length_not_identifiable.", nullable=True),
        QUARANTINED,
        *STANDING,
    ),
    key=("judge", "model", "baseline"),
)

RATINGS = Table(
    "ratings",
    "Bradley-Terry strength of each model.",
    "contract",
    (
        JUDGE,
        Column("model", STRING, "The model."),
        Column("component", SMALL, "Number of its connected component, from 0."),
        Column("standing", STRING, "Whether a finite fit exists.", allowed=MODEL_STATUSES),
        Column(
            "estimator", STRING, "Maximum likelihood, or a declared prior.", allowed=("mle", "map")
        ),
        Column("theta", FLOAT, "Strength, logits, mean 0 in its component.", nullable=True),
        Column("elo", FLOAT, "Strength on the Elo scale, anchored.", nullable=True),
        *INTERVAL,
        Column("df", FLOAT, "Degrees of freedom of the interval.", nullable=True),
        Column("se_battle", FLOAT, "If every verdict were independent: too small.", nullable=True),
        Column("se_jackknife", FLOAT, "Leaving clusters out; where they are few.", nullable=True),
        Column("se_two_way", FLOAT, "By prompt and judge at once; panels.", nullable=True),
        Column("largest_cluster", STRING, "Cluster that moves theta most.", nullable=True),
        Column("largest_share", FLOAT, "Its share of the variance, 0 to 1.", nullable=True),
        Column("theta_davidson", FLOAT, "Logits, ties as their own outcome.", nullable=True),
        Column("theta_rao_kupper", FLOAT, "Logits, ties by a threshold.", nullable=True),
        Column("theta_covariates", FLOAT, "Logits, at equal covariates.", nullable=True),
        Column("se_covariates", FLOAT, "Its clustered standard error.", nullable=True),
        Column("bound_low", FLOAT, "One-sided lower bound of theta, undefeated.", nullable=True),
        Column("bound_high", FLOAT, "One-sided upper bound of theta, winless.", nullable=True),
        Column("n_battles", INT, "Judged pairs."),
        Column("n_clusters", INT, "Clusters of their items."),
        Column("n_ties", INT, "Pairs that scored one half."),
        Column("n_missing", INT, "Pairs without a usable vote."),
        Column("anchor", STRING, "Model at the anchor of the Elo scale.", nullable=True),
        QUARANTINED,
        *STANDING,
    ),
    key=("judge", "model"),
)

CONTRASTS = Table(
    "contrasts",
    "Difference of strength of each pair of models.",
    "contract",
    (
        JUDGE,
        Column("model_i", STRING, "The model that sorts first."),
        Column("model_j", STRING, "The other one."),
        Column("difference", FLOAT, "theta_i minus theta_j, logits.", nullable=True),
        *INTERVAL,
        Column("se_two_way", FLOAT, "By prompt and judge at once; panels.", nullable=True),
        Column("p_value", FLOAT, "Two-sided, of equal strength.", nullable=True),
        Column("p_holm", FLOAT, "After Holm over the judge's contrasts.", nullable=True),
        Column("simultaneous_low", FLOAT, "Lower end, over all contrasts.", nullable=True),
        Column("simultaneous_high", FLOAT, "Upper end, over all contrasts.", nullable=True),
        Column("win_probability", FLOAT, "Chance that i beats j.", nullable=True),
        QUARANTINED,
        *STANDING,
    ),
    key=("judge", "model_i", "model_j"),
)

RANK_SETS = Table(
    "rank_sets",
    "Ranks that the data do not exclude, over all models at once.",
    "contract",
    (
        JUDGE,
        Column("model", STRING, "The model."),
        Column("rank", SMALL, "Rank of the point estimate, from 1.", nullable=True),
        Column("rank_low", SMALL, "Best rank not excluded.", nullable=True),
        Column("rank_high", SMALL, "Worst rank not excluded.", nullable=True),
        Column("confidence", FLOAT, "Joint coverage."),
        Column("method", STRING, "How the sets were made."),
        Column("p_best", FLOAT, "Share of replicates in which it is best.", nullable=True),
        QUARANTINED,
        *STANDING,
    ),
    key=("judge", "model"),
)

FIT_DIAGNOSTICS = Table(
    "fit_diagnostics",
    "Whether the fit converged, exists and fits, one row a judge.",
    "contract",
    (
        JUDGE,
        Column("converged", BOOL, "Whether Newton reached the tolerance."),
        Column("iterations", SMALL, "Newton steps."),
        Column("gradient_max", FLOAT, "Largest score at the end.", nullable=True),
        Column("n_weak", SMALL, "Connected components."),
        Column("n_strong", SMALL, "Strongly connected components."),
        Column("n_strong_decisive", SMALL, "The same, ties left out."),
        Column("cyclic_share", FLOAT, "Share of preference that is cyclic, 0 to 1.", nullable=True),
        Column("deviance", FLOAT, "Against free pairwise rates.", nullable=True),
        Column("deviance_df", SMALL, "Its degrees of freedom.", nullable=True),
        Column("deviance_p", FLOAT, "Its p-value; takes battles for independent.", nullable=True),
        Column("pearson_x2", FLOAT, "Pearson's X2, same degrees of freedom.", nullable=True),
        Column("pearson_p", FLOAT, "Its p-value.", nullable=True),
        Column("replicates", INT, "Bootstrap replicates."),
        Column("replicates_nonfinite", INT, "Those without a finite fit."),
        Column("tie_rule", STRING, "How ties enter."),
        Column("davidson", FLOAT, "Davidson's nu: how often ties.", nullable=True),
        Column("rao_kupper", FLOAT, "Rao and Kupper's eta, logits.", nullable=True),
        Column("order_effect", FLOAT, "Logits for being shown first.", nullable=True),
        Column("order_effect_se", FLOAT, "Its clustered standard error.", nullable=True),
        Column("prior_sd", FLOAT, "Declared prior, logits.", nullable=True),
        Column("n_judges", SMALL, "Judges of a panel's two-way errors.", nullable=True),
        Column("covariates", NUMBERS, "Logits a standard deviation of each.", nullable=True),
        Column("covariates_se", NUMBERS, "Their clustered errors.", nullable=True),
        Column("covariates_scale", NUMBERS, "One standard deviation of each.", nullable=True),
        Column("covariates_notes", STRING, "Rows left out, or why no fit.", nullable=True),
        *STANDING,
    ),
    key=("judge",),
)

RANKINGS = (LENGTH_CONTROLLED_WIN_RATES, RATINGS, CONTRASTS, RANK_SETS, FIT_DIAGNOSTICS)
