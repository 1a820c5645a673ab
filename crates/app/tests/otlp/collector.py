"""The collector of the test: rotel from PyPI, and the server to which it passes the traces on."""

import gzip
import socket
import subprocess
import threading
import time
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import rotel
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

PROGRAM = Path(rotel.__file__).parent / "rotel-agent"

# The time limit for anything that has to happen, in seconds. The machine may be busy.
PATIENCE = 60

# The kinds of spans in the protocol.
SERVER, CLIENT = 2, 3


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def wait_until(condition, what):
    """Waits until the condition holds. Returns its value."""
    deadline = time.monotonic() + PATIENCE
    while not (value := condition()):
        assert time.monotonic() < deadline, f"not within {PATIENCE} s: {what}"
        time.sleep(0.05)
    return value


class Backend(ThreadingHTTPServer):
    """Keeps the spans that the collector passes on."""

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.spans, self.resources = [], []
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def request(self, request_id):
        """The span of this request."""
        return next((span for span in list(self.spans) if attributes(span).get("request.id") == request_id), None)

    def trace(self, request_id, *names):
        """The spans of the trace of a request, as soon as it has spans with these names, in this order of their begin."""
        def found():
            root = self.request(request_id)
            if root is None:
                return None
            own = [span for span in list(self.spans) if span.trace_id == root.trace_id]
            return own if set(names) <= {span.name for span in own} else None

        return sorted(wait_until(found, f"the trace of {request_id} with {names}"), key=lambda span: span.start_time_unix_nano)


class Handler(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"]))
        if self.headers["content-encoding"] == "gzip":
            body = gzip.decompress(body)
        sent = ExportTraceServiceRequest.FromString(body)
        for part in sent.resource_spans:
            self.server.resources.append(part.resource)
            for scope in part.scope_spans:
                self.server.spans.extend(scope.spans)
        self.send_response(200)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_):
        pass


def attributes(span):
    return {entry.key: getattr(entry.value, entry.value.WhichOneof("value")) for entry in span.attributes}


class Collector:
    """A process of rotel that keeps its port."""

    def __init__(self, folder, backend):
        self.folder, self.backend, self.port, self.process = Path(folder), backend, free_port(), None
        self.endpoint = f"http://127.0.0.1:{self.port}"

    def start(self):
        to = f"http://127.0.0.1:{self.backend.server_port}"
        words = [
            PROGRAM, "start", "--otlp-http-endpoint", f"127.0.0.1:{self.port}",
            "--otlp-grpc-endpoint", f"127.0.0.1:{free_port()}", "--pid-file", self.folder / "rotel.pid",
            "--log-file", self.folder / "rotel.log", "--exporter", "otlp", "--otlp-exporter-endpoint", to,
            "--otlp-exporter-protocol", "http",
        ]
        with open(self.folder / "rotel.out", "a") as log:
            self.process = subprocess.Popen([str(word) for word in words], stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        wait_until(self.is_open, "the collector listens")

    def is_open(self):
        assert self.process.poll() is None, (self.folder / "rotel.out").read_text()
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", self.port)) == 0

    def stop(self):
        if self.process is not None and self.process.poll() is None:
            self.process.terminate()
            self.process.wait(PATIENCE)


class Silent(socket.socket):
    """A collector that accepts connections and never answers."""

    def __init__(self):
        super().__init__()
        self.bind(("127.0.0.1", 0))
        self.listen(64)
        self.endpoint = f"http://127.0.0.1:{self.getsockname()[1]}"


# All servers are on loopback, so the proxy settings of the environment must not apply.
WITHOUT_PROXY = urllib.request.build_opener(urllib.request.ProxyHandler({}))
