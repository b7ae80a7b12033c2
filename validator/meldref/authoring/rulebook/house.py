"""House rules in a rulebook: what they say, in the section they belong to, with a move that each forbids.

The examples are looked for in hands that are played at random by the rules without the ban, from fixed seeds; what
is forbidden and what is allowed was asked of the judge.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from meldref.authoring.rulebook.examples.scene import played, whereabouts
from meldref.authoring.rulebook.model import Block, CardExample, Cards, Items, Sentence
from meldref.core.cards import UNKNOWN, Played, each
from meldref.core.events import Action, Draw
from meldref.core.records import changed
from meldref.core.text import many
from meldref.engine.judge import Judge
from meldref.notation.actions import BY_KIND
from meldref.notation.writer import write_action
from meldref.position.model import Position
from meldref.rules.forbidding import ENDING
from meldref.ruleset.model import HouseRule, Ruleset
from meldref.simulate.hand import HandRun
from meldref.simulate.players import Chosen, Decision
from meldref.simulate.rng import Dice

HANDS: Final = 12
"""The most hands looked at for an example."""
_PLACES: Final = {
    "meld": "Melds",
    "lay": "Laying off",
    "swap": "Wild cards",
    "discard": "The discard",
    "rummy": 'Calling "Rummy!"',
    "challenge": "Going out",
}


def blocks(title: str, ruleset: Ruleset, *, examples: bool) -> Iterator[Block]:
    """What the house rules of a chapter say, each with an example where one is found."""
    for rule in ruleset.house_rules:
        place = "The score of a hand" if rule.award is not None else _PLACES.get(rule.forbid[0], "Your turn")
        if place == title:
            yield Items((Sentence(rule.says, (f"house_rules.{rule.name}",)),))
            example = _example(ruleset, rule) if examples and rule.forbid else None
            if example is not None:
                yield example


class _Looker:
    """Plays at random, and notes the plainest position in which the rule forbids one thing and allows another."""

    def __init__(self, judge: Judge, rule: HouseRule, dice: Dice) -> None:
        self.judge, self.rule, self.dice = judge, rule, dice
        self.best: tuple[int, CardExample] | None = None
        self.done: list[Action] = []

    def choose(self, due: Decision, /) -> Chosen:
        """Any draw or play; nothing is called or bought."""
        if due.choices is None:
            return due.options[9]
        actions = [one for one in due.options if isinstance(one, Action)]
        if due.kind in {"call", "buy"} or not actions:
            return None
        if due.kind == "draw":
            self.done = []
        position = due.choices.position
        self._look(position, actions)
        action = actions[self.dice.below(len(actions))]
        if isinstance(action, Draw) and position.stock:
            action = Draw(position.stock[-1])
        self.done.append(action)
        return action

    def _look(self, position: Position, options: Sequence[Action]) -> None:
        found = {one: self.judge.violation(position, one) for one in options if self._is_about(one)}
        wrong = next((one for one, why in found.items() if why and why.code == f"house.{self.rule.name}"), None)
        same = [one for one, why in found.items() if why is None]
        others = (one for one in options if one not in found and self.judge.violation(position, one) is None)
        right = same[0] if same else wrong and next(others, None)
        if wrong is None or right is None:
            return
        seen = sum(len(meld.cards) for meld in position.melds) + len(position.pile)
        size = seen + position.held[position.turn.seat] + 3 * len(self.done) + 99 * (not same)
        if self.best is None or size < self.best[0]:
            self.best = size, self._in_words(position, right, wrong)

    def _is_about(self, action: Action) -> bool:
        word = BY_KIND[type(action)].word
        return word in self.rule.forbid or ("end" in self.rule.forbid and type(action) in ENDING)

    def _in_words(self, position: Position, right: Action, wrong: Action) -> CardExample:
        """The position in words, and the two moves."""
        seat = position.turn.seat
        melds = [
            ([Played(one.card, one.role) for one in meld.cards], meld.seat == seat) for meld in position.melds
        ]
        pile = () if UNKNOWN in position.pile else position.pile
        parts = [*whereabouts(melds, pile, numbered=True)]
        parts += [". " if parts else "", "In your hand: ", Cards(played(tuple(each(position.hands[seat]))))]
        if self.done:
            parts += [". Done in this turn: ", "; ".join(map(write_action, self.done))]
        memory, asked = position.memory, f"{self.rule.when}{self.rule.unless}"
        if memory is not None and "player.turns" in asked:
            parts.append(f". It is your turn number {memory.turns[seat]} in this hand")
        if "stock.size" in asked:
            parts.append(f". The stock has {many(len(position.stock), 'card')}")
        allowed, forbidden = (write_action(one).removesuffix(" ?") for one in (right, wrong))
        return CardExample((*parts, "."), (allowed,), ((forbidden,),))


def _example(ruleset: Ruleset, rule: HouseRule) -> CardExample | None:
    """An example of what a house rule forbids and allows; None where none is found."""
    players = max(2, ruleset.players.min)
    judge = Judge(ruleset, players)
    without = tuple([one for one in ruleset.house_rules if one is not rule])
    if not without:  # what is remembered of a hand needs a house rule
        without = (HouseRule("none", "Nothing.", forbid=("pass",), when="stock.size < 0"),)
    player = Judge(changed(ruleset, house_rules=without), players)
    names = tuple("ABCDEFGHIJKLMNOPQRST"[:players])
    looker = _Looker(judge, rule, Dice(7, rule.name))
    for number in range(HANDS):
        run = HandRun(player, names, [looker] * players, tuple(range(players)))
        run.hand.number, run.hand.totals = 1 + number % 3, (0,) * players
        looker.judge = judge.for_hand(run.hand.number)
        run.play(0, Dice(number, "deal"), lambda: Dice(1, "shuffle"))
        if looker.best is not None and number >= 3:
            break
    return None if looker.best is None else looker.best[1]
