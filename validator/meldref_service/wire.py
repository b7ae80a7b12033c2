"""Messages of editors, whatever comes: what pygls leaves unanswered, or ends at, is answered here."""

from __future__ import annotations

import re
from typing import Any, BinaryIO, Final

from pygls.exceptions import JsonRpcException
from pygls.protocol import LanguageServerProtocol

LONGEST: Final = 64 << 20
"""How long a message may be, in bytes; a longer one is no message."""
_LENGTH: Final = re.compile(rb"Content-Length:\s*([0-9]+)\s*\Z", re.IGNORECASE)


class Protocol(LanguageServerProtocol):
    """Requests that cannot be read are answered, with an error."""

    def structure_message(self, data: dict[str, Any]) -> Any:
        """A message; a request that is none is told so."""
        try:
            return super().structure_message(data)
        except JsonRpcException as wrong:
            if isinstance(data.get("id"), (int, str)) and "method" in data:
                self._send_response(data["id"], None, wrong.to_response_error())
            raise


class Bounded:
    """Standard input without headers that no editor writes: a length that ends the server."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self.read = stream.read

    def readline(self) -> bytes:
        """The next line of headers."""
        line = self._stream.readline(LONGEST)
        length = _LENGTH.match(line)
        if length is None:
            return line
        digits = length[1][:12]
        return b"Content-Length: %b\r\n" % digits if 0 < int(digits) <= LONGEST else b"-\r\n"
