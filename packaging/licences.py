"""Collects the licences of everything that the binary contains: Rust crates, C libraries, npm packages and fonts."""

import json
import subprocess
from pathlib import Path

# The beginnings of the names of files with licences.
NAMES = ("license", "licence", "copying", "notice", "unlicense", "copyright")

HEAD = """\
Bolts is free software under the GNU Affero General Public License, version 3 or later. Its binary contains the
following software of others, under the licences below.
"""


def text(root):
    """All parts with their licences. A text that several parts share stands once."""
    parts = sorted([*crates(root), *pages(root), *fonts(root)])
    lines = [HEAD]
    shared = {}
    for name, licence, place, files in parts:
        lines.append(f"{name}: {licence}{f', {place}' if place else ''}")
        for content in files:
            shared.setdefault(content, []).append(name)
    for content, names in sorted(shared.items(), key=lambda entry: entry[1]):
        lines += ["", "=" * 100, "Licence text of: " + ", ".join(names), "=" * 100, "", content]
    return "\n".join(lines) + "\n"


def texts(folder):
    """The texts of the licences in a folder."""
    files = [path for path in sorted(folder.iterdir()) if path.is_file() and path.name.lower().startswith(NAMES)]
    return tuple(path.read_text(errors="replace").strip() for path in files)


def crates(root):
    """The crates that are linked into the binary. The crates *-src contain C libraries, which are linked too."""
    command = ["cargo", "metadata", "--locked", "--offline", "--format-version", "1"]
    command += ["--filter-platform", host(), "--manifest-path", root / "Cargo.toml"]
    found = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
    packages = {package["id"]: package for package in found["packages"]}
    nodes = {node["id"]: node for node in found["resolve"]["nodes"]}
    waiting = [identity for identity, package in packages.items() if package["name"] == "bolts"]
    linked = set(waiting)
    while waiting:
        for dependency in nodes[waiting.pop()]["deps"]:
            target = dependency["pkg"]
            kinds = {kind["kind"] for kind in dependency["dep_kinds"]}
            is_linked = None in kinds or ("build" in kinds and packages[target]["name"].endswith("-src"))
            if is_linked and target not in linked:
                linked.add(target)
                waiting.append(target)
    for package in (packages[identity] for identity in linked):
        if package["source"]:
            folder = Path(package["manifest_path"]).parent
            name = f"{package['name']} {package['version']}"
            yield name, package["license"] or "see its text", package["repository"] or "", texts(folder)


def host():
    shown = subprocess.run(["rustc", "-vV"], check=True, capture_output=True, text=True).stdout
    return next(line.split()[1] for line in shown.splitlines() if line.startswith("host:"))


def pages(root):
    """The npm packages of the pages. Tools that only build the pages are not among them."""
    frontend = root / "frontend"
    locked = json.loads((frontend / "package-lock.json").read_text())["packages"]
    for path, package in locked.items():
        folder = frontend / path
        if path and not package.get("dev") and folder.is_dir():
            name = f"{path.split('node_modules/')[-1]} {package['version']} (npm)"
            yield name, package.get("license", "see its text"), "", texts(folder)


def fonts(root):
    folder = root / "crates" / "cards" / "fonts"
    yield "Fonts of the cards", "OFL-1.1", "", ((folder / "OFL.txt").read_text().strip(),)
