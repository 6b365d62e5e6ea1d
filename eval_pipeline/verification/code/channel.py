"""Messages between two processes: a length, then JSON, over a socket.

The side that holds the tests distrusts all that it reads.
"""

import json
import os
import select
import socket

from eval_pipeline.verification.code.limits import MESSAGE_BYTES, OUTPUT_BYTES, TooLongError
from eval_pipeline.verification.code.messages import Message

_LENGTH = 4
_DIGITS = 20  # longer numbers are sent as texts: to read one of a million digits takes minutes
_PART = 2**16


class ClosedError(Exception):
    """The other side is gone."""


class MalformedError(Exception):
    """The other side sent bytes that are no message."""


class Output:
    """Standard output of the candidate, read up to a limit."""

    def __init__(self, descriptor: int) -> None:
        self.descriptor = descriptor
        self.text = bytearray()
        self.ended = False

    def read(self, to_the_end: bool = False) -> None:
        """Takes what is there, or all until nobody can write; TooLongError past the limit."""
        os.set_blocking(self.descriptor, to_the_end)
        while not self.ended:
            try:
                part = os.read(self.descriptor, _PART)
            except BlockingIOError:
                return
            self.ended = not part
            self.text += part
            if len(self.text) > OUTPUT_BYTES:
                raise TooLongError(f"printed more than {OUTPUT_BYTES} bytes")


class Channel:
    """One end of a connected socket."""

    def __init__(self, end: socket.socket, output: Output | None = None) -> None:
        self._socket = end
        self._output = output
        self._unread = b""

    def send(self, message: Message) -> None:
        """Raises TooLongError before anything is sent, ClosedError where nobody listens."""
        body = json.dumps(message, separators=(",", ":")).encode()
        if len(body) > MESSAGE_BYTES:
            raise TooLongError(f"more than {MESSAGE_BYTES} bytes")
        try:
            self._socket.sendall(len(body).to_bytes(_LENGTH, "big") + body)
        except OSError as error:
            raise ClosedError(str(error)) from error

    def receive(self) -> Message:
        """The next message; raises ClosedError, TooLongError or MalformedError.

        Reads the candidate's output meanwhile, so that a full pipe holds nobody up.
        """
        size = int.from_bytes(self._exactly(_LENGTH), "big")
        if size > MESSAGE_BYTES:
            raise TooLongError(f"announced {size} bytes")
        try:
            message = _DECODER.decode(self._exactly(size).decode())
        except (ValueError, RecursionError) as error:
            raise MalformedError(f"no JSON: {type(error).__name__}") from error
        if not isinstance(message, dict):
            raise MalformedError("no object")
        return message

    def _exactly(self, size: int) -> bytes:
        if len(self._unread) >= size:
            taken, self._unread = self._unread[:size], self._unread[size:]
            return taken
        parts = [self._unread]
        missing = size - len(self._unread)
        while missing > 0:
            self._wait()
            try:
                part = self._socket.recv(max(_PART, min(missing, MESSAGE_BYTES)))
            except OSError as error:
                raise ClosedError(str(error)) from error
            if not part:
                raise ClosedError("the end of the channel")
            parts.append(part)
            missing -= len(part)
        whole = b"".join(parts)
        self._unread = whole[size:]
        return whole[:size]

    def _wait(self) -> None:
        """Until the socket has something, reading the output meanwhile."""
        output = self._output
        if output is None or output.ended:
            return
        poll = select.poll()
        poll.register(self._socket, select.POLLIN)
        poll.register(output.descriptor, select.POLLIN)
        while True:
            ready = {descriptor for descriptor, _ in poll.poll()}
            if output.descriptor in ready:
                output.read()
                if output.ended:
                    poll.unregister(output.descriptor)
            if self._socket.fileno() in ready:
                return


def _whole(digits: str) -> int:
    if len(digits) > _DIGITS:
        raise ValueError("a number that is too long")
    return int(digits)


_DECODER = json.JSONDecoder(parse_int=_whole)
