"""How far raters agree beyond chance.

`formula` holds the coefficients (`cohen_kappa`, `weighted_kappa`, `fleiss_kappa`,
`krippendorff_alpha`) on counts and tables; `kappas` gives the first two an interval by clusters
(`kappa_estimate`). Judges against people, people against each other and verifiers against audits
all come here.
"""
