"""A small mail server that speaks real SMTP and fails as it is told."""

from __future__ import annotations

import socketserver
import threading
from contextlib import contextmanager
from email import message_from_bytes, policy
from email.message import EmailMessage


class MailServer(socketserver.ThreadingTCPServer):
    """Keeps the messages it took; `answers` replaces its answer to a verb.

    An empty answer is none: it hangs, as a server does that dies after it took a
    message.
    """

    allow_reuse_address = True
    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Talk)
        self.answers: dict[str, str] = {}
        self.messages: list[EmailMessage] = []
        self.closing = threading.Event()

    @property
    def url(self) -> str:
        return f"smtp://127.0.0.1:{self.server_address[1]}"


class _Talk(socketserver.StreamRequestHandler):
    def handle(self) -> None:
        self.say("220 ready")
        while line := self.rfile.readline():
            verb = line[:4].decode().upper().strip()
            self.say(self.server.answers.get(verb) or _usual(verb))
            if verb == "QUIT":
                return
            if verb == "DATA" and "DATA" not in self.server.answers:
                self.take_message()

    def take_message(self) -> None:
        lines = []
        while (line := self.rfile.readline()) not in (b".\r\n", b""):
            lines.append(line)
        message = message_from_bytes(b"".join(lines), policy=policy.default)
        self.server.messages.append(message)
        answer = self.server.answers.get("taken", "250 taken")
        if not answer:
            self.server.closing.wait(timeout=120)
            return
        self.say(answer)

    def say(self, words: str) -> None:
        self.wfile.write(f"{words}\r\n".encode())


def _usual(verb: str) -> str:
    return {"DATA": "354 go on", "QUIT": "221 bye"}.get(verb, "250 fine")


@contextmanager
def mail_server():
    server = MailServer()
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.closing.set()
        server.shutdown()
        server.server_close()
        thread.join(timeout=10)
