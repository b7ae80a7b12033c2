"""`meldref lsp`: what an editor is told of logs and rules files, asked by a client over stdio."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

import pytest

pytest_lsp = pytest.importorskip("pytest_lsp", reason="the extra `lsp-test` is not installed")

from lsprotocol import types as lsp  # noqa: E402  they come with the extra
from pytest_lsp import ClientServerConfig, LanguageClient, client_capabilities  # noqa: E402

from paths import ROOT  # noqa: E402

START = "from meldref_cli.start import run\nif __name__ == '__main__':\n    run()\n"
COMMAND = [sys.executable, "-c", START, "lsp"]
DISPUTED = (ROOT / "examples" / "disputed.rgn").read_text(encoding="utf-8")
EVENING = (ROOT / "examples" / "evening.rgn").read_text(encoding="utf-8")
OF_DISPUTED = ("discard.taken-top", "meld.shape", "score.hand")
LAKE = "id: lake\nextends: [500-rummy]\ndraw: {deep: {must: nothing}}\ngame: {target: 1000}\n"
BEGUN = (
    '[Rules "500-rummy"]\n[Players "Ann, Bob"]\nhand 1 dealer Bob\ndeal Ann 2c 3c 4c 9h 9d\nup 6c\n'
)

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest_lsp.fixture(config=ClientServerConfig(server_command=COMMAND), scope="module")
async def client(lsp_client: LanguageClient):
    capabilities = client_capabilities("visual_studio_code")
    await lsp_client.initialize_session(lsp.InitializeParams(capabilities=capabilities))
    yield lsp_client
    await lsp_client.shutdown_session()


def opened(client, path, text, language="rgn"):
    uri = Path(path).as_uri()
    client.text_document_did_open(
        lsp.DidOpenTextDocumentParams(lsp.TextDocumentItem(uri, language, 1, text))
    )
    return uri


async def found(client, uri, *codes):
    """What is found in a document, once these are the codes of it; some may come before others."""
    async with asyncio.timeout(30):
        while uri not in client.diagnostics or codes != codes_in(client, uri):
            await client.wait_for_notification(lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
    return client.diagnostics[uri]


def line_of(file, number):
    return file.read_text(encoding="utf-8").split("\n")[number]


def codes_in(client, uri):
    return tuple(one.code for one in client.diagnostics[uri])


def at(text, word, nth=0):
    """The place of a word in a text, as an editor counts."""
    index = -1
    for _ in range(nth + 1):
        index = text.index(word, index + 1)
    before = text[:index].split("\n")
    return lsp.Position(len(before) - 1, len(before[-1].encode("utf-16-le")) // 2)


def asked(kind, uri, place):
    return kind(text_document=lsp.TextDocumentIdentifier(uri), position=place)


def applied(text, edits):
    """A text after the changes of an editor, which are given as it gives them."""
    lines = text.split("\n")
    for edit in sorted(
        edits, key=lambda one: (one.range.start.line, one.range.start.character), reverse=True
    ):
        start, end = edit.range.start, edit.range.end
        before, after = lines[start.line][: start.character], lines[end.line][end.character :]
        lines[start.line : end.line + 1] = (before + edit.new_text + after).split("\n")
    return "\n".join(lines)


async def test_findings_have_their_place_and_the_line_of_the_rules(client, tmp_path):
    uri = opened(client, tmp_path / "a.rgn", DISPUTED)
    first, *_ = await found(client, uri, "draw.deep.unused", *OF_DISPUTED)
    assert (first.range.start, first.range.end) == (lsp.Position(13, 7), lsp.Position(13, 14))
    related = first.related_information[0]
    assert related.message == "draw.deep.must = be_used"
    named = Path(related.location.uri.removeprefix("file://"))
    assert "must: be_used" in line_of(named, related.location.range.start.line)


async def test_what_is_typed_is_judged_and_what_is_closed_is_forgotten(client, tmp_path):
    uri = opened(client, tmp_path / "a.rgn", EVENING)
    await found(client, uri)
    wrong = EVENING.replace("score Ann 73", "score Ann 74", 1)
    identity = lsp.VersionedTextDocumentIdentifier(version=2, uri=uri)
    whole = [lsp.TextDocumentContentChangeWholeDocument(wrong)]
    client.text_document_did_change(lsp.DidChangeTextDocumentParams(identity, whole))
    await found(client, uri, "score.hand")
    client.text_document_did_close(lsp.DidCloseTextDocumentParams(lsp.TextDocumentIdentifier(uri)))
    await found(client, uri)
    hover = asked(lsp.HoverParams, uri, lsp.Position(0, 0))
    assert await client.text_document_hover_async(hover) is None


async def test_hovering_tells_where_a_card_lies_and_what_a_finding_means(client, tmp_path):
    uri = opened(client, tmp_path / "a.rgn", DISPUTED)
    await found(client, uri, "draw.deep.unused", *OF_DISPUTED)
    place = at(DISPUTED, "take 6c; discard Tc")
    place.character += 5
    told = await client.text_document_hover_async(asked(lsp.HoverParams, uri, place))
    assert "**6c** is in the pile, 2 above it." in told.contents.value
    assert "must use that deepest card" in " ".join(told.contents.value.split())
    assert "> Cy " in told.contents.value


async def test_completing_offers_whose_turn_it_is_and_the_legal_moves(client, tmp_path):
    text = BEGUN + "1. Ann: ta"
    uri = opened(client, tmp_path / "a.rgn", text)
    told = await client.text_document_completion_async(
        asked(lsp.CompletionParams, uri, lsp.Position(5, 10))
    )
    take = next(one for one in told.items if one.label == "take 6c")
    assert applied(text, [take.text_edit]) == BEGUN + "1. Ann: take 6c"


async def test_fixes_formatting_and_the_outline_of_a_log(client, tmp_path):
    text = BEGUN.replace("hand 1", "  Hand 1") + "1. Ann: draw;discard 9h\n"
    uri = opened(client, tmp_path / "a.rgn", text)
    document = lsp.TextDocumentIdentifier(uri)
    edits = await client.text_document_formatting_async(
        lsp.DocumentFormattingParams(document, lsp.FormattingOptions(4, insert_spaces=True))
    )
    assert "1. Ann: draw ?; discard 9h\n" in applied(text, edits)
    (game,) = await client.text_document_document_symbol_async(lsp.DocumentSymbolParams(document))
    assert (game.detail, [one.name for one in game.children]) == ("500-rummy, Ann, Bob", ["hand 1"])


async def test_the_scores_of_each_hand_stand_above_it(client, tmp_path):
    uri = opened(client, tmp_path / "a.rgn", DISPUTED)
    lenses = await client.text_document_code_lens_async(
        lsp.CodeLensParams(lsp.TextDocumentIdentifier(uri))
    )
    title = "Ann -7, Bob 65, Cy -65 (recorded: Ann -7, Bob 65, Cy -55)"
    assert [one.command.title for one in lenses] == [title]
    assert DISPUTED.split("\n")[lenses[0].range.start.line].startswith("hand")


async def test_one_goes_from_a_finding_to_its_rule_and_from_a_header_to_the_file(client, tmp_path):
    (tmp_path / "lake.yaml").write_text(LAKE, encoding="utf-8")
    text = DISPUTED.replace('"500-rummy"', '"lake.yaml"')
    uri = opened(client, tmp_path / "a.rgn", text)
    await found(client, uri, *OF_DISPUTED)
    header = asked(lsp.DefinitionParams, uri, at(text, "lake"))
    told = await client.text_document_definition_async(header)
    assert told.uri == (tmp_path / "lake.yaml").as_uri()
    finding = asked(
        lsp.DefinitionParams, uri, at(text, "discard Tc", 1 if text.count("discard Tc") > 1 else 0)
    )
    told = await client.text_document_definition_async(finding)
    assert told.uri.endswith("/500-rummy.yaml")


async def test_rules_are_checked_explained_completed_and_fixed(client, tmp_path):
    wrong = LAKE.replace("target", "taget")
    uri = opened(client, tmp_path / "lake.yaml", wrong, "yaml")
    (fault,) = await found(client, uri, "rules.key")
    assert fault.range.start == at(wrong, "taget")
    document = lsp.TextDocumentIdentifier(uri)
    actions = await client.text_document_code_action_async(
        lsp.CodeActionParams(document, fault.range, lsp.CodeActionContext([fault]))
    )
    assert applied(wrong, actions[0].edit.changes[uri]) == LAKE
    resolved = await client.code_action_resolve_async(actions[-1])
    assert applied(wrong, resolved.edit.changes[uri]) == LAKE

    uri = opened(client, tmp_path / "better.yaml", LAKE, "yaml")
    await found(client, uri)
    hover = asked(lsp.HoverParams, uri, at(LAKE, "must"))
    told = (await client.text_document_hover_async(hover)).contents.value
    assert "**draw.deep.must**" in told
    assert "Set to `nothing` by rules.yaml:3" in told
    assert "Set to `be_used` by 500-rummy.yaml:" in told
    below = asked(lsp.DefinitionParams, uri, at(LAKE, "must"))
    assert (await client.text_document_definition_async(below)).uri.endswith("/500-rummy.yaml")
    place = at(LAKE, "nothing")
    offers = await client.text_document_completion_async(asked(lsp.CompletionParams, uri, place))
    assert [one.label for one in offers.items] == ["nothing", "be_used"]


async def test_other_yaml_and_files_that_are_not_open_are_left_alone(client, tmp_path):
    (tmp_path / "closed.rgn").write_text(DISPUTED, encoding="utf-8")
    closed = asked(lsp.HoverParams, (tmp_path / "closed.rgn").as_uri(), lsp.Position(13, 12))
    assert await client.text_document_hover_async(closed) is None
    uri = opened(client, tmp_path / "other.yaml", "on: push\njobs: {}\n", "yaml")
    other = asked(lsp.HoverParams, uri, lsp.Position(0, 1))
    assert await client.text_document_hover_async(other) is None
