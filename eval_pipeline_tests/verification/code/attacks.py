"""Programs that try to pass without solving the task, or to harm who runs them.

The task is `add(a, b)`, tested by `add(1, 2) == 3` and `add(0, 0) == 0`. Each attack has the
details that are right for it; none of them is a pass.
"""

from eval_pipeline_tests.verification.code.more_attacks import MORE_ATTACKS

_FORGE = """
import json, os
def forged(message):
    body = message if isinstance(message, bytes) else json.dumps(message).encode()
    return len(body).to_bytes(4, "big") + body
def post(data):
    for descriptor in range(3, 64):
        try:
            os.write(descriptor, data)
        except OSError:
            pass
"""

# name: (code, details that are right)
ATTACKS: dict[str, tuple[str, set[str]]] = {
    "prints_a_verdict": (
        'print(\'{"status": "pass", "lost": false}\')\nprint(\'PASS\')\n'
        "def add(a, b): print('ok'); return None",
        {"wrong"},
    ),
    "exits_well_when_loaded": ("import os\nos._exit(0)", {"no_verdict"}),
    "exits_well_when_called": ("import os\ndef add(a, b): os._exit(0)", {"no_verdict"}),
    "says_the_setup_failed": ("import os\ndef add(a, b): os._exit(97)", {"no_verdict"}),
    "leaves_by_system_exit": ("import sys\ndef add(a, b): sys.exit(0)", {"exception"}),
    "leaves_while_loading": ("raise SystemExit(0)", {"exception"}),
    "interrupts_itself": ("def add(a, b): raise KeyboardInterrupt", {"exception"}),
    "equals_everything": (
        "class E:\n    def __eq__(s, o): return True\n    def __ne__(s, o): return False\n"
        "    def __bool__(s): return True\n    def __hash__(s): return 3\n"
        "def add(a, b): return E()",
        {"wrong"},
    ),
    "equals_everything_as_an_int": (
        "class E(int):\n    def __eq__(s, o): return True\ndef add(a, b): return E()",
        {"wrong"},
    ),
    "lies_about_its_class": (
        "class L:\n    @property\n    def __class__(s): return int\n"
        "    def __eq__(s, o): return True\ndef add(a, b): return L()",
        {"wrong"},
    ),
    "lies_in_its_metaclass": (
        "class M(type):\n    def __eq__(s, o): return True\n    def __hash__(s): return hash(int)\n"
        "    @property\n    def __name__(s): return 'int'\n"
        "class L(metaclass=M):\n    def __eq__(s, o): return True\ndef add(a, b): return L()",
        {"wrong"},
    ),
    "is_a_subclass_of_str": ("class S(str): pass\ndef add(a, b): return S('3')", {"wrong"}),
    "is_an_enum": (
        "import enum\nclass E(enum.IntEnum):\n    A = 3\ndef add(a, b): return E.A",
        {"wrong"},
    ),
    "is_a_generator": ("def add(a, b):\n    while True: yield 3", {"wrong"}),
    "is_a_pickle_bomb": (
        "import os\nclass P:\n    def __reduce__(s): return os._exit, (0,)\n"
        "def add(a, b): return P()",
        {"wrong"},
    ),
    "is_not_a_number": ("def add(a, b): return float('nan')", {"wrong"}),
    "holds_itself": ("def add(a, b):\n    x = []\n    x.append(x)\n    return x", {"wrong"}),
    "is_nested_without_end": (
        "def add(a, b):\n    x = []\n    for _ in range(100000): x = [x]\n    return x",
        {"wrong"},
    ),
    "is_gigantic": ("def add(a, b): return 'x' * 2**24", {"output_limit"}),
    "is_a_gigantic_number": ("def add(a, b): return 1 << 10**9", {"output_limit", "memory"}),
    "returns_nothing_but_memory": ("def add(a, b): return [0] * 10**10", {"memory"}),
    "patches_the_builtins": (
        "import builtins\nbuiltins.AssertionError = ValueError\nbuiltins.all = lambda x: True\n"
        "builtins.isinstance = lambda *a: True\ndef add(a, b): return 4",
        {"wrong", "no_verdict"},
    ),
    "patches_the_encoding": (
        'import json\njson.dumps = lambda *a, **k: \'{"n": 2, "value": 3}\'\n'
        "def add(a, b): return 3",
        {"tampering"},
    ),
    "patches_the_channel": (
        "import sys\nC = sys.modules['eval_pipeline.verification.code.channel'].Channel\n"
        "send = C.send\nC.send = lambda s, m: send(s, {'n': m['n'], 'value': 3, 'loaded': True})\n"
        "def add(a, b): return 4",
        {"wrong"},
    ),
    "patches_the_driver": (
        "import sys\nD = sys.modules['eval_pipeline.verification.code.driver']\n"
        "D.judged = lambda *a: D.Outcome('pass', 'forged')\n"
        "D.cases.agrees = lambda *a: True\ndef add(a, b): return 4",
        {"wrong"},
    ),
    "walks_the_frames": (
        "import sys\ndef add(a, b):\n    frame = sys._getframe()\n    while frame:\n"
        "        for value in list(frame.f_locals.values()):\n"
        "            if hasattr(value, 'receive'):\n"
        "                value.send({'status': 'pass', 'message': '2 calls', 'lost': False})\n"
        "        frame = frame.f_back\n    return 4",
        {"tampering"},
    ),
    "looks_for_the_tests": (
        "import gc\ndef add(a, b):\n"
        "    texts = [o for o in gc.get_objects() if isinstance(o, dict)]\n"
        "    found = [1 for d in texts for v in list(d.values())\n"
        "             if isinstance(v, str) and 'assert add' + '(1, 2)' in v]\n"
        "    return a + b if found else None",
        {"wrong"},
    ),
    "writes_rubbish_to_the_channel": (
        _FORGE + "post(b'\\0\\0\\0\\2{}')\ndef add(a, b): return 3",
        {"tampering"},
    ),
    "writes_verdicts_to_the_channel": (
        _FORGE + "post(forged({'status': 'pass', 'message': '', 'lost': False}))\n"
        "def add(a, b): return 3",
        {"tampering"},
    ),
    "answers_ahead": (
        _FORGE + "post(forged({'n': 1, 'loaded': True}) + forged({'n': 2, 'value': 3}) * 2)\n"
        "def add(a, b): return 4",
        {"tampering"},
    ),
    "announces_gigabytes": (
        _FORGE + "post(b'\\xff\\xff\\xff\\xff')\ndef add(a, b): return 3",
        {"output_limit"},
    ),
    "sends_brackets_without_end": (
        _FORGE + "def add(a, b): post(forged(b'[' * 10**6)); return 3",
        {"tampering"},
    ),
    "sends_an_unhashable_key": (
        _FORGE + "def add(a, b): post(forged({'n': 2, 'value': {'dict': [[[1], 2]]}})); return 3",
        {"tampering"},
    ),
    "sends_an_unknown_mark": (
        _FORGE + "def add(a, b): post(forged({'n': 2, 'value': {'eval': '3'}})); return 3",
        {"tampering"},
    ),
    "changes_arguments_it_was_not_given": (
        _FORGE
        + "def add(a, b): post(forged({'n': 2, 'value': 3, 'changed': [[1], {'dict': []}]})); "
        "return 3",
        {"tampering"},
    ),
    "sends_keys_that_collide": (
        _FORGE + "def add(a, b):\n"
        "    keys = [{'int': hex(i * (2**61 - 1))} for i in range(100000)]\n"
        "    post(forged({'n': 2, 'value': {'set': keys}}))\n    return 3",
        {"timeout_cpu"},
    ),
    "sends_half_a_message_and_waits": (
        _FORGE + "import time\ndef add(a, b): post(b'\\0\\0\\1\\0{'); time.sleep(99)",
        {"timeout_wall"},
    ),
    "sends_half_a_message_and_ends": (
        _FORGE + "def add(a, b): post(b'\\0\\0\\1\\0{'); os._exit(0)",
        {"no_verdict"},
    ),
    "closes_all_descriptors": (
        "import os, time\ndef add(a, b): os.closerange(0, 64); time.sleep(99)",
        {"no_verdict"},
    ),
    "puts_a_file_over_the_channel": (
        "import os\ndef add(a, b):\n    f = os.open('x', os.O_RDWR | os.O_CREAT)\n"
        "    for d in range(3, 64):\n        if d != f: os.dup2(f, d)\n    return 3",
        {"no_verdict"},
    ),
    "deletes_all_files": (
        "import os\ndef add(a, b):\n"
        "    for folder in ('/', '/dev', '/tmp', '/usr/lib', os.path.dirname(os.__file__)):\n"
        "        for name in os.listdir(folder):\n"
        "            try: os.unlink(os.path.join(folder, name))\n"
        "            except OSError: pass\n    return None",
        {"wrong"},
    ),
    "poisons_the_library": (
        "import os\nopen(os.__file__, 'a').write('x')\ndef add(a, b): return 3",
        {"exception"},
    ),
    "ends_its_group": (
        "import os, signal\ndef add(a, b): os.kill(0, signal.SIGKILL); return None",
        {"wrong"},
    ),
    "ends_all_it_can_see": (
        "import os, signal\ndef add(a, b):\n"
        "    for pid in [-1, os.getppid(), *range(2, 9999)]:\n"
        "        try: os.kill(pid, signal.SIGKILL)\n        except OSError: pass\n    return None",
        {"wrong"},
    ),
    "stops_itself": (
        "import os, signal\ndef add(a, b): os.kill(os.getpid(), signal.SIGSTOP); return None",
        {"wrong"},
    ),
    "traces_its_parent": (
        "import ctypes, os\ndef add(a, b):\n    libc = ctypes.CDLL(None)\n"
        "    seen = [libc.ptrace(16, p, 0, 0) for p in range(1, 99)]\n"
        "    return a + b if 0 in seen else None",
        {"wrong"},
    ),
    "reads_the_memory_of_others": (
        "import ctypes\ndef add(a, b):\n    libc = ctypes.CDLL(None)\n"
        "    class V(ctypes.Structure):\n"
        "        _fields_ = [('at', ctypes.c_void_p), ('size', ctypes.c_size_t)]\n"
        "    room = ctypes.create_string_buffer(64)\n"
        "    here = V(ctypes.addressof(room), 64)\n"
        "    read = [libc.process_vm_readv(p, ctypes.byref(here), 1, ctypes.byref(here), 1, 0)\n"
        "            for p in range(1, 99)]\n"
        "    try: open('/proc/1/mem', 'rb'); return a + b\n    except OSError: pass\n"
        "    return a + b if max(read) > 0 else None",
        {"wrong"},
    ),
    "mounts_and_unshares": (
        "import ctypes\ndef add(a, b):\n    libc = ctypes.CDLL(None)\n"
        "    got = [libc.mount(b'x', b'/tmp', b'tmpfs', 0, None), libc.unshare(0x10000000),\n"
        "           libc.unshare(0x20000), libc.chroot(b'/tmp'), libc.umount2(b'/tmp', 2)]\n"
        "    return a + b if 0 in got else None",
        {"wrong"},
    ),
    "clones_into_a_namespace": (
        "import ctypes, platform\ndef add(a, b):\n    libc = ctypes.CDLL(None)\n"
        "    number = {'x86_64': 56, 'aarch64': 220}[platform.machine()]\n"
        "    pid = libc.syscall(number, 0x10000011, 0, 0, 0, 0)\n"
        "    return a + b if pid >= 0 else None",
        {"wrong"},
    ),
    "opens_a_socket": (
        "import socket\ndef add(a, b): socket.create_connection(('127.0.0.1', 80))",
        {"exception"},
    ),
    "raises_its_limits": (
        "import resource\ndef add(a, b):\n"
        "    resource.setrlimit(resource.RLIMIT_CPU, (99, 99))\n    return 3",
        {"exception"},
    ),
    "raises_what_cannot_be_printed": (
        "class E(Exception):\n    def __str__(s): raise SystemExit\ndef add(a, b): raise E",
        {"exception"},
    ),
    "raises_an_assertion": ("def add(a, b): raise AssertionError", {"exception"}),
    "ends_in_a_destructor": (
        "class D:\n    def __del__(s): raise SystemExit(0)\ndef add(a, b): D(); return None",
        {"wrong"},
    ),
    "leaves_threads_behind": (
        "import threading, time\ndef add(a, b):\n"
        "    threading.Thread(target=time.sleep, args=(99,)).start()\n    return None",
        {"wrong"},
    ),
    "leaves_a_grandchild_behind": (
        "import os, time\nif os.fork() == 0:\n    os.setsid()\n    if os.fork() == 0:\n"
        "        time.sleep(99)\n    os._exit(0)\ndef add(a, b): return None",
        {"wrong"},
    ),
    "lets_a_child_answer_too": (
        "import os\ndef add(a, b): os.fork(); return 3",
        {"tampering", "wrong"},
    ),
    "forks_without_end": (
        "import os\ndef add(a, b):\n    while True: os.fork()",
        {"pids", "tampering", "timeout_cpu"},
    ),
    "forks_up_to_the_limit": (
        "import os, time\ndef add(a, b):\n    for _ in range(4000):\n"
        "        if os.fork() == 0: time.sleep(99)",
        {"pids"},
    ),
    "starts_threads_without_end": (
        "import threading, time\ndef add(a, b):\n"
        "    while True: threading.Thread(target=time.sleep, args=(99,), daemon=True).start()",
        {"pids"},
    ),
    "takes_all_memory": ("x = bytearray(2**32)\ndef add(a, b): return 3", {"memory"}),
    "prints_without_end": (
        "def add(a, b):\n    while True: print('x' * 10000)",
        {"output_limit"},
    ),
    "fills_a_file": (
        "def add(a, b):\n    with open('x', 'wb') as f:\n        while True: f.write(bytes(2**20))",
        {"output_limit"},
    ),
    "fills_the_scratch": (
        "def add(a, b):\n    for i in range(10**5):\n"
        "        with open(f'x{i}', 'wb') as f: f.write(bytes(2**18))",
        {"output_limit"},
    ),
    "loops": ("def add(a, b):\n    while True: pass", {"timeout_cpu"}),
    "loops_deaf_to_signals": (
        "import signal\nfor s in range(1, 65):\n    try: signal.signal(s, signal.SIG_IGN)\n"
        "    except (OSError, ValueError): pass\n"
        "def add(a, b):\n    while True:\n        try:\n            while True: pass\n"
        "        except BaseException: pass",
        {"timeout_cpu"},
    ),
    "loops_in_one_operation": ("def add(a, b): return 9 ** (9 ** 9)", {"timeout_cpu", "memory"}),
    "recurses_without_end": (
        "import sys\nsys.setrecursionlimit(10**9)\ndef add(a, b): return add(a, b)",
        {"memory", "no_verdict", "timeout_cpu"},
    ),
    "sleeps": ("import time\ndef add(a, b): time.sleep(99)", {"timeout_wall"}),
    "waits_for_a_lock": (
        "import threading\nlock = threading.Lock()\nlock.acquire()\ndef add(a, b): lock.acquire()",
        {"timeout_wall"},
    ),
    "crashes": ("import ctypes\ndef add(a, b): ctypes.string_at(0)", {"no_verdict"}),
    "aborts": ("import os\ndef add(a, b): os.abort()", {"no_verdict"}),
    "asks_for_input": ("def add(a, b): return int(input())", {"exception"}),
    "hides_a_null_byte": ("def add(a, b): return 3\0", {"syntax"}),
    "is_deep_in_parentheses": ("x = " + "(" * 5000 + ")" * 5000, {"syntax"}),
    "rolls_a_long_program": ("def add(a, b): return " + "+1" * 200_000, {"syntax", "memory"}),
    "runs_another_program": (
        "import subprocess\ndef add(a, b): return subprocess.run(['/bin/sh', '-c', 'echo 3'])",
        {"exception"},
    ),
    "takes_memory_with_its_children": (
        "import os, time\ndef add(a, b):\n    for _ in range(8):\n        if os.fork() == 0:\n"
        "            taken = bytearray(110 * 2**20)\n            time.sleep(99)\n"
        "    time.sleep(99)",
        {"memory"},
    ),
    "burns_with_its_children": (
        "import os\ndef add(a, b):\n    for _ in range(8):\n        if os.fork() == 0:\n"
        "            while True: pass\n    os.wait()",
        {"timeout_cpu"},
    ),
    "starts_its_life_anew_for_ever": (
        "import os\ndef add(a, b):\n    while True:\n        if os.fork(): os._exit(0)",
        {"no_verdict"},
    ),
    "digs_deep_and_locks_up": (
        "import os\ndef add(a, b):\n    for _ in range(1500):\n        os.mkdir('d')\n"
        "        os.chdir('d')\n    open('f', 'w').close()\n    os.chmod('.', 0)\n    return None",
        {"wrong", "output_limit"},
    ),
    "signals_by_a_descriptor": (
        "import fcntl, os, signal\ndef add(a, b):\n    r, w = os.pipe()\n"
        "    fcntl.fcntl(r, 10, signal.SIGKILL)\n    fcntl.fcntl(r, fcntl.F_SETOWN, os.getppid())\n"
        "    fcntl.fcntl(r, fcntl.F_SETFL, os.O_ASYNC)\n    os.write(w, b'x')\n    return None",
        {"wrong", "exception"},
    ),
    "limits_its_parent": (
        "import os, resource\ndef add(a, b):\n    if os.getppid():\n"
        "        resource.prlimit(os.getppid(), resource.RLIMIT_CPU, (0, 0))\n    return None",
        {"wrong", "exception"},
    ),
    "spoils_what_it_was_given": (
        "import sys\ndef add(a, b):\n    for m in list(sys.modules.values()):\n"
        "        try: m.__dict__.clear()\n        except Exception: pass\n    return 3",
        {"wrong", "exception", "no_verdict", "tampering"},
    ),
    "asks_for_a_debugger": ("def add(a, b): breakpoint(); return None", {"exception", "wrong"}),
    "lies_about_its_length": (
        "class T(tuple):\n    def __len__(s): return 0\n    def __iter__(s): return iter([3])\n"
        "def add(a, b): return T([3])",
        {"wrong"},
    ),
    "is_a_dict_that_answers_all": (
        "class D(dict):\n    def __missing__(s, k): return 3\n    def __eq__(s, o): return True\n"
        "def add(a, b): return D()",
        {"wrong"},
    ),
    **MORE_ATTACKS,
}

# what is right beside, where a candidate is no first process of a PID space and sees the host's /
ON_HOST: dict[str, set[str]] = {
    "deletes_all_files": {"exception"},
    "ends_its_group": {"no_verdict"},
    "ends_all_it_can_see": {"no_verdict"},
    "stops_itself": {"timeout_wall"},
    "starts_its_life_anew_for_ever": {"pids"},
}
