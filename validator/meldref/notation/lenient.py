"""Lenient spelling: a line that people wrote in another way, rewritten to what the grammar takes.

The grammar stays the definition: what is made here of a line is read like any other line, or not at
all. Each character keeps the place that it has in the line as written, so that findings point into
that. The words and signs are data, `grammar/spellings.json`; what stands in quotes, in braces and
in comments stays as it is.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator
from functools import cache, lru_cache
from itertools import chain
from typing import Any, Final

from meldref.core.records import NamedTuple
from meldref.core.resources import data_path
from meldref.notation.actions import BY_WORD, VERBS, Takes
from meldref.notation.syntax import HEADER_KEYS, LINE_WORDS

_COVER: Final = "\ue000"
"""Stands for each character that stays as it is, while the others are looked at."""
_WIDE: Final = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)}
"""Fullwidth letters, digits and signs."""
_SINGLE: Final = "'‘"
"""Quotes that are apostrophes, too, unless a word begins and ends with them."""
_ENDS_A_TEXT: Final = frozenset(' :;,]+"')

_CARD: Final = r"(?:(?:10|[2-9TJQKA])[cdhs♣♧♦♢♥♡♠♤][\uFE0E\uFE0F]?|joker|jk)"
_ROLE: Final = r" *= *(?:10|[2-9TJQKA])(?:[cdhs♣♧♦♢♥♡♠♤][\uFE0E\uFE0F]?)?"
_ITEM: Final = rf"({_CARD})({_ROLE})?|\?(?:\*[1-9][0-9]{{0,2}})?"
_NAME: Final = rf'(?:"{_COVER}*"|[^\s",;:|>]+)'
_ARTICLE: Final = rf" +the +(?={_CARD})"
_AFTER_ROW: Final = r" *, *(?=[mx×][1-9])"
_PLACED: Final = rf"[ ,]*(?:\band +)?(?:{_ITEM})(?:(?!\w)|(?={_CARD}|\?))"
"""A card of a row, and what stands before it."""
_NAMES_CARDS: Final = re.compile(
    r"\b(?:[^\W\d_]*\d+[^\W\d_]\w*|[^\W\d_]+\d\w*|[tjqk][cdhs]|jk|joker|(?-i:A[cdhs])"
    r"|a[cdhs](?= *$)|from)\b",
    re.IGNORECASE,
).search
"""Whether words may name cards, or say where a card is from: then they may be of an action."""
_ASIDE: Final = re.compile(
    r"[ ;,.!]*(?:\([^()]*[^\W\d_]{2}[^()]*\)[ ;,.!]*)?(?:\d+[.)] *)?"
).fullmatch
"""What may stand behind several cards and be none of them: words in brackets, a number of steps."""
_ROWS: Final = ("cards", "plays")
"""What actions take that take several cards."""
LEAST: Final = 3
"""How many cards a meld has at least."""
_HEAD: Final = rf" *(?:\(?([0-9]{{1,9}})(?: *\.?\)|\.| ) *)?({_NAME})( *[:,|>-] *| +|$)"
"""The number of a turn, its player, and what stands between the player and the first action."""
_DEALER: Final = rf"( *[,:(-] *)dealer( *: *)?(?: *{_NAME}( *\)))?"
_DEALS: Final = rf" *[,:(-]? *({_NAME}) +deals *\)?"
_OUT: Final = rf' *out *:? *("{_COVER}*"|[^\s",;:|>]+?) *\.? *'
_IS_OUT: Final = r"(?:goes|went|is) +out *\.? *"
_GOES_OUT: Final = rf" *({_NAME})(?: *: *| +){_IS_OUT}"
_AND_OUT: Final = rf"(?: *[;,./|&+]| *->| *→)* *\b(?:(?:and|then) +)*({_IS_OUT})$"
"""What may be said at the end of a turn that leaves nothing in the hand."""
_NAMED_OUT: Final = rf" *({_NAME}) +out *\.? *"
_BULLET: Final = r"[ \t]*(?:[-*•>]+[ \t]+)?"
"""What stands before the lines of lists and quotations."""
_BOLD: Final = "**"
"""What marks words in texts for the web; no line of the notation has it."""
_ASSERTED: Final = rf" *= *(?:hand +{_NAME}|pile|stock|table +m[1-9][0-9]{{0,2}})( *[:=] *| +)"
"""What an assertion is about, but scores, and what stands before what is said of that."""
_LAYER: Final = rf"({_NAME})( *[:=] *| +)(?=[tjqka1-9])"
"""A player, before the cards of a meld that are theirs."""
_AFTER_LAYER: Final = r" *,? +and +| *[,;/|&] *| +"
_COUNTED: Final = r" *[0-9]{1,9}( +cards?\b\.?)? *$"
_OF_PLAYER: Final = rf" *({_NAME})( *: *)?"
_AND: Final = r" *[;,]? *\b(?:and(?: +then)?|then)\b(?= )"
_NUMBERED_MELD: Final = r"(?:meld *|m)?(?=[1-9][0-9]{0,2}(?!\w))"
_PLURAL: Final = frozenset(("melds", "melded", "lay down", "lays down", "laid down"))
"""Words that may be said of several melds: with cards enough for two, nobody can tell."""
_BEFORE_AMOUNT: Final = r" *[:=] *(?=[-+]?[0-9])"
_AFTER_AMOUNT: Final = (
    r"(?<=[0-9])(?: *(?:points?|pts?)\b\.?)?"
    r"(?:(?: *,? +and +| *[,;/|&] *| +)(?=[^\W\d_]|\")| *$)"
)
_HEADER: Final = r' *\[ *([a-z][\w-]*) +([^\]" ](?:[^\]"]*[^\]" ])?) *\]'

_BARE_HEADER: Final = rf" *({'|'.join(HEADER_KEYS)})( *[:=] *)(.*\S) *"


class Rewritten(NamedTuple):
    """A line in other words, and for each character and the end its offset as written."""

    text: str
    places: tuple[int, ...]

    def span(self, begin: int, end: int) -> tuple[int, int]:
        """The offsets in the line as written of what stands between two offsets here."""
        first = self.places[min(begin, len(self.text))]
        if end <= begin:
            return first, first
        return first, self.places[min(end, len(self.text)) - 1] + 1


class _Change(NamedTuple):
    """Another text in the place of what stands between two offsets."""

    begin: int
    end: int
    text: str


class _Spellings(NamedTuple):
    """The words and signs that are read as others."""

    words: dict[str, str]
    vague: frozenset[str]
    lines: dict[str, str]
    signs: dict[int, int]
    invisible: frozenset[str]
    quotes: dict[str, str]
    action: re.Pattern[str]
    opening: re.Pattern[str]
    onto: re.Pattern[str]
    sources: dict[str, re.Pattern[str]]
    between: re.Pattern[str]
    done: dict[bool, re.Pattern[str]]


@cache
def _spellings() -> _Spellings:
    data: dict[str, Any] = json.loads(
        data_path("grammar", "spellings.json").read_text(encoding="utf-8")
    )
    words = {**{verb: verb for verb in VERBS}, **data["actions"]}
    lines = {**{word: word for word in LINE_WORDS}, **data["lines"]}
    onto, places = "|".join(data["onto"]), "|".join(chain(*data["from"].values()))
    return _Spellings(
        words,
        frozenset(data["vague"]),
        lines,
        _WIDE | str.maketrans(data["signs"]),
        frozenset(data["invisible"]),
        data["quotes"],
        re.compile(rf" *{_any_of(words)}", re.IGNORECASE),
        re.compile(rf" *{_any_of(lines)}( *:)?", re.IGNORECASE),
        re.compile(rf"(?:{onto}) +{_NUMBERED_MELD}", re.IGNORECASE),
        {
            word: re.compile(rf" *from +(?:the +)?(?:{'|'.join(places)}) *$", re.IGNORECASE)
            for word, places in data["from"].items()
        },
        re.compile(rf"{_AND}|{'|'.join(map(re.escape, data['between']))}", re.IGNORECASE),
        {
            is_row: re.compile(
                rf"(?:{_PLACED}){'*' if is_row else '?'}"
                rf"(?:[ ,]+(?:(?:{onto}) +(?:meld *|m)?|[mx×])[1-9][0-9]{{0,2}}(?!\w))?"
                rf"(?: +from +(?:the +)?(?:{places})\b)?",
                re.IGNORECASE,
            )
            for is_row in (False, True)
        },
    )


def first_action(text: str) -> int:
    """The offset of the first word of an action on a line; -1: there is none."""
    actions = _spellings().action.finditer(text)
    begins = (action.start(1) for action in actions)
    return next((at for at in begins if not at or not (text[at - 1].isalnum())), -1)


def action_words() -> dict[str, str]:
    """What people write for actions, and the actions."""
    return _spellings().words


def between_actions() -> str:
    """A pattern for what stands between actions."""
    return _spellings().between.pattern


def is_vague(words: str) -> bool:
    """Whether words may be said of more than one action."""
    return words in _spellings().vague


def is_card(text: str) -> bool:
    """Whether a word is a card."""
    return re.fullmatch(_CARD, text, re.IGNORECASE) is not None


def spelled(words: Iterable[str]) -> str:
    """A pattern for actions in all their spellings; its group is the word as written."""
    wanted = set(words)
    return _any_of([written for written, word in _spellings().words.items() if word in wanted])


def _any_of(words: Iterable[str]) -> str:
    """A pattern for one of these words, each with any blanks inside."""
    longest_first = sorted(words, key=lambda word: (-len(word), word))
    either = "|".join(re.escape(word).replace(r"\ ", " +") for word in longest_first)
    return rf"(?a:({either}))(?![\w.'-])"


@lru_cache(maxsize=4)
def rewritten(text: str, unquoted: tuple[tuple[int, int], ...] = ()) -> Rewritten | None:
    """A line, or a bare move, as the grammar may take it.

    `unquoted` are the places of names that need quotes. None where there is nothing to rewrite.
    """
    if not unquoted:
        return _rewritten(text, _changes)
    quoted = _with_quotes(text, unquoted)
    other = _rewritten(quoted.text, _changes)
    if other is None:
        return quoted
    return Rewritten(other.text, tuple([quoted.places[place] for place in other.places]))


def _with_quotes(text: str, unquoted: Iterable[tuple[int, int]]) -> Rewritten:
    """A line with quotes around what stands in some places."""
    parts: list[str] = []
    places: list[int] = []
    done = 0
    for begin, end in unquoted:
        parts += [text[done:begin], f'"{text[begin:end]}"']
        places += [*range(done, begin), begin, *range(begin, end), end - 1]
        done = end
    return Rewritten("".join([*parts, text[done:]]), (*places, *range(done, len(text) + 1)))


def rewritten_row(text: str) -> Rewritten | None:
    """A row of cards by itself, as the grammar may take it; None where nothing is rewritten."""
    return _rewritten(text, lambda covered: _of_row(covered, 0, len(covered)))


def _rewritten(text: str, find: Callable[[str], Iterable[_Change]]) -> Rewritten | None:
    """A text with the changes that are found in it once its signs are plain."""
    if _COVER in text:
        return None
    covered, places = _covered(text)
    changes = sorted(find(covered))
    parts: list[str] = []
    whence: list[int] = []
    done = 0
    for change in (*changes, _Change(len(covered), len(covered), "")):
        parts.append(covered[done : change.begin])
        whence += places[done : change.begin]
        parts.append(change.text)
        if change.text:
            last = places[max(change.begin, change.end - 1)]
            whence += [places[change.begin], *[last] * (len(change.text) - 1)]
        done = change.end
    letters = [
        text[at] if letter == _COVER else letter
        for letter, at in zip("".join(parts), whence, strict=True)
    ]
    result = "".join(letters)
    return None if result == text else Rewritten(result, (*whence, len(text)))


def _covered(text: str) -> tuple[str, list[int]]:
    """A line with plain signs and quotes, protected parts masked, and each character's place."""
    spellings = _spellings()
    plain = text.translate(spellings.signs)
    letters: list[str] = []
    places: list[int] = []
    closing = ""
    bullet = re.match(_BULLET, plain)
    begin = bullet.end() if bullet else 0
    last = max(
        (at for at, sign in enumerate(plain) if sign == "'" and _ends(plain, at + 1)), default=-1
    )
    for at, (written, sign) in enumerate(zip(text, plain, strict=True)):
        if closing:
            ends = written in closing and (closing[0] not in "'’" or _ends(plain, at + 1))
            letter = ('"' if written != "}" else written) if ends else _COVER
            closing = "" if ends else closing
        elif sign == "#":
            letters += ["#", *[_COVER] * (len(text) - at - 1)]
            places += range(at, len(text))
            break
        elif (
            at < begin
            or written in spellings.invisible
            or _BOLD in (plain[at : at + 2], plain[at - 1 : at + 1])
        ):
            continue
        elif sign == "{":
            letter, closing = sign, "}"
        elif written in spellings.quotes and (
            written not in _SINGLE or (at < last and _begins(plain, at))
        ):
            letter, closing = '"', spellings.quotes[written]
        else:
            letter = sign
        letters.append(letter)
        places.append(at)
    return "".join(letters), [*places, len(text)]


def _begins(plain: str, at: int) -> bool:
    return at == 0 or plain[at - 1] in " ["


def _ends(plain: str, at: int) -> bool:
    return at == len(plain) or plain[at] in _ENDS_A_TEXT


def _changes(text: str) -> Iterator[_Change]:
    """What has to change in a line whose signs are plain."""
    spellings = _spellings()
    body = re.split(r"#|\{|\?!", text, maxsplit=1)[0]
    opening = spellings.opening.match(body)
    goes_out = re.fullmatch(_GOES_OUT, body, re.IGNORECASE)
    header = re.fullmatch(_BARE_HEADER, body, re.IGNORECASE)
    is_turn = header is not None and spellings.action.match(header[3])
    if header and not is_turn and header[1].lower() != "dealer":  # which may be that of a hand
        yield from _of_bare_header(header)
    elif body.lstrip()[:1] == "[":
        yield from _of_header(body)
    elif body.lstrip()[:1] == "=":
        yield from _of_assertion(body)
    elif opening and not (opening[2] and spellings.action.match(body, opening.end())):
        yield from _of_line(body, opening)
    elif goes_out:
        yield _Change(0, goes_out.start(1), "end out ")
        yield _Change(goes_out.end(1), len(body), "")
    else:
        out = re.search(_AND_OUT, body, re.IGNORECASE)
        if (
            out
            and text[len(body) :][:1] in {"", "#"}
            and spellings.action.search(body[: out.start()])
        ):
            yield _Change(out.start(), out.start(1), " # ")
            body = body[: out.start()]
        yield from _of_turn(body)


def _of_header(body: str) -> Iterator[_Change]:
    """`[Players Ann, Bob]`: the quotes."""
    header = re.fullmatch(_HEADER + " *", body, re.IGNORECASE)
    keys = {key.lower() for key in HEADER_KEYS}
    if header and (header[1].lower() in keys or header[1].lower().startswith("x-")):
        begin, end = header.span(2)
        yield _Change(begin, begin, '"')
        if header[1].lower() == "players":
            yield from _of_names(header[2], begin)
        yield _Change(end, end, '"')


def _of_bare_header(header: re.Match[str]) -> Iterator[_Change]:
    """`Players: Ann, Bob`: the brackets, and the quotes."""
    quote = "" if header[3].startswith('"') else '"'
    yield _Change(header.start(1), header.start(1), "[")
    yield _Change(*header.span(2), f" {quote}")
    if header[1].lower() == "players" and quote:
        yield from _of_names(header[3], header.start(3))
    yield _Change(header.end(3), header.end(), f"{quote}]")


def _of_names(names: str, begin: int) -> Iterator[_Change]:
    """`Ann, Bob and Cy`, `Ann Bob Cy`: the commas, for nobody plays alone."""
    between = r" *,? +and +| *[;/|&+] *"
    if not re.search(rf"{between}|,", names, re.IGNORECASE):
        between = " +"
    for sign in re.finditer(between, names, re.IGNORECASE):
        yield _Change(begin + sign.start(), begin + sign.end(), ", ")


def _of_assertion(body: str) -> Iterator[_Change]:
    """`= hand Ann: 5h, 6h`, `= stock 12 cards`, `= table m1 Ann: 5h,6h,7h; Bob: 8h`, or scores."""
    about = re.match(_ASSERTED, body, re.IGNORECASE)
    if about is None:
        opening = _spellings().opening.match(body, body.index("=") + 1)
        if opening and _spellings().lines[_single_spaced(opening[1])] == "score":
            yield from _of_line(body, opening)
        return
    begin = about.end()
    if not about[1].isspace():
        yield _Change(*about.span(1), " ")
    counted = re.compile(_COUNTED, re.IGNORECASE).match(body, begin)
    if counted is not None:
        yield from [_Change(*counted.span(1), "")] if counted[1] else []
    elif re.compile(_PLACED, re.IGNORECASE).match(body, begin):
        yield from _of_row(body, begin, len(body))
    else:
        yield from _of_layers(body, begin)


def _of_layers(body: str, at: int) -> Iterator[_Change]:
    """`Ann: 5h,6h,7h; Bob: 8h`: the cards of a meld by whose they are."""
    named, row = re.compile(_LAYER, re.IGNORECASE), re.compile(rf"(?:{_PLACED})+", re.IGNORECASE)
    after = re.compile(_AFTER_LAYER, re.IGNORECASE)
    layer = named.match(body, at)
    while layer is not None:
        yield from [] if layer[2].isspace() else [_Change(*layer.span(2), " ")]
        cards = row.match(body, layer.end())
        end = layer.end() if cards is None else cards.end()
        yield from _of_row(body, layer.end(), end)
        between = after.match(body, end)
        layer = None if between is None else named.match(body, between.end())
        if between is not None and layer is not None:
            yield _Change(*between.span(), ", ")


def _of_line(body: str, opening: re.Match[str]) -> Iterator[_Change]:
    """A line that a word opens, which `:` may follow: `Hand 1, dealer Cy`, or rows of cards."""
    word = _spellings().lines[_single_spaced(opening[1])]
    if opening[2] or word != opening[1].lower():
        yield _Change(opening.start(1), opening.end(), f"{word} ")
    begin, end = opening.end(), len(body)
    if word in {"score", "total", "chips"}:
        yield from _of_amounts(body, begin)
    elif word in {"deal", "show"}:
        player = re.compile(_OF_PLAYER).match(body, begin)
        if player:
            yield from [_Change(*player.span(2), " ")] if player[2] else []
            yield from _of_row(body, player.end(), end)
    elif word in {"up", "stock"}:
        yield from _of_row(body, begin, end)
    elif word == "hand":
        yield from _of_hand(body, begin)
    elif word == "end":
        yield from _of_end(body, begin)


def _of_hand(body: str, begin: int) -> Iterator[_Change]:
    """`Hand 1, dealer Cy`, `hand 1 (Cy deals)`: what stands before the dealer."""
    after_number = re.compile(r" +[0-9]{1,9}|").match(body, begin)
    assert after_number is not None
    at = after_number.end()
    dealer = re.compile(_DEALER, re.IGNORECASE).match(body, at)
    if dealer:
        yield from (_Change(*dealer.span(part), " ") for part in (1, 2, 3) if dealer[part])
    deals = re.compile(_DEALS, re.IGNORECASE).match(body, at)
    if deals:
        yield _Change(at, deals.start(1), " dealer ")
        yield _Change(deals.end(1), deals.end(), "")


def _of_amounts(body: str, begin: int) -> Iterator[_Change]:
    """`score Ann: 45; Bob -5`: what stands between a side, its figure, and the next side."""
    before, after = re.compile(_BEFORE_AMOUNT), re.compile(_AFTER_AMOUNT, re.IGNORECASE)
    yield from (_Change(*sign.span(), " ") for sign in before.finditer(body, begin))
    for sign in after.finditer(body, begin):
        yield _Change(*sign.span(), ", " if sign.end() < len(body) else "")


def _of_end(body: str, begin: int) -> Iterator[_Change]:
    """`end: Ann goes out`, `end out: Ann`, `end Ann out`."""
    for form in (_GOES_OUT, _NAMED_OUT, _OUT):
        out = re.compile(form, re.IGNORECASE).fullmatch(body, begin)
        if out:
            yield _Change(begin, out.start(1), " out ")
            yield _Change(out.end(1), out.end(), "")
            return


def _of_turn(body: str) -> Iterator[_Change]:
    """A turn, or a bare move: its number, what follows its player's name, and its actions."""
    action = _spellings().action
    head = re.match(_HEAD, body)
    begin = body.find(":") + 1
    if head and not action.match(body, head.start(2)):
        number, _, between = head.groups()
        if ":" in between or action.match(body, head.end()):
            begin = head.end()
            yield from [_Change(0, head.start(2), f"{number}. ")] if number else []
            yield from [] if ":" in between else [_Change(*head.span(3), ": ")]
    yield from _of_actions(body, begin)


def _of_actions(body: str, begin: int) -> Iterator[_Change]:
    """The actions of a turn: their words, what stands between them, and their cards."""
    spellings = _spellings()
    for start, end, following in _parted(body, begin):
        if body[end:following] not in {"", ";"}:
            yield _Change(end, following, ";" if following < len(body) else "")
        action = spellings.action.match(body, start, end)
        if action is None:
            continue
        written = _single_spaced(action[1])
        word = spellings.words[written]
        cards = re.findall(_ITEM, body[action.end() : end], re.IGNORECASE)
        if written in _PLURAL and len(cards) >= 2 * LEAST:
            continue
        if word in spellings.sources:
            for drawn, pattern in spellings.sources.items():
                source = pattern.search(body[:end], action.end())
                if source:
                    word = drawn
                    yield _Change(*source.span(), "")
        if word != action[1].lower():
            yield _Change(*action.span(1), word)
        yield from (
            _Change(*on.span(), "m") for on in spellings.onto.finditer(body, action.end(), end)
        )
        article = re.compile(_ARTICLE, re.IGNORECASE).match(body, action.end(), end)
        if article is not None:
            yield _Change(*article.span(), " ")
        row = action.end() if article is None else article.end()
        yield from _of_row(body, row, end, BY_WORD[word].takes)


def _done(body: str, action: re.Match[str], end: int) -> int:
    """Where an action ends, with its cards and its number."""
    spellings = _spellings()
    takes = BY_WORD[spellings.words[_single_spaced(action[1])]].takes
    row = spellings.done[takes in _ROWS].match(body, action.end(), end)
    assert row is not None
    return row.end()


def bare_actions(text: str) -> str:
    """A move without what stands between its actions; empty where that may be of one.

    Bare words behind cards that are laid may name others. Cards named behind the discard leave open
    which was thrown.
    """
    spellings, done, at, word = _spellings(), list[str](), 0, ""
    while at < len(text):
        action = spellings.action.search(text, at)
        between = text[at : len(text) if action is None else action.start(1)]
        names_cards = _NAMES_CARDS(between) is not None
        if action is None and word == "discard" and names_cards:
            done[-1] = "discard ?"
            break
        may_be_laid = word != "" and BY_WORD[word].takes in _ROWS and not _ASIDE(between)
        goes_on = action is not None and word == "discard"
        if ":" in between or names_cards or may_be_laid or goes_on:
            return ""
        if action is None:
            break
        word = spellings.words[_single_spaced(action[1])]
        at = _done(text, action, len(text))
        done.append(text[action.start(1) : at])
    return "; ".join(done)


def _parted(body: str, begin: int) -> Iterator[tuple[int, int, int]]:
    """Where each action begins and ends, and where the next one begins.

    Between them is `;`, or another sign, `and` or `then` with the word of an action behind it. The
    last one may end in a full stop.
    """
    spellings = _spellings()
    for cut in spellings.between.finditer(body, begin):
        if cut[0] == ";" or spellings.action.match(body, cut.end()):
            yield begin, cut.start(), cut.end()
            begin = cut.end()
    stop = re.search(r"(?<=\w)\. *$", body[begin:])
    yield begin, begin + stop.start() if stop else len(body), len(body)


def _of_row(body: str, begin: int, end: int, takes: Takes = "cards") -> Iterable[_Change]:
    """The commas or missing spaces between cards where a row may stand; a comma before a number.

    Commas between as many cards as melds have may part melds, which nobody can tell.
    """
    item, after = re.compile(_ITEM, re.IGNORECASE), re.compile(_AFTER_ROW, re.IGNORECASE)
    gap = re.compile(" *,? +and +| *,? *", re.IGNORECASE)
    changes: list[_Change] = []
    chunks = [0]
    at = begin + len(body[begin:end]) - len(body[begin:end].lstrip(" "))
    card = item.match(body, at, end)
    while card is not None:
        chunks[-1] += 1
        between = gap.match(body, card.end(), end)
        assert between is not None
        start, stop = between.span()
        comma = body[start:stop].strip() != ""  # or `and`
        following = item.match(body, stop, end) if takes in _ROWS else None
        if following is None:
            number = after.match(body, card.end(), end)
            changes += [_Change(*number.span(), " ")] if number else []
        elif comma or (start == stop and _are_plain(card, following)):
            changes.append(_Change(start, stop, " "))
            chunks += [0] if comma else []
        elif start == stop:
            break
        card = following
    return [] if takes == "plays" and len(chunks) > 1 and min(chunks) >= LEAST else changes


def _single_spaced(words: str) -> str:
    return re.sub(" +", " ", words.lower())


def _are_plain(*cards: re.Match[str]) -> bool:
    """Whether these are cards without what they stand for, none of them unknown."""
    return all(card[1] and not card[2] for card in cards)
