"""Into namespaces of one's own: no network, no other process, no privilege outside."""

import os
from collections.abc import Sequence

from eval_pipeline.verification.code import kernel, mounts

NOBODY = 65534
_OWN = (
    kernel.CLONE_NEWUSER
    | kernel.CLONE_NEWNS
    | kernel.CLONE_NEWNET
    | kernel.CLONE_NEWIPC
    | kernel.CLONE_NEWUTS
    | kernel.CLONE_NEWPID
)
PER_RUN = kernel.CLONE_NEWPID | kernel.CLONE_NEWNS


def enter(folders: Sequence[str]) -> None:
    """Leaves the host: afterwards the root is the sandbox's, and children are in a new PID space.

    `folders` can be read there beside the standard library. root gives up its user id first,
    because the kernel counts no processes of the host's root; it builds the new root before
    that, because nobody may not read an interpreter that is installed below root's home.
    Raises OSError where the kernel does not allow it.
    """
    if os.geteuid() == 0:
        kernel.unshare(kernel.CLONE_NEWNS)
        mounts.build_root(folders)
        become_nobody()
        _unshare_as_oneself(f"{mounts.OLD}/proc")
    else:
        _unshare_as_oneself("/proc")
        mounts.build_root(folders)
    mounts.seal_root()
    kernel.bound_capabilities()


def become_nobody(capabilities: int = 0) -> None:
    """Gives up the rights of root for good, but for those capabilities; raises OSError."""
    kernel.prctl(kernel.PR_SET_KEEPCAPS, int(bool(capabilities)))
    os.setgroups([])
    os.setresgid(NOBODY, NOBODY, NOBODY)
    os.setresuid(NOBODY, NOBODY, NOBODY)
    kernel.drop_capabilities(all_but=capabilities)
    kernel.prctl(kernel.PR_SET_DUMPABLE, 1)  # else its own /proc entries belong to root


def _unshare_as_oneself(proc: str) -> None:
    user, group = os.geteuid(), os.getegid()
    kernel.unshare(_OWN)
    for name, text in (
        ("setgroups", "deny"),
        ("gid_map", f"{group} {group} 1"),
        ("uid_map", f"{user} {user} 1"),
    ):
        with open(f"{proc}/self/{name}", "w") as file:
            file.write(text)
