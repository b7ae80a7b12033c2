"""Lines other than turns as people write them: headers, words that open a line, assertions."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from meldref.notation.lenient.changes import Change
from meldref.notation.lenient.rows import changes_of_row
from meldref.notation.lenient.words import COVER, NAME, PLACED, read_spellings, single_spaced
from meldref.notation.syntax import HEADER_KEYS

_DEALER: Final = rf"( *[,:(-] *)dealer( *: *)?(?: *{NAME}( *\)))?"
_DEALS: Final = rf" *[,:(-]? *({NAME}) +deals *\)?"
_OUT: Final = rf' *out *:? *("{COVER}*"|[^\s",;:|>]+?) *\.? *'
IS_OUT: Final = r"(?:goes|went|is) +out *\.? *"
GOES_OUT: Final = rf" *({NAME})(?: *: *| +){IS_OUT}"
_NAMED_OUT: Final = rf" *({NAME}) +out *\.? *"
_ASSERTED: Final = rf" *= *(?:hand +{NAME}|pile|stock|table +m[1-9][0-9]{{0,2}})( *[:=] *| +)"
"""What an assertion is about, but scores, and what stands before what is said of that."""
_LAYER: Final = rf"({NAME})( *[:=] *| +)(?=[tjqka1-9])"
"""A player, before the cards of a meld that are theirs."""
_AFTER_LAYER: Final = r" *,? +and +| *[,;/|&] *| +"
_COUNTED: Final = r" *[0-9]{1,9}( +cards?\b\.?)? *$"
_OF_PLAYER: Final = rf" *({NAME})( *: *)?"
_BEFORE_AMOUNT: Final = r" *[:=] *(?=[-+]?[0-9])"
_AFTER_AMOUNT: Final = (
    r"(?<=[0-9])(?: *(?:points?|pts?)\b\.?)?"
    r"(?:(?: *,? +and +| *[,;/|&] *| +)(?=[^\W\d_]|\")| *$)"
)
_HEADER: Final = r' *\[ *([a-z][\w-]*) +([^\]" ](?:[^\]"]*[^\]" ])?) *\]'


def changes_of_header(body: str) -> Iterator[Change]:
    """`[Players Ann, Bob]`: the quotes."""
    header = re.fullmatch(_HEADER + " *", body, re.IGNORECASE)
    keys = {key.lower() for key in HEADER_KEYS}
    if header and (header[1].lower() in keys or header[1].lower().startswith("x-")):
        begin, end = header.span(2)
        yield Change(begin, begin, '"')
        if header[1].lower() == "players":
            yield from _of_names(header[2], begin)
        yield Change(end, end, '"')


def changes_of_bare_header(header: re.Match[str]) -> Iterator[Change]:
    """`Players: Ann, Bob`: the brackets, and the quotes."""
    quote = "" if header[3].startswith('"') else '"'
    yield Change(header.start(1), header.start(1), "[")
    yield Change(*header.span(2), f" {quote}")
    if header[1].lower() == "players" and quote:
        yield from _of_names(header[3], header.start(3))
    yield Change(header.end(3), header.end(), f"{quote}]")


def _of_names(names: str, begin: int) -> Iterator[Change]:
    """`Ann, Bob and Cy`, `Ann Bob Cy`: the commas, for nobody plays alone."""
    between = r" *,? +and +| *[;/|&+] *"
    if not re.search(rf"{between}|,", names, re.IGNORECASE):
        between = " +"
    for sign in re.finditer(between, names, re.IGNORECASE):
        yield Change(begin + sign.start(), begin + sign.end(), ", ")


def changes_of_assertion(body: str) -> Iterator[Change]:
    """`= hand Ann: 5h, 6h`, `= stock 12 cards`, `= table m1 Ann: 5h,6h,7h; Bob: 8h`, or scores."""
    about = re.match(_ASSERTED, body, re.IGNORECASE)
    if about is None:
        opening = read_spellings().opening.match(body, body.index("=") + 1)
        if opening and read_spellings().lines[single_spaced(opening[1])] == "score":
            yield from changes_of_line(body, opening)
        return
    begin = about.end()
    if not about[1].isspace():
        yield Change(*about.span(1), " ")
    counted = re.compile(_COUNTED, re.IGNORECASE).match(body, begin)
    if counted is not None:
        if counted[1]:
            yield Change(*counted.span(1), "")
    elif re.compile(PLACED, re.IGNORECASE).match(body, begin):
        yield from changes_of_row(body, begin, len(body))
    else:
        yield from _of_layers(body, begin)


def _of_layers(body: str, at: int) -> Iterator[Change]:
    """`Ann: 5h,6h,7h; Bob: 8h`: the cards of a meld by whose they are."""
    named, row = re.compile(_LAYER, re.IGNORECASE), re.compile(rf"(?:{PLACED})+", re.IGNORECASE)
    after = re.compile(_AFTER_LAYER, re.IGNORECASE)
    layer = named.match(body, at)
    while layer is not None:
        if not layer[2].isspace():
            yield Change(*layer.span(2), " ")
        cards = row.match(body, layer.end())
        end = layer.end() if cards is None else cards.end()
        yield from changes_of_row(body, layer.end(), end)
        between = after.match(body, end)
        layer = None if between is None else named.match(body, between.end())
        if between is not None and layer is not None:
            yield Change(*between.span(), ", ")


def changes_of_line(body: str, opening: re.Match[str]) -> Iterator[Change]:
    """A line that a word opens, which `:` may follow: `Hand 1, dealer Cy`, or rows of cards."""
    word = read_spellings().lines[single_spaced(opening[1])]
    if opening[2] or word != opening[1].lower():
        yield Change(opening.start(1), opening.end(), f"{word} ")
    begin, end = opening.end(), len(body)
    if word in {"score", "total", "chips"}:
        yield from _of_amounts(body, begin)
    elif word in {"deal", "show"}:
        player = re.compile(_OF_PLAYER).match(body, begin)
        if player:
            if player[2]:
                yield Change(*player.span(2), " ")
            yield from changes_of_row(body, player.end(), end)
    elif word in {"up", "stock"}:
        yield from changes_of_row(body, begin, end)
    elif word == "hand":
        yield from _of_hand(body, begin)
    elif word == "end":
        yield from _of_end(body, begin)


def _of_hand(body: str, begin: int) -> Iterator[Change]:
    """`Hand 1, dealer Cy`, `hand 1 (Cy deals)`: what stands before the dealer."""
    after_number = re.compile(r" +[0-9]{1,9}|").match(body, begin)
    assert after_number is not None
    at = after_number.end()
    dealer = re.compile(_DEALER, re.IGNORECASE).match(body, at)
    if dealer:
        for part in (1, 2, 3):
            if dealer[part]:
                yield Change(*dealer.span(part), " ")
    deals = re.compile(_DEALS, re.IGNORECASE).match(body, at)
    if deals:
        yield Change(at, deals.start(1), " dealer ")
        yield Change(deals.end(1), deals.end(), "")


def _of_amounts(body: str, begin: int) -> Iterator[Change]:
    """`score Ann: 45; Bob -5`: what stands between a side, its figure, and the next side."""
    before, after = re.compile(_BEFORE_AMOUNT), re.compile(_AFTER_AMOUNT, re.IGNORECASE)
    for sign in before.finditer(body, begin):
        yield Change(*sign.span(), " ")
    for sign in after.finditer(body, begin):
        yield Change(*sign.span(), ", " if sign.end() < len(body) else "")


def _of_end(body: str, begin: int) -> Iterator[Change]:
    """`end: Ann goes out`, `end out: Ann`, `end Ann out`."""
    for form in (GOES_OUT, _NAMED_OUT, _OUT):
        out = re.compile(form, re.IGNORECASE).fullmatch(body, begin)
        if out:
            yield Change(begin, out.start(1), " out ")
            yield Change(out.end(1), out.end(), "")
            return
