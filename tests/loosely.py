"""Events written as people write them: every lenient spelling there is, mixed at random."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence

from meldref.core import events
from meldref.core.cards import Played, card_text, played_text
from meldref.core.events import Action, Event
from meldref.core.resources import data_path
from meldref.notation.actions import ACTIONS
from meldref.notation.lenient.rows import LEAST
from meldref.notation.lenient.words import is_card
from meldref.notation.lines import LINE_WORDS
from meldref.notation.parts import PLAYS
from meldref.notation.writer import write_action, write_event

SPELLINGS = json.loads(data_path("grammar", "spellings.json").read_text(encoding="utf-8"))
WORDS = {
    form.word: [
        form.word,
        *[written for written, word in SPELLINGS["actions"].items() if word == form.word],
    ]
    for form in ACTIONS
}
BLANKS = [" ", "  ", "\t", "\u00a0", "\u2003", "\u3000", "\u200b "]
DASHES = [sign for sign, plain in SPELLINGS["signs"].items() if plain == "-"]
QUOTES = ['""', "“”", "„“", "«»", "„”"]
WIDE = {code: code + 0xFEE0 for code in range(0x21, 0x7F)} | {0x20: 0x3000}

OPENING = {*LINE_WORDS, *SPELLINGS["lines"], *SPELLINGS["actions"], *WORDS}
"""What means something else than a name where it opens a line."""
BETWEEN_SIDES = [", ", "; ", " ", " and "]
BEFORE_ASSERTED = [" ", ": ", " = "]
PLURAL = {"melds", "melded", "lay down", "lays down", "laid down"}
"""Words that may be of two melds where there are cards for two."""

Pick = Callable[[Sequence[str]], str]
"""Chooses one of several texts."""


def loosely(event: Event, pick: Pick) -> str:
    """A line of an event in spellings that are chosen one by one."""
    match event:
        case events.Turn():
            return _turn(event, pick)
        case events.Header() if event.key in {"Rules", "Players"} and _is_plain(event.value):
            return pick(
                [
                    f"[{event.key} {event.value}]",
                    f'[{event.key} "{event.value}"]',
                    f"[ {event.key} “{event.value}” ]",
                ]
            )
        case events.HandStart() if (
            event.number is not None and event.dealer is not None and event.dealer.isalnum()
        ):
            between = pick([" dealer ", ", dealer ", ": dealer ", " – dealer ", ", Dealer: "])
            return pick(["hand ", "Hand: "]) + f"{event.number}{between}{_named(event.dealer)}"
        case events.UpCard():
            return _opening("up", pick) + pick(BLANKS) + _card(card_text(event.card), pick)
        case events.Deal() if not event.unknown and event.player.isalpha():
            name = event.player + pick(["", ":", " :"])
            row = _row([Played(card) for card in event.cards], pick)
            return f"{_opening('deal', pick)} {name} {row}"
        case events.HandEnd(player=str(name)) if _is_one_word(name):
            out = ["end out {}", "End: {} out", "end: out {}", "{} goes out", "Out: {}"]
            return pick(out).format(name)
        case events.Points():
            opening = _opening(event.kind, pick)
            sides = write_event(event).split(" ", 1)[1].split(", ")
            if sides[0].split()[0].lower() in OPENING:
                opening = event.kind  # behind a colon, such a name is the word of an action
            return f"{opening} {pick(BETWEEN_SIDES).join(sides)}"
        case events.AssertScores():
            opening, sides = pick(["score ", "Score: "]), write_event(event).split(" ", 2)[2]
            return f"= {opening}{pick(BETWEEN_SIDES).join(sides.split(', '))}"
        case events.AssertStock():
            return f"= stock{pick(BEFORE_ASSERTED)}{event.count}{pick(['', ' cards', ' Cards.'])}"
        case events.AssertHand(count=int(count)) if _is_one_word(event.player):
            return f"= hand {event.player}{pick(BEFORE_ASSERTED)}{count}{pick(['', ' cards'])}"
        case events.AssertTable(layers=layers) if layers and all(
            _is_one_word(name) and not is_card(name) for name, _ in layers
        ):
            parts = [f"{name}{pick(BEFORE_ASSERTED)}{_row(cards, pick)}" for name, cards in layers]
            return f"= table m{event.meld}{pick([' ', ': '])}{pick(BETWEEN_SIDES).join(parts)}"
        case _:
            return write_event(event)


def _opening(word: str, pick: Pick) -> str:
    """The word that opens a line, which a colon may follow."""
    others = [written for written, line in SPELLINGS["lines"].items() if line == word]
    word = pick([word, *others])
    return pick([word, word.title(), f"{word}:"])


def _turn(turn: events.Turn, pick: Pick) -> str:
    head = (
        ""
        if turn.number is None
        else pick(["{}. ", "{}) ", "({}) ", "{} ", "{}.) "]).format(turn.number)
    )
    name = write_event(events.Turn(None, turn.player, (events.Pass(),))).removesuffix(": pass")
    if name.startswith('"') and '"' not in name[1:-1]:
        inner = name[1:-1]
        either = [marks for marks in QUOTES if not set(marks) & set(inner)]
        marks = pick(either or ['""'])
        name = f"{marks[0]}{inner}{marks[1]}"
    said = [_action(action, pick) for action in turn.actions]
    line = said[0]
    for action in said[1:]:
        line += pick(["; ", ", ", ";", ",", " ; ", " and ", ", then ", "; And then "]) + action
    after = [":", " :", *([" -", ""] if _is_one_word(name) else [])]
    return f"{head}{name}{pick(after)}{pick(BLANKS)}{line}"


def _action(action: Action, pick: Pick) -> str:
    form = next(form for form in ACTIONS if type(action) is form.kind)
    is_long = isinstance(action, events.Meld) and len(action.cards) >= 2 * LEAST
    word = pick([word for word in WORDS[form.word] if not (is_long and word in PLURAL)])
    word = pick([word, word.title(), word.upper()])
    if form.takes is PLAYS:
        number = action.target if isinstance(action, events.LayOff) else action.number
        meld = "" if number is None else f"{pick([' ', ' on ', ' to ', ', '])}m{number}"
        row = _row(action.cards, pick)
        return f"{word}{pick(BLANKS)}{row}{meld}"
    if isinstance(action, events.Call):
        return f"{word} " + _row([Played(card) for card in action.cards], pick)
    rest = write_action(action).split(" ")[1:]
    if not rest:
        return word
    rest[0] = _card(rest[0], pick)
    return pick(BLANKS).join([word, *rest])


def _row(cards: Sequence[Played], pick: Pick) -> str:
    between = pick([" ", ",", ", ", " ,", ""])
    if between == "" and any(card.role is not None for card in cards):
        between = " "
    return between.join([_card(played_text(card), pick) for card in cards])


def _card(text: str, pick: Pick) -> str:
    ways = [text, text.lower(), text.translate(WIDE)]
    if text[0] == "T":
        ways.append("10" + text[1:])
    if len(text) == 2 and text[1] in "cdhs":
        ways.append(text[0] + dict(zip("cdhs", "♣♦♥♠", strict=True))[text[1]])
    return pick(ways)


def _named(name: str) -> str:
    return write_event(events.HandStart(None, name)).removeprefix("hand dealer ")


def _is_one_word(name: str) -> bool:
    """Whether a name of letters means nothing else where it opens a line."""
    return name.isalpha() and name.lower() not in OPENING


def _is_plain(text: str) -> bool:
    return (
        text.isprintable()
        and text == text.strip()
        and text.replace(", ", "").isalnum()
        and text.isascii()
    )
