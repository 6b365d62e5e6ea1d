"""A mount namespace of the tests' own: what an attack did to mounts would not reach the host."""

import os

from eval_pipeline.verification.code import kernel, mounts


def enter_private_mounts() -> None:
    """For root, who alone could mount over the host; an ordinary user cannot."""
    if os.geteuid() == 0:
        kernel.unshare(kernel.CLONE_NEWNS)
        mounts.make_private()
