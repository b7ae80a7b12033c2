"""A view of a log is made of what the viewer saw, shows all of that, and nothing else."""

import re
from collections import Counter
from functools import cache, partial
from random import Random

import pytest

from meldref.answers.masking import EVERYBODY
from meldref.core import events
from meldref.core.cards import UNKNOWN
from meldref.notation.reader import read_lines
from meldref_table.views.view import view_text
from property.test_options import GAMES
from property.test_unseen import played
from simulated import findings

HANDS = 2
CARD = re.compile(r"\b(?:[A2-9TJQK][cdhs]|Jk)\b")
SHOWN = (events.UpCard, events.Show, events.Cut)
"""Lines with cards that everybody sees; of turns, that is all but what was drawn."""


@cache
def hands(game):
    """Hands of a game under settings of all kinds, each with a viewer."""
    found = []
    for number in range(HANDS):
        text = played(f"views {game} {number}", [game])
        (names,) = re.findall(r'\[Players "(.*)"\]', text)
        player = Random(number).choice(names.split(", "))
        found += [(text, EVERYBODY), (text, player)]
    return found


def on(event):
    """The known cards that an event names."""
    for action in getattr(event, "actions", ()):
        yield from on(action)
    for one in (getattr(event, "card", UNKNOWN), *getattr(event, "cards", ())):
        card = one if isinstance(one, int) else one[1] if isinstance(one[0], str) else one.card
        if card != UNKNOWN:
            yield card


def cards_of(text):
    """All cards that the lines of a log name, remarks apart."""
    return Counter(card for line, _ in read_lines(text) for card in on(line.event))


def seen_in(text, viewer):
    """The cards that the viewer sees: those of the viewer's own lines, and what others lay open."""
    seen = Counter()
    for line, _ in read_lines(text):
        event = line.event
        if isinstance(event, SHOWN) or getattr(event, "player", "") == viewer:
            seen.update(on(event))
        elif isinstance(event, events.Turn):
            seen.update(
                card
                for action in event.actions
                if not isinstance(action, events.Draw)
                for card in on(action)
            )
    return seen


def remarked(text, seed):
    """A log with remarks by somebody who sees all cards: comments, annotations, notes, assertions."""
    rng, cards, lines = Random(seed), sorted(set(CARD.findall(text))), []
    dealt = re.findall(r"^deal (\S+) (.*)$", text, re.MULTILINE)
    for line in text.splitlines():
        if line.startswith("1. "):
            lines += [f"= hand {name} {row}" for name, row in dealt]
            lines += ["# nobody knows", f'note "{rng.choice(cards)} is at the bottom"']
        remark = rng.choice(["", "", f"  # {rng.choice(cards)}", f" {{{rng.choice(cards)}}}"])
        lines.append(line + remark if line else line)
    return "\n".join(lines) + "\n"


def elsewhere(text, viewer, seed):
    """The log with any card in each place that the viewer does not see."""
    rng, cards = Random(seed), sorted(set(CARD.findall(text)))

    def any_card(_):
        return rng.choice(cards)

    def hidden(line):
        turn, deal = re.match(r"(?:\d+\. )?(\w+): ", line), re.match(r"deal (\w+) ", line)
        if turn and turn[1] != viewer:
            return re.sub(r"(?<=\bdraw )\w+", any_card, line)
        begin = deal.end() if deal and deal[1] != viewer else 0
        if begin or line.startswith("stock "):
            return line[:begin] + CARD.sub(any_card, line[begin:])
        return line

    return "".join(map(hidden, text.splitlines(keepends=True)))


@pytest.mark.parametrize("game", GAMES)
def test_a_view_of_a_legal_log_is_legal_and_has_the_cards_that_were_seen(game):
    for text, viewer in hands(game):
        viewed = view_text(text, viewer)
        assert findings(viewed)[0] == [], viewed
        assert cards_of(viewed) == seen_in(text, viewer)


@pytest.mark.parametrize("game", GAMES)
def test_a_view_of_a_view_is_the_same_and_everybody_sees_no_more_than_a_player(game):
    for number, (plain, viewer) in enumerate(hands(game)):
        text = remarked(plain, number)
        public, own = view_text(text, EVERYBODY), view_text(text, viewer)
        assert view_text(own, viewer) == own
        assert view_text(own, EVERYBODY) == public
        for less, more in zip(public.splitlines(), own.splitlines(), strict=True):
            assert Counter(CARD.findall(less)) <= Counter(CARD.findall(more))


@pytest.mark.parametrize("game", GAMES)
def test_whatever_lies_where_the_viewer_sees_nothing_the_view_is_the_same(game):
    for number, (text, viewer) in enumerate(hands(game)):
        other = elsewhere(text, viewer, number)
        assert other != text
        assert view_text(other, viewer) == view_text(text, viewer)


@pytest.mark.parametrize("game", GAMES)
def test_cards_that_the_viewer_never_saw_can_be_exchanged_and_the_view_is_the_same(game):
    """Also in remarks, which speak of any card at any line, in any words."""
    for number, (plain, viewer) in enumerate(hands(game)):
        text = remarked(plain, number)
        seen = set(CARD.findall(view_text(plain, viewer)))
        unseen = sorted(set(CARD.findall(plain)) - seen - {"Jk"})
        to = dict(zip(unseen, [*unseen[1:], *unseen[:1]], strict=True))
        swapped = CARD.sub(partial(_in_place, to), text)
        assert view_text(swapped, viewer) == view_text(text, viewer), to
        in_words = re.sub(
            r"(# |{|\")(\w\w)\b(?=$|}| is)", r"\1ma \2 kier", text, flags=re.MULTILINE
        )
        assert in_words != text
        assert view_text(in_words, viewer) == view_text(text, viewer)


@pytest.mark.parametrize("game", GAMES)
def test_with_free_texts_a_view_has_every_remark_and_masks_the_same_cards(game):
    for number, (plain, viewer) in enumerate(hands(game)):
        text = remarked(plain, number)
        kept = view_text(text, viewer, texts=True)
        assert view_text(kept, viewer) == view_text(text, viewer)
        assert view_text(kept, viewer, texts=True) == kept
        assert cards_of(kept) == cards_of(view_text(text, viewer))
        assert re.findall(r"#.*|{.*}|note .*", kept) == re.findall(r"#.*|{.*}|note .*", text)


def _in_place(to, card):
    return to.get(card[0], card[0])
