"""What is legal is never found illegal because cards are unseen: legal games with cards masked have no finding.

`MELDREF_MASKS` is how many games are played of each ruleset and option (a few by default),
`MELDREF_MASKS_FROM` the number of the first.
"""

import json
import os
import re
from itertools import count
from random import Random

import pytest
import yaml

from meldref.answers.masking import EVERYBODY
from meldref.rulefiles.load import load_ruleset
from meldref_table.simulate import LogSource, Seats, log_lines, play_hands
from meldref_table.views.view import view_text
from property.test_options import GAMES, OPTIONS, SETTINGS
from property.test_unseen_hand import BANS
from simulated import findings

MASKS = int(os.environ.get("MELDREF_MASKS", "1"))
FIRST = int(os.environ.get("MELDREF_MASKS_FROM", "1"))
MASKED = {
    "deal": (1, 0, 1, 0),
    "draws": (0, 1, 0, 0),
    "half": (0.5, 0.5, 0.5, 0),
    "few": (0.15, 0.15, 0.15, 0),
    "thrown": (0.3, 0.3, 0.3, 0.3),
    "discards": (0, 0, 0, 0.6),
    "nearly all": (0.9, 0.6, 0.6, 0.6),
}
"""What share of the cards dealt, drawn, in the stock and thrown is masked."""
EXCHANGES = {
    "melds.wild.swap": ["never", "for_natural", "for_natural"],
    "draw.use": [["meld", "lay_off"], ["meld", "lay_off"], ["meld"], ["meld", "lay_off", "swap"]],
    "draw.top.must": ["nothing", "be_used"],
    "deck.jokers": [2, 4],
}
"""Settings that meet where wild cards are taken in exchange and cards of the pile have to be used."""


def table(rng, games, options):
    """A game, options and settings that can be played together, the ruleset, and a number of players."""
    while True:
        game, with_ = rng.choice(games), [*options, *rng.sample(OPTIONS, rng.choice((0, 0, 1)))]
        settings = dict(rng.choice(SETTINGS) for _ in range(rng.choice((0, 0, 1, 2))))
        settings |= {
            key: rng.choice(values) for key, values in EXCHANGES.items() if rng.random() < 0.6
        }
        ruleset, _ = load_ruleset(game, list(dict.fromkeys(with_)), settings)
        if ruleset is None:
            continue
        players = rng.randint(
            ruleset.players.min, max(ruleset.players.min, min(ruleset.players.max, 5))
        )
        odd = ruleset.partnership.sides == "opposite" and (players % 2 or players < 4)
        if not odd and players * ruleset.deal.cards[players] + 2 <= ruleset.deck_size(players):
            return game, list(dict.fromkeys(with_)), settings, ruleset, players


def played(seed, games, options=()):
    """The log of a hand that was played by rules put together around some of them."""
    rng = Random(f"unseen {seed}")
    game, with_, settings, ruleset, players = table(rng, games, options)
    seats = Seats.of([rng.choice(("greedy", "greedy", "random")) for _ in range(players)])
    written = tuple(
        f"{key}={json.dumps(value)}".replace('"', "") for key, value in settings.items()
    )
    hands = list(play_hands(ruleset, seats, rng.randrange(10**6), 1))
    return "".join(log_lines(hands, LogSource(game, tuple(with_), written, 1), seats))


def played_at_home(seed, game):
    """The log of a hand with two packs, and with house rules of the cookbook that forbid something."""
    rng = Random(f"unseen at home {seed}")
    while True:
        settings = {"deck.packs": 2}
        for recipe in rng.sample(BANS, rng.choice((1, 1, 2))):
            settings |= {**recipe.get("set", {}), f"house_rules.{recipe['id']}": recipe["rule"]}
        ruleset, _ = load_ruleset(game, (), settings)
        if ruleset is not None:
            break
    players = max(ruleset.players.min, min(ruleset.players.max, 4))
    seats = Seats.of([rng.choice(("greedy", "greedy", "random")) for _ in range(players)])
    written = tuple(
        f"{key}={yaml.safe_dump(value, default_flow_style=True, width=10_000).split(chr(10))[0]}"
        for key, value in settings.items()
    )
    hands = list(play_hands(ruleset, seats, rng.randrange(10**6), 1))
    return "".join(log_lines(hands, LogSource(game, (), written, 1), seats))


def masked(text, share, rng):
    """A log as somebody writes it who did not see some of the cards."""
    dealt, drawn, stock, thrown = MASKED[share]

    def hidden(cards, share):
        return [card if rng.random() >= share else "?" for card in cards.split()]

    def deal(line):
        cards = hidden(line[2], dealt)
        unseen, seen = cards.count("?"), [card for card in cards if card != "?"]
        return f"deal {line[1]} {' '.join([*seen, *[f'?*{unseen}'] * (unseen > 0)])}"

    def turn(line):
        text = line[0]
        if thrown and rng.random() < thrown:
            text = re.sub(r"\bdiscard \w+", "discard ?", text)
        if rng.random() >= drawn:
            return text
        return re.sub(r"\bdraw \w+", rng.choice(("draw", "draw ?")), text)

    text = re.sub(r"^deal (\S+) (.*)$", deal, text, flags=re.MULTILINE)
    text = re.sub(
        r"^stock (.*)$",
        lambda line: f"stock {' '.join(hidden(line[1], stock))}",
        text,
        flags=re.MULTILINE,
    )
    text = re.sub(r"^stock [? ]*\n", "", text, flags=re.MULTILINE)
    return re.sub(r"^(?:\d+\. )?(\w+): .*$", turn, text, flags=re.MULTILINE)


def views(text, seed):
    """The log as everybody and as one player could have written it, and with cards masked in other ways."""
    (names,) = re.findall(r'\[Players "(.*)"\]', text)
    rng = Random(f"{seed} seat")
    for viewer in (EVERYBODY, rng.choice(names.split(", "))):
        yield viewer, view_text(text, viewer)
    for share in MASKED:
        yield share, masked(text, share, Random(f"{seed} {share}"))


def check(text, seed):
    assert findings(text) == ([], []), text
    for view, unseen in views(text, seed):
        assert findings(unseen)[0] == [], f"{view}\n{unseen}"


@pytest.mark.parametrize("game", GAMES)
def test_a_shipped_game_with_cards_masked_has_no_finding(game):
    for number in range(FIRST, FIRST + 2 * MASKS):
        check(played(f"{game} {number}", [game]), number)


@pytest.mark.parametrize("option", OPTIONS)
def test_an_option_with_cards_masked_has_no_finding(option):
    for number in range(FIRST, FIRST + MASKS):
        check(played(f"{option} {number}", GAMES, [option]), number)


@pytest.mark.parametrize("game", GAMES)
def test_a_game_of_two_packs_by_house_rules_with_cards_masked_has_no_finding(game):
    for number in range(FIRST, FIRST + MASKS):
        check(played_at_home(f"{game} {number}", game), number)


@pytest.mark.sweep
def test_cards_are_taken_from_the_pile_and_wild_cards_exchanged_before_they_are_used():
    """Without such turns, masks would show nothing."""
    for number in count():
        text = played(f"exchanges {number}", GAMES)
        if re.search(r": take \w+; (?:.*; )?swap \w+ m\d+; .*meld", text):
            check(text, number)
            break


def test_masks_hide_cards_of_each_kind():
    text = played("hidden", ["500-rummy"])
    for share, (dealt, drawn, stock, thrown) in MASKED.items():
        unseen = masked(text, share, Random(1))
        assert bool(re.search(r"^deal .*\?", unseen, re.MULTILINE)) is (dealt > 0)
        assert bool(re.search(r"draw( \?)?;", unseen)) is (drawn > 0)
        assert ("discard ?" in unseen) is (thrown > 0)
        assert ("stock " + text.partition("\nstock ")[2].partition("\n")[0] in unseen) is (
            stock == 0
        )
