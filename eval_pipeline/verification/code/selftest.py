"""Attacks on the sandbox itself, before it is trusted: one for each layer that should hold."""

from eval_pipeline.verification.code.limits import Limits
from eval_pipeline.verification.code.values import encode
from eval_pipeline.verification.code.worker import Worker

PROBE_LIMITS = Limits(cpu_seconds=2, wall_seconds=12, memory_mb=512)
HELD = "held"
ENDED = {"memory_together": "memory"}  # attacks that the sandbox must end, and the status then

# each defines attack(), which returns HELD where the layer holds
ATTACKS = {
    "host_files": """
import os
def attack():
    found = []
    for path in ("/etc", "/etc/passwd", "/etc/hostname", "/home", "/var", "/proc", "/run",
                 "/proc/1/environ", "/proc/self/environ", "/sys/kernel", "/dev/mem"):
        try:
            os.listdir(path) if os.path.isdir(path) else open(path, "rb").read(1)
            found.append(path)
        except OSError:
            pass
    return found or "held"
""",
    "host_names": """
import os
def attack():
    return [path for path in ("/etc", "/home", "/proc", "/sys") if os.path.exists(path)] or "held"
""",
    "writes": """
import os, sys
def attack():
    written = []
    for folder in ("/", "/usr/lib", "/dev", os.path.dirname(os.__file__), sys.base_prefix):
        path = os.path.join(folder, "planted-by-a-probe")
        try:
            with open(path, "w"):
                written.append(folder)
            os.unlink(path)
        except OSError:
            pass
    return written or "held"
""",
    "network": """
import socket
def attack():
    for family in (socket.AF_INET, socket.AF_INET6, socket.AF_UNIX, socket.AF_NETLINK):
        try:
            socket.socket(family, socket.SOCK_DGRAM).close()
            return f"family {family}"
        except OSError:
            pass
    return "held"
""",
    "other_processes": """
import os, signal
def attack():
    reached = []
    for pid in [os.getppid(), *range(2, 4000)]:
        if pid in (0, os.getpid()):
            continue
        try:
            os.kill(pid, 0)
            reached.append(pid)
        except OSError:
            pass
    return reached or "held"
""",
    "environment": """
import os
def attack():
    return list(os.environ) or "held"
""",
    "descriptors": """
import os
def attack():
    still = []
    for descriptor in range(4, 256):
        try:
            os.fstat(descriptor)
            still.append(descriptor)
        except OSError:
            pass
    return still or "held"
""",
    "privileges": """
import ctypes, os
def attack():
    libc = ctypes.CDLL(None, use_errno=True)
    done = []
    if libc.mount(b"none", b"/tmp", b"tmpfs", 0, None) == 0:
        done.append("mount")
    if libc.unshare(0x10000000) == 0:
        done.append("unshare")
    if libc.ptrace(0, 0, 0, 0) == 0:
        done.append("ptrace")
    if libc.prctl(39, 0, 0, 0, 0) != 1:
        done.append("new privileges")
    if os.getuid() == 0 or os.geteuid() == 0:
        done.append("root")
    return done or "held"
""",
    "memory": """
def attack():
    try:
        return len(bytearray(2**31))
    except MemoryError:
        return "held"
""",
    "memory_together": """
import os, time
def attack():
    for _ in range(8):
        if os.fork() == 0:
            taken = bytearray(110 * 2**20)
            time.sleep(99)
    time.sleep(99)
""",
    "processes": """
import os, time
def attack():
    for made in range(200):
        try:
            if os.fork() == 0:
                time.sleep(5)
                os._exit(0)
        except OSError:
            return "held"
    return made
""",
    "file_size": """
import os
def attack():
    try:
        with open("large", "wb") as file:
            for _ in range(100):
                file.write(bytes(2**20))
        return os.path.getsize("large")
    except OSError:
        return "held"
""",
    "leftovers": """
import os
def attack():
    return os.listdir(".") or "held"
""",
}
_CALL = {"args": [], "kwargs": {}, "returns": HELD}
_ALIVE = "def attack():\n    return 'held'\n"


def failed_layers(worker: Worker) -> tuple[str, ...]:
    """The names of the layers that do not hold, in the order of the list; `runs` comes first."""
    if not is_alive(worker):
        return ("runs", *ATTACKS)
    return tuple(
        name for name, code in ATTACKS.items() if _outcome(worker, code) != ENDED.get(name, "pass")
    )


def is_alive(worker: Worker) -> bool:
    """Whether a harmless program runs at all."""
    return _outcome(worker, _ALIVE) == "pass"


def _outcome(worker: Worker, code: str) -> str:
    job = {
        "kind": "calls",
        "code": code,
        "entry_point": "attack",
        "tolerance": (0.0, 0.0),
        "cases": [{name: encode(part) for name, part in _CALL.items()}],
    }
    return worker.run(job).status
