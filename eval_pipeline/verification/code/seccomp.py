"""A filter of system calls: what no answer to a benchmark needs, and attacks begin with."""

import ctypes
import struct
from collections.abc import Sequence

from eval_pipeline.verification.code import kernel

# name: number on x86_64, number on aarch64 (None where it does not exist)
DENIED: dict[str, tuple[int | None, int | None]] = {
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "kcmp": (312, 272),
    "pidfd_open": (434, 434),
    "pidfd_getfd": (438, 438),
    "pidfd_send_signal": (424, 424),
    "process_madvise": (440, 440),
    "process_mrelease": (448, 448),
    "migrate_pages": (256, 238),
    "move_pages": (279, 239),
    "mount": (165, 40),
    "umount2": (166, 39),
    "pivot_root": (155, 41),
    "chroot": (161, 51),
    "open_tree": (428, 428),
    "open_tree_attr": (467, 467),
    "move_mount": (429, 429),
    "fsopen": (430, 430),
    "fsconfig": (431, 431),
    "fsmount": (432, 432),
    "fspick": (433, 433),
    "mount_setattr": (442, 442),
    "unshare": (272, 97),
    "setns": (308, 268),
    "socket": (41, 198),
    "bpf": (321, 280),
    "perf_event_open": (298, 241),
    "userfaultfd": (323, 282),
    "io_uring_setup": (425, 425),
    "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427),
    "add_key": (248, 217),
    "request_key": (249, 218),
    "keyctl": (250, 219),
    "memfd_create": (319, 279),
    "memfd_secret": (447, 447),
    "shmget": (29, 194),
    "msgget": (68, 186),
    "semget": (64, 190),
    "mq_open": (240, 180),
    "name_to_handle_at": (303, 264),
    "open_by_handle_at": (304, 265),
    "fanotify_init": (300, 262),
    "quotactl": (179, 60),
    "acct": (163, 89),
    "swapon": (167, 224),
    "swapoff": (168, 225),
    "reboot": (169, 142),
    "sethostname": (170, 161),
    "setdomainname": (171, 162),
    "iopl": (172, None),
    "ioperm": (173, None),
    "modify_ldt": (154, None),
    "init_module": (175, 105),
    "finit_module": (313, 273),
    "delete_module": (176, 106),
    "kexec_load": (246, 104),
    "kexec_file_load": (320, 294),
    "settimeofday": (164, 170),
    "clock_settime": (227, 112),
    "adjtimex": (159, 171),
    "clock_adjtime": (305, 266),
    "syslog": (103, 116),
    "lookup_dcookie": (212, 18),
    "vhangup": (153, 58),
    "personality": (135, 92),
}
# without a PID space of its own a process reaches all others of its user
_TO_ITSELF = {"kill": (62, 129), "tgkill": (234, 131), "prlimit64": (302, 261)}
_TO_OTHERS = {
    "truncate": (76, 45),  # by name, which Landlock before its third version lets pass
    "tkill": (200, 130),
    "rt_sigqueueinfo": (129, 138),
    "rt_tgsigqueueinfo": (297, 240),
    "setpriority": (141, 140),
    "ioprio_set": (251, 30),
    "sched_setparam": (142, 118),
    "sched_setscheduler": (144, 119),
    "sched_setaffinity": (203, 122),
    "sched_setattr": (314, 274),
}
# no Landlock holds these: they seem to succeed and do nothing, for a copied file is given a mode
_PRETENDED = {
    "chmod": (90, None),
    "fchmod": (91, 52),
    "fchmodat": (268, 53),
    "fchmodat2": (452, 452),
    "chown": (92, None),
    "lchown": (94, None),
    "fchown": (93, 55),
    "fchownat": (260, 54),
    "utime": (132, None),
    "utimes": (235, None),
    "futimesat": (261, None),
    "utimensat": (280, 88),
    "setxattr": (188, 5),
    "lsetxattr": (189, 6),
    "fsetxattr": (190, 7),
    "setxattrat": (463, 463),
    "removexattr": (197, 14),
    "lremovexattr": (198, 15),
    "fremovexattr": (199, 16),
    "removexattrat": (466, 466),
}
# with it ignored, children that end are waited for by nobody, and nobody counts their time
_RT_SIGACTION = (13, 134)
_SIGCHLD = 17
# a descriptor may be told to send signals: F_SETOWN, F_SETSIG, F_SETOWN_EX; FIOSETOWN, SIOCSPGRP
_SIGNALLING = {"fcntl": ((72, 25), (8, 10, 15)), "ioctl": ((16, 29), (0x8901, 0x8902))}
_CLONE = {"x86_64": 56, "aarch64": 220}
_CLONE3 = 435
_ARCHITECTURE = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
_NAMESPACES = (
    kernel.CLONE_NEWNS
    | kernel.CLONE_NEWUTS
    | kernel.CLONE_NEWIPC
    | kernel.CLONE_NEWUSER
    | kernel.CLONE_NEWPID
    | kernel.CLONE_NEWNET
    | kernel.CLONE_NEWCGROUP
    | kernel.CLONE_NEWTIME
)
_X32 = 0x40000000  # calls of the x32 ABI carry this bit beside the architecture of x86_64

_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_NUMBER_AT, _ARCHITECTURE_AT = 0, 4
_FIRST_ARGUMENT_AT, _SECOND_ARGUMENT_AT = 16, 24
_ALLOW, _KILL, _ERRNO = 0x7FFF0000, 0x80000000, 0x00050000
_EPERM, _ENOSYS = 1, 38
_PR_SET_SECCOMP, _MODE_FILTER = 22, 2


class Filter:
    """The filter of this machine, put together once and installed in every run.

    `alone`: the id of a process among others' files and processes, that may signal and hamper
    nobody but itself, and change the mode of no file.
    """

    def __init__(self, machine: str = kernel.MACHINE, alone: int | None = None) -> None:
        program = assembled(machine, alone)
        self._program = ctypes.create_string_buffer(program, len(program))
        head = struct.pack("HxxxxxxQ", len(program) // 8, ctypes.addressof(self._program))
        self._head = ctypes.create_string_buffer(head, len(head))

    def install(self) -> None:
        """Binds this process and all that it starts, for good; raises OSError."""
        kernel.prctl(kernel.PR_SET_NO_NEW_PRIVS, 1)
        kernel.prctl(_PR_SET_SECCOMP, _MODE_FILTER, ctypes.addressof(self._head))


def assembled(machine: str, alone: int | None = None) -> bytes:
    """The filter as a classic BPF program; OSError for an unknown machine."""
    if machine not in _ARCHITECTURE:
        raise OSError(f"no filter of system calls for {machine}")
    column = list(_ARCHITECTURE).index(machine)
    numbers = [pair[column] for pair in DENIED.values()]
    steps = [
        _step(_LOAD, _ARCHITECTURE_AT),
        _step(_EQUAL, _ARCHITECTURE[machine], 1, 0),
        _step(_RETURN, _KILL),
        _step(_LOAD, _NUMBER_AT),
        _step(_AT_LEAST, _X32, 0, 1),
        _step(_RETURN, _KILL),
        _step(_EQUAL, _CLONE3, 0, 1),
        _step(_RETURN, _ERRNO | _ENOSYS),  # the C library then falls back to clone
    ]
    steps += _by_argument(_RT_SIGACTION[column], _FIRST_ARGUMENT_AT, (_SIGCHLD,), allow=False)
    if alone is not None:
        numbers += [pair[column] for pair in _TO_OTHERS.values()]
        for pair in _TO_ITSELF.values():  # 0 is itself, or its own group
            steps += _by_argument(pair[column], _FIRST_ARGUMENT_AT, (0, alone), allow=True)
        for pair, values in _SIGNALLING.values():
            steps += _by_argument(pair[column], _SECOND_ARGUMENT_AT, values, allow=False)
        for number in (pair[column] for pair in _PRETENDED.values()):
            if number is not None:
                steps += [_step(_EQUAL, number, 0, 1), _step(_RETURN, _ERRNO | 0)]
    denied = sorted(number for number in numbers if number is not None)
    steps += [
        _step(_EQUAL, _CLONE[machine], 0, 4),
        _step(_LOAD, _FIRST_ARGUMENT_AT),
        _step(_ANY_BIT, _NAMESPACES, 0, 1),
        _step(_RETURN, _ERRNO | _EPERM),
        _step(_RETURN, _ALLOW),
    ]
    for left, number in zip(range(len(denied), 0, -1), denied, strict=True):
        steps.append(_step(_EQUAL, number, left, 0))  # to the last step, past the one that allows
    steps += [_step(_RETURN, _ALLOW), _step(_RETURN, _ERRNO | _EPERM)]
    return b"".join(steps)


def _by_argument(number: int, at: int, values: Sequence[int], allow: bool) -> list[bytes]:
    """Allows a call where the lower half of its argument is among the values, or only where not."""
    answers = (_ALLOW, _ERRNO | _EPERM)
    among, else_ = answers if allow else answers[::-1]
    count = len(values)
    return [
        _step(_EQUAL, number, 0, count + 3),
        _step(_LOAD, at),
        *(_step(_EQUAL, value, count - i, 0) for i, value in enumerate(values)),
        _step(_RETURN, else_),
        _step(_RETURN, among),
    ]


def _step(code: int, value: int, if_true: int = 0, if_false: int = 0) -> bytes:
    return struct.pack("HBBI", code, if_true, if_false, value)
