"""A document that is open in an editor: its places as the editor counts them, and what is found in it."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from lsprotocol import types as lsp
from pygls.uris import from_fs_path, to_fs_path
from pygls.workspace import TextDocument

from meldref_service.given import RULES
from meldref_service.service import Service
from meldref_service.told import Answer

_LINE_END: Final = re.compile(r"\r\n|\r|\n")
_IS_RULES: Final = re.compile(r"^extends\s*:|ruleset\.schema\.json", re.MULTILINE)
"""What tells a rules file from other YAML."""


class Open:
    """A version of a log or a rules file: its text, its folder, its places."""

    def __init__(self, service: Service, document: TextDocument) -> None:
        self._service, self.uri, self.version = service, document.uri, document.version
        self.text = document.source
        self.lines = _LINE_END.split(self.text)
        self.is_log: bool = document.language_id == "rgn" or self.uri.lower().endswith(".rgn")
        self.is_judged = self.is_log or _IS_RULES.search(self.text) is not None
        self._codec = document.position_codec
        is_file = self.uri.startswith("file:")
        self.folder = str(Path(to_fs_path(self.uri) or "").parent) if is_file else ""

    def ask(self, question: str, **arguments: Any) -> Answer:
        """An answer of the service, in the folder and the session of this document."""
        return self._service.ask(question, self.uri, **arguments)

    def at(self, place: lsp.Position) -> tuple[int, int]:
        """A place as the service counts: line and column from 1, in characters."""
        line = min(place.line, len(self.lines) - 1)
        exact = self._codec.position_from_client_units(
            self.lines, lsp.Position(line, place.character)
        )
        return line + 1, exact.character + 1

    def until(self, place: lsp.Position) -> str:
        """The text before a place."""
        line, column = self.at(place)
        return "\n".join([*self.lines[: line - 1], self.lines[line - 1][: column - 1]])

    def position(self, line: int, column: int) -> lsp.Position:
        """A place as the editor counts."""
        at = min(line, len(self.lines)) - 1
        before = self.lines[at] if line > len(self.lines) else self.lines[at][: max(column - 1, 0)]
        return lsp.Position(at, self._codec.client_num_units(before))

    def range(self, place: Answer) -> lsp.Range:
        """Where a finding or an edit is; what is about no place of its line is about all of it."""
        line, column = place["line"], place["column"]
        end_line, end = place.get("end_line") or line, place["end_column"]
        if end <= column and "text" not in place:
            column, end = 1, sys.maxsize
        return lsp.Range(self.position(line, column), self.position(end_line, end))

    def edit(self, edits: list[Answer]) -> lsp.WorkspaceEdit:
        """Changes of this document."""
        return lsp.WorkspaceEdit(
            {self.uri: [lsp.TextEdit(self.range(one), one["text"]) for one in edits]}
        )

    def rewritten(self, text: str | None) -> list[lsp.TextEdit]:
        """The change that makes this text of it; none where it is that already, or there is none."""
        if text is None or text == self.text:
            return []
        whole = lsp.Range(lsp.Position(0, 0), self.position(len(self.lines), sys.maxsize))
        return [lsp.TextEdit(whole, text)]

    def judge(self, *, hasty: bool) -> Iterator[Answer]:
        """The findings, those of the hand that was changed first; the last answer has all."""
        if not self.is_log:
            yield {"done": True, **self.ask("check_rules", text=self.text, folder=self.folder)}
            return
        told = self.ask("draft", log=self.text, folder=self.folder, hasty=hasty)
        yield told
        while not told["done"]:
            told = self.ask("draft")
            yield told

    def place(self, origin: Answer | None) -> lsp.Location | None:
        """The line of a rules file that is on this machine; this document where it is its own."""
        if origin is None or not origin["file"]:
            return None
        uri = self.uri
        if origin["file"] != RULES or self.is_log:
            path = self.ask("source", name=origin["file"], folder=self.folder)["path"]
            uri = (from_fs_path(path) if path else None) or ""
        line = max(origin["line"] - 1, 0)
        return (
            lsp.Location(uri, lsp.Range(lsp.Position(line, 0), lsp.Position(line, 0)))
            if uri
            else None
        )

    def diagnostic(self, finding: Answer) -> lsp.Diagnostic:
        """A finding, with the lines of the rules that it rests on."""
        origins = [finding["rule"], *finding.get("rules", ())]
        related = [
            lsp.DiagnosticRelatedInformation(place, f"{origin['key']} = {origin['value']}")
            for origin in origins
            if (place := self.place(origin)) is not None
        ]
        is_here = "file" not in finding
        first = lsp.Range(lsp.Position(0, 0), self.position(1, sys.maxsize))
        word = "Error" if finding["severity"] == "error" else "Warning"
        return lsp.Diagnostic(
            range=self.range(finding) if is_here else first,
            message="\n".join([finding["message" if is_here else "heading"], *finding["facts"]]),
            severity=lsp.DiagnosticSeverity[word],
            code=finding["code"],
            source="meldref",
            related_information=related,
        )

    def diagnostics(self, told: Answer) -> Iterator[lsp.Diagnostic]:
        """What is found, and the cases of a rules file that come out otherwise."""
        yield from map(self.diagnostic, told["findings"])
        for case in told.get("cases", ()):
            if not case["passed"]:
                where = self.range({**case, "column": 1, "end_column": 1})
                yield lsp.Diagnostic(where, case["text"], code="case", source="meldref")

    def symbol(self, game: Answer) -> lsp.DocumentSymbol:
        """A game with its hands, for an outline."""
        headers = game["headers"]
        return lsp.DocumentSymbol(
            name=f"game {game['game']}",
            detail=", ".join(headers[key] for key in ("Rules", "Players") if key in headers),
            kind=lsp.SymbolKind.Module,
            range=self._rows(game["line"], game["last"]),
            selection_range=self._rows(game["line"], game["line"]),
            children=[
                lsp.DocumentSymbol(
                    name=f"hand {hand['hand']}",
                    detail=f"dealer {hand['dealer']}" if hand["dealer"] else None,
                    kind=lsp.SymbolKind.Event,
                    range=self._rows(hand["line"], hand["last"]),
                    selection_range=self._rows(hand["line"], hand["line"]),
                )
                for hand in game["hands"]
            ],
        )

    def lenses(self, scores: list[Answer]) -> Iterator[lsp.CodeLens]:
        """The scores of each hand, above the line that begins it."""
        by_hand = {(one["game"], one["hand"]): one for one in scores}
        for game in self.ask("outline", log=self.text)["games"]:
            for hand in game["hands"]:
                counted = by_hand.get((game["game"], hand["hand"]))
                if counted is not None and counted["computed"]:
                    title = _scores(counted["computed"])
                    if counted["recorded"] not in (None, counted["computed"]):
                        title += f" (recorded: {_scores(counted['recorded'])})"
                    where = self._rows(hand["line"], hand["line"])
                    yield lsp.CodeLens(where, lsp.Command(title, ""))

    def _rows(self, first: int, last: int) -> lsp.Range:
        return lsp.Range(self.position(first, 1), self.position(last, sys.maxsize))


def _scores(points: dict[str, int]) -> str:
    return ", ".join(f"{name} {number}" for name, number in points.items())
