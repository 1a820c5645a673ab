"""What all parts of the failover test use: checks, waiting, threads, ports and processes."""

import contextlib
import http.client
import os
import signal
import socket
import subprocess
import threading
import time

import psycopg2

# The patience with everything except a confirmed write, such as the start of a node on a busy machine, in seconds.
PATIENCE = 120

PASSWORD = "correct horse"


class Broken(Exception):
    """A check has failed."""


def say(line):
    print(line, flush=True)


def check(holds, what):
    if not holds:
        raise Broken(what)


def wait(what, condition, patience=PATIENCE):
    """Waits until the condition gives something. An exception of the network counts as nothing."""
    deadline = time.monotonic() + patience
    while True:
        broken.raise_first()
        with contextlib.suppress(OSError, psycopg2.Error, http.client.HTTPException, ValueError):
            if found := condition():
                return found
        if time.monotonic() > deadline:
            raise Broken(f"not within {patience} s: {what}")
        time.sleep(0.1)


class Failures:
    """The failures of the threads. The main thread raises the first one."""

    def __init__(self):
        self.found = []

    def raise_first(self):
        if self.found:
            raise self.found[0]

    def thread(self, work):
        def run():
            try:
                work()
            except Exception as error:
                self.found.append(error)

        started = threading.Thread(target=run, daemon=True)
        started.start()
        return started


broken = Failures()


class Ports:
    """Free ports below the range from which Linux takes the ports of clients."""

    taken = set()

    @classmethod
    def free(cls):
        for port in range(12_000 + os.getpid() % 4_000, 32_000):
            if port in cls.taken:
                continue
            with socket.socket() as probe, contextlib.suppress(OSError):
                probe.bind(("127.0.0.1", port))
                cls.taken.add(port)
                return port
        raise Broken("no port is free")


class Program:
    """A process with its log."""

    def __init__(self, name, words, folder, **variables):
        self.name, self.words, self.variables, self.log = name, [str(word) for word in words], variables, folder / f"{name}.log"
        self.process = None

    def start(self):
        with self.log.open("a") as log:
            self.process = subprocess.Popen(self.words, env=os.environ | self.variables, stdout=log, stderr=log,
                                            stdin=subprocess.DEVNULL, start_new_session=True, cwd=self.log.parent)
        return self

    def kill(self, how=signal.SIGKILL):
        if self.process and self.process.poll() is None:
            self.process.send_signal(how)

    def end(self, how=signal.SIGKILL):
        self.kill(how)
        if self.process:
            self.process.wait(60)
