"""Makes the fonts of the cards from the npm packages of Fontsource. README.md says how to run this script.

usage: make.py FOLDER, where FOLDER/node_modules has the packages
"""

import gzip
import sys
from pathlib import Path

from fontTools import subset
from fontTools.ttLib import TTFont
from fontTools.varLib.instancer import instantiateVariableFont

VARIABLE = "@fontsource-variable/{0}/files/{0}-{1}-wght-normal.woff2"

# Package, subset, weight.
FONTS = [
    ("familjen-grotesk", "latin", 650),
    ("familjen-grotesk", "latin-ext", 650),
    ("instrument-sans", "latin", 600),
    ("instrument-sans", "latin-ext", 600),
    ("noto-sans", "latin-ext", 650),
    ("noto-sans", "vietnamese", 650),
    ("noto-sans", "cyrillic", 650),
    ("noto-sans", "greek", 650),
    ("noto-sans", "devanagari", 650),
    ("noto-sans-hebrew", "hebrew", 650),
    ("noto-sans-arabic", "arabic", 650),
]
EMOJI = "@fontsource/noto-emoji/files/noto-emoji-emoji-600-normal.woff2"


def write(font: TTFont, name: str, features: list[str]) -> None:
    """Writes the font without hinting and without the names that no program reads."""
    options = subset.Options(hinting=False, layout_features=features, name_IDs=[0, 1, 2, 6, 13, 14])
    shrinking = subset.Subsetter(options)
    shrinking.populate(unicodes=font.getBestCmap())
    shrinking.subset(font)
    font.flavor = None
    file = Path(__file__).parent / f"{name}.ttf"
    font.save(file)
    # Without a time stamp, so that the same fonts give the same files.
    file.with_suffix(".ttf.gz").write_bytes(gzip.compress(file.read_bytes(), 9, mtime=0))
    file.unlink()


def main() -> None:
    packages = Path(sys.argv[1]) / "node_modules"
    for family, part, weight in FONTS:
        font = TTFont(packages / VARIABLE.format(family, part))
        axes = {axis.axisTag: axis.defaultValue for axis in font["fvar"].axes}
        font = instantiateVariableFont(font, {**axes, "wght": weight})
        name = f"{family}-{part}" if not family.endswith(part) else family
        write(font, name, ["*"])
    # Without the pictures of several code points, which need half of the space. Their parts stand side by side instead.
    write(TTFont(packages / EMOJI), "noto-emoji", [])


main()
