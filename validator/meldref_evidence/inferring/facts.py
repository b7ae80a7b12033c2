"""The sizes that logs show: players, decks, cards dealt, hands in a game, what ends it."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from typing import Final

from meldref.core.cards import JOKER, UNKNOWN
from meldref.core.events import Deal, HandStart, Header, Line, Points, Result, StockOrder, UpCard
from meldref.core.records import fresh, record
from meldref.rules.setup import size_by
from meldref.ruleset.model import Ruleset, jokers_for
from meldref_evidence.inferring.corpus import PlayedLog
from meldref_evidence.inferring.draft import Draft, options

_ROUND: Final = (1000, 500, 250, 100, 50, 25, 10, 5, 1)
_LIMITS: Final = (3, 5, 10, 20, 50, 100, 999)
"""The most hands in a game, if games differ: a round number, since the next may have more."""
_PACK: Final = 52
_FEW_DEALS: Final = 2
"""So many deals do not show that a first card decides how many cards a player gets."""


@record(frozen=False)
class Facts:
    """The numbers that logs show.

    `dealt` counts how many cards players had, by the number of players; `decks` the packs and
    jokers of decks of which every card is listed; `first_cards` how often the first card named of a
    deal would, or would not, ask for as many cards as there are (`deal.cards_by`); `hands` how many
    hands games had that ended; `below` and `above` are the best totals of hands that were followed
    by others, and of those that ended a game.
    """

    players: Counter[int] = fresh(default_factory=Counter)
    dealt: dict[int, Counter[int]] = fresh(default_factory=lambda: defaultdict(Counter))
    first_cards: Counter[bool] = fresh(default_factory=Counter)
    decks: dict[int, Counter[tuple[int, int]]] = fresh(default_factory=lambda: defaultdict(Counter))
    hands: Counter[int] = fresh(default_factory=Counter)
    below: list[int] = fresh(default_factory=list)
    above: list[int] = fresh(default_factory=list)

    @property
    def usual_players(self) -> int:
        """The number of players at most of the tables."""
        return self.players.most_common(1)[0][0] if self.players else 2


def facts_of(logs: Sequence[PlayedLog]) -> Facts:
    """What logs show."""
    facts = Facts()
    for log in logs:
        for game in _games(log):
            _look_at(facts, game)
    return facts


def _games(log: PlayedLog) -> Iterator[list[Line]]:
    """The lines of each game."""
    game: list[Line] = []
    playing = False
    for line, _ in log.lines:
        if type(line.event) is Header and playing:
            yield game
            game = []
        playing = type(line.event) is not Header
        game.append(line)
    yield game


def _look_at(facts: Facts, game: Sequence[Line]) -> None:
    number = 0
    for line in game:
        if type(line.event) is Header and line.event.key == "Players":
            number = len([name for name in line.event.value.split(",") if name.strip()])
    if not number:
        return
    facts.players[number] += 1
    hands = 0
    best: int | None = None
    cards: list[int] = []
    dealt: list[int] = []
    for line in game:
        event = line.event
        if type(event) is HandStart:
            _add_deck(facts, number, cards, dealt)
            cards, dealt = [], []
            hands += 1
            facts.below += [] if best is None else [best]
        elif type(event) is Deal:
            size = len(event.cards) + event.unknown
            if event.cards and event.cards[0] != JOKER:
                facts.first_cards[size == size_by(event.cards[0])] += 1
            cards += [*event.cards, *[UNKNOWN] * event.unknown]
            dealt.append(size)
        elif type(event) is UpCard:
            cards.append(event.card)
        elif type(event) is StockOrder:
            cards += event.cards
        elif type(event) is Points and event.kind == "total":
            figures = [points for _, points in event.amounts]
            best = max([points for points in figures if points is not None], default=None)
        elif type(event) is Result and hands:
            facts.hands[hands] += 1
            facts.above += [] if best is None else [best]
    _add_deck(facts, number, cards, dealt)


def _add_deck(facts: Facts, number: int, cards: Sequence[int], dealt: Sequence[int]) -> None:
    """Notes how many cards were dealt, and the deck, where all of it is listed."""
    if len(dealt) != number:
        return
    facts.dealt[number][min(dealt)] += 1
    jokers = cards.count(JOKER)
    naturals = Counter(card for card in cards if card not in (JOKER, UNKNOWN))
    packs = (naturals.total() + jokers) // _PACK
    if packs and len(naturals) == _PACK and {*naturals.values()} == {packs}:
        facts.decks[number][packs, jokers] += 1


def sized(draft: Draft, facts: Facts) -> Draft:
    """A draft with the sizes that logs show where they are not those of its game."""
    ruleset = draft.ruleset
    assert ruleset is not None
    if not facts.players:
        return draft
    if max(facts.players) > ruleset.players.max:
        draft = draft.with_setting("players.max", f"{max(facts.players)}")
    if min(facts.players) < ruleset.players.min:
        draft = draft.with_setting("players.min", f"{min(facts.players)}")
    for key, value in _hands_dealt(ruleset, facts):
        draft = draft.with_setting(key, value)
    return _with_deck(draft, facts)


def _hands_dealt(ruleset: Ruleset, facts: Facts) -> Iterator[tuple[str, str]]:
    """Settings for the cards dealt, if they differ: one for neighbouring tables with one number."""
    if ruleset.hands or ruleset.deal.cards_by != "number":
        return
    # By chance, one deal in thirteen has the size that its first card would ask for.
    if facts.first_cards[True] > max(_FEW_DEALS, facts.first_cards[False]):
        yield "deal.cards_by", "first_card"
        return
    usual = {number: dealt.most_common(1)[0][0] for number, dealt in facts.dealt.items()}
    other = [number for number in sorted(usual) if ruleset.deal.cards.get(number) != usual[number]]
    alike = len({usual[number] for number in other}) == 1
    if len(other) > 1 and alike and other == [*range(other[0], other[-1] + 1)]:
        yield f"deal.cards.{other[0]}-{other[-1]}", f"{usual[other[0]]}"
        return
    for number in other:
        yield f"deal.cards.{number}", f"{usual[number]}"


def _with_deck(draft: Draft, facts: Facts) -> Draft:
    """A draft with the decks that are listed."""
    for number, decks in sorted(facts.decks.items()):
        packs, jokers = decks.most_common(1)[0][0]
        draft = _with_jokers(_with_packs(draft, number, packs), number, packs, jokers)
    return draft


def _with_packs(draft: Draft, number: int, packs: int) -> Draft:
    """A draft whose deck has so many packs for this number of players, where its game is for them."""
    ruleset = draft.ruleset
    if ruleset is None or ruleset.deck.packs.get(number) in (None, packs):
        return draft
    return draft.with_setting(f"deck.packs.{number}", f"{packs}")


def _with_jokers(draft: Draft, number: int, packs: int, jokers: int) -> Draft:
    """A draft whose packs have so many jokers among them; without any by the option of that name."""
    ruleset = draft.ruleset
    if ruleset is None or ruleset.deck.packs.get(number) is None:
        return draft
    if jokers_for(ruleset, number) == jokers:
        return draft
    without = [name for name, option in options().items() if option.sets.get("deck.jokers") == "0"]
    if not jokers and without:
        return draft.with_option(without[0])
    if jokers % packs == 0 and not ruleset.deck.jokers_in_all.numbers:
        return draft.with_setting("deck.jokers", f"{jokers // packs}")
    return draft.with_setting(f"deck.jokers_in_all.{number}", f"{jokers}")


def fits(draft: Draft, facts: Facts) -> bool:
    """Whether the decks of a draft are those that logs list."""
    return _with_deck(draft, facts) == draft


def numbers_for(facts: Facts, key: str, ruleset: Ruleset) -> list[str]:
    """The numbers that logs suggest for a key that takes one."""
    if key == "game.target":
        return _targets(facts)
    if key == "draw.count":
        return ["1" if ruleset.draw.count > 1 else "2"]
    if key == "game.hands" and facts.hands:
        least, most = min(facts.hands), max(facts.hands)
        if least == most:
            return [f"{most}"]
        return [f"1-{next(limit for limit in _LIMITS if limit >= min(most, _LIMITS[-1]))}"]
    return []


def _targets(facts: Facts) -> list[str]:
    """The roundest number that no game went on with and every game ended at."""
    least, most = max(facts.below, default=0), min(facts.above, default=0)
    for step in _ROUND:
        target = most // step * step
        if target > least:
            return [f"{target}"]
    return []
