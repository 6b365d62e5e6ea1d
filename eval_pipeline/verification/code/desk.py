"""Where the driver asks the server for a candidate, and hands it back."""

import os
import socket
from typing import cast

from eval_pipeline.verification.code.channel import Channel, Output
from eval_pipeline.verification.code.messages import Report

WANTED, DONE, LOST = b"w", b"d", b"l"  # said by the driver
RENEW, REPORT = b"d", b"r"  # said by the starter: a new driver; how the last one ended


class Desk:
    """The driver's end of its line to the server."""

    def __init__(self, line: socket.socket) -> None:
        self._line = line
        self._reports = Channel(line)
        self._ours: socket.socket | None = None
        self._reading: int | None = None

    def candidate(self) -> tuple[Channel, Output]:
        """The channel to a new candidate, and its standard output."""
        self._ours, theirs = socket.socketpair()
        self._reading, writing = os.pipe()
        socket.send_fds(self._line, [WANTED], [theirs.fileno(), writing])
        theirs.close()
        os.close(writing)
        output = Output(self._reading)
        return Channel(self._ours, output), output

    def back(self, lost: bool) -> Report:
        """Ends the candidate; how it ended by itself, where it was lost."""
        self._line.sendall(LOST if lost else DONE)
        report = cast(Report, self._reports.receive() if lost else {})
        if self._ours is not None and self._reading is not None:
            self._ours.close()
            os.close(self._reading)
        return report
