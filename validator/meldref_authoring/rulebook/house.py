"""House rules in a rulebook: what they say, in their sections, with a move that each forbids.

The examples are looked for in hands that are played at random by the rules without the ban, from
fixed seeds; what is forbidden and what is allowed was asked of the judge.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from meldref.core.cards import UNKNOWN, Card, Played, each
from meldref.core.effort import EFFORT
from meldref.core.events import Action, Discard, Draw, LayOff, Meld, Pass, Swap, Take
from meldref.core.records import changed
from meldref.core.text import many
from meldref.engine.judge import Judge
from meldref.moves.can_finish import may_end
from meldref.notation.actions import BY_KIND
from meldref.notation.writer import write_action
from meldref.position.memory import TURNED_UP, Memory
from meldref.position.model import Position
from meldref.rules.base import Violation
from meldref.rules.forbidding import ENDING
from meldref.ruleset.model import HouseRule, Ruleset, opposite
from meldref_authoring.rulebook.examples.scene import played, whereabouts
from meldref_authoring.rulebook.model import Block, CardExample, Cards, Items, Line, Sentence
from meldref_table.simulate.hand import HandRun
from meldref_table.simulate.players import Chosen, Decision
from meldref_table.simulate.rng import Dice

HANDS: Final = 24
"""The most hands looked at for examples."""
_ABOUT_PILE: Final = re.compile(r"\b(pile|top)\b")
"""How a condition names what lies in the pile."""
_PLACES: Final = {
    "meld": "Melds",
    "lay": "Laying off",
    "swap": "Wild cards",
    "discard": "The discard",
    "rummy": 'Calling "Rummy!"',
    "buy": "Buying",
    "challenge": "Going out",
}


def blocks(ruleset: Ruleset, *, examples: bool) -> dict[str, list[Block]]:
    """What the house rules say, by chapter, each with an example if one is found."""
    blocks_by_place: defaultdict[str, list[Block]] = defaultdict(list)
    bans = any(rule.forbid for rule in ruleset.house_rules)
    by_rule = _examples(ruleset) if examples and bans else {}
    for rule in ruleset.house_rules:
        if rule.award is None:
            place = _PLACES.get(rule.forbid[0], "Your turn")
        else:
            place = "The end of the game" if rule.for_game else "The score of a hand"
        sentence = Sentence(rule.says, (f"house_rules.{rule.name}",))
        blocks_by_place[place].append(Items((sentence,)))
        if rule.name in by_rule:
            blocks_by_place[place].append(by_rule[rule.name])
    return blocks_by_place


class _Looker:
    """Plays at random, and notes the plainest position in which each rule forbids one thing."""

    def __init__(self, judge: Judge, rules: Sequence[HouseRule], dice: Dice) -> None:
        self.judge, self.dice = judge, dice
        self.rules = {f"house.{rule.name}": rule for rule in rules if rule.forbid}
        self.best: dict[str, tuple[tuple[bool, int], CardExample]] = {}
        self.done: list[Action] = []
        self.before: tuple[Position, Sequence[Action]] | None = None
        """How the turn stood before the last thing done, and what was allowed there."""
        self.clean = True
        """Whether all that was done in this turn is allowed."""
        hands = judge.ruleset.hands
        changes = [change.key for hand in hands for change in hand.changes]
        self.changes_wild = "melds.wild.cards" in changes
        """Whether other cards are wild from hand to hand."""

    def choose(self, due: Decision, /) -> Chosen:
        """Any draw or play, one that is allowed if there is one; nothing is called or bought."""
        if due.choices is None:
            return due.options[9]
        actions = [option for option in due.options if isinstance(option, Action)]
        if due.kind in {"call", "buy"} or not actions:
            return None
        if due.kind == "draw":
            self.done, self.before, self.clean = [], None, True
        position = due.choices.position
        if not EFFORT.house.over:
            verdicts = {option: self.judge.violation(position, option) for option in actions}
            allowed = [option for option, why in verdicts.items() if why is None]
            if self.clean:
                self._look(position, verdicts, allowed)
            self.clean = self.clean and bool(allowed)
            self.before = position.copy(), allowed
            actions = allowed or actions
        action = actions[self.dice.below(len(actions))]
        if isinstance(action, Draw) and position.stock:
            action = Draw(position.stock[-1])
        self.done.append(action)
        return action

    def _look(
        self,
        position: Position,
        verdicts: Mapping[Action, Violation | None],
        allowed: Sequence[Action],
    ) -> None:
        """Notes what each rule forbids here, where that is plainer than what was seen before."""
        for wrong, why in verdicts.items():
            rule = self.rules.get(why.code) if why else None
            if rule is None or not self._is_plainer(rule, position, self.done):
                continue
            right = self._right(rule, position, allowed)
            if right is not None or not self.done or self.judge.ruleset.draw.dead_end == "allowed":
                self._note(rule, position, self.done, right, wrong)
            elif self.before is not None:
                # What was done last left the turn no end, and is what is not allowed.
                earlier, other = self.before
                right = self._right(rule, earlier, other)
                if right is not None:
                    self._note(rule, earlier, self.done[:-1], right, self.done[-1])

    def _is_plainer(self, rule: HouseRule, position: Position, done: Sequence[Action]) -> bool:
        """Whether a position is plainer than the one noted for a rule, if a legal move is shown."""
        best = self.best.get(rule.name)
        return best is None or (False, _size(position, done)) < best[0]

    def _note(
        self,
        rule: HouseRule,
        position: Position,
        done: Sequence[Action],
        right: Action | None,
        wrong: Action,
    ) -> None:
        """Notes an example of a rule if it is plainer than the one before."""
        rank = (right is None, _size(position, done))
        if rule.name not in self.best or rank < self.best[rule.name][0]:
            self.best[rule.name] = rank, self._in_words(rule, position, done, right, wrong)

    def _right(
        self, rule: HouseRule, position: Position, allowed: Sequence[Action]
    ) -> Action | None:
        """What may be done here and leaves the turn an end, best what the rule is about."""
        alike = [option for option in allowed if _is_about(rule, option)]
        for option in dict.fromkeys([*alike, *allowed]):
            if _leads_on(self.judge, position, option):
                return option
        return None

    def _depends_on_hand(self, position: Position, right: Action | None, wrong: Action) -> bool:
        """Whether the moves would be judged otherwise in another hand of the game."""
        given = self.judge.violation(position, wrong)
        for hand in self.judge.given.hands:
            judge = self.judge.for_hand(hand.first)
            why = judge.violation(position, wrong)
            if why is None or given is None or why.code != given.code:
                return True
            if right is not None and not _leads_on(judge, position, right):
                return True
        return False

    def _in_words(
        self,
        rule: HouseRule,
        position: Position,
        done: Sequence[Action],
        right: Action | None,
        wrong: Action,
    ) -> CardExample:
        """The position in words, with what the rule asks of it, and the two moves."""
        seat = position.turn.seat
        conditions = f"{rule.when}{rule.unless}"
        if isinstance(right, Draw):
            conditions += " stock.size"
        melds: list[tuple[Sequence[Played], bool]] = []
        for meld in position.melds:
            cards = [Played(card.card, card.role) for card in meld.cards]
            melds.append((cards, meld.seat == seat))
        pile = _pile_to_show(position, conditions, (right, wrong))
        parts = [*whereabouts(melds, pile, numbered=True)]
        if parts:
            parts.append(". ")
        hand = tuple(each(position.hands[seat]))
        parts += ["In your hand: ", Cards(played(hand))]
        before = ". Done in this turn: "
        for action in done:
            parts += [before, *_in_cards(action)]
            before = "; "
        if "turn.taken" in conditions and position.turn.taken:
            parts += [". You took ", Cards(played(position.turn.taken)), " from the pile"]
        memory = position.memory
        if memory is not None:
            dealer = "You" if memory.dealer == seat else "Another player"
            facts = {
                "player.turns": f". It is your turn number {memory.turns[seat]} in this hand",
                "hand.number": f". It is hand number {memory.hand} of the game",
                "player.total": f". Your total is {memory.totals[seat]}",
                "player.is_dealer": f". {dealer} dealt",
                "stock.size": f". The stock has {many(len(position.stock), 'card')} left",
            }
            if "discarded_by" in conditions:
                parts += self._throwers(position, memory, pile)
            differs = "hand." in conditions and bool(self.judge.given.hands)
            differs = differs or self._depends_on_hand(position, right, wrong)
            if self.changes_wild or differs or "hand.is_last" in conditions:
                conditions += " hand.number"
            parts += [text for fact, text in facts.items() if fact in conditions]
        allowed = () if right is None else _in_cards(right)
        return CardExample((*parts, "."), allowed, (_in_cards(wrong),))

    def _throwers(
        self, position: Position, memory: Memory, pile: Sequence[Card]
    ) -> Iterator[str | Cards]:
        """Who threw the cards that are shown of the pile, and those taken from it in this turn."""
        seat, players = position.turn.seat, len(position.players)
        away = opposite(self.judge.ruleset, players)
        names = dict.fromkeys(
            range(players), "An opponent threw " if away else "Another player threw "
        )
        if away:
            names[(seat + away) % players] = "Your partner threw "
        names[seat] = "You threw "
        names[TURNED_UP] = "At the deal was turned up "
        thrown = list(zip(pile, memory.throwers(len(pile)), strict=True))
        if memory.latest is not None and memory.latest.seat == seat:
            thrown += memory.latest.thrown
        cards_by_name: defaultdict[str, list[Card]] = defaultdict(list)
        for card, by in thrown:
            if by is not None:
                cards_by_name[names[by]].append(card)
        for name, cards in cards_by_name.items():
            yield f". {name}"
            yield Cards(played(cards))


def _size(position: Position, done: Sequence[Action]) -> int:
    """How much a reader has to take in: cards, and what was done in the turn."""
    seen = sum(len(meld.cards) for meld in position.melds) + len(position.pile)
    return seen + position.held[position.turn.seat] + 3 * len(done)


def _leads_on(judge: Judge, position: Position, action: Action) -> bool:
    """Whether an action is allowed and leaves the turn an end."""
    return judge.violation(position, action) is None and may_end(judge, position, action)


def _pile_to_show(
    position: Position, conditions: str, moves: Sequence[Action | None]
) -> Sequence[Card]:
    """What of the pile a reader has to know: all of it, or nothing that the moves are about."""
    matters = _ABOUT_PILE.search(conditions) or any(isinstance(move, Take) for move in moves)
    return position.pile if matters and UNKNOWN not in position.pile else ()


def _is_about(rule: HouseRule, action: Action) -> bool:
    """Whether a rule is about such an action."""
    return BY_KIND[type(action)].word in rule.forbid or (
        "end" in rule.forbid and type(action) in ENDING
    )


def _in_cards(action: Action) -> Line:
    """A move in words, its cards as the book shows them."""
    match action:
        case Draw(card):
            name = () if card == UNKNOWN else (Cards(played((card,))), " ")
            return "draw ", *name, "from the stock"
        case Take(card):
            return "take ", Cards(played((card,))), " from the pile"
        case Meld(cards):
            return "meld ", Cards(cards)
        case LayOff(cards, target):
            return "lay off ", Cards(cards), "" if target is None else f" on m{target}"
        case Swap(card, target):
            meld = "" if target is None else f" in m{target}"
            return "put ", Cards(played((card,))), f" in place of the wild card{meld}"
        case Discard(card):
            return "discard ", Cards(played((card,)))
        case Pass():
            return ("decline the pile",)
    return (write_action(action),)


def _examples(ruleset: Ruleset) -> dict[str, CardExample]:
    """An example of what each house rule forbids and allows, by name, if one is found."""
    players = max(2, ruleset.players.min)
    # What is remembered of a hand, and who discarded which card, needs a rule that asks for it.
    asks = "stock.size < 0 and top.discarded_by is nobody"
    without = (HouseRule("none", "Nothing.", forbid=("pass",), when=asks),)
    player, judge = Judge(changed(ruleset, house_rules=without), players), Judge(ruleset, players)
    names = tuple("ABCDEFGHIJKLMNOPQRST"[:players])
    looker = _Looker(judge, ruleset.house_rules, Dice(7, ruleset.id))
    for number in range(HANDS):
        run = HandRun(player, names, [looker] * players, tuple(range(players)))
        run.hand.number, run.hand.totals = 1 + number % 3, (150 * (number % 4),) * players
        looker.judge = judge.for_hand(run.hand.number)
        run.play(0, Dice(number, "deal"), lambda: Dice(1, "shuffle"))
        if EFFORT.house.over:
            break
        beside_legal_moves = [rank for rank, _ in looker.best.values() if not rank[0]]
        if number >= 3 and len(looker.rules) == len(beside_legal_moves):
            break
    return {name: example for name, (_, example) in looker.best.items()}
