"""Refusals, a killed process, and a relay that is away: what is sent again, and what is not."""

import re
import time

from bolts import plain_relay
from postfix import SENDER
from servers import need, wait_until

# The time for which the relay is away, in seconds. The breaker is open for 30 s, then for 60 s: the second test succeeds. So
# everything is sent within 90 s, and the time that a busy machine needs.
AWAY, ALL_SENT = 60, 90 + 60
# The line of the log that says that the breaker has opened.
OPENED = "the server of this channel takes nothing: deliveries wait for a while"

# Refusals after which the mail is sent again: the phase, the action of the policy, and the code that the site has to see.
FOR_NOW = [
    ("RCPT", "DEFER_IF_PERMIT Greylisted", "(450): 4.7.1"),
    ("RCPT", "452 4.2.2 Mailbox full", "(452): 4.2.2"),
    ("content", "451 4.3.0 Content filter is busy", "(451): 4.3.0"),
    # Nothing about the recipient: such a relay does not know the site.
    ("RCPT", "554 5.7.1 Relay access denied", "(554): 5.7.1"),
]


def check(stage):
    stage.site.again(plain_relay(stage.wire.port))
    stage.wire.switch(stage.postfix.ports["plain"])
    for_now(stage)
    for_good(stage)
    address_gone(stage)
    sender_refused(stage)
    killed(stage)
    away(stage)


def for_now(stage):
    """Refusals for now: greylisting, a full mailbox, and a content filter without time. The mail arrives once."""
    postfix, policy, ann = stage.postfix, stage.policy, stage.ann
    said = []
    for phase, action, code in FOR_NOW:
        policy.rules[ann.address, phase] = [action, "DUNNO"]
        text, began = stage.admin.give(ann), time.monotonic()
        mail = postfix.one(ann.address, text=text)
        waited = time.monotonic() - began
        wait_until(lambda: stage.row(ann).state == "sent", "the mail is recorded")
        row = stage.row(ann)
        need((row.state, row.attempts) == ("sent", "2") and code in row.last_error, f"{action}: {row}")
        need(mail["Message-ID"] == f"<{row.name}@{SENDER}>", f"{mail['Message-ID']} {row}")
        need(ann.email()["stopped"] is None, f"{action} turned the address off")
        said.append(f"{action} ({waited:.0f} s)")
        del policy.rules[ann.address, phase]
    stage.ok(f"refused once, arrived once with the same Message-ID after: {', '.join(said)}")


def for_good(stage):
    """The content is refused for good: the mail is given up, and the address stays."""
    stage.policy.rules[stage.ann.address, "content"] = ["554 5.6.0 Message content rejected"]
    text = stage.admin.give(stage.ann)
    wait_until(lambda: stage.row(stage.ann).state != "queued", "the mail is given up")
    row = stage.row(stage.ann)
    need((row.state, row.attempts) == ("given_up", "1") and "(554): 5.6.0" in row.last_error, f"{row}")
    need(stage.ann.email()["stopped"] is None, "a refused content turned the address off")
    del stage.policy.rules[stage.ann.address, "content"]
    stage.postfix.one(stage.ann.address, text=stage.admin.give(stage.ann))
    need(not stage.postfix.find(stage.ann.address, text=text), "a refused mail came")
    stage.ok("554 5.6.0 for the content: given up after one attempt, the address still gets mails")


def address_gone(stage):
    """The address is gone: it gets nothing more until it is verified again."""
    site, postfix, bob = stage.site, stage.postfix, stage.bob
    stage.policy.rules[bob.address, "RCPT"] = ["550 5.1.1 User unknown"]
    stage.admin.give(bob)
    wait_until(lambda: bob.email()["stopped"], "the address is turned off")
    need("(550): 5.1.1" in bob.email()["stopped"], f"{bob.email()}")
    titles = [one["title"] for one in bob.call("GET", "/api/notifications")]
    need(titles[0] == "Email Stopped", f"no notification: {titles}")
    rows = len(site.deliveries(bob.address))
    stage.admin.give(bob)
    need(len(site.deliveries(bob.address)) == rows, "there is a row for an address that is turned off")
    del stage.policy.rules[bob.address, "RCPT"]
    need(bob.email()["stopped"], "the address is on again by itself")
    first = len(postfix.find(bob.address, "Confirm your email address"))
    bob.call("POST", "/api/auth/verify-email/request", {})
    wait_until(lambda: len(postfix.find(bob.address, "Confirm your email address")) > first, "another mail with a link")
    bob.verify(postfix)
    need(bob.email()["stopped"] is None and bob.email()["isVerified"], f"{bob.email()}")
    postfix.one(bob.address, text=stage.admin.give(bob))
    stage.ok("550 5.1.1 at RCPT: the address is off, the user's account and a notification say so; on again after its "
             "verification")


def sender_refused(stage):
    """The relay refuses the sender, and says so after RCPT. This is no fault of the recipient."""
    stage.wire.switch(stage.postfix.ports["refuses the sender"])
    text = stage.admin.give(stage.ann)
    wait_until(lambda: stage.row(stage.ann).last_error, "the mail fails")
    row = stage.row(stage.ann)
    need("Sender address rejected" in row.last_error, f"{row}")
    stopped = stage.ann.email()["stopped"]
    need(stopped is None, f"a refusal of the sender turned the address of a user off: {stopped}")
    stage.wire.switch(stage.postfix.ports["plain"])
    stage.postfix.one(stage.ann.address, text=text)
    code = re.search(r"[(](\d+)[)]: ([0-9.]+)", row.last_error)
    stage.ok(f"{code[1]} {code[2]} for the sender at RCPT: no address is turned off, the mail arrived once it was mended")


def killed(stage):
    """The process dies after the relay took the mail, and before it learns of it."""
    site, postfix, ann = stage.site, stage.postfix, stage.ann
    stage.wire.hold()
    text = stage.admin.give(ann)
    need(stage.wire.held.wait(120), "the relay took no mail")
    site.kill()
    stage.wire.switch(postfix.ports["plain"])
    wait_until(lambda: postfix.find(ann.address, text=text), "the mail arrives")
    name = stage.row(ann).name
    need(stage.row(ann).state == "queued", f"{stage.row(ann)}")
    began = time.monotonic()
    site.begin(plain_relay(stage.wire.port))
    how = "by itself"
    if stage.is_long:
        patience = 700
    else:
        # The lease of the dead process ends after ten minutes. Only the long form waits for it.
        stage.database.rows("UPDATE deliveries SET leased_until = 0 WHERE state = 'queued'")
        patience, how = 60, "its lease was ended by SQL"
    wait_until(lambda: len(postfix.find(ann.address, text=text)) == 2, "the mail comes again", patience)
    waited = time.monotonic() - began
    wait_until(lambda: stage.row(ann).state == "sent", "the mail is recorded")
    ids = {mail["Message-ID"] for mail in postfix.find(ann.address, text=text)}
    need(ids == {f"<{name}@{SENDER}>"} and postfix.taken().count(f"{name}@{SENDER}") == 2, f"{ids}")
    stage.may_come_twice |= ids
    stage.ok(f"kill -9 between the relay's 250 and the record: again with the same Message-ID, {waited:.0f} s after the restart "
             f"({how})")


def away(stage):
    """The relay is away for a minute."""
    site, postfix = stage.site, stage.postfix
    site.again(plain_relay(postfix.ports["plain"]))
    before, earlier = len(postfix.taken()), site.log().count(OPENED)
    postfix.stop()
    began = time.monotonic()
    texts = [(user, stage.admin.give(user)) for _ in range(20) for user in (stage.ann, stage.bob)]
    wait_until(lambda: site.log().count(OPENED) > earlier, "the breaker opens")
    opened = time.monotonic() - began
    # Five failures open it. Three more mails may be under way.
    need(5 <= site.metrics()["unavailable"] <= 8, f"the attempts: {site.metrics()}")
    wait_until(lambda: time.monotonic() - began > AWAY, "a minute is over", 2 * AWAY)
    wait_until(lambda: site.metrics()["queued"] > 0 and site.metrics()["oldest_seconds"] > 30, "the metrics say that mails wait")
    during = site.metrics()
    postfix.begin()
    back = time.monotonic()
    for user in (stage.ann, stage.bob):
        are_sent = lambda: all(row[0] == "sent" for row in site.deliveries(user.address)[-20:])
        wait_until(are_sent, f"the mails to {user.address}", 900)
    wait_until(postfix.is_empty, "Postfix has delivered everything")
    waited = time.monotonic() - back
    for user, text in texts:
        postfix.one(user.address, text=text)
    need(waited + AWAY < ALL_SENT, f"the last mail came {waited:.0f} s after the relay's return")
    need(len(postfix.taken()) == before + len(texts), f"{len(postfix.taken()) - before} mails for {len(texts)} rows")
    after = wait_until(lambda: site.metrics() if site.metrics()["queued"] == 0 else None, "the metrics say that nothing waits")
    need(after["sent"] == len(texts), f"{after}")
    stage.ok(f"relay away for {AWAY} s: breaker open after {opened:.1f} s, {during['unavailable']:.0f} attempts without an answer, "
             f"{during['queued']:.0f} queued, the oldest for {during['oldest_seconds']:.0f} s; all {len(texts)} arrived once, "
             f"within {waited:.0f} s of its return")
