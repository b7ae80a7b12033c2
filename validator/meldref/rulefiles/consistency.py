"""Whether a ruleset makes sense: values that are each valid, but do not go together.

Each finding names the keys that clash, who set them, and what to do about it. Findings are errors,
except where the rules can be played all the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations
from typing import Final, NamedTuple, TypeAlias

from meldref.conditions.types import MOST
from meldref.core.cards import FULL, JOKER, RANKS
from meldref.core.diagnostics import Finding, Severity
from meldref.core.meant import nearest
from meldref.core.records import changed
from meldref.core.text import in_words
from meldref.rulefiles.files import is_shipped
from meldref.rulefiles.layers import about
from meldref.rulefiles.meld_kinds import (
    are_alike,
    cards_in_hand,
    first_melds,
    is_formable,
    longest,
    takes_plain_jokers,
    ways_to_form,
)
from meldref.rulefiles.merge import hands_text, where
from meldref.rulefiles.never import bans_on_contract, bans_on_last_discard
from meldref.rules import registry
from meldref.rules.game import only_out_ends
from meldref.rules.opening import slots
from meldref.rules.points import KEYS_OF_ACES, aces_in_runs
from meldref.ruleset.changes import hands_played, in_hand
from meldref.ruleset.model import HandRules, Ruleset, has_jokers, jokers_for

_MOST_MELDS: Final = 10**12
"""A kind with more melds than this cannot be told from any other cards."""
_TABLES: Final = (
    "deck.packs",
    "deck.jokers_in_all",
    "deal.cards",
    "scoring.values",
    "scoring.held",
    "hands",
)
"""Keys of which a file may leave out what it does not need, and still say everything."""


_USUAL_HAND: Final = 8
"""The mean of the hands, two to fourteen cards, that a first card decides on."""


class _Clash(NamedTuple):
    """What conflicts: keys with spaces between them, advice, if it is playable, and an item."""

    message: str
    keys: str
    advice: str = ""
    playable: bool = False
    item: str = ""


class _Table(NamedTuple):
    """The packs and jokers at a table, and the cards in a hand, None where hands grow."""

    packs: int
    jokers: int
    held: int | None


_Clashes: TypeAlias = Iterator[_Clash]
_ANY_HAND: Final = (1, MOST)


def check_sense(ruleset: Ruleset) -> tuple[Finding, ...]:
    """Everything in a ruleset that does not go together, errors and warnings."""
    findings = list(_clashes_in(ruleset, _ANY_HAND))
    messages = {finding.message for finding in findings}
    in_hands: dict[str, Finding] = {}
    hands: dict[str, list[int]] = {}
    for hand in ruleset.hands:
        for finding in _clashes_in(in_hand(ruleset, hand), (hand.first, hand.last)):
            if finding.message not in messages:  # what is wrong with several hands is said once
                in_hands.setdefault(finding.message, finding)
                hands.setdefault(finding.message, []).extend(range(hand.first, hand.last + 1))
    for message, finding in in_hands.items():
        findings.append(changed(finding, message=f"in {hands_text(hands[message])}: {message}"))
    return tuple(findings)


def _clashes_in(ruleset: Ruleset, hand: tuple[int, int]) -> Iterator[Finding]:
    """What does not go together in the rules of hands with these numbers."""
    for check in _CHECKS:
        yield from (_finding(ruleset, clash) for clash in check(ruleset))
    if ruleset.house_rules:
        yield from (_finding(ruleset, clash) for clash in _house_rules(ruleset, hand))


def ineffective(ruleset: Ruleset) -> Iterator[tuple[str, str]]:
    """Each key that has no effect in any hand, with the key that switches it off."""
    hands = [ruleset, *(in_hand(ruleset, hand) for hand in ruleset.hands)]
    for switch in registry.switches():
        if all(map(switch.off, hands)):
            yield from ((key, switch.by) for key in switch.keys)


def _finding(ruleset: Ruleset, clash: _Clash) -> Finding:
    """The finding of a clash, at the line of the user's file that sets one of its keys, if any."""
    sources = map(ruleset.origin, clash.keys.split())
    origins = list(dict.fromkeys(origin for origin in sources if origin is not None))
    severity = Severity.WARNING if clash.playable else Severity.ERROR
    finding = about("rules.sense", clash.message, origins, clash.advice, severity)
    notes = tuple([f"{origin.key} = {origin.value}   ({where(origin)})" for origin in origins])
    rule = finding.rule
    if rule is not None:
        rule = changed(rule, key=rule.key + clash.item)
    return changed(finding, notes=notes, rule=rule)


def _number_of_players(ruleset: Ruleset) -> _Clashes:
    """Some number of players is allowed, and sides come out even."""
    least, most = ruleset.players.min, ruleset.players.max
    if least > most:
        message = f"at least {least} players and at most {most}: no number fits both"
        yield _Clash(
            message, "players.min players.max", f"set players: {{min: {most}, max: {least}}}"
        )
    elif ruleset.partnership.sides == "opposite":
        odd = [number for number in ruleset.players.numbers if number % 2 or number < 4]
        if odd:
            tables = in_words(map(str, odd), "or")
            yield _Clash(
                f"players cannot sit opposite their partners at a table of {tables}",
                "partnership.sides players.min players.max",
                "set players: {min: 4, max: 4}",
                playable=len(odd) < len(ruleset.players.numbers),
            )


def _deal_and_deck(ruleset: Ruleset) -> _Clashes:
    """The deck has the cards that a deal takes.

    Where only large tables run short, and a house rule says nothing of the deal or of their size,
    they are left to the setup of a hand.
    """
    deal, packs = ruleset.deal, ruleset.deck.packs
    further = (deal.extra_card == "first_player") + (deal.up_card == "turned")
    sizes = {
        number: ruleset.deck_size(number)
        for number in ruleset.players.numbers
        if packs.get(number) is not None
    }
    dealt = {number: deal.cards.get(number) or 0 for number in sizes}
    if deal.cards_by == "first_card":
        dealt = dict.fromkeys(sizes, _USUAL_HAND)
    taken = {number: number * dealt[number] + further for number in sizes}
    short = [number for number, size in sizes.items() if taken[number] > size]
    if not short:
        return
    number, last = short[0], short[-1]
    tables = ", ".join(map(str, short))
    if 1 < len(short) == last - number + 1:
        tables = f"{number} to {last}"
    message = f"the deck is too small for {tables} players: a deal for {number} takes "
    message += f"{taken[number]} cards, and it has {sizes[number]}"
    most = min((size - further) // count for count, size in sizes.items() if packs.get(count))
    advice = f"deal at most {most} cards, or shuffle more packs"
    small_tables_play = number > ruleset.players.min
    if small_tables_play:
        advice += f", or set players.max: {number - 1}"
    dealt_by = _key_of_deal(ruleset, number)
    set_by = [ruleset.origin(key) for key in (dealt_by, "players.max")]
    is_on_purpose = any(origin and not is_shipped(origin.file) for origin in set_by)
    yield _Clash(
        message,
        f"{dealt_by} deck.packs.{number} deck.jokers players.max",
        advice,
        playable=small_tables_play and not is_on_purpose,
    )


def _key_of_deal(ruleset: Ruleset, players: int) -> str:
    """The key that says how many cards are dealt."""
    return f"deal.cards.{players}" if ruleset.deal.cards_by == "number" else "deal.cards_by"


def _copies(ruleset: Ruleset) -> _Clashes:
    """No card turns up more often than the program counts."""
    for number in ruleset.players.numbers:
        packs = ruleset.deck.packs.get(number) or 0
        if packs and jokers_for(ruleset, number) > FULL:
            message = (
                f"{packs} packs with {ruleset.deck.jokers} jokers each are more than {FULL} jokers"
            )
            yield _Clash(message, f"deck.packs.{number} deck.jokers")
            return


def _jokers(ruleset: Ruleset) -> _Clashes:
    """Jokers are wild where there are some, or can be melded in some other way."""
    wild = "joker" in ruleset.melds.wild.cards
    if wild and not has_jokers(ruleset):
        yield _Clash(
            "jokers are wild, but the deck has none",
            "deck.jokers deck.jokers_in_all melds.wild.cards",
            "remove joker from melds.wild.cards, as the option no-jokers does",
        )
    elif has_jokers(ruleset) and not wild and not any(map(takes_plain_jokers, ruleset.melds.kinds)):
        advice = "make them wild, or set deck.jokers: 0"
        yield _Clash(
            "the deck has jokers that fit no meld",
            "melds.wild.cards deck.jokers",
            advice,
            playable=True,
        )


def _kinds(ruleset: Ruleset) -> _Clashes:
    """Each kind of meld can be made, up to its greatest size, and differs from the others."""
    if not ruleset.melds.kinds:
        taken = [key for key in ruleset.origins if key.rpartition(".")[0] == "melds.kinds"]
        yield _Clash("no kind of meld is left", " ".join(taken))
    for kind in ruleset.melds.kinds:
        key = f"melds.kinds.{kind.name}"
        keys = f"{key}.size {key}.require"
        most, why, because = longest(kind, ruleset)
        if kind.min_size > most:
            message = f"no cards can ever form the kind of meld {kind.name}: {why}"
            yield _Clash(message, f"{keys} {because}", f"remove it: {key}: none")
        elif kind.max_size > most:
            yield _Clash(
                f"the kind of meld {kind.name} allows up to {kind.max_size} cards: {why}",
                f"{keys} {because}",
                f"set size: {kind.min_size}-{most}",
                playable=not kind.is_run,
            )
        elif ways_to_form(kind, ruleset, _MOST_MELDS) > _MOST_MELDS:
            message = f"nearly any cards form the kind of meld {kind.name}"
            message += f": more than {_MOST_MELDS:,} melds"
            yield _Clash(message, f"{key}.require {key}.size", "require more of it")
        elif not is_formable(kind, ruleset):
            yield _Clash(
                f"no cards can ever form the kind of meld {kind.name}", f"{key}.require {key}.size"
            )
    for first, other in combinations(ruleset.melds.kinds, 2):
        if are_alike(first, other):
            message = f"no cards tell the kinds of meld {first.name} and {other.name} apart"
            keys = f"melds.kinds.{other.name}.require melds.kinds.{first.name}.require"
            yield _Clash(message, keys, f"remove one: {first.name}: none")


def _first_meld(ruleset: Ruleset) -> _Clashes:
    """Somebody can lay a first meld: a hand has cards for one, and some meld counts enough."""
    least, kinds = ruleset.melds.first_points, ruleset.melds.kinds
    if ruleset.melds.first_points_of == "turn":
        least = 0  # several melds together
    tables: dict[int, _Table] = {}
    for players in ruleset.players.numbers:
        packs = ruleset.deck.packs.get(players)
        if packs:
            held = cards_in_hand(ruleset, players)
            tables[players] = _Table(packs, jokers_for(ruleset, players), held)
    if not kinds or (not least and all(table.held is None for table in tables.values())):
        return
    # All melds of a deck are looked at, which takes a while: once for tables that are alike.
    can_meld: dict[_Table, bool] = {}
    for table in tables.values():
        if table not in can_meld:
            can_meld[table] = any(points >= least for points in first_melds(ruleset, *table))
    stuck = [number for number, table in tables.items() if not can_meld[table]]
    if not stuck:
        return
    number = stuck[0]
    held = tables[number].held
    most = max(first_melds(ruleset, *tables[number]), default=None)
    if most is None and held is None:
        return  # no kind of meld can be formed, which is said of each
    who = "nobody"
    is_playable = len(stuck) < len(tables)
    if is_playable:
        who = f"at a table of {in_words(map(str, stuck), 'or')} nobody"
    keys: list[str] = []
    if held is not None:
        reach = "draw.takes" if ruleset.draw.depth == "any" else "draw.depth"
        keys = [_key_of_deal(ruleset, number), reach, "calls.of"]
    if most is None:
        smallest = min(kind.min_size for kind in kinds)
        message = f"{who} can ever meld: a hand has at most {held} cards to lay, "
        message += f"and a meld takes {smallest}"
        advice = "deal more cards"
        keys += [f"melds.kinds.{kind.name}.size" for kind in kinds]
    else:
        message = f"{who} can ever meld: the first meld has to count {least} points, "
        message += f"and no meld counts more than {most}"
        advice = f"set melds.first_points: {most}"
        if most:
            advice += " or less"
        keys = ["melds.first_points", "scoring.values", *keys]
    yield _Clash(message, " ".join(keys), advice, playable=is_playable)


def _duties(ruleset: Ruleset) -> _Clashes:
    """A card that must be used can be used, and a floating player can draw."""
    draw = ruleset.draw
    ways = {
        "meld": True,
        "lay_off": ruleset.layoff.onto != "nothing",
        "swap": ruleset.melds.wild.swap != "never",
    }
    owed = [name for name in ("top", "deep") if getattr(draw, name).must == "be_used"]
    if owed and not any(ways[use] for use in draw.use):
        yield _Clash(
            "a card taken from the pile must be used, but there is no way to use it",
            f"draw.use draw.{owed[0]}.must layoff.onto",
            "set draw.use: [meld, lay_off]",
        )
    if ruleset.out.melding_all == "floats" and not ruleset.floating.draws:
        yield _Clash("a floating player has nowhere to draw from", "floating.draws out.melding_all")


def _last_turns(ruleset: Ruleset) -> _Clashes:
    """Nobody has a last turn while it is open whether somebody went out."""
    out = ruleset.out
    if out.last_turns == "none":
        return
    if out.last_discard == "claimable":
        yield _Clash(
            "a last discard that is claimed would undo the end whose last turns have begun",
            "out.last_turns out.last_discard",
            "set out.last_turns: none, or out.last_discard: any",
        )
    if out.challenge == "taken_back":
        yield _Clash(
            "a last discard that is taken back would undo the end whose last turns have begun",
            "out.last_turns out.challenge",
            "set out.last_turns: none, or out.challenge: none",
        )


def _last_discard(ruleset: Ruleset) -> _Clashes:
    """A last card can be laid or discarded; claiming a last discard needs calls.

    A game that has it claimed on purpose says so in vain.
    """
    if ruleset.out.last_discard == "unplayable" and ruleset.out.melding_all == "forbidden":
        yield _Clash(
            "a last card that fits may be neither laid, which leaves none to discard, nor discarded",
            "out.last_discard out.melding_all",
            "set out.melding_all: floats or ends_hand",
        )
    if ruleset.out.last_discard != "claimable" or ruleset.calls.of != "none":
        return
    origin = ruleset.origin("out.last_discard")
    if origin is None:
        return
    is_of_an_option = origin.file.removesuffix(".yaml") in ruleset.options
    if is_of_an_option or not is_shipped(origin.file):
        yield _Clash(
            "the last discard is claimed by a call, but there are no calls, so nobody can claim it",
            "out.last_discard calls.of",
            "set calls.of: last_discard, or out.last_discard: any",
            playable=True,
        )


def _division(ruleset: Ruleset) -> _Clashes:
    """Every value divides."""
    scoring, divisor = ruleset.scoring, ruleset.scoring.divide_by
    values: list[tuple[str, int]] = []
    for card in range(JOKER + has_jokers(ruleset)):
        name = "joker" if card == JOKER else RANKS[card % 13]
        values.append((f"scoring.values.{name}", scoring.values[card]))
        values.append((f"scoring.values.{name}", scoring.held[card]))
    values += [(KEYS_OF_ACES[place], aces_in_runs(scoring)[place] or 0) for place in KEYS_OF_ACES]
    values.append(("scoring.four_aces", scoring.four_aces or 0))
    values.append(("out.bonus", ruleset.out.bonus))
    odd = {key: points for key, points in values if points % divisor}
    if odd:
        first, *others = odd
        message = f"scores are divided by {divisor}, but not every value can be divided: "
        yield _Clash(
            f"{message}{first} is {odd[first]}",
            " ".join((first, "scoring.divide_by", *others[:3])),
            "the options low-cards-5 and values-5-10-15 give values that divide by 5",
        )


def _ends(ruleset: Ruleset) -> _Clashes:
    """A game starts below its target, and has the hands that rules are given for."""
    game = ruleset.game
    if game.ends == "at_target" and game.target <= 0:
        yield _Clash(
            f"a game that ends at {game.target} points is over before it begins",
            "game.target game.ends",
        )
    played = hands_played(ruleset)
    idle = [hand for hand in ruleset.hands if hand not in played and not _is_cut(ruleset, hand)]
    if idle:
        message = f"there is no hand {idle[-1].last}: the game is over after {game.hands[1]}"
        yield _Clash(message, f"hands.{idle[-1].first} game.hands", playable=True)


def _is_cut(ruleset: Ruleset, hand: HandRules) -> bool:
    """Whether somebody shortened on purpose a game that ships with rules for a hand."""
    length, prefix = ruleset.origin("game.hands"), f"hands.{hand.first}."
    files = {own.file for key, own in ruleset.origins.items() if key.startswith(prefix)}
    return all(map(is_shipped, files)) and length is not None and length.file not in files


def _used_up(ruleset: Ruleset) -> _Clashes:
    """A stock that may be made new is, at least once."""
    stock = ruleset.stock
    if stock.reshuffle != "never" and stock.ends_at == 1:
        message = "the first time that the stock is used up is the last, so it is never made new"
        yield _Clash(
            message, "stock.reshuffle stock.ends_at", "set stock.reshuffle: never", playable=True
        )


def _overtaken(ruleset: Ruleset) -> _Clashes:
    """Nobody jumps over the target and is out, so that the game goes on."""
    game = ruleset.game
    if game.out_at is None or game.ends != "at_target" or only_out_ends(ruleset):
        return
    target, out_at = ruleset.origin("game.target"), ruleset.origin("game.out_at")
    is_set_here = target is not None and out_at is not None and target.file == out_at.file
    other = "leave game.target out" if is_set_here else f"set game.target above {game.out_at}"
    yield _Clash(
        f"a total of {game.target} ends the game, but one above {game.out_at} only puts its player "
        "out",
        "game.out_at game.target",
        f"{other}, for a game until one player is left",
        playable=True,
    )


def _worth_of_wild_ranks(ruleset: Ruleset) -> _Clashes:
    """What a table says of a rank counts in some hand, or else the line for wild cards does."""
    own = ruleset.origins.get("melds.wild.cards")
    if own is not None and own.key != "melds.wild.cards":
        return  # a rank that is wild in this hand may count as the table says in others
    wild_by_hand = [in_hand(ruleset, hand).melds.wild.cards for hand in ruleset.hands]
    for table in ("scoring.values", "scoring.held"):
        wild = ruleset.origins.get(f"{table}.wild")
        if wild is None:
            continue
        for face in ruleset.melds.wild.cards:
            key = f"{table}.{face}"
            origin = ruleset.origins.get(key)
            if face not in RANKS or not all(face in cards for cards in wild_by_hand):
                continue
            if origin and origin.key == key and not is_shipped(origin.file):
                message = f"{key} = {origin.value} has no effect: {face} is wild, so what counts is"
                message += f" {wild.key} = {wild.value}"
                yield _Clash(message, f"{key} {table}.wild melds.wild.cards", playable=True)


def _contract(ruleset: Ruleset) -> _Clashes:
    """The melds of a contract are kinds of meld that there are, and a hand has cards for them."""
    kinds = {kind.name: kind for kind in ruleset.melds.kinds}
    for place, slot in enumerate(slots(ruleset)):
        kind = kinds.get(slot.kind)
        if kind is None:
            meant = nearest(slot.kind, sorted(kinds))
            advice = f"did you mean {meant.text}?" if meant else f"write {in_words(kinds, 'or')}"
            message = f"the contract asks for a {slot.kind}, but there is no such kind of meld"
            yield _Clash(message, "melds.contract", advice, item=f".{place}")
        elif slot.size > kind.max_size:
            message = f"the contract asks for a {slot.kind} of {slot.size} cards, "
            message += f"but it has at most {kind.max_size}"
            yield _Clash(message, f"melds.contract melds.kinds.{slot.kind}.size", item=f".{place}")
    needed = sum(slot.size for slot in slots(ruleset))
    hands = {number: cards_in_hand(ruleset, number) for number in ruleset.players.numbers}
    short = {number: held for number, held in hands.items() if held is not None and held < needed}
    if short and ruleset.buys.of == "none":
        number, held = next(iter(short.items()))
        yield _Clash(
            f"nobody can lay the contract at a table of {number}: it takes {needed} cards, "
            f"and a hand has {held}",
            f"melds.contract {_key_of_deal(ruleset, number)} out.melding_all",
            "deal more cards, or ask for fewer",
            playable=len(short) < len(hands),
        )


def _house_rules(ruleset: Ruleset, hand: tuple[int, int]) -> _Clashes:
    """House rules leave a way to lay the contract, and one to go out."""
    for laid, rule in bans_on_contract(ruleset, hand):
        key = f"house_rules.{rule.name}"
        yield _Clash(
            f"nobody can lay the contract: {key} forbids its meld {laid + 1}",
            f"{key} melds.contract",
            f"leave it out: {key}: none",
            playable=True,
        )
    if ruleset.out.melding_all != "forbidden":
        return
    for rule in bans_on_last_discard(ruleset, hand):
        key = f"house_rules.{rule.name}"
        yield _Clash(
            f"nobody can go out: {key} forbids the last discard, and out.melding_all forbids to "
            "lay every card",
            f"{key} out.melding_all",
            f"leave one of them out: {key}: none, or out.melding_all: ends_hand",
            playable=True,
        )


def _penalties(ruleset: Ruleset) -> _Clashes:
    """Penalty points are won with the fewest, and whoever has too many of them is out."""
    game, scoring = ruleset.game, ruleset.scoring
    if game.out_at is not None and game.winner != "lowest":
        message = "a high total puts a player out, but the lowest total does not win"
        yield _Clash(message, "game.out_at game.winner", "set game.winner: lowest")
    elif scoring.hands == "add" and game.winner != "lowest":
        message = "cards held at the end add to the score, but the lowest total does not win"
        yield _Clash(message, "scoring.hands game.winner", "set game.winner: lowest", playable=True)
    elif scoring.hands == "to_player_out" and game.winner == "lowest":
        message = "cards held at the end score for the player who went out, but the lowest total "
        message += "wins"
        yield _Clash(
            message, "scoring.hands game.winner", "set game.winner: highest", playable=True
        )
    if scoring.melds == "ignore" and scoring.hands == "ignore":
        message = "neither melded cards nor cards held count, so nobody ever scores"
        yield _Clash(message, "scoring.melds scoring.hands", playable=True)

    if game.ends == "after_hands" and game.winner == "player_out":
        message = (
            "a fixed number of hands has no target, so nobody can win by reaching one and going out"
        )
        yield _Clash(
            message, "game.winner game.ends", "set game.winner: highest, or game.ends: at_target"
        )


def _falling(ruleset: Ruleset) -> _Clashes:
    """Where a total has to reach a target, something adds to it.

    Games with rules of their own for some hands are not looked at.
    """
    game, scoring = ruleset.game, ruleset.scoring
    rises = (
        scoring.melds != "ignore"
        or scoring.hands != "subtract"
        or ruleset.out.bonus > 0
        or min(*scoring.held, scoring.wild_held or 0) < 0
        or any(rule.award is not None for rule in ruleset.house_rules)
    )
    by_hand = any(key.startswith("hands.") for key in ruleset.origins)
    if rises or by_hand or game.ends != "at_target" or game.winner == "lowest":
        return
    yield _Clash(
        f"nobody can reach {game.target} points: melded cards do not count, and cards held at the "
        "end only take away from the score",
        "scoring.melds scoring.hands game.target",
        "set scoring.melds: count, or scoring.hands: add and game.winner: lowest",
        playable=True,
    )


def _ineffective(ruleset: Ruleset) -> _Clashes:
    """A file does not set a key that it switches off itself.

    An inherited one rests, and one of a full list.
    """
    origins = ruleset.origins.items()
    files = {origin.file for key, origin in origins if not key.startswith(_TABLES)}
    if len(files) == 1:
        return
    set_by_hand = {key for key, origin in origins if origin.key.endswith(f".{key}")}
    for key, switch in ineffective(ruleset):
        origin, other = ruleset.origin(key), ruleset.origin(switch)
        if origin is None or other is None or origin.file != other.file:
            continue
        if is_shipped(origin.file) or (set_by_hand and key not in set_by_hand):
            continue
        message = f"{origin.key} = {origin.value} has no effect, since {other.key} = {other.value}"
        yield _Clash(message, f"{key} {switch}", playable=True)


_CHECKS: Final[tuple[Callable[[Ruleset], _Clashes], ...]] = (
    _number_of_players,
    _deal_and_deck,
    _copies,
    _jokers,
    _kinds,
    _first_meld,
    _duties,
    _last_discard,
    _last_turns,
    _division,
    _ends,
    _used_up,
    _overtaken,
    _worth_of_wild_ranks,
    _contract,
    _penalties,
    _falling,
    _ineffective,
)
