"""Tests the proxies of docs/operations.md: Caddy and nginx, each before two processes of Bolts on one PostgreSQL.

`just proxy-test` calls this program with the binary under test, the number of rounds of restarts, and the proxies to test (by
default both). It prints a line for each check and, at the end, a table of the restarts under load. The logs of all processes are
in target/proxy-test-logs.
"""

import os
import re
import shutil
import signal
import ssl
import statistics
import sys
import tempfile
import time
import zlib
from contextlib import ExitStack, contextmanager
from datetime import datetime, timezone
from pathlib import Path

import httpx

from clients import PASSWORD, Load, Site, Stream, new_bet
from servers import (
    NAME, PATIENCE, ROOT, SIGNINS, Bolts, Caddy, Cluster, Failure, Nginx, certificate, clean_environment, free_port,
    need, run, wait_until,
)

LOGS = ROOT / "target" / "proxy-test-logs"

# The time in which a hint must arrive, in seconds, and the number of hints whose median is compared with it.
HINT, HINTS = 2.0, 5

READERS, PAIRS, STREAMS = 4, 3, 4

# The token in links that no log may contain.
TOKEN = "d2hvIHJlYWRzIHRoaXM"


def ok(proxy, what):
    print(f"ok: {proxy.kind}: {what}", flush=True)


def png(width, height):
    """A picture of noise, so that its size is that of its pixels."""
    def chunk(kind, data):
        return len(data).to_bytes(4) + kind + data + zlib.crc32(kind + data).to_bytes(4)

    rows = b"".join(b"\0" + os.urandom(3 * width) for _ in range(height))
    head = width.to_bytes(4) + height.to_bytes(4) + bytes([8, 2, 0, 0, 0])
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows, 0)) + chunk(b"IEND", b"")


def problem(answer, status, code):
    said = f"{answer.status_code} {answer.text[:300]}"
    need(answer.status_code == status and f'"{code}"' in answer.text, f"expected {status} {code}, but got {said}")


class Stage:
    """A proxy before two processes, and what the checks need of them."""

    def __init__(self, stack, folder, binary, cluster, kind):
        https, http = free_port(), free_port()
        pair = certificate(folder)
        tls = ssl.create_default_context(cafile=pair[0])
        self.folder, self.site, self.binary = folder, Site(https, tls), binary
        self.curl = ["curl", "--silent", "--show-error", "--max-time", "60", "--cacert", pair[0], "--noproxy", "*"]
        self.curl += ["--resolve", f"{NAME}:{https}:127.0.0.1", "--resolve", f"{NAME}:{http}:127.0.0.1"]
        self.database = cluster.create(kind.kind.lower())
        self.processes = [Bolts(f"bolts-{n}", folder, binary, self.database, self.site.origin) for n in (1, 2)]
        self.proxy = kind(folder, pair, https, http, self.processes)
        for server in [*self.processes, self.proxy]:
            stack.callback(server.stop)
        self.starts = [process.begin() for process in self.processes]
        self.proxy.begin()
        self.say(f"{self.proxy.version} before two processes, ready after {max(self.starts):.1f} s")

    def say(self, what):
        ok(self.proxy, what)


def check_tls_and_http2(stage):
    shown = ["--output", "/dev/null", "--write-out", "%{http_version} %{http_code} %{ssl_verify_result} %{redirect_url}"]
    for options, version in ((["--http2", "--tlsv1.3"], "2"), (["--http2", "--tls-max", "1.2"], "2"), (["--http1.1"], "1.1")):
        said = run([*stage.curl, *options, *shown, f"{stage.site.origin}/healthz"]).split()
        need(said == [version, "200", "0"], f"curl {options}: {said}")
    stage.say("TLS 1.3 and 1.2 with the site's certificate, HTTP/2 and HTTP/1.1")
    said = run([*stage.curl, *shown, f"http://{NAME}:{stage.proxy.http}/market"]).split()
    need(said[1] in ("301", "308") and re.fullmatch(rf"https://{NAME}(:\d+)?/market", said[3]), f"http: {said}")
    stage.say(f"http leads to https ({said[1]})")


def check_cookies(stage):
    answer = stage.site.browser().post("/api/auth/register", json={"email": "cookie@example.com", "password": PASSWORD})
    need(answer.status_code == 201 and answer.http_version == "HTTP/2", f"{answer.status_code} {answer.http_version}")
    cookies = {line.split("=")[0]: line.split("; ")[1:] for line in answer.headers.get_list("set-cookie")}
    need(set(cookies) == {"__Host-bolts", "__Host-bolts-device"}, f"cookies: {cookies}")
    for name, attributes in cookies.items():
        need({"Secure", "HttpOnly", "Path=/"} <= set(attributes), f"{name}: {attributes}")
        need(not any(attribute.lower().startswith("domain") for attribute in attributes), f"{name}: {attributes}")
    need("max-age" in answer.headers.get("strict-transport-security", ""), "HSTS")
    stage.say("both cookies are __Host-, Secure, HttpOnly, Path=/ and without Domain; HSTS is there")


def check_origins(stage):
    ann, there = stage.site.register("origin"), stage.processes[0].base
    for foreign in ({"Origin": "https://evil.example"}, {"Origin": there}, {"Origin": f"http://{NAME}"},
                    {"Sec-Fetch-Site": "cross-site"}):
        problem(ann.post("/api/bets", json=new_bet("Will it snow on Friday?", 5), headers=foreign), 403, "cross_origin")
    # A name that the client invents in Host never becomes the name of the site.
    robots = ann.get("/robots.txt")
    need(f"{stage.site.origin}/sitemap.xml" in robots.text, f"robots.txt: {robots.text}")
    invented = ann.get("/robots.txt", headers={"Host": "evil.example"})
    need("evil.example" not in invented.text + str(invented.headers), f"Host: {invented.text}")
    email = {"email": "host@example.com", "password": PASSWORD}
    headers = {"Host": "evil.example", "Origin": "https://evil.example"}
    stage.site.browser().post("/api/auth/register", json=email, headers=headers)
    problem(stage.site.browser("127.0.0.9").post("/api/auth/login", json=email), 401, "invalid_credentials")
    stage.say("4 requests of other origins refused; an invented Host has no effect")


def check_addresses(stage):
    stage.site.register("ann")
    credentials = {"email": "ann@example.com", "password": PASSWORD}

    def sign_in(address, **headers):
        answer = stage.site.browser(address).post("/api/auth/login", json=credentials, headers=headers)
        need(answer.status_code in (200, 429), f"sign-in: {answer.status_code} {answer.text}")
        return answer.status_code

    for attempt in range(4):
        first, second = f"127.0.{attempt}.2", f"127.0.{attempt}.3"
        forged = [{"X-Forwarded-For": value} for value in
                  ("203.0.113.9", second, "127.0.0.1", f"{second}, 127.0.0.1", "203.0.113.9, 127.0.0.1, 127.0.0.1", "unknown")]
        forged += [{"X-Real-IP": second}, {"Forwarded": f"for={second}"}]
        started = time.monotonic()
        counted = [sign_in(first) for _ in range(SIGNINS)] + [sign_in(first)]
        tried = [sign_in(first, **headers) for headers in forged]
        other = [sign_in(second) for _ in range(SIGNINS)]
        took = time.monotonic() - started
        if (counted, tried, other) == ([200] * SIGNINS + [429], [429] * len(forged), [200] * SIGNINS):
            text = f"{SIGNINS} sign-ins of an address, then 429; {len(forged)} forged headers gain nothing"
            stage.say(f"{text} and take nothing from another address")
            return
        print(f"a minute may have ended: {counted}, {tried}, {other} in {took:.0f} s", flush=True)
    raise Failure("the limit of sign-ins does not count by address")


def check_streams(stage):
    """Measures the time from a change to its hint. The change is made directly at each process, so one of them is another one
    than that of the stream."""
    ann = stage.site.register("stream")
    stream = Stream(stage.site, ann)
    stream.start()
    stream.wait_open()
    cookies = "; ".join(f"{cookie.name}={cookie.value}" for cookie in ann.cookies.jar)
    for process in stage.processes:
        times = []
        for number in range(HINTS):
            with httpx.Client(base_url=process.base, trust_env=False, timeout=60) as direct:
                answer = direct.post("/api/bets", json=new_bet(f"Snow, hint {number}?", 1),
                                     headers={"Origin": stage.site.origin, "Cookie": cookies})
                made = time.monotonic()
                need(answer.status_code == 201, f"{answer.status_code} {answer.text}")
                bet = answer.json()["id"]
                answer = direct.delete(f"/api/bets/{bet}", headers={"Origin": stage.site.origin, "Cookie": cookies})
                need(answer.status_code == 200, f"{answer.status_code} {answer.text}")
            took = stream.wait_for_hint(bet, made, 30)
            need(took is not None, f"no hint of {process.name} within 30 s")
            times.append(took)
        middle = statistics.median(times)
        need(middle <= HINT, f"hints of {process.name}: {times}")
        stage.say(f"a hint of {process.name} through the proxy: median {middle:.2f} s, longest {max(times):.2f} s of {HINTS}")
    stream.ended = True


def check_pictures(stage):
    ann = stage.site.register("picture")
    bet = ann.post("/api/bets", json=new_bet("Will it snow on Sunday?", 5)).json()["id"]
    picture = png(835, 835)
    path, form = f"/api/bets/{bet}/pictures", lambda data: {"picture": ("noise.png", data, "image/png")}
    started = time.monotonic()
    answer = ann.post(path, files=form(picture))
    need(answer.status_code == 201, f"{answer.status_code} {answer.text[:300]}")
    took = time.monotonic() - started
    back = ann.get(f"/api/pictures/{answer.json()['id']}")
    need(back.status_code == 200 and back.headers["content-type"].startswith("image/"), f"{back.status_code}")
    stage.say(f"a picture of {len(picture):,} bytes uploaded in {took:.1f} s, {len(back.content):,} bytes come back")
    # The server answers before it has read the whole picture. httpx waits for ever then, and curl does as a browser.
    (file := stage.folder / "large.png").write_bytes(png(900, 900))
    cookies = "; ".join(f"{cookie.name}={cookie.value}" for cookie in ann.cookies.jar)
    said = run([*stage.curl, "--http2", "--header", f"Cookie: {cookies}", "--header", f"Origin: {stage.site.origin}", "--form",
                f"picture=@{file};type=image/png", "--write-out", " %{http_code} %{content_type}", stage.site.origin + path])
    need(said.endswith(" 413 application/problem+json"), f"a picture that is too large: {said}")
    stage.say("a picture of 2.4 MB is refused by the server and not by the proxy (413)")


def check_static_files(stage):
    browser = stage.site.browser()
    page = browser.get("/").text
    script = re.search(r'src="(/[^"]+\.js)"', page)
    need(script, f"no script in the page: {page[:500]}")
    plain = browser.get(script[1], headers={"Accept-Encoding": "identity"})
    need("content-encoding" not in plain.headers and "immutable" in plain.headers["cache-control"], f"{plain.headers}")
    sizes = {}
    for encoding in ("br", "gzip"):
        with browser.stream("GET", script[1], headers={"Accept-Encoding": encoding}) as answer:
            raw = b"".join(answer.iter_raw())
        need(answer.headers.get("content-encoding") == encoding, f"{encoding}: {answer.headers}")
        need(len(raw) == int(answer.headers["content-length"]) < len(plain.content), f"{encoding}: {len(raw)} bytes")
        sizes[encoding] = len(raw)
        if encoding == "gzip":
            need(zlib.decompress(raw, 31) == plain.content, "gzip: other content")
    stage.say(f"the script of the page: {len(plain.content):,} bytes, br {sizes['br']:,}, gzip {sizes['gzip']:,}")
    return [("/", "<title>"), (script[1], ""), ("/api/bets/public?limit=10", "["), ("/api/auth/user", "boltsBalance"),
            ("/api/bets/my", "["), ("/api/bets/stats", "totalBetsCount")]


def check_restarts(stage, pages, rounds):
    """Restarts both processes one after the other, then kills each once, several times under load. Returns the rows of the
    table."""
    load = Load(stage.site, READERS, PAIRS, pages)
    streams = [Stream(stage.site, load.pairs[number % PAIRS].people[0]) for number in range(STREAMS)]
    load.start()
    for stream in streams:
        stream.start()
        stream.wait_open()
    rows = []

    def start(process):
        """Starts the process again, and waits until the proxy sends requests to it."""
        process.begin()
        wait_until(lambda: process.serves("/api/bets/public"), f"{stage.proxy.kind} uses {process.name} again")

    @contextmanager
    def phase(name):
        figures = load.begin(name)
        for stream in streams:
            stream.gaps.clear()
        yield
        for stream in streams:
            stream.wait_open()
        load.wait_for_more(100, 5)
        load.begin(f"after {name}")
        need(not any(stream.refused for stream in streams), f"{name}: an event stream was refused")
        load.check()
        figures.gaps = [gap for stream in streams for gap in stream.gaps]
        rows.append((stage.proxy, figures))
        again = f"; {len(figures.gaps)} streams open again after {max(figures.gaps):.1f} s at most" if figures.gaps else ""
        stage.say(f"{name}: {figures.reads} reads without a failure, the longest {figures.longest_read:.2f} s; {figures.writes} "
                  f"writes, {figures.repeats} repeats {dict(figures.reasons)}, the longest {figures.longest_write:.2f} s{again}")

    with phase("load alone"):
        load.wait_for_more(100, 5)
    with phase(f"rolling restart, {rounds} times"):
        for _ in range(rounds):
            for process in stage.processes:
                process.process.terminate()
                status = process.process.wait(PATIENCE)
                need(status == 0, f"{process.name} ended with {status}")
                start(process)
    need(len(rows[-1][1].gaps) >= STREAMS * rounds, f"{len(rows[-1][1].gaps)} streams were broken")
    with phase(f"kill -9, {2 * rounds} times"):
        for _ in range(rounds):
            for process in stage.processes:
                process.kill()
                load.wait_for_more(100, 5)
                start(process)
    load.stop()
    load.check()
    for stream in streams:
        stream.ended = True
    bets = sum(pair.check() for pair in load.pairs)
    stage.say(f"{bets} bets and the balances of {2 * PAIRS} users agree with the clients' journals")
    return rows


def open_links(stage):
    """Opens links with a token, from a page whose address contains the token too. Returns the answers."""
    headers = {"Referer": f"{stage.site.origin}/share/{TOKEN}"}
    paths = f"/share/{TOKEN}", f"/bet/{'0' * 32}?token={TOKEN}", f"/api/bets/share/{TOKEN}"
    return [stage.site.browser().get(path, headers=headers) for path in paths]


def check_logs(stage):
    """Opens the links again while no process answers, because proxies log errors in another way. Ends the proxy, so that its
    logs are complete."""
    need(all(answer.status_code >= 500 for answer in open_links(stage)), "something answers without a process")
    stage.proxy.stop()
    logs = {log.name: log.read_text(errors="replace") for log in stage.folder.glob("*.log")}
    leaks = [name for name, text in logs.items() if TOKEN in text]
    need(not leaks, f"the token of a link is in {leaks}")
    if "nginx-access.log" in logs:
        need(" GET 502 " in logs["nginx-access.log"], "the log of nginx lacks the last requests")
    stage.say(f"the token of a link is in none of {len(logs)} logs")


def check_end(stage):
    audit = run([stage.binary, "audit", "--database-url", stage.database], env=clean_environment())
    need("violat" not in audit.lower() or "0 violat" in audit.lower(), audit)
    stage.say(f"bolts audit: {len(audit.splitlines())} lines, no violation")
    for process in stage.processes:
        need(process.stop() == 0, f"{process.name} did not end with status 0")
        need("panicked" not in process.log(), f"{process.name} panicked")
        errors = [line for line in process.log().splitlines() if " ERROR " in line]
        need(not errors, f"{process.name}: {errors[:5]}")
    stage.say("both processes end with status 0, and their logs have no error")


def table(rows):
    """The table of docs/scale.md."""
    lines = ["| proxy | phase | reads | failed | longest read | writes | repeated | longest write | streams open again |",
             "|---|---|---|---|---|---|---|---|---|"]
    for proxy, row in rows:
        gaps = f"after {statistics.median(row.gaps):.1f} s, at most {max(row.gaps):.1f} s" if row.gaps else "–"
        lines.append(f"| {proxy.kind} {proxy.version.removeprefix('v')} | {row.name} | {row.reads:,} | {len(row.failures)} | "
                     f"{row.longest_read:.2f} s | {row.writes:,} | {row.repeats} | {row.longest_write:.2f} s | {gaps} |")
    return "\n".join(lines)


def machine():
    commit = run(["git", "-C", ROOT, "rev-parse", "--short=12", "HEAD"]).strip()
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    now = datetime.now(timezone.utc).isoformat(timespec="minutes")
    return f"commit {commit}, {os.cpu_count()} cores, {memory:.0f} GiB, load {os.getloadavg()[0]:.1f}, {now}"


def check(binary, folder, cluster, kind, rounds):
    (own := folder / kind.kind).mkdir()
    with ExitStack() as stack:
        stage = Stage(stack, own, binary, cluster, kind)
        for one in (check_tls_and_http2, check_cookies, check_origins, check_addresses, check_streams, check_pictures,
                    open_links):
            try:
                one(stage)
            except httpx.TransportError as error:
                raise Failure(f"{kind.kind}: {one.__name__}: {error!r}") from error
        rows = check_restarts(stage, check_static_files(stage), rounds)
        check_end(stage)
        check_logs(stage)
    return rows


def keep_logs(folder):
    """Copies the logs and configurations of all processes to a folder that stays."""
    shutil.rmtree(LOGS, ignore_errors=True)
    for log in [*folder.rglob("*.log"), *folder.rglob("*.conf"), *folder.rglob("Caddyfile")]:
        (place := LOGS / log.relative_to(folder)).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(log, place)


def stop(*_):
    """Ends the test on SIGTERM as on Ctrl-C."""
    raise KeyboardInterrupt


def main(binary, rounds, names):
    signal.signal(signal.SIGTERM, stop)
    rows = []
    with tempfile.TemporaryDirectory(prefix="bolts-proxy-test-") as folder:
        folder = Path(folder)
        cluster = Cluster(folder)
        try:
            cluster.start()
            for kind in (Caddy, Nginx):
                if not names or kind.kind.lower() in names:
                    rows += check(binary, folder, cluster, kind, rounds)
        except Failure as failure:
            sys.exit(f"proxy-test: {failure}\nThe logs of all processes are in {LOGS}.")
        finally:
            cluster.stop()
            keep_logs(folder)
    print(f"\n{table(rows)}\n\n{machine()}")


if __name__ == "__main__":
    main(str(Path(sys.argv[1]).resolve()), int(sys.argv[2]), [name.lower() for name in sys.argv[3:]])
