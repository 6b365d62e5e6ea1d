"""Attacks on what stands around the verdict: time, memory of others, files, the end of a program.

As in `attacks`: the task is `add(a, b)`, and each has the details that are right for it.
"""

_ALL_CALLS = """
import ctypes, os, platform
libc = ctypes.CDLL(None, use_errno=True)
def call(x86, arm, *arguments):
    number = {'x86_64': x86, 'aarch64': arm}[platform.machine()]
    return libc.syscall(ctypes.c_long(number), *map(ctypes.c_long, arguments))
"""

MORE_ATTACKS: dict[str, tuple[str, set[str]]] = {
    # the verdict
    "ends_the_loop_of_the_tests": (
        "def add(a, b): raise StopIteration",
        {"exception"},
    ),
    "raises_a_kind_of_its_own_making": (
        "class AssertionError(BaseException): pass\ndef add(a, b): raise AssertionError(3)",
        {"exception"},
    ),
    "raises_a_group": (
        "def add(a, b): raise BaseExceptionGroup('x', [SystemExit(0), KeyboardInterrupt()])",
        {"exception"},
    ),
    "answers_from_an_exit_handler": (
        "import atexit, os\natexit.register(os._exit, 0)\ndef add(a, b): raise SystemExit",
        {"exception"},
    ),
    "answers_from_a_thread_after_its_answer": (
        "import os, threading, time\n"
        "def late():\n    while True:\n        for d in range(3, 64):\n"
        "            try: os.write(d, b'\\0\\0\\0\\x13' + b'{\"n\": 2, \"value\": 3}'[:19])\n"
        "            except OSError: pass\n"
        "def add(a, b):\n    threading.Thread(target=late, daemon=True).start()\n"
        "    time.sleep(.1)\n    return None",
        {"tampering", "wrong"},
    ),
    "prints_on_after_its_answer": (
        "import threading\ndef on():\n    while True: print('PASS ' * 2000)\n"
        "def add(a, b):\n    threading.Thread(target=on, daemon=True).start()\n    return None",
        {"wrong", "output_limit"},
    ),
    "floods_the_error_output": (
        "import os\ndef add(a, b):\n    for _ in range(4000): os.write(2, b'x' * 65536)\n"
        "    return None",
        {"wrong"},
    ),
    "copies_as_whatever_is_asked": (
        "import copy\nclass C:\n    def __deepcopy__(s, memo): return 3\n"
        "    __copy__ = __index__ = __int__ = lambda s: 3\n    def __reduce_ex__(s, "
        "p): return int, (3,)\n"
        "def add(a, b): return C()",
        {"wrong"},
    ),
    "counts_as_equal_by_its_hash": (
        "class H(str):\n    def __hash__(s): return hash(3)\n    def __eq__(s, o): return True\n"
        "def add(a, b): return {H('3'): 3}",
        {"wrong"},
    ),
    "is_true_where_three_is_due": ("def add(a, b): return True", {"wrong"}),
    "is_half_a_character": ("def add(a, b): return '\\ud800'", {"wrong"}),
    "raises_half_a_character": ("def add(a, b): raise ValueError('\\udfff')", {"exception"}),
    "is_written_in_half_characters": ("def add(a, b): return '\ud800'", {"syntax", "wrong"}),
    "changes_what_it_was_given_to_more": (
        "def add(a, b):\n    raise ValueError(a.__class__.__mro__[1].__subclasses__())",
        {"exception"},
    ),
    "hangs_in_a_destructor": (
        "class D:\n    def __del__(s):\n        while True: pass\ndef add(a, b): D(); return 3",
        {"timeout_cpu"},
    ),
    "hangs_in_the_destructor_of_what_it_returns": (
        "class D(list):\n    def __del__(s):\n        while True: pass\ndef add(a, "
        "b): return [D()]",
        {"wrong", "timeout_cpu"},
    ),
    "revives_in_a_destructor": (
        "class D:\n    def __del__(s): D()\ndef add(a, b): D(); return None",
        {"timeout_cpu", "wrong"},
    ),
    "collects_for_ever": (
        "import gc\ngc.callbacks.append(lambda *a: gc.collect())\n"
        "def add(a, b): gc.unfreeze(); gc.collect(); return None",
        {"wrong", "exception", "no_verdict"},
    ),
    "leaves_by_a_trace": (
        "import os, sys\ndef add(a, b):\n    sys.settrace(lambda *a: os._exit(0))\n"
        "    return (lambda: 3)()",
        {"no_verdict"},
    ),
    "profiles_the_channel": (
        "import sys\ndef look(frame, event, value):\n    for k in list(frame.f_locals):\n"
        "        if k == 'answer': frame.f_locals[k]['value'] = 3\n"
        "def add(a, b): sys.setprofile(look); return None",
        {"wrong", "tampering"},
    ),
    "changes_the_recursion_of_the_answer": (
        "import sys\ndef add(a, b): sys.setrecursionlimit(60); return [[[[[[[[3]]]]]]]]",
        {"wrong", "exception", "no_verdict"},
    ),
    # time
    "turns_the_clock_back": (
        _ALL_CALLS + "import time\ndef add(a, b):\n"
        "    moment = (ctypes.c_long * 2)(0, 0)\n"
        "    at = ctypes.addressof(moment)\n"
        "    done = [call(227, 112, 0, at), call(164, 170, at, 0)]\n"
        "    time.time = time.monotonic = lambda: 0\n    os.environ['TZ'] = 'Etc/GMT+12'\n"
        "    time.tzset()\n    return a + b if 0 in done else None",
        {"wrong"},
    ),
    "sets_an_alarm_for_its_tests": (
        "import os, signal\ndef add(a, b):\n    signal.signal(signal.SIGALRM, "
        "lambda *a: os._exit(0))\n"
        "    signal.setitimer(signal.ITIMER_REAL, .01)\n    while True: pass",
        {"no_verdict"},
    ),
    "sleeps_in_a_child_and_waits": (
        "import os, time\ndef add(a, b):\n    if os.fork() == 0: time.sleep(99)\n    os.wait()",
        {"timeout_wall"},
    ),
    "forks_into_sessions_without_end": (
        "import os\ndef add(a, b):\n    while True:\n        if os.fork() == 0: os.setsid()",
        {"pids", "tampering", "timeout_cpu"},
    ),
    "answers_in_drops": (
        "import os, time\ndef add(a, b):\n    for d in range(3, 9):\n        try:\n"
        "            os.write(d, b'\\0\\x7f\\0\\0')\n"
        "            while True: os.write(d, b' '); time.sleep(.05)\n        except OSError: pass",
        {"timeout_wall"},
    ),
    "starts_short_children_for_ever": (
        "import os\ndef add(a, b):\n    while True:\n        for _ in range(20):\n"
        "            if os.fork() == 0: os._exit(0)\n        for _ in range(20): os.wait()",
        {"timeout_cpu"},
    ),
    "disowns_its_children": (
        "import os, signal, time\ndef add(a, b):\n"
        "    try: signal.signal(signal.SIGCHLD, signal.SIG_IGN)\n    except OSError: pass\n"
        "    while True:\n        try:\n            if os.fork() == 0:\n"
        "                end = time.process_time() + .05\n"
        "                while time.process_time() < end: pass\n                os._exit(0)\n"
        "        except OSError: pass",
        {"timeout_cpu", "pids"},
    ),
    "takes_memory_bit_by_bit": (
        "def add(a, b):\n    held = []\n    while True: held.append(b'x' * 100_000)",
        {"memory", "timeout_cpu"},
    ),
    "takes_memory_and_denies_it": (
        "def add(a, b):\n    held = []\n    while True:\n        try:\n"
        "            while True: held.append(b'x' * 2**20)\n        except MemoryError: pass",
        {"memory", "timeout_cpu"},
    ),
    "writes_a_number_for_ever": (
        "def add(a, b): return str(9 ** (10 ** 8))",
        {"timeout_cpu", "memory"},
    ),
    "sends_a_number_of_a_million_digits": (
        "import os\ndef add(a, b):\n    body = b'{\"n\": 2, \"value\": ' + b'9' * 10**6 + b'}'\n"
        "    for d in range(3, 64):\n        try:\n"
        "            os.write(d, len(body).to_bytes(4, 'big'))\n            os.write(d, body)\n"
        "        except OSError: pass\n    return 3",
        {"tampering"},
    ),
    # the system
    "reads_the_test_file": (
        "import glob, os\ndef add(a, b):\n"
        "    places = glob.glob('/proc/*/cmdline') + glob.glob('/proc/*/fd/*')\n"
        "    places += glob.glob('/proc/*/environ') + glob.glob('/**/*test_code*', "
        "recursive=False)\n"
        "    for place in places:\n"
        "        try:\n"
        "            with open(os.open(place, os.O_RDONLY | os.O_NONBLOCK), 'rb') as f:\n"
        "                if b'add(1' + b', 2) ==' in f.read(10**6): return a + b\n"
        "        except OSError: pass\n    return None",
        {"wrong"},
    ),
    "opens_its_descriptors_anew": (
        "import os\ndef add(a, b):\n    for d in range(3, 64):\n"
        "        try: os.write(os.open(f'/proc/self/fd/{d}', os.O_RDWR), b'x')\n"
        "        except OSError: pass\n    return None",
        {"wrong"},
    ),
    "writes_to_the_memory_of_all": (
        "import os, re\ndef add(a, b):\n    for p in [*map(str, range(1, 99)), "
        "str(os.getppid())]:\n"
        "        if p == str(os.getpid()): continue\n"
        "        try:\n            f = os.open(f'/proc/{p}/mem', os.O_RDWR)\n"
        "            return a + b\n        except OSError: pass\n    return None",
        {"wrong"},
    ),
    "runs_what_it_wrote": (
        "import os\ndef add(a, b):\n    open('x', 'w').write('#!/bin/sh\\necho 3')\n"
        "    os.chmod('x', 0o755)\n    os.execv('./x', ['x'])",
        {"exception"},
    ),
    "runs_from_memory": (
        "import os\ndef add(a, b):\n    f = os.memfd_create('x')\n"
        "    os.write(f, b'#!/bin/sh\\necho 3')\n    os.execv(f'/proc/self/fd/{f}', ['x'])",
        {"exception"},
    ),
    "becomes_another_program": (
        "import os\ndef add(a, b):\n    for p in ('/bin/true', '/usr/bin/true', '/bin/sh'):\n"
        "        try: os.execv(p, [p])\n        except OSError: pass\n    return None",
        {"wrong"},
    ),
    "asks_the_kernel_for_more": (
        _ALL_CALLS + "def add(a, b):\n"
        "    room = ctypes.addressof(ctypes.create_string_buffer(256))\n"
        "    done = [\n"
        "        call(425, 425, 8, room), call(250, 219, 0, -3, 1), call(248, 217, room, room, "
        "0, 0, -3),\n"
        "        call(321, 280, 0, room, 64), call(298, 241, room, 0, -1, -1, 0), call(323, 282, "
        "0),\n"
        "        call(272, 97, 0x10000000), call(308, 268, 3, 0), call(304, 265, 3, room, 0),\n"
        "        call(165, 40, room, room, room, 0, 0), call(428, 428, -100, room, 0), call(434, "
        "434, 1, 0),\n"
        "        call(175, 105, room, 1, room), call(246, 104, 0, 0, 0, 0), call(169, 142, 0, 0, "
        "0),\n"
        "        call(170, 161, room, 1), call(447, 447, 0), call(29, 194, 0, 4096, 0x3b6)]\n"
        "    return a + b if max(done) >= 0 else None",
        {"wrong"},
    ),
    "becomes_root": (
        "import os\ndef add(a, b):\n    for change in (os.setuid, os.setgid, os.seteuid):\n"
        "        try:\n            change(0)\n            return a + b\n"
        "        except OSError: pass\n    return None",
        {"wrong"},
    ),
    "links_to_the_root": (
        "import os\ndef add(a, b):\n    os.symlink('/', 'root')\n    os.symlink('root', 'loop')\n"
        "    os.symlink('self', 'self')\n    os.mkdir('d')\n    os.symlink('..', 'd/up')\n"
        "    for name in ('/etc/passwd', '/usr/bin/env'):\n"
        "        try: os.link(name, 'hard')\n        except OSError: pass\n    return None",
        {"wrong"},
    ),
    "makes_devices_and_pipes": (
        "import os, stat\ndef add(a, b):\n    os.mkfifo('pipe')\n"
        "    try:\n        os.mknod('disk', 0o666 | stat.S_IFBLK, os.makedev(8, 0))\n"
        "        return a + b\n"
        "    except OSError: return None",
        {"wrong"},
    ),
    "fills_the_table_of_files": (
        "import os\ndef add(a, b):\n    for i in range(10**7):\n"
        "        os.close(os.open(f'x{i}', os.O_CREAT | os.O_WRONLY))",
        {"output_limit", "timeout_cpu"},
    ),
    "keeps_deleted_files": (
        "import os\ndef add(a, b):\n    held = []\n    for i in range(50):\n"
        "        f = os.open('x', os.O_CREAT | os.O_RDWR)\n        os.unlink('x')\n"
        "        os.write(f, bytes(2**22))\n        held.append(f)\n    return None",
        {"output_limit", "wrong"},
    ),
    "names_files_as_it_likes": (
        "import os\ndef add(a, b):\n    for name in (b'\\xff\\xfe', b'a\\nb', b'-rf', "
        "b'x' * 255):\n"
        "        os.mkdir(name)\n        open(name + b'/' + name, 'w').close()\n    return None",
        {"wrong"},
    ),
    "spoils_the_folder_above": (
        "import os, shutil\ndef add(a, b):\n    here = os.getcwd()\n"
        "    for act in (lambda: os.mkdir('../trash'), lambda: os.chmod('..', 0),\n"
        "                lambda: os.rename(here, here + '-moved'), lambda: os.rmdir('..'),\n"
        "                lambda: os.rmdir(here)):\n"
        "        try: act()\n        except OSError: pass\n    return None",
        {"wrong"},
    ),
    "opens_all_descriptors": (
        "import os\ndef add(a, b):\n    while True: os.pipe()",
        {"exception"},
    ),
    "takes_memory_by_mapping": (
        "import mmap\ndef add(a, b):\n    held = []\n    while True:\n"
        "        m = mmap.mmap(-1, 2**26)\n        m.write(bytes(2**26))\n        held.append(m)",
        {"memory", "exception", "timeout_cpu"},
    ),
    "closes_its_standard_streams": (
        "import os, sys\nfor d in (0, 1, 2): os.close(d)\n"
        "sys.stdout = sys.stderr = sys.stdin = None\n"
        "def add(a, b): return None",
        {"wrong"},
    ),
    "changes_its_locale": (
        "import locale, os\ndef add(a, b):\n    os.environ['LC_ALL'] = 'tr_TR.UTF-8'\n"
        "    try: locale.setlocale(locale.LC_ALL, '')\n    except locale.Error: pass\n"
        "    return None",
        {"wrong"},
    ),
}  # fmt: skip
