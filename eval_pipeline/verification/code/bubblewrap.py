"""The fallback: a fresh interpreter below bubblewrap for each run, where namespaces are closed."""

import json
import os
import shutil
import socket
import stat
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import NoReturn

from eval_pipeline.verification.code import kernel, mounts, namespaces, preparation
from eval_pipeline.verification.code.confinement import Confinement
from eval_pipeline.verification.code.limits import SCRATCH_MB, Limits
from eval_pipeline.verification.code.packages import THREADS
from eval_pipeline.verification.code.seccomp import Filter
from eval_pipeline.verification.code.watch import Watch

PROGRAMS = "/usr/local/bin:/usr/bin:/bin"
STAGING = "/mnt"
MODULES = Path(__file__).parents[2]  # of the project
INSIDE = "/project"
BOOT = (
    f"import sys; sys.path.insert(0, {INSIDE!r}); "
    "from eval_pipeline.verification.code import bubblewrap; "
    "del sys.path[0]; bubblewrap.main(sys.argv[1:])"
)
FLAGS = ("-s", "-P", "-S", "-B")
_OPTIONS = (
    "--unshare-all --unshare-user --disable-userns --die-with-parent --new-session "
    "--as-pid-1 --cap-drop ALL --clearenv --setenv PYTHONHASHSEED 0 --dev /dev"
)


def prepared(folders: Sequence[str], packages: Sequence[str]) -> Confinement:
    """How candidates are held here; root becomes nobody first. Raises OSError."""
    program = shutil.which("bwrap", path=PROGRAMS)
    if program is None:
        raise OSError("bubblewrap (bwrap) is not installed")
    interpreter = os.path.realpath(sys.executable)
    shown = {path: path for path in [*mounts.library_folders(folders), interpreter]}
    shown[f"{INSIDE}/{MODULES.name}"] = str(MODULES)
    if os.geteuid() == 0:
        shown = _staged(shown)
        namespaces.become_nobody()
    command = [program, *_OPTIONS.split()]
    for variable, value in THREADS.items():
        command += ["--setenv", variable, value]
    command += ["--size", str(SCRATCH_MB * 2**20), "--tmpfs", mounts.SCRATCH]
    for inside, outside in shown.items():
        if os.path.islink(outside):
            command += ["--symlink", os.readlink(outside), inside]
        elif os.path.exists(outside):
            command += ["--ro-bind", outside, inside]
    command += ["--remount-ro", "/dev", "--remount-ro", "/"]
    command += ["--chdir", mounts.SCRATCH, interpreter, *FLAGS, "-c", BOOT]

    def start(
        limit: Limits, channel: socket.socket, output: int, calls: Filter, watch: Watch
    ) -> int:
        pid = os.fork()
        if pid == 0:
            watch.give_up_first()
            _execute(command, limit, channel, output, [*folders, "", *packages])
        return pid

    kernel.prctl(kernel.PR_SET_CHILD_SUBREAPER, 1)  # its processes are waited for here
    return Confinement(start, clear=Watch.end_all)


def main(arguments: Sequence[str]) -> NoReturn:
    """Inside of bubblewrap: a candidate on the channel that was inherited."""
    channel, limits, rest = int(arguments[0]), json.loads(arguments[1]), list(arguments[2:])
    sys.argv[:] = [""]
    preparation.preload(rest[: rest.index("")], rest[rest.index("") + 1 :])
    preparation.confined(Limits(**limits), channel, 1, Filter())


def _execute(
    command: Sequence[str],
    limit: Limits,
    channel: socket.socket,
    output: int,
    rest: Sequence[str],
) -> NoReturn:
    try:
        end = channel.detach()
        os.set_inheritable(end, True)
        os.dup2(os.open(os.devnull, os.O_RDWR), 0)
        os.dup2(output, 1)
        os.dup2(0, 2)
        arguments = [*command, str(end), json.dumps(asdict(limit)), *rest]
        os.execve(command[0], arguments, {})
    except BaseException:
        os._exit(preparation.SETUP_FAILED)


def _staged(shown: dict[str, str]) -> dict[str, str]:
    """The same folders where nobody may read them: an interpreter may lie below root's home."""
    kernel.unshare(kernel.CLONE_NEWNS)
    mounts.make_private()
    links = {place: os.readlink(place) for place in shown.values() if os.path.islink(place)}
    # opened first: what lies below the staging folder is hidden from then on
    opened = {
        place: os.open(place, os.O_PATH)
        for place in shown.values()
        if place not in links and os.path.exists(place)
    }
    kernel.mount("tmpfs", STAGING, "tmpfs", mounts.MS_NOSUID | mounts.MS_NODEV, "mode=755")
    staged = {}
    for number, (inside, outside) in enumerate(shown.items()):
        staged[inside] = place = f"{STAGING}/{number}"
        if outside in links:
            os.symlink(links[outside], place)
        elif outside in opened:
            _bind(opened[outside], place)
    for descriptor in opened.values():
        os.close(descriptor)
    return staged


def _bind(opened: int, place: str) -> None:
    if stat.S_ISDIR(os.fstat(opened).st_mode):
        os.mkdir(place)
    else:
        os.close(os.open(place, os.O_CREAT | os.O_WRONLY))
    source = f"/proc/self/fd/{opened}"
    kernel.mount(source, place, None, mounts.MS_BIND | mounts.MS_REC)
