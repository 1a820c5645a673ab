"""Debian's Postfix with its own configuration, queue and mailbox. It reads and writes nothing in /etc and /var."""

import contextlib
import email
import email.policy
import os
import pwd
import re
import shutil
from collections import Counter
from pathlib import Path

from servers import PATIENCE, Process, free_port, is_open, need, run, wait_until

# The users and the group of Postfix. They exist on every Debian. Postfix's own user would have to be added to the machine.
OWNER, GROUP, RECIPIENT = "daemon", "mail", "nobody"

# The domain of the site. Its mails come from here, and this Postfix takes mails for no such user.
SENDER = "bets.example.com"

PASSWORD = "relay+pass@word"

# The folders of a queue, and those that not only Postfix's own user may enter.
QUEUE = ["active", "bounce", "corrupt", "defer", "deferred", "flush", "hold", "incoming", "private", "saved", "trace"]
OPEN = {"maildrop": 0o730, "public": 0o710, "pid": 0o755}

SETTINGS = """\
compatibility_level = 3.6
queue_directory = {folder}/queue
data_directory = {folder}/data
daemon_directory = {programs}/usr/lib/postfix/sbin
command_directory = {programs}/usr/sbin
shlib_directory = {programs}/usr/lib/postfix
meta_directory = {folder}/etc
# The libraries of the unpacked package.
import_environment = LANG=C TZ MAIL_CONFIG LD_LIBRARY_PATH
mail_owner = {owner}
setgid_group = {group}
default_privs = {recipient}
maillog_file = {folder}/mail.log
maillog_file_prefixes = {folder}
myhostname = relay.example.com
mydestination =
mynetworks = 127.0.0.0/8
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
disable_dns_lookups = yes
smtpd_peername_lookup = no
alias_maps =
local_recipient_maps =
# All mails are delivered into one mailbox. The domain of the site has no users here.
virtual_mailbox_domains = example.com, {sender}
virtual_mailbox_base = {folder}
virtual_mailbox_maps = regexp:{folder}/etc/users
virtual_uid_maps = static:{uid}
virtual_gid_maps = static:{gid}
smtpd_tls_chain_files = {certificates[relay]}
smtpd_tls_received_header = yes
smtpd_tls_auth_only = yes
smtpd_sasl_type = dovecot
smtpd_sasl_path = inet:127.0.0.1:{passwords}
smtpd_recipient_restrictions = check_policy_service inet:127.0.0.1:{policy}
smtpd_end_of_data_restrictions = check_policy_service inet:127.0.0.1:{policy}
smtpd_policy_service_default_action = DUNNO
"""

# The services besides the ports.
SERVICES = """\
postlog unix-dgram n - n - 1 postlogd
cleanup unix n - n - 0 cleanup
qmgr unix n - n 300 1 qmgr
tlsmgr unix - - n 1000? 1 tlsmgr
rewrite unix - - n - - trivial-rewrite
bounce unix - - n - 0 bounce
defer unix - - n - 0 bounce
trace unix - - n - 0 bounce
proxymap unix - - n - - proxymap
virtual unix - n n - - virtual
error unix - - n - - error
anvil unix - - n - 1 anvil
"""

PLAIN = ["smtpd_tls_security_level=none"]
SIGNED_IN = ["smtpd_sasl_auth_enable=yes", "smtpd_client_restrictions=permit_sasl_authenticated,reject"]
STARTTLS = ["smtpd_tls_security_level=encrypt", *SIGNED_IN]


def ports(certificates):
    """The options of each port."""
    return {
        "plain": PLAIN,
        "starttls": STARTTLS,
        "tls": ["smtpd_tls_security_level=encrypt", "smtpd_tls_wrappermode=yes", *SIGNED_IN],
        "stranger": [*STARTTLS, f"smtpd_tls_chain_files={certificates['stranger']}"],
        "other name": [*STARTTLS, f"smtpd_tls_chain_files={certificates['other name']}"],
        "expired": [*STARTTLS, f"smtpd_tls_chain_files={certificates['expired']}"],
        "no sign-in": ["smtpd_tls_security_level=encrypt"],
        # Refuses the sender, and says so only after RCPT, as Postfix does at first.
        "refuses the sender": [*PLAIN, "smtpd_reject_unlisted_sender=yes"],
    }


def certificates(folder):
    """An authority, and the certificates of the relay, with their keys. One is by another authority, one for another name, and
    one has expired."""
    key = folder / "key.pem"
    run(["openssl", "ecparam", "-name", "prime256v1", "-genkey", "-noout", "-out", key])
    for authority in ("authority", "other-authority"):
        run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2", "-subj",
             f"/CN={authority}", "-keyout", folder / f"{authority}.key", "-out", folder / f"{authority}.pem"])

    def signed(kind, authority, names, days):
        request, names_file = folder / f"{kind}.csr", folder / f"{kind}.names"
        run(["openssl", "req", "-new", "-key", key, "-subj", "/CN=relay", "-out", request])
        names_file.write_text(f"subjectAltName={names}\n")
        made = run(["openssl", "x509", "-req", "-in", request, "-CA", folder / f"{authority}.pem", "-CAkey",
                    folder / f"{authority}.key", "-days", days, "-extfile", names_file])
        (chain := folder / f"{kind}.pem").write_text(key.read_text() + made)
        return chain

    here = "DNS:localhost,IP:127.0.0.1"
    return {
        "relay": signed("relay", "authority", here, 2),
        "stranger": signed("stranger", "other-authority", here, 2),
        "other name": signed("other-name", "authority", "DNS:relay.example.net", 2),
        "expired": signed("expired", "authority", here, -1),
    }


def folders(folder):
    """The folders of the queue and of the mailbox, with their owners."""
    owner, recipient = pwd.getpwnam(OWNER), pwd.getpwnam(RECIPIENT)
    for name, mode in (dict.fromkeys(QUEUE, 0o700) | OPEN).items():
        (path := folder / "queue" / name).mkdir(parents=True)
        os.chmod(path, mode)
        shutil.chown(path, "root" if name == "pid" else owner.pw_uid, GROUP if name in OPEN else None)
    (folder / "data").mkdir()
    shutil.chown(folder / "data", owner.pw_uid, owner.pw_gid)
    for part in ("", "new", "cur", "tmp"):
        (folder / "mailbox" / part).mkdir(exist_ok=True)
        shutil.chown(folder / "mailbox" / part, recipient.pw_uid, recipient.pw_gid)


class Postfix(Process):
    def __init__(self, folder, programs, passwords, policy):
        self.folder, self.programs, self.mailbox = folder, programs, folder / "mailbox" / "new"
        (etc := folder / "etc").mkdir()
        folders(folder)
        self.certificates, self.authority = certificates(etc), etc / "authority.pem"
        self.ports = {name: free_port() for name in ports(self.certificates)}
        self.configure(etc, passwords, policy)
        # The lines of the log that were read, and the mails.
        self.read, self.position, self.parsed = [], 0, {}
        super().__init__("postfix", folder, ["env", f"LD_LIBRARY_PATH={self.libraries()}",
                                             programs / "usr/lib/postfix/sbin/master", "-c", etc, "-s"])
        self.version = self.command("postconf", "-h", "mail_version").strip()

    def configure(self, etc, passwords, policy):
        recipient = pwd.getpwnam(RECIPIENT)
        (etc / "main.cf").write_text(SETTINGS.format(
            folder=self.folder, programs=self.programs, owner=OWNER, group=GROUP, recipient=RECIPIENT, uid=recipient.pw_uid,
            gid=recipient.pw_gid, sender=SENDER, certificates=self.certificates, passwords=passwords.port, policy=policy.port))
        (etc / "users").write_text(f"!/@{re.escape(SENDER)}$/ mailbox/\n")
        (etc / "dynamicmaps.cf").write_text("")
        lines = [f"127.0.0.1:{self.ports[name]} inet n - n - - smtpd" + "".join(f"\n  -o {option}" for option in options)
                 for name, options in ports(self.certificates).items()]
        (etc / "master.cf").write_text("\n".join(lines) + "\n" + SERVICES)

    def command(self, name, *words):
        return run([self.programs / "usr/sbin" / name, "-c", self.folder / "etc", *words],
                   env=os.environ | {"LD_LIBRARY_PATH": self.libraries()})

    def libraries(self):
        return f"{self.programs}/usr/lib/postfix:{self.programs}/usr/lib/{os.uname().machine}-linux-gnu"

    def begin(self):
        self.start()
        wait_until(lambda: all(map(is_open, self.ports.values())) or not self.runs(), "Postfix answers")
        need(self.runs(), f"Postfix does not start:\n{self.log()}\n{self.lines()}")

    def lines(self):
        """The lines of Postfix's log."""
        with contextlib.suppress(FileNotFoundError), (self.folder / "mail.log").open(errors="replace") as log:
            log.seek(self.position)
            new = log.read()
            whole = new[:new.rfind("\n") + 1]
            self.position += len(whole.encode())
            self.read += whole.splitlines()
        return self.read

    def taken(self):
        """The Message-IDs of all mails whose content Postfix has read, in this order. A mail that was read twice is here twice."""
        found = (re.search(r"postfix/cleanup\[\d+\]: \w+: message-id=<(\S+)>", line) for line in self.lines())
        return [match[1] for match in found if match]

    def mails(self):
        """All mails in the mailbox."""
        for entry in os.scandir(self.mailbox):
            if entry.name not in self.parsed:
                content = Path(entry.path).read_bytes()
                self.parsed[entry.name] = email.message_from_bytes(content, policy=email.policy.default)
        return list(self.parsed.values())

    def find(self, to, subject=None, text=None):
        """The mails to this address, with this subject, and with this in their text."""
        return [mail for mail in self.mails()
                if mail["X-Original-To"] == to and (subject is None or mail["Subject"] == subject)
                and (text is None or text in plain(mail))]

    def one(self, to, subject=None, text=None, patience=PATIENCE):
        """The only such mail, once it has arrived."""
        what = f"a mail to {to}, {subject or ''} {text or ''}"
        wait_until(lambda: self.find(to, subject, text), what, patience)
        found = self.find(to, subject, text)
        need(len(found) == 1, f"{len(found)} times: {what}")
        return found[0]

    def twice(self):
        """The Message-IDs that arrived more than once."""
        return [name for name, times in Counter(mail["Message-ID"] for mail in self.mails()).items() if times > 1]

    def is_empty(self):
        """Whether Postfix has delivered everything it took."""
        return not any(any(files) for part in ("incoming", "active", "deferred", "maildrop")
                       for _, _, files in os.walk(self.folder / "queue" / part))


def plain(mail):
    return mail.get_body(("plain",)).get_content()

