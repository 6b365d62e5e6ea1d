"""What a perturbation of the items costs; each perturbed item names its original.

`formula` has the drop relative to what was scored before (`perturbation_drop`); `rows` makes the
table `robustness_drops`, in which the drop of the other checkpoints is the difficulty.
"""
