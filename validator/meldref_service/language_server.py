"""Questions as editors ask them: a server of the Language Server Protocol (`meldref lsp`).

Logs, and rules files that say what they extend, are judged while they are typed. All answers are
the service's; this door only says them in the protocol's words. It reads no document that is not
open.
"""

from __future__ import annotations

import asyncio
import logging
import os
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator
from typing import Any, BinaryIO, Final

from lsprotocol import types as lsp
from pygls.lsp.server import LanguageServer
from pygls.protocol import default_converter

from meldref.core.version import __version__
from meldref_service.hovering import origin_at, page, said_at
from meldref_service.open_document import Open
from meldref_service.service import Service
from meldref_service.told import Answer
from meldref_service.wire import Bounded, Protocol

PAUSE: Final = 0.4
"""Seconds without a change after which a log that was judged in haste is looked at closer."""


class _Server(LanguageServer):
    """The server with a service for each document, and what was found in it last, with its version."""

    def __init__(self) -> None:
        full = lsp.TextDocumentSyncKind.Full
        super().__init__("meldref", __version__, full, None, Protocol, default_converter)
        self.services: defaultdict[str, Service] = defaultdict(Service)
        self.told: dict[str, tuple[int | None, Answer]] = {}
        for name, (answer, options) in FEATURES.items():
            self.feature(name, options)(self._feature(answer))

    def _feature(self, answer: Callable[[_Server, Any], Any]) -> Callable[[Any], Any]:
        if asyncio.iscoroutinefunction(answer):

            async def later(params: Any) -> None:
                await answer(self, params)

            return later
        return lambda params: answer(self, params)

    def report_server_error(self, error: Exception, source: Any) -> None:
        """Faults are for the editor's log, not for a window in front of whoever types."""
        sys.stderr.write(f"{type(error).__name__}: {error}\n")

    def open(self, uri: str) -> Open | None:
        """A document that is open and of a kind that is judged."""
        document = self.workspace.text_documents.get(uri)
        one = None if document is None else Open(self.services[uri], document)
        return one if one is not None and one.is_judged else None

    def found(self, one: Open) -> Answer:
        """All that is found in a document as it is now."""
        version, told = self.told.get(one.uri, (None, {"done": False}))
        if version != one.version or not told["done"]:
            *_, told = one.judge(hasty=True)
            self.told[one.uri] = one.version, told
        return told

    def found_at(self, one: Open, where: lsp.Range) -> Iterator[Answer]:
        """The findings that a range of a document touches."""
        start, end = one.at(where.start), one.at(where.end)
        for finding in self.found(one)["findings"]:
            line, until = finding["line"], max(finding["column"] + 1, finding["end_column"])
            if (
                "file" not in finding
                and (line, finding["column"]) <= end
                and start <= (line, until)
            ):
                yield finding

    def publish(self, one: Open, told: Answer) -> None:
        """Tells the editor what is wrong; behind what is judged so far, what was found before."""
        before = self.told.get(one.uri, (None, {"findings": []}))[1]["findings"]
        rest = [] if told["done"] else [late for late in before if late["line"] > told["judged"]]
        told = {**told, "findings": [*told["findings"], *rest]}
        self.told[one.uri] = one.version, told
        self.text_document_publish_diagnostics(
            lsp.PublishDiagnosticsParams(one.uri, [*one.diagnostics(told)], one.version)
        )


async def _judge(server: _Server, params: Any) -> None:
    """Judges a document that was opened or changed, as long as it does not change again."""
    uri = params.text_document.uri
    one = server.open(uri)
    if one is None:
        return
    for hasty in (True, False):
        for told in one.judge(hasty=hasty):
            if told["done"] or told["findings"]:
                server.publish(one, told)
            await asyncio.sleep(0)
            if not _is_now(server, one):
                return
        if not told.get("rushed"):
            return
        await asyncio.sleep(PAUSE)
        if not _is_now(server, one):
            return


def _is_now(server: _Server, one: Open) -> bool:
    document = server.workspace.text_documents.get(one.uri)
    return document is not None and document.version == one.version


async def _saved(server: _Server, params: lsp.DidSaveTextDocumentParams) -> None:
    """Rules that were saved may be those of any log that is open."""
    for document in [*server.workspace.text_documents.values()]:
        await _judge(
            server, lsp.DidSaveTextDocumentParams(lsp.TextDocumentIdentifier(document.uri))
        )


def _closed(server: _Server, params: lsp.DidCloseTextDocumentParams) -> None:
    uri = params.text_document.uri
    server.services.pop(uri, None)
    if server.told.pop(uri, None) is not None:
        server.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(uri, []))


def _hover(server: _Server, params: lsp.HoverParams) -> lsp.Hover | None:
    one = server.open(params.text_document.uri)
    if one is None:
        return None
    found = server.found_at(one, lsp.Range(params.position, params.position))
    text = "\n\n---\n\n".join([*map(page, found), *said_at(one, *one.at(params.position))])
    return lsp.Hover(lsp.MarkupContent(lsp.MarkupKind.Markdown, text)) if text else None


def _complete(server: _Server, params: lsp.CompletionParams) -> lsp.CompletionList | None:
    one = server.open(params.text_document.uri)
    if one is None:
        return None
    before = one.until(params.position)
    if one.is_log:
        told = one.ask("complete_log", before=before, folder=one.folder)
    else:
        told = one.ask("complete_rules", before=before)
    line, column = one.at(params.position)
    begin = one.position(line, column - len(told["from"]))
    place = lsp.Range(begin, one.position(line, column))
    items = [
        lsp.CompletionItem(
            offer["text"].strip(),
            documentation=offer["about"] or None,
            sort_text=f"{number:04}",
            filter_text=offer["text"],
            text_edit=lsp.TextEdit(place, offer["text"]),
        )
        for number, offer in enumerate(told["offers"])
    ]
    return lsp.CompletionList(is_incomplete=True, items=items)


def _actions(server: _Server, params: lsp.CodeActionParams) -> list[lsp.CodeAction]:
    one = server.open(params.text_document.uri)
    if one is None:
        return []
    quick = [
        lsp.CodeAction(fix["title"], lsp.CodeActionKind.QuickFix, edit=one.edit(fix["edits"]))
        for found in server.found_at(one, params.range)
        for fix in found["fixes"]
    ]
    if server.found(one)["findings"]:
        title = "Fix all that is beyond doubt"
        quick.append(lsp.CodeAction(title, lsp.CodeActionKind.SourceFixAll, data=one.uri))
    return quick


def _fixed(server: _Server, action: lsp.CodeAction) -> lsp.CodeAction:
    """What would fix all that is beyond doubt, once somebody asks for it."""
    one = server.open(action.data) if isinstance(action.data, str) else None
    if one is not None:
        question, name = ("repair", "log") if one.is_log else ("fix_rules", "text")
        text = one.ask(question, **{name: one.text}, folder=one.folder)["text"]
        action.edit = lsp.WorkspaceEdit({one.uri: one.rewritten(text)})
    return action


def _format(server: _Server, params: lsp.DocumentFormattingParams) -> list[lsp.TextEdit]:
    one = server.open(params.text_document.uri)
    return (
        one.rewritten(one.ask("fmt", log=one.text)["text"])
        if one is not None and one.is_log
        else []
    )


def _outline(server: _Server, params: lsp.DocumentSymbolParams) -> list[lsp.DocumentSymbol]:
    one = server.open(params.text_document.uri)
    games = one.ask("outline", log=one.text)["games"] if one is not None and one.is_log else []
    return [*map(one.symbol, games)] if one is not None else []


def _lenses(server: _Server, params: lsp.CodeLensParams) -> list[lsp.CodeLens]:
    one = server.open(params.text_document.uri)
    return [*one.lenses(server.found(one)["scores"])] if one is not None and one.is_log else []


def _definition(server: _Server, params: lsp.DefinitionParams) -> lsp.Location | None:
    """The line of the rules behind what is found here, or the file that is named here."""
    one = server.open(params.text_document.uri)
    if one is None:
        return None
    found = server.found_at(one, lsp.Range(params.position, params.position))
    return one.place(origin_at(one, *one.at(params.position), found))


FEATURES: Final[dict[str, tuple[Callable[[_Server, Any], Any], Any]]] = {
    lsp.TEXT_DOCUMENT_DID_OPEN: (_judge, None),
    lsp.TEXT_DOCUMENT_DID_CHANGE: (_judge, None),
    lsp.TEXT_DOCUMENT_DID_SAVE: (_saved, None),
    lsp.TEXT_DOCUMENT_DID_CLOSE: (_closed, None),
    lsp.TEXT_DOCUMENT_HOVER: (_hover, None),
    lsp.TEXT_DOCUMENT_COMPLETION: (
        _complete,
        lsp.CompletionOptions(trigger_characters=[*':; ".[{']),
    ),
    lsp.TEXT_DOCUMENT_CODE_ACTION: (
        _actions,
        lsp.CodeActionOptions(
            [lsp.CodeActionKind.QuickFix, lsp.CodeActionKind.SourceFixAll], resolve_provider=True
        ),
    ),
    lsp.CODE_ACTION_RESOLVE: (_fixed, None),
    lsp.TEXT_DOCUMENT_FORMATTING: (_format, None),
    lsp.TEXT_DOCUMENT_DOCUMENT_SYMBOL: (_outline, None),
    lsp.TEXT_DOCUMENT_CODE_LENS: (_lenses, lsp.CodeLensOptions()),
    lsp.TEXT_DOCUMENT_DEFINITION: (_definition, None),
}
"""What answers each method, and what the editor is told of it."""


def serve(stream: BinaryIO) -> None:
    """Answers an editor on a stream and standard output until it ends the server."""
    logging.disable()
    with os.fdopen(os.dup(sys.stdout.fileno()), "wb") as own:  # which pygls closes
        _Server().start_io(Bounded(stream), own)  # type: ignore[arg-type]  # all it needs of a stream
