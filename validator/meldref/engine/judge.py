"""Judges one action: which rules bear on it, and what they find.

A `Judge` is a ruleset bound for a number of players: the checks that this ruleset has, the play
that carries actions out, and the table of melds. It changes no position; `Judge.play` does.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, TypeAlias

from meldref.core.cards import ONE
from meldref.core.diagnostics import Finding, Span
from meldref.core.events import Action
from meldref.engine.apply import Play
from meldref.melds import MeldIndex, meld_index
from meldref.position.model import Position
from meldref.position.turn import Place
from meldref.rules.base import Binding, Undecided, Violation
from meldref.rules.declare import Rule, facts
from meldref.rules.opening import opening
from meldref.rules.pages import PAGES
from meldref.rules.possible_scores import PossibleScores, possible_scores
from meldref.rules.registry import Bound, rules_for
from meldref.rules.resolve import MEANINGS, Meaning
from meldref.ruleset.changes import goes_back, hand_rules, in_hand, with_wild_values
from meldref.ruleset.model import HandRules, Ruleset

if TYPE_CHECKING:
    from meldref.rules.house import House

Step: TypeAlias = "tuple[tuple[Bound, ...], Callable[[Position, Any], None], Meaning | None]"
"""The checks of a kind of action, what carries it out, and what says first what is meant by it."""


class Judge:
    """A ruleset, bound to a number of players.

    `steps` are for each kind of action the checks this ruleset has, in order, what carries the
    action out, and what says what is meant by it, `plain_steps` those of a plain turn, `bound` the
    checks with the rules that made them. `copies` is how often the deck has each card, `all_copies`
    the same as a counted set, `deck` its size. With `like`, a judge of the same rules, set
    elsewhere, nothing is bound again: only the origins differ. `ruleset` is the one given, as it is
    in one hand: see `for_hand`.
    """

    def __init__(
        self,
        ruleset: Ruleset,
        players: int,
        like: Judge | None = None,
        hand: HandRules | None = None,
        wild: int | None = None,
        *,
        back: bool = False,
    ) -> None:
        self.given = ruleset
        self._hand = hand
        self._wild = wild
        self._back = back
        self._alternates = ruleset.players.direction == "alternates"
        self._of_hands: dict[tuple[int | None, int | None, bool], Judge] = {}
        if hand is not None:
            ruleset = in_hand(ruleset, hand)
        ruleset = with_wild_values(ruleset, wild)
        self.ruleset = ruleset
        self.copies = tuple(ruleset.copies(card, players) for card in range(53))
        self.deck = sum(self.copies)
        self.all_copies = sum(copies * ONE[card] for card, copies in enumerate(self.copies))
        self.house: House | None
        self.play: Play
        self._books: dict[int | None, MeldIndex] = {}
        self.steps: dict[type[Action], Step] = {}
        self.plain_steps: dict[type[Action], Step] = {}
        self.bound: dict[type[Action], tuple[tuple[Rule, Bound], ...]] = {}
        binding = Binding(ruleset, players, back=back)
        if like is not None:
            self.house, self.play, self._books = like.house, like.play, like._books  # noqa: SLF001
            self.steps, self.plain_steps, self.bound = like.steps, like.plain_steps, like.bound
        else:
            self.house, self.play = house_and_play(binding)
        self.binding = binding if self.house is None else self.house.binding
        if like is None:
            self._bind_rules()

    def _bind_rules(self) -> None:
        """Binds the rules about each kind of action, and leaves out those that the ruleset lacks."""
        for kind, play in self.play.actions.items():
            bound: list[tuple[Rule, Bound]] = []
            plain: list[Bound] = []
            for rule in rules_for(kind):
                check = rule.bind(self.binding)
                if check is None:
                    continue
                bound.append((rule, check))
                if not rule.silent_in_plain_turns:
                    plain.append(check)
            meant = MEANINGS[kind](self.binding) if kind in MEANINGS else None
            self.bound[kind] = tuple(bound)
            self.steps[kind] = tuple([check for _, check in bound]), play, meant
            self.plain_steps[kind] = tuple(plain), play, meant

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Judge):
            return NotImplemented
        if self is other:
            return True
        ours, theirs = self.binding, other.binding
        is_same_table = ours.players == theirs.players and ours.back == theirs.back
        return is_same_table and self.ruleset == other.ruleset

    def __hash__(self) -> int:
        return hash((self.ruleset.id, self.binding.players))

    def __repr__(self) -> str:
        return f"Judge({self.ruleset.id}, players={self.binding.players})"

    def __reduce__(self) -> tuple[object, ...]:
        if self._hand is None and self._wild is None and not self._back:
            return judge_for, (self.given, self.binding.players)
        made = partial(Judge, back=self._back)
        return made, (self.given, self.binding.players, None, self._hand, self._wild)

    def for_hand(self, number: int | None, wild_rank: int | None = None) -> Judge:
        """The judge of one hand, by what differs in it: settings, direction, the wild rank."""
        hand = hand_rules(self.given, number)
        scoring = self.given.scoring
        values_wild_cards = scoring.wild_cards is not None or scoring.wild_held is not None
        wild = wild_rank if values_wild_cards else None
        back = self._alternates and goes_back(self.given, number)
        if hand == self._hand and wild == self._wild and back == self._back:
            return self
        key = (None if hand is None else hand.first, wild, back)
        judge = self._of_hands.get(key)
        if judge is None:
            judge = Judge(self.given, self.binding.players, None, hand, wild, back=back)
            self._of_hands[key] = judge
        return judge

    def judge_stop(self, position: Position) -> Violation | Undecided | None:
        """What is wrong with ending a call without a discard: bans of house rules on such ends."""
        return None if self.house is None else self.house.bans.stops(position)

    def stops_wrongly(self, position: Position) -> bool:
        """Whether a house rule forbids leaving a call as it is."""
        return isinstance(self.judge_stop(position), Violation)

    def other_way_round(self) -> Judge:
        """The judge of the same hand with turns that pass the other way."""
        number, wild, back = self._hand, self._wild, not self._back
        return Judge(self.given, self.binding.players, None, number, wild, back=back)

    @cached_property
    def has_openings(self) -> bool:
        """Whether a first laying has to be completed."""
        return opening(self.ruleset) is not None

    @cached_property
    def possible_scores(self) -> PossibleScores | None:
        """The scores that a hand can bring; None where house rules leave that open."""
        return possible_scores(self.ruleset, self.binding.players)

    @property
    def others_first(self) -> bool:
        """Whether a play that a house rule forbids may be allowed once others were made."""
        return self.house is not None and self.house.bans.supposed.lifted

    @property
    def lays_together(self) -> bool:
        """Whether house rules may allow a lay-off of several cards and of none of them alone."""
        return self.house is not None and self.house.bans.supposed.together

    def order(self, active: Sequence[int]) -> tuple[int, ...]:
        """Seats in the order of turns."""
        return tuple(active) if self.binding.step > 0 else tuple(reversed(active))

    def book(self, wild_rank: int | None = None) -> MeldIndex:
        """The melds of this ruleset, for a hand's wild rank."""
        book = self._books.get(wild_rank)
        if book is None:
            book = meld_index(self.ruleset, self.binding.players, wild_rank)
            self._books[wild_rank] = book
        return book

    def meant(self, position: Position, action: Action) -> Action:
        """An action with what it leaves out, as all rules look at it: see `rules.resolve`."""
        meaning = self.steps[type(action)][2]
        return action if meaning is None else meaning(position, action)

    def violation(self, position: Position, action: Action) -> Violation | None:
        """The first thing wrong with an action by the player to move; None: it is legal so far."""
        checks, _, meaning = (self.plain_steps if position.turn.plain else self.steps)[type(action)]
        if meaning is not None:
            action = meaning(position, action)
        for check in checks:
            result = check(position, action)
            if type(result) is Violation:
                return result
        return None

    def allows(self, position: Position, action: Action) -> bool | None:
        """Whether the player whose turn it is may do something; None: that is open."""
        checks, _, meaning = self.steps[type(action)]
        if meaning is not None:
            action = meaning(position, action)
        rulings = [type(check(position, action)) for check in checks]
        if Violation in rulings:
            return False
        return None if Undecided in rulings else True


def house_and_play(binding: Binding) -> tuple[House | None, Play]:
    """The house rules, if there are any, and what carries actions out."""
    if not binding.ruleset.house_rules:
        return None, Play(binding)
    # Rulesets without house rules do not need their language.
    from meldref.engine.remembering import bind_house  # noqa: PLC0415

    return bind_house(binding)


def finding(
    ruleset: Ruleset,
    violation: Violation,
    place: Place | None,
    player: str | None = None,
    help_: tuple[str, ...] = (),
    notes: tuple[str, ...] = (),
    where: tuple[str, int, int] = ("", 0, 0),
) -> Finding:
    """A violation as a finding at its place, with the rule and the line of the file that says so.

    `help_` is what would have been legal, `notes` stand behind the violation's own.
    """
    at = violation.place or place
    page = PAGES.get(violation.code)
    origins = dict.fromkeys(map(ruleset.origin, violation.keys))
    rules = tuple([origin for origin in origins if origin])
    key = violation.key
    rule = None
    if key is None and rules:
        rule = rules[0]
    else:
        # Of a code it is the first key of its page; an empty one says that no key is to blame.
        if key is None and page and page.keys:
            key = page.keys[0]
        if key:
            rule = ruleset.origin(key)
    file, game, hand = where
    return Finding(
        code=violation.code,
        message=violation.message,
        span=_span(at, violation.written) if at else Span(1, 1, 1),
        severity=facts(violation.code).severity,
        excerpt=at.text if at else "",
        turn=at.turn if at else None,
        player=violation.player if player is None else player,
        rule=rule,
        clauses=page.clauses if page else (),
        notes=(*violation.notes, *notes),
        help=help_,
        edits=violation.edits,
        rules=rules,
        file=file,
        game=game,
        hand=hand,
    )


def _span(place: Place, written: str) -> Span:
    """The columns of a place, or of a word there, if it can be found."""
    span = place.span
    if not written:
        return span
    pattern = re.compile(rf"\b{re.escape(written)}\b")
    word = pattern.search(place.text, span.column - 1, span.end_column - 1)
    if word is None:
        return span
    return Span(span.line, word.start() + 1, word.end() + 1)


_JUDGES: dict[tuple[int, int], Judge] = {}
"""The judges made until now, by the identity of their ruleset, which they keep alive."""
_MOST_JUDGES = 64


def judge_for(ruleset: Ruleset, players: int) -> Judge:
    """The judge of a ruleset for a number of players, bound once for rulesets that say the same."""
    key = (id(ruleset), players)
    judge = _JUDGES.get(key)
    if judge is not None:
        return judge
    for (_, number), like in _JUDGES.items():
        if number != players or like.given != ruleset:
            continue
        if like.given.origins.keys() == ruleset.origins.keys():
            return Judge(ruleset, players, like=like)
    if len(_JUDGES) >= _MOST_JUDGES:
        _JUDGES.clear()
    judge = Judge(ruleset, players)
    _JUDGES[key] = judge
    return judge
