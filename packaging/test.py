"""Tests of the packages: `just package-test`, or python3 packaging/test.py target/debug/bolts.

Packs the binary twice, installs and upgrades the Debian package, and runs the steps of the Containerfile. The last two happen
in a copy-on-write copy of this machine's root folder, so they need root and Debian, and change nothing on the machine.
"""

import contextlib
import gzip
import os
import re
import shlex
import shutil
import subprocess
import sys
import tarfile
import tempfile
import unittest
import urllib.request
from pathlib import Path

HERE = Path(__file__).resolve().parent
BINARY = Path(os.environ.get("BOLTS_PACKED", HERE.parent / "target" / "debug" / "bolts"))
TIME = 1_800_000_000

# The largest exposure that `systemd-analyze security` may report for the unit, in tenths.
EXPOSURE = 19


def run(*words, **options):
    done = subprocess.run(words, capture_output=True, text=True, **options)
    assert done.returncode == 0, f"{shlex.join(map(str, words))}: {done.stdout}{done.stderr}"
    return done.stdout


def packed(binary, out, **variables):
    environment = {**os.environ, "SOURCE_DATE_EPOCH": str(TIME), **variables}
    version = ["--version", out.name.split("-")[1]] if "-" in out.name else []
    words = [sys.executable, HERE / "pack.py", "--binary", binary, "--out", out, "--level", "1", *version]
    run(*words, env=environment, umask=int(variables.get("UMASK", "022"), 8))
    return next(out.glob("*.tar.gz")), next(out.glob("*.deb"))


def answers(process):
    """The address of a server that has started, after it has answered."""
    line = process.stdout.readline()
    found = re.search(r"http://\S+", line)
    assert found, f"{line}{process.stderr.read() if process.poll() is not None else ''}"
    with urllib.request.urlopen(found.group(0) + "/readyz", timeout=30) as answer:
        assert answer.status == 200
    return found.group(0)


@contextlib.contextmanager
def serving(words, **options):
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options) as process:
        try:
            yield answers(process)
        finally:
            process.terminate()
            status = process.wait(60)
    assert status == 0, f"the server ended with {status}"


class Root:
    """A copy-on-write copy of this machine's root folder, with its own processes."""

    def __init__(self, folder):
        self.path = folder / "root"
        upper = folder / "upper"
        upper.mkdir()
        run("mount", "-t", "tmpfs", "tmpfs", upper)
        for name in ("changes", "work"):
            (upper / name).mkdir()
        self.path.mkdir()
        layers = f"lowerdir=/,upperdir={upper}/changes,workdir={upper}/work"
        run("mount", "-t", "overlay", "overlay", "-o", layers, self.path)
        run("mount", "-t", "proc", "proc", self.path / "proc")
        run("mount", "--bind", "/dev", self.path / "dev")

    def run(self, *words, **options):
        return run("chroot", self.path, *words, **options)

    def words(self, command, user, folder, variables):
        """The words that run a command in the copy as a user."""
        settings = [f"{name}={value}" for name, value in variables.items()]
        inside = f"cd {shlex.quote(folder)} && exec {command}"
        return ["env", "-i", "PATH=/usr/sbin:/usr/bin:/sbin:/bin", *settings, "chroot", f"--userspec={user}:{user}", self.path,
                "/bin/sh", "-c", inside]


def unit():
    """The settings of the systemd unit, by name. A name that stands several times has several values."""
    settings = {}
    for line in (HERE / "bolts.service").read_text().splitlines():
        if "=" in line and not line.startswith("#"):
            name, value = line.split("=", 1)
            settings.setdefault(name, []).append(value)
    return settings


class Packages(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = Path(cls.enterClassContext(tempfile.TemporaryDirectory()))
        # Without symbols a debug build is packed much faster.
        cls.binary = cls.folder / "bolts"
        run("strip", "-o", cls.binary, BINARY)
        cls.tar, cls.deb = packed(cls.binary, cls.folder / "first")
        cls.version = run(cls.binary, "--version").split()[1]

    def fresh(self):
        return Path(self.enterContext(tempfile.TemporaryDirectory()))

    def root(self):
        root = Root(self.fresh())
        self.addCleanup(lambda: [run("umount", "-l", mount) for mount in (root.path / "dev", root.path / "proc",
                                                                         root.path, root.path.parent / "upper")])
        return root

    def test_the_same_binary_gives_the_same_bytes(self):
        again = self.fresh() / "second"
        packed(self.binary, again, TZ="Asia/Tokyo", LANG="C", UMASK="077")
        sums = (self.folder / "first" / "SHA256SUMS").read_text()
        self.assertEqual(sums, (again / "SHA256SUMS").read_text())
        self.assertEqual(len(sums.splitlines()), 2)

    def test_the_tarball_is_complete_and_serves(self):
        folder = self.fresh()
        with tarfile.open(self.tar) as tar:
            self.assertEqual({entry.mtime for entry in tar}, {TIME})
            self.assertEqual({(entry.uid, entry.gid) for entry in tar}, {(0, 0)})
            tar.extractall(folder, filter="data")
        top = folder / self.tar.name.removesuffix(".tar.gz")
        for path in ["lib/systemd/system/bolts.service", "share/man/man1/bolts.1", "etc/bolts/bolts.toml", "Containerfile",
                     "share/bash-completion/completions/bolts", "share/doc/bolts/CHANGELOG.md", "share/doc/bolts/SECURITY.md",
                     "share/doc/bolts/LICENSE",
                     "share/doc/bolts/monitoring/alerts.yml", "share/doc/bolts/proxy/Caddyfile", "share/doc/bolts/ha/patroni.yml",
                     "share/doc/bolts/docs/operations.md", "share/doc/bolts/docs/adr/0001-two-databases-one-source.md"]:
            self.assertTrue((top / path).stat().st_size > 100, path)
        licences = (top / "share/doc/bolts/LICENSES-OF-DEPENDENCIES.txt").read_text()
        for part in ["actix-web ", "openssl-src ", "react ", "OFL-1.1", "Permission is hereby granted", "Apache License"]:
            self.assertIn(part, licences)
        self.assertNotIn("typescript ", licences, "tools are not in the binary")
        self.assertIn('database-url = "sqlite:///var/lib/bolts/bolts.db"', (top / "etc/bolts/bolts.toml").read_text())
        variables = {"BOLTS_CONFIG": "", "PATH": os.environ["PATH"]}
        words = [top / "bin/bolts", "serve", "--bind", "127.0.0.1:0"]
        with serving(words, cwd=folder, env={name: value for name, value in variables.items() if value}) as base:
            with urllib.request.urlopen(base, timeout=30) as page:
                self.assertIn(b"<html", page.read())

    def test_the_unit_is_hardened(self):
        if not shutil.which("systemd-analyze"):
            self.fail("systemd-analyze is missing: install systemd")
        check = ["systemd-analyze", "security", "--offline=true", "--no-pager", f"--threshold={EXPOSURE}"]
        said = run(*check, HERE / "bolts.service")
        self.assertRegex(said, r"Overall exposure level for bolts.service: [01]\.\d")

    def test_the_debian_package_installs_starts_upgrades_and_keeps_the_data(self):
        said = run("dpkg-deb", "--info", self.deb)
        for line in ("Package: bolts", f"Version: {self.version}", "Depends: libc6 (>= 2."):
            self.assertIn(line, said)
        self.assertIn("./usr/bin/bolts", run("dpkg-deb", "--contents", self.deb))
        root = self.root()
        self.install(root, self.deb)
        verify = "systemd-analyze verify --man=no /usr/lib/systemd/system/bolts.service 2>&1"
        self.assertNotIn("bolts.service", root.run("/bin/sh", "-c", verify), "systemd reads the unit without complaints")
        config = root.path / "etc/bolts/bolts.toml"
        self.assertEqual(config.stat().st_mode & 0o777, 0o640, "other users cannot read secrets")
        with config.open("a") as file:
            file.write("signups-per-hour = 7\n")
        service = self.service(root)
        # `systemctl start` would run these two.
        self.assertIn("is valid", run(*service(unit()["ExecStartPre"][0])))
        with serving(service(unit()["ExecStart"][0])):
            pass
        run(*service("/usr/bin/bolts demo"))
        audit = run(*service("/usr/bin/bolts audit"))

        _, newer = packed(self.binary, self.fresh() / f"newer-{self.version}.1")
        self.install(root, newer)
        self.assertIn("signups-per-hour = 7", config.read_text(), "the operator's changes stay")
        self.assertEqual(root.run("dpkg-query", "-W", "-f", "${Version}", "bolts"), f"{self.version}.1")
        with serving(service(unit()["ExecStart"][0])):
            self.assertEqual(run(*service("/usr/bin/bolts audit")), audit)
        root.run("dpkg", "--purge", "bolts")
        self.assertFalse((root.path / "usr/bin/bolts").exists())
        self.assertTrue((root.path / "var/lib/bolts/bolts.db").exists(), "a purge keeps the users' money")

    def test_an_upgrade_leaves_the_service_as_the_operator_set_it(self):
        root = self.root()
        calls = self.systemd(root, status=0)
        self.install(root, self.deb)
        self.assertIn("start", [call[0] for call in calls()])
        link = root.path / "etc/systemd/system/multi-user.target.wants/bolts.service"
        self.assertTrue(link.is_symlink(), "a new service is enabled")
        # As `systemctl disable` does.
        link.unlink()
        calls = self.systemd(root, status=1)
        _, newer = packed(self.binary, self.fresh() / f"newer-{self.version}.1")
        said = self.install(root, newer)
        self.assertFalse(link.is_symlink(), "a disabled service stays disabled")
        self.assertEqual(calls(), [["try-restart", "bolts.service"]])
        self.assertIn("bolts.service does not run", said)
        self.assertEqual(root.run("dpkg-query", "-W", "-f", "${Status}", "bolts"), "install ok installed")
        self.systemd(root, status=0)
        root.run("dpkg", "--purge", "bolts")
        self.install(root, self.deb)
        self.assertTrue(link.is_symlink(), "a purge forgets the choice")

    def systemd(self, root, status):
        """Pretends that systemd runs, and answers all calls about the service with this status. Returns a function that gives the
        words of these calls of systemctl, without options."""
        (root.path / "run/systemd/system").mkdir(parents=True, exist_ok=True)
        # Images of containers refuse to start services by this file.
        (root.path / "usr/sbin/policy-rc.d").unlink(missing_ok=True)
        program, real, log = (root.path / path for path in ("usr/bin/systemctl", "usr/bin/systemctl-real", "tmp/systemctl"))
        if not real.exists():
            program.rename(real)
        # The real program makes the links of a unit without a running systemd.
        program.write_text(f"""#!/bin/sh
case "$1" in
    --root=*) exec systemctl-real "$@" ;;
    daemon-reload) exit 0 ;;
esac
echo "$@" >>/tmp/systemctl
echo enabled
exit {status}
""")
        program.chmod(0o755)
        log.unlink(missing_ok=True)
        words = lambda line: [word for word in line.split() if not word.startswith("-")]
        return lambda: [words(line) for line in log.read_text().splitlines()]

    def install(self, root, deb):
        shutil.copy(deb, root.path / "tmp")
        return root.run("/bin/sh", "-c", f"dpkg --force-confold --install /tmp/{deb.name} 2>&1")

    def service(self, root):
        """A function that gives the words for a command in the surroundings of the systemd unit."""
        (user,), (folder,) = unit()["User"], unit()["WorkingDirectory"]
        variables = dict(setting.split("=", 1) for setting in unit()["Environment"])
        variables["BOLTS_BIND"] = "127.0.0.1:0"
        return lambda command: root.words(command, user, folder, variables)

    def test_the_steps_of_the_containerfile_give_a_server(self):
        context = self.fresh()
        with tarfile.open(self.tar) as tar:
            tar.extractall(context, filter="data")
        context /= self.tar.name.removesuffix(".tar.gz")
        root, variables, last = self.root(), {}, {}
        for line in (context / "Containerfile").read_text().splitlines():
            if not line or line.startswith("#"):
                continue
            step, rest = line.split(" ", 1)
            match step:
                case "RUN":
                    root.run("/bin/sh", "-c", rest)
                case "COPY":
                    source, target = rest.split()
                    copy = shutil.copytree if (context / source).is_dir() else shutil.copy
                    (root.path / target[1:]).parent.mkdir(parents=True, exist_ok=True)
                    copy(context / source, root.path / target[1:])
                case "ENV":
                    name, value = rest.split("=", 1)
                    variables[name] = value
                case "FROM" | "VOLUME" | "EXPOSE" | "STOPSIGNAL" | "WORKDIR" | "USER" | "ENTRYPOINT" | "CMD":
                    last[step] = rest
                case _:
                    self.fail(f"this test does not know {step}")
        self.assertTrue(last["FROM"].startswith("docker.io/library/debian:"))
        self.assertEqual((last["EXPOSE"], variables["BOLTS_BIND"]), ("8080", "0.0.0.0:8080"))
        # The port of the image may be taken on this machine.
        variables["BOLTS_BIND"] = "127.0.0.1:0"
        words = [re.findall(r'"([^"]*)"', last[step]) for step in ("ENTRYPOINT", "CMD")]
        command = shlex.join(words[0] + words[1])
        with serving(root.words(command, last["USER"], last["WORKDIR"], variables)):
            self.assertTrue((root.path / "var/lib/bolts/bolts.db").exists(), "in the volume")

    def test_the_manual_page_is_compressed_in_the_debian_package(self):
        folder = self.fresh()
        run("dpkg-deb", "--extract", self.deb, folder)
        with gzip.open(folder / "usr/share/man/man1/bolts.1.gz", "rt") as page:
            self.assertIn(".TH bolts 1", page.read())


if __name__ == "__main__":
    if len(sys.argv) > 1 and Path(sys.argv[1]).is_file():
        os.environ["BOLTS_PACKED"] = os.path.abspath(sys.argv.pop(1))
    if "BOLTS_PRIVATE_MOUNTS" not in os.environ:
        if os.geteuid():
            sys.exit("the test installs packages in a copy of the root folder: run it as root")
        os.environ["BOLTS_PRIVATE_MOUNTS"] = "1"
        script = [sys.executable, "-B", __file__, *sys.argv[1:]]
        os.execvp("unshare", ["unshare", "--mount", "--propagation", "private", *script])
    unittest.main()
