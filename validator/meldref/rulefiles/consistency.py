"""Whether a ruleset makes sense: values that are each well and do not go together.

Each finding names the keys that clash, who set them, and what to do about it. Findings are errors, except where
the rules can be played all the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations
from typing import Final

from meldref.core.cards import FULL, JOKER, RANKS
from meldref.core.diagnostics import Finding, Origin, Severity, Span
from meldref.core.records import changed
from meldref.core.text import in_words
from meldref.rulefiles.files import BASE, is_shipped
from meldref.rulefiles.meld_kinds import (
    are_alike,
    cards_in_hand,
    first_melds,
    is_formable,
    longest,
    takes_plain_jokers,
    ways_to_form,
)
from meldref.rulefiles.suggestions import name_for
from meldref.rules import registry
from meldref.rules.opening import slots
from meldref.ruleset.changes import in_hand
from meldref.ruleset.model import Ruleset, has_jokers, jokers_for

_MOST_MELDS: Final = 10**12
"""A kind of more melds is none that anybody could tell from other cards."""
_TABLES: Final = ("deck.packs", "deck.jokers_in_all", "deal.cards", "scoring.values", "scoring.held", "hands")
"""Keys of which a file may leave out what it does not need, and still say everything."""


def check_sense(ruleset: Ruleset) -> tuple[Finding, ...]:
    """Everything in a ruleset that does not go together, errors and warnings."""
    found = [finding for check in _CHECKS for finding in check(ruleset)]
    said = {finding.message for finding in found}
    for hand in ruleset.hands:
        run = f"{hand.first}" if hand.first == hand.last else f"{hand.first}-{hand.last}"
        for finding in check_sense(in_hand(ruleset, hand)):
            if finding.message not in said:  # what is wrong with several hands is said once
                said.add(finding.message)
                found.append(changed(finding, message=f"in hand {run}: {finding.message}"))
    return tuple(found)


def ineffective(ruleset: Ruleset) -> Iterator[tuple[str, str]]:
    """Each key that has no effect, with the key that switches it off, as the rules declare it."""
    for switch in registry.switches():
        if switch.off(ruleset):
            yield from ((key, switch.by) for key in switch.keys)


def _finding(
    ruleset: Ruleset, message: str, *keys: str, advice: str = "", severity: Severity = Severity.ERROR
) -> Finding:
    """A finding about keys that clash, at the one that was set last by a house rule or an option."""
    found = [ruleset.origin(key) for key in keys]
    origins: list[Origin] = list(dict.fromkeys(origin for origin in found if origin is not None))
    place = next((origin for origin in origins if origin.file != f"{BASE}.yaml"), origins[0] if origins else None)
    return Finding(
        "rules.sense",
        message,
        Span(max(place.line, 1) if place else 1),
        severity,
        place.file if place else "",
        rule=place,
        notes=tuple(f"{origin.key} = {origin.value}   ({_where(origin)})" for origin in origins),
        help=(advice,) if advice else (),
    )


def _where(origin: Origin) -> str:
    return f"{origin.file}:{origin.line}" if origin.line else origin.file


def _players(ruleset: Ruleset) -> range:
    return range(ruleset.players.min, ruleset.players.max + 1)


def _number_of_players(ruleset: Ruleset) -> Iterator[Finding]:
    """Some number of players is allowed, and sides come out even."""
    players = ruleset.players
    if players.min > players.max:
        message = f"at least {players.min} players and at most {players.max}: no number fits both"
        advice = f"say players: {{min: {players.max}, max: {players.min}}}"
        yield _finding(ruleset, message, "players.min", "players.max", advice=advice)
    elif ruleset.partnership.sides == "opposite":
        odd = [number for number in _players(ruleset) if number % 2 or number < 4]
        if odd:
            said = " or ".join(map(str, odd))
            yield _finding(
                ruleset,
                f"players cannot sit opposite their partners at a table of {said}",
                "partnership.sides",
                "players.min",
                "players.max",
                advice="say players: {min: 4, max: 4}",
                severity=Severity.ERROR if len(odd) == len(_players(ruleset)) else Severity.WARNING,
            )


def _deal_and_deck(ruleset: Ruleset) -> Iterator[Finding]:
    """The deck has the cards that a deal takes.

    Where only large tables run short, and a house rule says nothing of the deal or of their size, they are left
    to the setup of a hand.
    """
    deal = ruleset.deal
    further = (deal.extra_card == "first_player") + (deal.up_card == "turned")
    short: list[tuple[int, int, int]] = []
    for number in _players(ruleset):
        cards, packs = deal.cards.get(number), ruleset.deck.packs.get(number)
        if cards is not None and packs is not None:
            taken, there = number * cards + further, ruleset.deck_size(number)
            if taken > there:
                short.append((number, taken, there))
    if not short:
        return
    number, taken, there = short[0]
    fits = number - 1 if number > ruleset.players.min else None
    last = short[-1][0]
    tables = (
        f"{number} to {last}"
        if last - number == len(short) - 1 > 0
        else ", ".join(str(one) for one, _, _ in short)
    )
    most = min(
        (ruleset.deck_size(count) - further) // count
        for count in _players(ruleset)
        if ruleset.deck.packs.get(count)
    )
    keys = (f"deal.cards.{number}", "players.max")
    on_purpose = fits is None or any(
        not is_shipped(origin.file) for key in keys if (origin := ruleset.origin(key))
    )
    yield _finding(
        ruleset,
        f"the deck is too small for {tables} players: for {number}, a deal takes {taken} cards of {there}",
        keys[0],
        f"deck.packs.{number}",
        "deck.jokers",
        keys[1],
        advice=f"deal at most {most} cards, or shuffle more packs"
        + (f", or say players.max: {fits}" if fits else ""),
        severity=Severity.ERROR if on_purpose else Severity.WARNING,
    )


def _copies(ruleset: Ruleset) -> Iterator[Finding]:
    """No card turns up more often than the program counts."""
    for number in _players(ruleset):
        packs = ruleset.deck.packs.get(number) or 0
        if packs and jokers_for(ruleset, number) > FULL:
            message = f"{packs} packs with {ruleset.deck.jokers} jokers each are more than {FULL} jokers"
            yield _finding(ruleset, message, f"deck.packs.{number}", "deck.jokers")
            return


def _jokers(ruleset: Ruleset) -> Iterator[Finding]:
    """Jokers are wild where there are some, or can be melded in some other way."""
    wild = "joker" in ruleset.melds.wild.cards
    if wild and not has_jokers(ruleset):
        yield _finding(
            ruleset,
            "jokers are wild, but the deck has none",
            "deck.jokers",
            "deck.jokers_in_all",
            "melds.wild.cards",
            advice="take jokers out of melds.wild.cards, as the option no-jokers does",
        )
    elif has_jokers(ruleset) and not wild and not any(takes_plain_jokers(kind) for kind in ruleset.melds.kinds):
        yield _finding(
            ruleset,
            "the deck has jokers that fit no meld",
            "melds.wild.cards",
            "deck.jokers",
            advice="make them wild, or say deck.jokers: 0",
            severity=Severity.WARNING,
        )


def _kinds(ruleset: Ruleset) -> Iterator[Finding]:
    """Each kind of meld can be made, up to its greatest size, and differs from the others."""
    if not ruleset.melds.kinds:
        taken = [key for key in ruleset.origins if key == f"melds.kinds.{key.rpartition('.')[2]}"]
        yield _finding(ruleset, "no kind of meld is left", *taken)
    for kind in ruleset.melds.kinds:
        key = f"melds.kinds.{kind.name}"
        most, why, because = longest(kind, ruleset)
        if kind.min_size > most:
            message = f"no cards can ever form the kind of meld {kind.name}: {why}"
            yield _finding(
                ruleset, message, f"{key}.size", f"{key}.require", *because, advice=f"take it away: {key}: none"
            )
        elif kind.max_size > most:
            suit = "consecutive_ranks" in kind.require
            yield _finding(
                ruleset,
                f"the kind of meld {kind.name} allows up to {kind.max_size} cards: {why}",
                f"{key}.size",
                f"{key}.require",
                *because,
                advice=f"say size: {kind.min_size}-{most}",
                severity=Severity.ERROR if suit else Severity.WARNING,
            )
        elif ways_to_form(kind, ruleset, _MOST_MELDS) > _MOST_MELDS:
            message = f"nearly any cards form the kind of meld {kind.name}: more than {_MOST_MELDS:,} melds"
            yield _finding(ruleset, message, f"{key}.require", f"{key}.size", advice="require more of it")
        elif not is_formable(kind, ruleset):
            message = f"no cards can ever form the kind of meld {kind.name}"
            yield _finding(ruleset, message, f"{key}.require", f"{key}.size")
    for one, other in combinations(ruleset.melds.kinds, 2):
        if are_alike(one, other):
            yield _finding(
                ruleset,
                f"no cards tell the kinds of meld {one.name} and {other.name} apart",
                f"melds.kinds.{other.name}.require",
                f"melds.kinds.{one.name}.require",
                advice=f"take one away: {one.name}: none",
            )


def _first_meld(ruleset: Ruleset) -> Iterator[Finding]:
    """Somebody can lay a first meld: a hand has cards for one, and some meld counts enough."""
    least, kinds = ruleset.melds.first_points, ruleset.melds.kinds
    if ruleset.melds.first_points_of == "turn":
        least = 0  # several melds together
    tables = {
        one: (packs, jokers_for(ruleset, one), cards_in_hand(ruleset, one))
        for one in _players(ruleset)
        if (packs := ruleset.deck.packs.get(one))
    }
    if not kinds or not (least or any(held is not None for _, _, held in tables.values())):
        return
    stuck = {
        deck
        for deck in dict.fromkeys(tables.values())
        if not any(points >= least for points in first_melds(ruleset, *deck))
    }
    none = [number for number, table in tables.items() if table in stuck]
    if not none:
        return
    number = none[0]
    *_, held = tables[number]
    who = "nobody" if len(none) == len(tables) else f"at a table of {in_words(map(str, none), 'or')} nobody"
    most = max(first_melds(ruleset, *tables[number]), default=None)
    if most is None and held is None:
        return  # no kind of meld can be formed, which is said of each
    severity = Severity.ERROR if len(none) == len(tables) else Severity.WARNING
    reach = "draw.takes" if ruleset.draw.depth == "any" else "draw.depth"
    few = (f"deal.cards.{number}", reach, "calls.of") if held is not None else ()
    if most is None:
        smallest = min(kind.min_size for kind in kinds)
        message = f"{who} can ever meld: a hand has at most {held} cards to lay, and a meld takes {smallest}"
        sizes = [f"melds.kinds.{kind.name}.size" for kind in kinds]
        yield _finding(ruleset, message, *few, *sizes, advice="deal more cards", severity=severity)
        return
    message = (
        f"{who} can ever meld: the first meld has to count {least} points, and no meld counts more than {most}"
    )
    advice = f"say melds.first_points: {most}{' or less' if most else ''}"
    keys = ("melds.first_points", "scoring.values", *few)
    yield _finding(ruleset, message, *keys, advice=advice, severity=severity)


def _duties(ruleset: Ruleset) -> Iterator[Finding]:
    """A card that must be used can be used, and a floating player can draw."""
    ways = {
        "meld": True,
        "lay_off": ruleset.layoff.onto != "nothing",
        "swap": ruleset.melds.wild.swap != "never",
    }
    if not any(ways[use] for use in ruleset.draw.use):
        for name, duty in (("top", ruleset.draw.top), ("deep", ruleset.draw.deep)):
            if duty.must == "be_used":
                yield _finding(
                    ruleset,
                    "a card taken from the pile must be used, but there is no way to use it",
                    "draw.use",
                    f"draw.{name}.must",
                    "layoff.onto",
                    advice="say draw.use: [meld, lay_off]",
                )
                break
    if ruleset.out.melding_all == "floats" and not ruleset.floating.draws:
        yield _finding(ruleset, "a floating player has nowhere to draw from", "floating.draws", "out.melding_all")


def _last_discard(ruleset: Ruleset) -> Iterator[Finding]:
    """A last discard that must fit nowhere leaves something to do with one that fits."""
    if ruleset.out.last_discard == "unplayable" and ruleset.out.melding_all != "floats":
        yield _finding(
            ruleset,
            "a last card that fits must be melded, but melding every card does not float",
            "out.last_discard",
            "out.melding_all",
            advice="say out.melding_all: floats, as the option floating does",
        )


def _calls(ruleset: Ruleset) -> Iterator[Finding]:
    """A last discard that is claimed by a call needs calls; a game that has it on purpose says so in vain."""
    if ruleset.out.last_discard != "claimable" or ruleset.calls.of != "none":
        return
    origin = ruleset.origin("out.last_discard")
    chosen = origin is not None and origin.file.removesuffix(".yaml") in ruleset.options
    if origin is not None and (chosen or not is_shipped(origin.file)):
        yield _finding(
            ruleset,
            "the last discard is claimed by a call, but there are no calls, so nobody can claim it",
            "out.last_discard",
            "calls.of",
            advice="say calls.of: last_discard, or out.last_discard: any",
            severity=Severity.WARNING,
        )


def _division(ruleset: Ruleset) -> Iterator[Finding]:
    """Every value divides."""
    scoring, by = ruleset.scoring, ruleset.scoring.divide_by
    if by == 1:
        return
    parts = [
        (f"scoring.values.{name}", points)
        for card in range(JOKER + 1)
        if card != JOKER or has_jokers(ruleset)
        for name, points in _card_points(ruleset, card)
    ]
    parts.append(("scoring.low_ace", scoring.low_ace or 0))
    parts.append(("scoring.four_aces", scoring.four_aces or 0))
    parts.append(("out.bonus", ruleset.out.bonus))
    odd = {key: points for key, points in parts if points % by}
    if odd:
        key, points = next(iter(odd.items()))
        yield _finding(
            ruleset,
            f"scores are divided by {by}, but not every value can be divided: {key} is {points}",
            *tuple(odd)[:1],
            "scoring.divide_by",
            *tuple(odd)[1:4],
            advice="the options low-cards-5 and values-5-10-15 give values that divide by 5",
        )


def _card_points(ruleset: Ruleset, card: int) -> Iterator[tuple[str, int]]:
    """The points of a card, melded and held, under the rank that a table names."""
    name = "joker" if card == JOKER else RANKS[card % 13]
    yield name, ruleset.scoring.values[card]
    yield name, ruleset.scoring.held[card]


def _ends(ruleset: Ruleset) -> Iterator[Finding]:
    """A game starts below its target."""
    if ruleset.game.ends == "at_target" and ruleset.game.target <= 0:
        message = f"a game that ends at {ruleset.game.target} points is over before it begins"
        yield _finding(ruleset, message, "game.target", "game.ends")


def _contract(ruleset: Ruleset) -> Iterator[Finding]:
    """The melds of a contract are kinds of meld that there are, and a hand has cards for them."""
    kinds = {kind.name: kind for kind in ruleset.melds.kinds}
    for slot in slots(ruleset):
        kind = kinds.get(slot.kind)
        if kind is None:
            meant = name_for(slot.kind, sorted(kinds))
            advice = f"did you mean {meant.text}?" if meant else f"write {in_words(kinds, 'or')}"
            message = f"the contract asks for a {slot.kind}, but there is no such kind of meld"
            yield _finding(ruleset, message, "melds.contract", advice=advice)
        elif slot.size > kind.max_size:
            message = (
                f"the contract asks for a {slot.kind} of {slot.size} cards, but it has at most {kind.max_size}"
            )
            yield _finding(ruleset, message, "melds.contract", f"melds.kinds.{slot.kind}.size")
    needed = sum(slot.size for slot in slots(ruleset))
    tables = [
        (number, held) for number in _players(ruleset) if (held := cards_in_hand(ruleset, number)) is not None
    ]
    short = [(number, held) for number, held in tables if held < needed]
    if short and ruleset.buys.of == "none":
        number, held = short[0]
        yield _finding(
            ruleset,
            f"nobody can lay the contract at a table of {number}: it takes {needed} cards, and a hand has {held}",
            "melds.contract",
            f"deal.cards.{number}",
            "out.melding_all",
            advice="deal more cards, or ask for fewer",
            severity=Severity.ERROR if len(short) == len(_players(ruleset)) else Severity.WARNING,
        )


def _penalties(ruleset: Ruleset) -> Iterator[Finding]:
    """Penalty points are won with the fewest, and whoever has too many of them is out."""
    game, scoring = ruleset.game, ruleset.scoring
    if game.out_at is not None and game.winner != "lowest":
        message = "a high total puts a player out, but the lowest total does not win"
        yield _finding(ruleset, message, "game.out_at", "game.winner", advice="say game.winner: lowest")
    elif scoring.hands == "add" and game.winner != "lowest":
        message = "cards held at the end add to the score, but the lowest total does not win"
        advice = "say game.winner: lowest"
        yield _finding(ruleset, message, "scoring.hands", "game.winner", advice=advice, severity=Severity.WARNING)
    if scoring.melds == "ignore" and scoring.hands == "ignore":
        message = "neither melded cards nor cards held count, so nobody ever scores"
        yield _finding(ruleset, message, "scoring.melds", "scoring.hands", severity=Severity.WARNING)


def _winner(ruleset: Ruleset) -> Iterator[Finding]:
    """Who wins by going out does so at a target."""
    if ruleset.game.ends == "after_hands" and ruleset.game.winner == "player_out":
        yield _finding(
            ruleset,
            "a game of a fixed number of hands has no target, so nobody can win by going out at one",
            "game.winner",
            "game.ends",
            advice="say game.winner: highest, or game.ends: at_target",
        )


def _ineffective(ruleset: Ruleset) -> Iterator[Finding]:
    """A file does not set a key that it switches off itself; an inherited one rests, and one of a full list."""
    if len({origin.file for key, origin in ruleset.origins.items() if not key.startswith(_TABLES)}) == 1:
        return
    for key, switch in ineffective(ruleset):
        one, other = ruleset.origin(key), ruleset.origin(switch)
        if one is None or other is None or one.file != other.file or is_shipped(one.file):
            continue
        message = f"{one.key} = {one.value} has no effect, since {other.key} = {other.value}"
        yield _finding(ruleset, message, key, switch, severity=Severity.WARNING)


_CHECKS: Final[tuple[Callable[[Ruleset], Iterator[Finding]], ...]] = (
    _number_of_players,
    _deal_and_deck,
    _copies,
    _jokers,
    _kinds,
    _first_meld,
    _duties,
    _last_discard,
    _calls,
    _division,
    _ends,
    _winner,
    _contract,
    _penalties,
    _ineffective,
)
