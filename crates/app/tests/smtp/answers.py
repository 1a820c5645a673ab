"""What decides in the place of a mail server's operator: a policy, a list of passwords, and a wire that can be held.

Postfix asks the first two by its own protocols: http://www.postfix.org/SMTPD_POLICY_README.html, and the protocol of Dovecot
(https://doc.dovecot.org/2.3/developer_manual/design/auth_protocol/).
"""

import base64
import contextlib
import socket
import socketserver
import threading

from servers import free_port


class Service(socketserver.ThreadingTCPServer):
    """A server on loopback. It ends with the test."""

    allow_reuse_address, daemon_threads = True, True

    def __init__(self):
        self.port = free_port()
        outer = self

        class Handler(socketserver.StreamRequestHandler):
            def handle(self):
                with contextlib.suppress(OSError):
                    outer.serve(self.rfile, self.wfile, self.request)

        super().__init__(("127.0.0.1", self.port), Handler)
        threading.Thread(target=self.serve_forever, daemon=True).start()


class Policy(Service):
    """Answers RCPT and the end of a mail. `rules` has the answers for an address, in turn. The last one stays until it is
    removed."""

    def __init__(self):
        self.rules = {}
        super().__init__()

    def serve(self, lines, answers, _):
        request = {}
        for line in lines:
            name, _, value = line.decode().rstrip("\n").partition("=")
            if name:
                request[name] = value
                continue
            key = request["recipient"], "RCPT" if request["protocol_state"] == "RCPT" else "content"
            answers.write(f"action={self.answer(key)}\n\n".encode())
            request = {}

    def answer(self, key):
        rule = self.rules.get(key)
        if rule is None:
            return "DUNNO"
        return rule.pop(0) if len(rule) > 1 else rule[0]


class Passwords(Service):
    """Checks user and password. `refuses` refuses everybody, as after a change of the password."""

    def __init__(self, user, password):
        self.known, self.refuses = (user, password), False
        super().__init__()

    def serve(self, lines, answers, _):
        answers.write(b"VERSION\t1\t1\nMECH\tPLAIN\tplaintext\nSPID\t1\nCUID\t1\nCOOKIE\t00000000000000000000000000000000\nDONE\n")
        for line in lines:
            words = line.decode().rstrip("\n").split("\t")
            if words[0] != "AUTH":
                continue
            response = next(word[5:] for word in words if word.startswith("resp="))
            _, user, password = base64.b64decode(response).decode().split("\0")
            is_right = (user, password) == self.known and not self.refuses
            answers.write(f"{'OK' if is_right else 'FAIL'}\t{words[1]}\tuser={user}\n".encode())


class Wire(Service):
    """Passes on bytes to a port. `switch` cuts all connections and takes another port. `hold` keeps back the answers after the
    end of a mail."""

    def __init__(self, target):
        self.target, self.holds, self.held, self.open = target, False, threading.Event(), set()
        super().__init__()

    def hold(self):
        self.held.clear()
        self.holds = True

    def switch(self, target):
        self.target, self.holds = target, False
        for connection in list(self.open):
            with contextlib.suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)

    def serve(self, _, __, client):
        with socket.create_connection(("127.0.0.1", self.target)) as server:
            pair, ended = {client, server}, threading.Event()
            self.open |= pair
            back = threading.Thread(target=self.answers, args=(server, client, ended), daemon=True)
            back.start()
            tail = b""
            with contextlib.suppress(OSError):
                while data := client.recv(65_536):
                    tail = (tail + data)[-5:]
                    if self.holds and tail == b"\r\n.\r\n":
                        ended.set()
                    server.sendall(data)
            with contextlib.suppress(OSError):
                server.shutdown(socket.SHUT_WR)
            back.join()
            self.open -= pair

    def answers(self, server, client, ended):
        with contextlib.suppress(OSError):
            while data := server.recv(65_536):
                if ended.is_set() and data.startswith(b"250"):
                    # The server has taken the mail, and the client never learns of it.
                    self.held.set()
                else:
                    client.sendall(data)
        with contextlib.suppress(OSError):
            client.shutdown(socket.SHUT_RDWR)
