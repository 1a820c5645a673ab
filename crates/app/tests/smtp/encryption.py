"""TLS and the sign-in at the relay."""

from bolts import relay
from postfix import SENDER
from servers import need, wait_until

# A relay that the site must not use, and what the reason of the failure names. The mail has to wait.
FAULTS = {
    "stranger": ("a certificate of an unknown authority", "UnknownIssuer"),
    "other name": ("a certificate for another name", "not valid for name"),
    "expired": ("an expired certificate", "Expired"),
    "plain": ("no STARTTLS", "offers no STARTTLS"),
}


def check(stage):
    operator(stage)
    signed_in(stage)
    refused(stage, {name: lambda name=name: stage.wire.switch(stage.postfix.ports[name]) for name in FAULTS}, FAULTS)
    refused(stage, {"password": lambda: wrong_password(stage), "no sign-in": lambda: no_sign_in(stage)}, {
        "password": ("a wrong password", "535"), "no sign-in": ("no sign-in", "authentication mechanism")})


def operator(stage):
    """`bolts mail test`, as an operator who sets up mail uses it."""
    site, postfix = stage.site, stage.postfix
    for number, (port, scheme) in enumerate({"starttls": "smtp", "tls": "smtps"}.items()):
        to = f"operator{number}@example.com"
        status, said = site.mail_test(relay(postfix, port, scheme), to)
        need(status == 0, f"bolts mail test by {port}: {said}")
        mail = postfix.one(to, "Mail works")
        need(" with ESMTPSA " in str(mail["Received"]), f"{port}: {mail['Received']}")
        status, said = site.mail_test(relay(postfix, port, scheme), to, authority=False)
        need(status == 1 and "UnknownIssuer" in said, f"{port} without --smtp-ca: {status} {said}")
        status, said = site.mail_test(relay(postfix, port, scheme, "wrong"), to)
        need(status == 1 and "535" in said and "wrong" not in said, f"{port} with a wrong password: {status} {said}")
    need(len(postfix.find("operator0@example.com")) == 1, "a mail came although it was refused")
    stage.ok("`bolts mail test`: STARTTLS and TLS with a private authority; refused without --smtp-ca, and with a wrong password")


def signed_in(stage):
    """The first mails of the site: STARTTLS, and a sign-in."""
    stage.ann, stage.bob = stage.user("ann"), stage.user("bob")
    mail = stage.postfix.one("ann@example.com", "Confirm your email address")
    received = " ".join(str(mail["Received"]).split())
    need(" with ESMTPSA " in received and "using TLSv1.3" in received, received)
    stage.ok(f"mails by STARTTLS (TLSv1.3) with a sign-in from bolts@{SENDER}; two addresses verified by their links")


def refused(stage, faults, words):
    """Each fault holds up one mail. All of them arrive once the fault is gone."""
    site, postfix = stage.site, stage.postfix
    before, held = len(postfix.taken()), []
    for name, begin in faults.items():
        what, reason = words[name]
        begin()
        # The breaker is closed after a start.
        site.again(relay(postfix, stage.wire.port))
        text = stage.admin.give(stage.ann)
        wait_until(lambda: stage.row(stage.ann).last_error, f"the mail fails because of {what}")
        row = stage.row(stage.ann)
        need(row.state == "queued" and reason in row.last_error, f"{what}: {row}")
        held.append((row.name, text))
    need(len(postfix.taken()) == before, "a mail went to a relay that the site must not use")
    stage.passwords.refuses = False
    stage.wire.switch(postfix.ports["starttls"])
    for name, text in held:
        mail = postfix.one(stage.ann.address, text=text)
        need(mail["Message-ID"] == f"<{name}@{SENDER}>", f"{mail['Message-ID']}, but the row is {name}")
    stage.ok(f"{', '.join(words[name][0] for name in faults)}: refused, no mail left, each in the queue with its reason; "
             f"all {len(held)} arrived once it was mended")


def wrong_password(stage):
    stage.passwords.refuses = True
    stage.wire.switch(stage.postfix.ports["starttls"])


def no_sign_in(stage):
    stage.passwords.refuses = False
    stage.wire.switch(stage.postfix.ports["no sign-in"])
