"""Without namespaces: limits, a filter of system calls, and Landlock where the kernel has it.

The candidate sees the host's processes and names of files. It cannot signal or read them below
Landlock; without it, it does what its user may do.
"""

import os
import socket
import tempfile
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from eval_pipeline.verification.code import kernel, landlock, mounts, namespaces
from eval_pipeline.verification.code.confinement import Confinement
from eval_pipeline.verification.code.limits import PROCESSES, SCRATCH_MB, Limits
from eval_pipeline.verification.code.preparation import SETUP_FAILED, confined
from eval_pipeline.verification.code.seccomp import Filter
from eval_pipeline.verification.code.watch import Watch

MAX_FILES = 4096


def prepared(folders: Sequence[str], needs_landlock: bool) -> Confinement:
    """Candidates with the rights of the caller, in folders below the present one.

    root becomes nobody, who keeps the right to read where only root can read the interpreter's
    library. Raises OSError where Landlock is needed and not there, or would hold root, or /proc
    shows other processes than ours.
    """
    if os.readlink("/proc/self") != str(os.getpid()):
        raise OSError("/proc is not that of this process, which must find what a run leaves")
    try:
        landlock.version()
        readable = mounts.library_folders(folders)
    except OSError as error:
        if needs_landlock:
            raise OSError(f"no Landlock: {error}") from error
        readable = None
    kept = 0
    if os.geteuid() == 0:
        kept = _stop_being_root(folders)
        if needs_landlock and os.geteuid() == 0:
            raise OSError("root can become no user here who reads the interpreter's library")
    kernel.prctl(kernel.PR_SET_CHILD_SUBREAPER, 1)  # what outlives its parent is found again
    here = Path.cwd()
    return Confinement(
        partial(_start, readable, here, kept),
        partial(_overfull, here),
        partial(_clear, here),
        kept,
    )


def _stop_being_root(folders: Sequence[str]) -> int:
    """Becomes nobody where there is such a user; the capabilities that it keeps to read by."""
    needed = [path for path in mounts.library_folders(folders) if os.path.exists(path)]
    try:
        os.chown(".", namespaces.NOBODY, namespaces.NOBODY)
        os.setegid(namespaces.NOBODY)
        os.seteuid(namespaces.NOBODY)
    except OSError:  # a user namespace in which there is no other user
        os.setegid(0)
        return 0
    able = all(os.access(p, os.R_OK | os.X_OK, effective_ids=True) for p in (*needed, "."))
    os.seteuid(0)
    os.setegid(0)
    kept = 0 if able else _right_to_read()
    if able or kept:
        namespaces.become_nobody(kept)
    return kept


def _right_to_read() -> int:
    """The capability of this process by which it reads what is not its own, the least that does."""
    status = Path("/proc/self/status").read_text()
    permitted = int(status.partition("CapPrm:")[2].split()[0], 16)
    rights = (kernel.CAPABILITIES["dac_read_search"], kernel.CAPABILITIES["dac_override"])
    return next((right for right in rights if permitted & right), 0)


def _start(
    readable: Sequence[str] | None,
    here: Path,
    capabilities: int,
    limit: Limits,
    channel: socket.socket,
    output: int,
    calls: Filter,
    watch: Watch,
) -> int:
    here.mkdir(mode=0o700, exist_ok=True)  # without Landlock a program may have removed it
    folder = tempfile.mkdtemp(dir=here)
    beside = watch.tasks(os.geteuid())
    pid = os.fork()
    if pid == 0:
        try:
            os.setsid()
            watch.give_up_first()
            os.chdir(folder)
            if readable is not None:
                kernel.prctl(kernel.PR_SET_NO_NEW_PRIVS, 1)
                landlock.restrict(readable, [folder], mounts.DEVICES)
        except BaseException:
            os._exit(SETUP_FAILED)
        alone = Filter(alone=os.getpid())
        confined(limit, channel.detach(), output, alone, PROCESSES + beside, capabilities)
    return pid


def _overfull(here: Path) -> bool:
    """Whether the folders below hold more than a scratch may, or are too deep to be looked at."""
    size = count = 0
    waiting = [str(here)]
    while waiting:
        try:
            with os.scandir(waiting.pop()) as entries:
                for entry in entries:
                    count += 1
                    if entry.is_dir(follow_symlinks=False):
                        waiting.append(entry.path)
                    else:
                        size += 512 * entry.stat(follow_symlinks=False).st_blocks
        except (FileNotFoundError, PermissionError):
            continue
        except OSError:  # a path longer than the system takes
            return True
        if count > MAX_FILES or size > SCRATCH_MB << 20:
            return True
    return False


def _clear(here: Path, watch: Watch, driver: int | None) -> None:
    watch.end_all(driver)
    for folder in list(here.iterdir()) if here.is_dir() else []:
        _remove(folder, here)


def _remove(folder: Path, here: Path) -> None:
    """A folder or file with all in it, however deep: its parts are moved up one by one."""
    trash = Path(tempfile.mkdtemp(dir=here))
    os.rename(folder, trash / "0")
    number = 0
    while parts := list(os.scandir(trash)):
        for part in parts:
            if not part.is_dir(follow_symlinks=False):
                os.unlink(part)
                continue
            os.chmod(part, 0o700)
            for inner in list(os.scandir(part)):
                if inner.is_dir(follow_symlinks=False):
                    os.chmod(inner, 0o700)
                number += 1
                os.rename(inner, trash / str(number))
            os.rmdir(part)
    trash.rmdir()
