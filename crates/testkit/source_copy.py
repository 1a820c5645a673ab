"""A copy of the source, in which a tool can change files without a change of the working tree."""

import shutil
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def place(file: Path, at: Path) -> None:
    """Copies a file if its content differs, so that cargo builds only what has changed."""
    if at.exists() and at.read_bytes() == file.read_bytes():
        return
    at.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(file, at)


def copy_source(to: Path) -> None:
    """Copies the files of the working tree that git knows, and the built pages, which the server embeds."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout.splitlines()
    files = [name for name in listed if (ROOT / name).is_file()]
    built = (ROOT / "frontend" / "dist").rglob("*")
    files += [str(file.relative_to(ROOT)) for file in built if file.is_file()]
    for name in files:
        place(ROOT / name, to / name)
    known = {to / name for name in files}
    for file in [file for file in to.rglob("*") if file.is_file() and file not in known]:
        file.unlink()
