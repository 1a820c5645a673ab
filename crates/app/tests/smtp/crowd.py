"""Many mails that are due at once: order, rate, memory, and the speed of the site meanwhile."""

import contextlib
import http.client
import statistics
import threading
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

from bolts import plain_relay
from postfix import SENDER
from servers import PATIENCE, need, wait_until

# Writers of the mails, and readers of the site, each with a pause between two requests in seconds.
WRITERS, READERS, PAUSE = 4, 4, 0.02

# The shortest time in which the readers measure, in seconds.
MEASURE = 20

# One round of the worker claims this number of mails. Within a round the order is free.
BATCH = 32

# The limits. They are wide, because the machine may be busy: what grows with the number of mails breaks them all the same.
MEMORY, P99 = 64, 1.0


def check(stage):
    due, before = written(stage), len(stage.postfix.taken())
    stage.site.again(plain_relay(stage.postfix.ports["plain"]))
    readers = Readers(stage.site, stage.ann.cookie)
    began, (at_first, _) = time.monotonic(), stage.site.memory()
    with readers.measuring() as busy:
        is_sent = lambda: stage.site.metrics().get("sent", 0) >= stage.count
        wait_until(is_sent, f"{stage.count} mails are sent", 60 + stage.count)
    seconds, (at_last, peak) = time.monotonic() - began, stage.site.memory()
    need(peak - at_first < MEMORY, f"the memory grew from {at_first:.0f} to {peak:.0f} MB")
    with readers.measuring() as alone:
        time.sleep(max(MEASURE, min(seconds, 60)))
    off = out_of_turn(stage, due, before)
    stage.ok(f"{stage.count:,} due mails in {seconds:.1f} s, {stage.count / seconds:.0f} a second, each once, at most {off} places "
             f"from its turn; memory {at_first:.0f} MB at first, {peak:.0f} MB at most, {at_last:.0f} MB at the end")
    speed(stage, busy, alone)


def written(stage):
    """Lets the site write the rows of the mails, while it sends none. Returns their names in the order of their turns."""
    stage.site.again()
    users = [stage.ann, stage.bob]
    with ThreadPoolExecutor(WRITERS) as writers:
        list(writers.map(lambda number: stage.admin.give(users[number % 2]), range(stage.count)))
    rows = stage.database.rows(
        "SELECT name FROM deliveries WHERE state = 'queued' AND kind = 'bolts_granted' ORDER BY next_at, seq")
    need(len(rows) == stage.count, f"{len(rows)} mails are due, not {stage.count}")
    return [name for name, in rows]


def out_of_turn(stage, due, before):
    """Compares the mails that the relay took with those that were due. Returns by how many places one came too early or late."""
    places = {f"{name}@{SENDER}": place for place, name in enumerate(due)}
    # Notifications about bets may be among them.
    taken = [name for name in stage.postfix.taken()[before:] if name in places]
    need(sorted(taken) == sorted(places), "the relay did not take each mail once")
    wait_until(stage.postfix.is_empty, "Postfix has delivered everything")
    arrived = Counter(mail["Message-ID"] for mail in stage.postfix.mails())
    need(all(arrived[f"<{name}>"] == 1 for name in places), "a mail is not in the mailbox once")
    off = max(abs(place - places[name]) for place, name in enumerate(taken))
    need(off < BATCH, f"a mail was sent {off} places from its turn")
    return off


def speed(stage, busy, alone):
    """Compares the times of the site's answers while mails are sent with those without."""
    at = lambda times, place: 1_000 * statistics.quantiles(times, n=100)[place - 1]
    p99 = at(busy, 99), at(alone, 99)
    need(p99[0] < 1_000 * P99, f"p99 of GET /api/auth/user is {p99[0]:.0f} ms while mails are sent")
    stage.ok(f"GET /api/auth/user, {len(busy):,} while they are sent and {len(alone):,} alone: median {at(busy, 50):.1f} and "
             f"{at(alone, 50):.1f} ms, p99 {p99[0]:.1f} and {p99[1]:.1f} ms, ratio {p99[0] / p99[1]:.2f}")


class Readers:
    """Clients that ask for their account again and again, each on a connection of its own."""

    def __init__(self, site, cookie):
        self.site, self.headers = site, {"Cookie": cookie}

    @contextlib.contextmanager
    def measuring(self):
        """The times of all answers in this block, in seconds."""
        times, ended, failed = [], threading.Event(), []
        readers = [threading.Thread(target=self.read, args=(times, ended, failed), daemon=True) for _ in range(READERS)]
        for reader in readers:
            reader.start()
        try:
            yield times
        finally:
            ended.set()
            for reader in readers:
                reader.join(PATIENCE)
        need(not failed, f"{failed[:3]}")

    def read(self, times, ended, failed):
        with contextlib.closing(http.client.HTTPConnection("127.0.0.1", self.site.port, timeout=PATIENCE)) as connection:
            while not ended.is_set():
                began = time.monotonic()
                try:
                    connection.request("GET", "/api/auth/user", headers=self.headers)
                    answer = connection.getresponse()
                    answer.read()
                except (OSError, http.client.HTTPException) as error:
                    failed.append(error)
                    return
                times.append(time.monotonic() - began)
                if answer.status != 200:
                    failed.append(answer.status)
                    return
                ended.wait(PAUSE)
