"""Writes the extension for Visual Studio Code, and packs it where vsce is: `meldref.vsix`.

    python building/editors/build_vscode.py --out FOLDER

The grammar for highlighting is made from `grammar/rgn.lark`: its words, and how cards are written.
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any, Final

from meldref.core.version import __version__

ROOT: Final = Path(__file__).resolve().parents[2]
SOURCES: Final = Path(__file__).with_name("vscode")
_TERMINAL: Final = re.compile(r"^([A-Z_]+)(?:\.\d+)?: (.+)$", re.MULTILINE)
_WORD: Final = re.compile(r'"(\w+)"i _END_OF_WORD')


def terminals(lark: str) -> dict[str, str]:
    """The terminals of the grammar by their names, as they are written there."""
    return {found[1]: found[2].strip() for found in _TERMINAL.finditer(lark)}


def pattern(written: str) -> str:
    """A terminal that is one regular expression, as the editor's grammar takes it."""
    body, flags = re.fullmatch(r"/(.*)/(i?)", written).groups()  # type: ignore[union-attr]
    return f"(?i:{body})" if flags else str(body)


def grammar(lark: str) -> dict[str, Any]:
    """The TextMate grammar of a log."""
    known = terminals(lark)
    words = {name: found[1] for name, text in known.items() if (found := _WORD.fullmatch(text))}
    end = pattern(known["_END_OF_WORD"])
    actions = "|".join(words[name] for name in words if not name.startswith("_"))
    openers = "|".join(words[name] for name in words if name.startswith("_"))
    card = pattern(known["_CARD"]) + pattern(known["_ROLE"]) + pattern(known["_EDGE"])
    text = pattern(known["TEXT"])
    rows = [
        ("comment.line.number-sign.rgn", pattern(known["COMMENT"])),
        ("comment.block.annotation.rgn", pattern(known["ANNOTATION"])),
        ("string.quoted.double.rgn", text),
        ("keyword.other.expected.rgn", re.escape(json.loads(known["_EXPECTS"]))),
        ("keyword.control.action.rgn", rf"(?<=[:;])\s*(?i:{actions}){end}"),
        ("keyword.other.line.rgn", rf"^\s*=?\s*(?i:{openers}){end}"),
        ("entity.name.tag.header.rgn", rf"(?<=\[){pattern(known['KEY'])}"),
        ("constant.numeric.turn.rgn", rf"^\s*{pattern(known['TURN_NUMBER'])}"),
        ("constant.language.card.rgn", rf"(?<![\w=]){card}"),
        ("constant.language.unseen.rgn", pattern(known["_UNSEEN_RUN"])),
        ("variable.other.meld.rgn", rf"(?<!\w){pattern(known['MELD_NUMBER'])}"),
        (
            "constant.numeric.rgn",
            rf"(?<![\w.]){pattern(known['SIGNED'])}|(?<![\w.]){pattern(known['NUMBER'])}",
        ),
        ("punctuation.separator.rgn", "[:;,]"),
    ]
    return {
        "name": "Rummy Game Notation",
        "scopeName": "source.rgn",
        "fileTypes": ["rgn"],
        "patterns": [{"name": name, "match": match} for name, match in rows],
    }


def write(out: Path) -> None:
    """Writes the extension's folder."""
    shutil.copytree(SOURCES, out, dirs_exist_ok=True)
    shutil.copy(ROOT / "LICENSE", out / "LICENSE")
    package = json.loads((SOURCES / "package.json").read_text(encoding="utf-8"))
    package["version"] = __version__
    (out / "package.json").write_text(json.dumps(package, indent=2) + "\n", encoding="utf-8")
    lark = (ROOT / "grammar" / "rgn.lark").read_text(encoding="utf-8")
    made = json.dumps(grammar(lark), indent=2, ensure_ascii=False) + "\n"
    (out / "rgn.tmLanguage.json").write_text(made, encoding="utf-8")


def pack(out: Path) -> None:
    """Fetches what the extension runs on and packs it; npm has to be there."""
    npm, npx = shutil.which("npm"), shutil.which("npx")
    if npm is None or npx is None:
        raise SystemExit("npm is not here: the extension is written, and not packed")
    quiet = ["--no-audit", "--no-fund", "--no-package-lock", "--ignore-scripts", "--loglevel=error"]
    subprocess.run([npm, "install", *quiet, "--omit=dev"], cwd=out, check=True)
    vsce = [npx, "--yes", "@vscode/vsce@3", "package", "--out", "meldref.vsix"]
    subprocess.run([*vsce, "--allow-missing-repository"], cwd=out, check=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=ROOT / "build" / "vscode")
    parser.add_argument("--no-pack", action="store_true", help="only write the folder")
    given = parser.parse_args()
    write(given.out)
    if not given.no_pack:
        pack(given.out)
        print(given.out / "meldref.vsix")
