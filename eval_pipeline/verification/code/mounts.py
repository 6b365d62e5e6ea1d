"""The file system that a candidate sees: the interpreter's library, three devices, a scratch."""

import ctypes
import os
import sys
from collections.abc import Sequence

from eval_pipeline.verification.code import kernel

STAGING = "/tmp"  # where the new root is put together; hidden from this process only
NEW, OLD = "/new", "/old"
SCRATCH = "/tmp"
DEVICES = ("/dev/null", "/dev/zero", "/dev/urandom")
LIBRARIES = ("/lib", "/lib64", "/usr/lib", "/usr/lib64")

MS_NOSUID, MS_NODEV = 2, 4
MS_BIND, MS_REC, MS_PRIVATE = 4096, 16384, 1 << 18
_ATTRIBUTE = {"rdonly": 1, "nosuid": 2, "nodev": 4, "noexec": 8}
_AT_FDCWD = 0xFFFFFFFFFFFFFF9C  # -100
_AT_RECURSIVE = 0x8000


def build_root(more: Sequence[str]) -> None:
    """Puts the new root together below NEW, with the old one below OLD; raises OSError."""
    make_private()
    kernel.mount("tmpfs", STAGING, "tmpfs", MS_NOSUID | MS_NODEV, "size=1m,mode=755")
    os.mkdir(STAGING + OLD)
    os.mkdir(STAGING + NEW)
    kernel.call("pivot_root", STAGING.encode(), (STAGING + OLD).encode())
    os.chdir("/")
    kernel.mount("tmpfs", NEW, "tmpfs", MS_NOSUID | MS_NODEV, "size=1m,mode=755")
    for folder in library_folders(more):
        if os.path.islink(OLD + folder):
            os.makedirs(os.path.dirname(NEW + folder), exist_ok=True)
            os.symlink(os.readlink(OLD + folder), NEW + folder)
        elif os.path.isdir(OLD + folder):
            os.makedirs(NEW + folder, exist_ok=True)
            _bind(folder, ("rdonly", "nosuid", "nodev"))
    os.mkdir(NEW + "/dev")
    for device in DEVICES:
        os.close(os.open(NEW + device, os.O_CREAT | os.O_WRONLY))
        _bind(device, ("rdonly", "nosuid", "noexec"))
    os.makedirs(NEW + SCRATCH, exist_ok=True)


def make_private() -> None:
    """No mount of this process reaches the host from here on; raises OSError."""
    kernel.mount(None, "/", None, MS_REC | MS_PRIVATE)


def seal_root() -> None:
    """Makes NEW the root, drops the old one, and makes it read-only; raises OSError."""
    # mounts that came from another user's namespace are locked; a copy of the whole is not
    kernel.mount(NEW, NEW, None, MS_BIND | MS_REC)
    os.chdir(NEW)
    kernel.call("pivot_root", b".", b".")
    kernel.umount_lazily(".")
    os.chdir("/")
    restrict("/", ("rdonly", "nosuid", "nodev"), recursive=False)


def mount_scratch(megabytes: int) -> None:
    """An empty folder to write to, for one run; raises OSError."""
    options = f"size={megabytes}m,nr_inodes=4096,mode=700"
    kernel.mount("tmpfs", SCRATCH, "tmpfs", MS_NOSUID | MS_NODEV, options)
    os.chdir(SCRATCH)


def library_folders(more: Sequence[str] = ()) -> list[str]:
    """What the interpreter reads: its own library, wherever it is installed, and the system's.

    A virtual environment has no library of its own: its base prefix has it.
    """
    own = [os.path.join(sys.base_prefix, "lib"), os.path.dirname(os.path.realpath(os.__file__))]
    folders = [os.path.realpath(folder) for folder in own] + list(LIBRARIES) + list(more)
    kept: list[str] = []
    for folder in sorted(set(folders)):
        if not any(folder.startswith(f"{other}/") for other in kept if not os.path.islink(other)):
            kept.append(folder)
    return kept


def restrict(path: str, attributes: tuple[str, ...], recursive: bool = True) -> None:
    """Gives a mount, and those below it, attributes such as `rdonly`; raises OSError."""
    wanted = sum(_ATTRIBUTE[name] for name in attributes)
    record = (ctypes.c_uint64 * 4)(wanted, 0, 0, 0)
    flags = _AT_RECURSIVE if recursive else 0
    size = ctypes.sizeof(record)
    kernel.call("mount_setattr", _AT_FDCWD, path.encode(), flags, ctypes.addressof(record), size)


def _bind(path: str, attributes: tuple[str, ...]) -> None:
    kernel.mount(OLD + path, NEW + path, None, MS_BIND | MS_REC)
    restrict(NEW + path, attributes)
