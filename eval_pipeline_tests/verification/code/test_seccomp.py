"""The filter of system calls, interpreted here step by step, on both machines."""

import struct

import pytest

from eval_pipeline.verification.code import kernel
from eval_pipeline.verification.code.seccomp import DENIED, assembled

ALLOW, KILL, EPERM, ENOSYS = 0x7FFF0000, 0x80000000, 0x00050001, 0x00050026
PRETENDED = 0x00050000  # no error, and nothing done
MACHINES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
CLONE = {"x86_64": 56, "aarch64": 220}
ORDINARY = {"x86_64": (0, 1, 9, 59, 231), "aarch64": (63, 64, 222, 221, 94)}


def answer(
    machine: str,
    number: int,
    first: int = 0,
    architecture: int | None = None,
    second: int = 0,
    alone: int | None = None,
) -> int:
    """What the filter says of a call: the program read as the kernel reads it."""
    program = assembled(machine, alone)
    architecture = MACHINES[machine] if architecture is None else architecture
    data = struct.pack("IIQQQ", number, architecture, 0, first, second)
    at, held = 0, 0
    while True:
        code, if_true, if_false, value = struct.unpack_from("HBBI", program, 8 * at)
        at += 1
        if code == 0x20:
            (held,) = struct.unpack_from("I", data, value)
        elif code == 0x06:
            return int(value)
        else:
            test = {0x15: held == value, 0x35: held >= value, 0x45: bool(held & value)}[code]
            at += if_true if test else if_false


@pytest.mark.parametrize("machine", MACHINES)
def test_each_denied_call_fails_and_ordinary_ones_go_through(machine: str):
    column = list(MACHINES).index(machine)
    for name, numbers in DENIED.items():
        if numbers[column] is not None:
            assert answer(machine, numbers[column]) == EPERM, name
    for number in ORDINARY[machine]:
        assert answer(machine, number) == ALLOW


@pytest.mark.parametrize("machine", MACHINES)
def test_a_clone_may_not_make_namespaces(machine: str):
    assert answer(machine, CLONE[machine], 17) == ALLOW
    for flag in (kernel.CLONE_NEWUSER, kernel.CLONE_NEWPID, kernel.CLONE_NEWNS):
        assert answer(machine, CLONE[machine], flag | 17) == EPERM
    assert answer(machine, 435) == ENOSYS


@pytest.mark.parametrize("machine", MACHINES)
def test_another_architecture_is_killed(machine: str):
    assert answer(machine, 1, architecture=0x40000003) == KILL  # i386
    assert answer(machine, 0x40000001) == KILL  # x32


@pytest.mark.parametrize("machine", MACHINES)
def test_a_process_among_others_reaches_itself_only(machine: str):
    x86 = machine == "x86_64"
    for number in (62, 234, 302) if x86 else (129, 131, 261):  # kill, tgkill, prlimit64
        assert answer(machine, number, 77, alone=77) == ALLOW
        assert answer(machine, number, 0, alone=77) == ALLOW
        for other in (1, 78, 2**32 - 1, 2**64 - 1, 2**64 - 77):  # the last are -1 and a group
            assert answer(machine, number, other, alone=77) == EPERM
            assert answer(machine, number, other) == ALLOW
    fcntl, ioctl = (72, 16) if x86 else (25, 29)
    for number, refused in ((fcntl, (8, 10, 15)), (ioctl, (0x8901, 0x8902))):
        assert answer(machine, number, 3, second=1, alone=77) == ALLOW
        for command in refused:
            assert answer(machine, number, 3, second=command, alone=77) == EPERM
    for number in (90, 91, 268) if x86 else (52, 53, 55):  # changes of modes and owners
        assert (answer(machine, number, alone=77), answer(machine, number)) == (PRETENDED, ALLOW)
    for number in ORDINARY[machine]:
        assert answer(machine, number, alone=77) == ALLOW
    assert answer(machine, CLONE[machine], 17, alone=77) == ALLOW
    assert answer(machine, 129 if x86 else 138, 77, alone=77) == EPERM  # rt_sigqueueinfo


def test_numbers_are_given_once():
    for column in (0, 1):
        numbers = [n for pair in DENIED.values() if (n := pair[column]) is not None]
        assert len(numbers) == len(set(numbers))


def test_an_unknown_machine_has_no_filter():
    with pytest.raises(OSError, match="riscv64"):
        assembled("riscv64")
