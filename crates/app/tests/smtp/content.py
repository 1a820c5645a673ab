"""The mails as they were received: headers, parts, and the link that unsubscribes in one click."""

import email.utils
import re
from datetime import datetime, timezone
from urllib.parse import urlsplit

from bolts import new_bet
from postfix import SENDER, plain
from servers import need

SECRET = "Does Zelda marry in May?"


def check(stage):
    postfix, ann, bob = stage.postfix, stage.ann, stage.bob
    private = ann.call("POST", "/api/bets", new_bet(SECRET, private=True), 201)
    bob.call("POST", "/api/bets/accept", {"shareToken": private["shareToken"], "option": "B"})
    mail = postfix.one(ann.address, "Bet Accepted")
    headers(mail, ann.address)
    for part in (plain(mail), mail.get_body(("html",)).get_content(), mail.as_string()):
        need("Zelda" not in part and private["shareToken"] not in part, "the mail has the title or the token of a private bet")
    need(mail.get_content_type() == "multipart/alternative", mail.get_content_type())
    need([part.get_content_type() for part in mail.iter_parts()] == ["text/plain", "text/html"], "the parts of the mail")
    html = mail.get_body(("html",)).get_content()
    need(not re.search(r"<(img|script|link|iframe)\b|url\(|https?://(?!127\.0\.0\.1)", html), "the HTML loads something")
    stage.ok("headers of RFC 5322, text/plain and text/html, nothing to load, no title and no token of a private bet, no DKIM "
             "by the site")
    one_click(stage, mail)
    stage.ok(f"List-Unsubscribe on every mail that can be turned off; {without_link(postfix)} others have none")


def headers(mail, to):
    names = [name for name, _ in mail.items()]
    for name in ("From", "To", "Subject", "Date", "Message-ID", "MIME-Version", "List-Unsubscribe", "List-Unsubscribe-Post"):
        need(names.count(name) == 1, f"{name}: {names.count(name)} times")
    need(str(mail["From"]) == f"Bolts <bolts@{SENDER}>" and str(mail["To"]) == to, f"{mail['From']} {mail['To']}")
    need(mail["Return-Path"] == f"<bolts@{SENDER}>", f"{mail['Return-Path']}")
    need(re.fullmatch(rf"<[\w.-]+@{re.escape(SENDER)}>", mail["Message-ID"]), mail["Message-ID"])
    age = datetime.now(timezone.utc) - email.utils.parsedate_to_datetime(str(mail["Date"]))
    need(abs(age.total_seconds()) < 600, f"{mail['Date']}")
    need(mail["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click", mail["List-Unsubscribe-Post"])
    need(mail["Auto-Submitted"] == "auto-generated", mail["Auto-Submitted"])
    need("DKIM-Signature" not in names, "the site signs")
    too_long = [line for line in mail.as_bytes().splitlines() if len(line) > 998]
    need(not too_long, "a line is longer than 998 characters")


def one_click(stage, mail):
    """A mail program sends neither cookies nor an Origin."""
    site, ann = stage.site, stage.ann
    link = urlsplit(re.fullmatch(r"<(\S+)>", mail["List-Unsubscribe"].replace(" ", ""))[1])
    need(f"{link.scheme}://{link.netloc}" == site.origin, f"{link}")
    choice = lambda: ann.call("GET", "/api/notifications/preferences")["kinds"]["accepted"]["email"]
    form = {"Content-Type": "application/x-www-form-urlencoded", "Origin": None}
    need(site.send("GET", link.path)[0] == 302 and choice(), "a GET of the link changes something")
    status, _, said = site.send("POST", link.path, "List-Unsubscribe=One-Click", **form)
    need(status == 200 and not choice(), f"a POST to the link: {status} {said}")
    ann.wants("accepted", True)
    stage.ok("a POST to List-Unsubscribe turns these mails off without a sign-in; a GET does not")


def without_link(postfix):
    """All mails with the header have it whole. Returns the number of mails without it."""
    without = [mail for mail in postfix.mails() if "List-Unsubscribe" not in mail]
    for mail in without:
        need("Stop mails like this one" not in plain(mail), f"{mail['Subject']} can be turned off and has no header")
    return len(without)
