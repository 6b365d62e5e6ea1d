"""The system calls that the standard library does not offer.

Numbers are those of x86_64 and aarch64; on other machines there is no sandbox.
"""

import ctypes
import os
import platform
import signal
from ctypes import pythonapi

CLONE_NEWNS = 0x00020000
CLONE_NEWUTS = 0x04000000
CLONE_NEWIPC = 0x08000000
CLONE_NEWUSER = 0x10000000
CLONE_NEWPID = 0x20000000
CLONE_NEWNET = 0x40000000
CLONE_NEWCGROUP = 0x02000000
CLONE_NEWTIME = 0x00000080

_EVERYWHERE = {
    "mount_setattr": 442,
    "landlock_create_ruleset": 444,
    "landlock_add_rule": 445,
    "landlock_restrict_self": 446,
}
NUMBERS = {
    "x86_64": {"clone": 56, "pivot_root": 155, "capset": 126, **_EVERYWHERE},
    "aarch64": {"clone": 220, "pivot_root": 41, "capset": 91, **_EVERYWHERE},
}
MACHINE = platform.machine()

PR_SET_PDEATHSIG = 1
PR_SET_DUMPABLE = 4
PR_SET_KEEPCAPS = 8
PR_CAPBSET_DROP = 24
PR_SET_CHILD_SUBREAPER = 36
PR_SET_NO_NEW_PRIVS = 38
CAPABILITIES = {"dac_override": 1 << 1, "dac_read_search": 1 << 2}
_CAPABILITY_VERSION = 0x20080522
_LAST_CAPABILITY = 63

# PyDLL keeps the interpreter's lock: a clone must not happen between its release and its return
_libc = ctypes.PyDLL(None, use_errno=True)


def call(name: str, *arguments: int | bytes | None) -> int:
    """The system call of that name; OSError where it fails or the machine is unknown."""
    numbers = NUMBERS.get(MACHINE)
    if numbers is None:
        raise OSError(f"no sandbox on {MACHINE}: only on {', '.join(NUMBERS)}")
    return _checked(name, _libc.syscall(ctypes.c_long(numbers[name]), *map(_plain, arguments)))


def prctl(option: int, *arguments: int) -> None:
    """prctl(2); raises OSError."""
    wide = [ctypes.c_ulong(argument) for argument in (*arguments, 0, 0, 0, 0)[:4]]
    _checked("prctl", _libc.prctl(option, *wide))


def unshare(flags: int) -> None:
    """unshare(2); raises OSError."""
    _checked("unshare", _libc.unshare(flags))


def mount(
    source: str | None, target: str, kind: str | None, flags: int, data: str | None = None
) -> None:
    """mount(2); raises OSError that names the target."""
    texts = [None if text is None else text.encode() for text in (source, target, kind, data)]
    done = _libc.mount(texts[0], texts[1], texts[2], ctypes.c_ulong(flags), texts[3])
    _checked(f"mount {target}", done)


def umount_lazily(target: str) -> None:
    """umount2(2) with MNT_DETACH; raises OSError."""
    _checked(f"umount {target}", _libc.umount2(target.encode(), 2))


def clone(flags: int) -> int:
    """A fork into new namespaces: 0 in the child, its process id in the parent; raises OSError.

    The interpreter's own fork hooks are run, as `os.fork` runs them.
    """
    pythonapi.PyOS_BeforeFork()
    pid: int = _libc.syscall(
        ctypes.c_long(NUMBERS[MACHINE]["clone"]),
        ctypes.c_ulong(flags | signal.SIGCHLD),
        *[ctypes.c_ulong(0)] * 4,
    )
    if pid == 0:
        pythonapi.PyOS_AfterFork_Child()
        return 0
    error = ctypes.get_errno()
    pythonapi.PyOS_AfterFork_Parent()
    if pid < 0:
        raise OSError(error, f"clone: {os.strerror(error)}")
    return pid


def drop_capabilities(all_but: int = 0) -> None:
    """Gives up all capabilities of this process but those, which it has; raises OSError."""
    header = (ctypes.c_uint32 * 2)(_CAPABILITY_VERSION, 0)
    kept = (ctypes.c_uint32 * 6)(all_but, all_but)
    call("capset", ctypes.addressof(header), ctypes.addressof(kept))


def bound_capabilities() -> None:
    """Empties the bounding set: no program that is executed later gains a capability."""
    for capability in range(_LAST_CAPABILITY + 1):
        try:
            prctl(PR_CAPBSET_DROP, capability)
        except OSError:
            return  # the first number that this kernel does not know


def _plain(argument: int | bytes | None) -> object:
    return ctypes.c_ulong(argument) if isinstance(argument, int) else argument


def _checked(name: str, result: int) -> int:
    if result < 0:
        error = ctypes.get_errno()
        raise OSError(error, f"{name}: {os.strerror(error)}")
    return result
