"""Programs that a model wrote, run in a sandbox and judged from outside of it.

`verifier` is the instrument (`first`: its first version). `worker` starts a process that enters the
sandbox (`spawning`: into `namespaces` with `mounts` of its own, below `bubblewrap`, or `on_host`
with `landlock`) and then serves runs (`server`; `preparation` is what every process begins with).
Each run is two processes: `candidate` holds the model's code, confined by `limits` and `seccomp`;
`driver` holds the tests, and speaks to the candidate over `channel` in plain `values` (`remote` is
what it sees of it). Tests are data (`cases`, perhaps with a `checker`) or Python in one of several
`forms` (`reading`: what is seen of it before). `blame` says whose fault an exception in tests is.
`watch` bounds what a run takes in all, and `cgroup` its memory where the kernel does that. `level`
says what the sandbox of this machine withstands. `code_block` finds the program in a reply, with
`fences`, `program_dress` and `program_source`.
"""
