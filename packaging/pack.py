"""Packs a built binary: a tarball, and a Debian package.

    python3 packaging/pack.py --binary target/release/bolts --out target/dist

The same binary gives the same bytes again. All times in the packages are SOURCE_DATE_EPOCH, or the time of the commit.
"""

import argparse
import gzip
import hashlib
import io
import os
import platform
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

import licences

ROOT = Path(__file__).resolve().parent.parent
HERE = ROOT / "packaging"

# The names of Debian's architectures.
DEBIAN = {"x86_64": "amd64", "aarch64": "arm64"}

# The database of an installed service. The default is relative to the working directory.
DATABASE = 'database-url = "sqlite:///var/lib/bolts/bolts.db"'

# The files in which shells look for completions, below the prefix.
COMPLETIONS = {
    "bash": "share/bash-completion/completions/bolts",
    "zsh": "share/zsh/vendor-completions/_bolts",
    "fish": "share/fish/vendor_completions.d/bolts.fish",
}


def said(binary, *words):
    """What a command of the binary prints, without the variables of this machine."""
    variables = {name: value for name, value in os.environ.items() if not name.startswith("BOLTS_")}
    return subprocess.run([binary, *words], check=True, capture_output=True, env=variables).stdout


def epoch():
    """The time of all files in the packages."""
    if "SOURCE_DATE_EPOCH" in os.environ:
        return int(os.environ["SOURCE_DATE_EPOCH"])
    shown = subprocess.run(["git", "-C", ROOT, "log", "-1", "--format=%ct"], capture_output=True, text=True)
    if shown.returncode:
        sys.exit("this is not a git repository: set SOURCE_DATE_EPOCH to the time of the release")
    return int(shown.stdout)


def compressed(data, time, level=9):
    """gzip without the name and with a fixed time."""
    buffer = io.BytesIO()
    with gzip.GzipFile(fileobj=buffer, mode="wb", compresslevel=level, mtime=time, filename="") as file:
        file.write(data)
    return buffer.getvalue()


def contents(binary):
    """The files of both packages: path, content and mode. Paths are below the prefix, except those that begin with /."""
    example = said(binary, "config", "example").decode()
    assert '#database-url = "sqlite://data/bolts.db"\n' in example, "the example has another default"
    config = example.replace('#database-url = "sqlite://data/bolts.db"\n', DATABASE + "\n")
    files = {
        "bin/bolts": (Path(binary).read_bytes(), 0o755),
        "lib/systemd/system/bolts.service": ((HERE / "bolts.service").read_bytes(), 0o644),
        "lib/sysusers.d/bolts.conf": ((HERE / "sysusers.conf").read_bytes(), 0o644),
        "/etc/bolts/bolts.toml": (config.encode(), 0o640),
        "share/man/man1/bolts.1": (said(binary, "manual"), 0o644),
        "share/doc/bolts/bolts.toml": (example.encode(), 0o644),
        "share/doc/bolts/CHANGELOG.md": ((ROOT / "CHANGELOG.md").read_bytes(), 0o644),
        "share/doc/bolts/SECURITY.md": ((ROOT / "SECURITY.md").read_bytes(), 0o644),
        "share/doc/bolts/LICENSE": ((ROOT / "LICENSE").read_bytes(), 0o644),
        "share/doc/bolts/LICENSES-OF-DEPENDENCIES.txt": (licences.text(ROOT).encode(), 0o644),
    }
    for folder in (ROOT / "docs" / "monitoring", HERE / "proxy", HERE / "ha"):
        for example in sorted(folder.iterdir()):
            files[f"share/doc/bolts/{folder.name}/{example.name}"] = (example.read_bytes(), 0o644)
    # The alerts name sections of docs/operations.md.
    for document in sorted((ROOT / "docs").rglob("*.md")):
        files[f"share/doc/bolts/{document.relative_to(ROOT)}"] = (document.read_bytes(), 0o644)
    for shell, path in COMPLETIONS.items():
        files[path] = (said(binary, "completions", shell), 0o644)
    return files


def tarball(files, top, time, level):
    """The files below one folder, as .tar.gz."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w", format=tarfile.GNU_FORMAT) as tar:
        for path, (data, mode) in sorted(files.items()):
            entry = tarfile.TarInfo(f"{top}/{path.lstrip('/')}")
            entry.size, entry.mode, entry.mtime = len(data), mode, time
            entry.uname = entry.gname = "root"
            tar.addfile(entry, io.BytesIO(data))
    return compressed(buffer.getvalue(), time, level)


def needed_libc(binary):
    """The newest version of glibc that the binary asks for, such as 2.34."""
    shown = subprocess.run(["objdump", "-T", binary], check=True, capture_output=True, text=True).stdout
    names = {word.strip("()") for word in shown.split() if word.strip("()").startswith("GLIBC_2.")}
    versions = [tuple(int(part) for part in name.removeprefix("GLIBC_").split(".")) for name in names]
    return ".".join(str(part) for part in max(versions))


def debian(files, control, time, level, out):
    """The Debian package. dpkg-deb takes the time from SOURCE_DATE_EPOCH."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "bolts"
        for path, (data, mode) in files.items():
            if path.startswith("share/man/"):
                path, data = path + ".gz", compressed(data, time)
            write(root / (path.lstrip("/") if path.startswith("/") else "usr/" + path), data, mode)
        write(root / "usr/share/doc/bolts/copyright", (HERE / "debian" / "copyright").read_bytes(), 0o644)
        write(root / "DEBIAN/control", control.encode(), 0o644)
        write(root / "DEBIAN/conffiles", b"/etc/bolts/bolts.toml\n", 0o644)
        for script in ("postinst", "prerm", "postrm"):
            write(root / "DEBIAN" / script, (HERE / "debian" / script).read_bytes(), 0o755)
        for path in [root, *root.rglob("*")]:
            if path.is_dir():
                path.chmod(0o755)
            os.utime(path, (time, time))
        variables = {**os.environ, "SOURCE_DATE_EPOCH": str(time)}
        command = ["dpkg-deb", "--root-owner-group", "-Zxz", f"-z{level}", "--build", root, out]
        subprocess.run(command, check=True, env=variables, stdout=subprocess.DEVNULL)


def write(path, data, mode):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    path.chmod(mode)


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--binary", required=True, help="the built program")
    options.add_argument("--out", required=True, type=Path, help="the folder for the packages")
    options.add_argument("--version", help="another version than that of the program, for tests")
    options.add_argument("--level", type=int, default=9, help="the level of compression: 1 is fast, for tests")
    given = options.parse_args()
    os.umask(0o022)
    binary, time = os.path.abspath(given.binary), epoch()
    version = given.version or said(binary, "--version").decode().split()[1]
    machine = platform.machine()
    given.out.mkdir(parents=True, exist_ok=True)
    files = contents(binary)
    top = f"bolts-{version}-{machine}-linux"
    tar = given.out / f"{top}.tar.gz"
    containerfile = {"Containerfile": ((HERE / "Containerfile").read_bytes(), 0o644)}
    tar.write_bytes(tarball({**files, **containerfile}, top, time, given.level))
    architecture = DEBIAN.get(machine, machine)
    deb = given.out / f"bolts_{version}_{architecture}.deb"
    size = sum(len(data) for data, _ in files.values()) // 1024 + 1
    control = (HERE / "debian" / "control").read_text()
    control = control.format(version=version, architecture=architecture, size=size, libc=needed_libc(binary))
    debian(files, control, time, given.level, deb)
    sums = [f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in (deb, tar)]
    (given.out / "SHA256SUMS").write_text("".join(sums))
    for path in (tar, deb):
        print(f"{path}  {path.stat().st_size / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
