"""A random player that likes melding and taking the pile. Its turns are judged by the rules as they grow."""

from random import Random
from typing import Any

from model import hints
from model.cards import JOKER, without
from model.melds import exchange, read_meld, stand_in
from model.settings import Illegal
from model.table import Table
from model.turns import act, begin, must_be_finished, play_line

MELD, LAY, TAKE_DEEP, TAKE_TOP, CALL = 0.7, 0.7, 0.55, 0.3, 0.35


def choose_turn(
    table: Table, rng: Random, *, hurry: bool = False
) -> tuple[Table, list[tuple[Any, ...]]]:
    """A legal turn of the player to move: the table after it, and its actions. In a hurry, no takes."""
    for attempt in range(20):
        after = table.copy()
        try:
            actions = Turn(after, rng, hurry=hurry or attempt > 3, keen=attempt < 12).play()
            must_be_finished(after)
        except Illegal:
            continue
        return after, joined(actions, rng)
    raise AssertionError(f"no turn found for {table}")


def joined(actions: list[tuple[Any, ...]], rng: Random) -> list[tuple[Any, ...]]:
    """Lay-offs on the same meld, one after the other, may be written as one."""
    shorter = actions[:1]
    for action in actions[1:]:
        before = shorter[-1]
        if action[0] == before[0] == "lay" and action[2] == before[2] and rng.random() < 0.5:
            shorter[-1] = ("lay", before[1] + action[1], action[2])
        else:
            shorter.append(action)
    return shorter


def choose_call(
    table: Table, rng: Random, *, in_turn: bool = False
) -> tuple[Table, str, list[tuple[Any, ...]]] | None:
    """A call that somebody makes now, or None: the table after it, the caller and the actions."""
    if not table.window:
        return None
    for player in rng.sample(table.players, len(table.players)):
        possible = hints.calls(table, player)
        for call in rng.sample(possible, min(len(possible), 3)):
            after = table.copy()
            try:
                actions = Turn(after, rng, keen=True).call(player, call)
                if not in_turn:
                    must_be_finished(after)
            except Illegal:
                continue
            return after, player, actions
    return None


class Turn:
    """One turn while it is being made up."""

    def __init__(self, table: Table, rng: Random, *, hurry: bool = False, keen: bool = True):
        self.table = table
        self.rng = rng
        self.hurry = hurry
        self.keen = keen
        self.actions: list[tuple[Any, ...]] = []
        self.player = table.to_move

    @property
    def hand(self) -> list[str]:
        return self.table.hands[self.player]

    def do(self, action: tuple[Any, ...]) -> None:
        """Carry an action out and write it down."""
        act(self.table, action)
        self.actions.append(action)

    def play(self) -> list[tuple[Any, ...]]:
        """A whole turn."""
        begin(self.table, self.player)
        self.draw()
        self.meld_and_discard()
        return self.actions

    def call(self, player: str, call: list[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
        """A call and what belongs to it."""
        self.player = player
        self.actions = [call[0], self.bare_if_clear(call[1])]
        play_line(self.table, player, self.actions)
        if self.table.settings.call_discard:
            self.meld_and_discard()
        return self.actions

    # -- the draw
    # ------------------------------------------------------------------------------------------

    def draw(self) -> None:
        """All draws of the turn; none in the first turn of a hand, in some games."""
        while self.table.turn is not None and not self.table.under_way.drawn:
            self.draw_once()

    def may_take(self) -> bool:
        """Whether the pile may be taken: not as the second of two draws, in some games."""
        first = self.table.under_way.first
        return not first or (first == "stock" and self.table.settings.mixed == "allowed")

    def draw_once(self) -> None:
        table, rng = self.table, self.rng
        top_is_bound = table.settings.top_must_be_used
        stock = table.stock_size()
        if table.pile and self.may_take() and not (self.hurry and stock):
            if rng.random() < TAKE_DEEP and self.take_for_use(range(len(table.pile) - 1)):
                return
            top = [len(table.pile) - 1]
            if rng.random() < (TAKE_TOP if stock else 0.6) and (
                self.take_for_use(top)
                or (not top_is_bound and rng.random() < 0.4 and self.take_top())
            ):
                return
        self.do(("draw", table.stock[0]) if stock else ("pass",))

    def take_top(self) -> bool:
        self.do(("take", self.table.pile[-1], None))
        return True

    def take_for_use(self, reach: range | list[int]) -> bool:
        """Take the pile down to a card that can be used, and use it."""
        pile = self.table.pile
        order = [
            place
            for place in reach
            if pile[place] not in pile[place + 1 :] or self.rng.random() < 0.2
        ]
        self.rng.shuffle(order)
        for place in order:
            use = self.ways_to_use(pile[place], self.hand + pile[place:])
            if use:
                count = len(pile) - place
                self.do(("take", pile[place], count if count > 1 else None))
                if not self.table.under_way.drawn:
                    self.do(("draw", self.table.stock[0]))
                for action in self.rng.choice(use):
                    self.do(action)
                return True
        return False

    def ways_to_use(self, card: str, available: list[str]) -> list[list[tuple[Any, ...]]]:
        """What could be played with a card from the pile, each way as a list of actions."""
        table = self.table
        found: list[list[tuple[Any, ...]]] = []
        if "lay" in table.settings.use:
            found += [
                [self.bare_if_clear(("lay", hints.plain([word]), number))]
                for word, number in hints.lay_offs(table, card)
            ]
        for meld in hints.melds(available, table.settings, must=card):
            words = [word.partition("=")[0] for word in meld]
            if without(available, words) is None:
                continue
            found.append([self.bare_if_clear(("meld", hints.plain(meld), None))])
            if len(meld) > 3 and card in (meld[0], meld[-1]) and "lay" in table.settings.use:
                rest = meld[1:] if card == meld[0] else meld[:-1]
                if any("=" not in word for word in rest):
                    first = ("meld", hints.plain(rest), None)
                    found.append([first, ("lay", [(card, None)], len(table.melds) + 1)])
        return found

    # -- melds and the discard
    # -----------------------------------------------------------------------------

    def meld_and_discard(self) -> None:
        self.swap_some()
        while self.going_on() and self.keen and self.rng.random() < MELD:
            if not self.meld_something():
                break
        self.lay_off_some()
        if self.table.turn is not None:
            self.discard()

    def going_on(self) -> bool:
        return self.table.turn is not None

    def swap_some(self) -> None:
        """Put cards in place of wild ones that stand for them, where that leaves an end."""
        turn, settings = self.table.turn, self.table.settings
        if settings.swap == "never" or turn is None or turn.called:
            return
        to_hand = settings.swapped == "to_hand"
        for card in self.rng.sample(self.hand, len(self.hand)):
            for number, meld in self.table.melds.items():
                place = stand_in(meld, card, settings)
                if place is None or not self.going_on() or not (to_hand or self.may_leave([card])):
                    continue
                if exchange(meld.copy(), place, card, self.player, settings):
                    self.do(("swap", card, number))
                    break

    def may_leave(self, cards: list[str]) -> bool:
        """Whether a play of these cards leaves the turn an end."""
        left = without(self.hand, cards)
        if left is None:
            return False
        if not left:
            return self.table.settings.melding_all != "forbidden"
        turn = self.table.under_way
        only_the_taken = len(turn.taken) == 1 and not turn.called and turn.taken[0] not in turn.held
        return len(left) > 1 or not only_the_taken or left != turn.taken

    def meld_something(self) -> bool:
        """Lay one meld, where there is one to lay."""
        found = hints.melds(self.hand, self.table.settings)
        found = [
            meld for meld in found if self.may_leave([word.partition("=")[0] for word in meld])
        ]
        if self.rng.random() < 0.5:
            found = [meld for meld in found if not any("=" in word for word in meld)]
        if not found:
            return False
        self.do(self.bare_if_clear(("meld", hints.plain(self.rng.choice(found)), None)))
        return True

    def lay_off_some(self) -> None:
        """Lay off what fits, mostly; a second card for the same meld may go in the same action."""
        for card in self.rng.sample(self.hand, len(self.hand)):
            if not self.going_on() or card not in self.hand or not self.may_leave([card]):
                continue
            forced = self.must_lay(card)
            if not forced and self.rng.random() > (LAY if card != JOKER else 0.2):
                continue
            found = hints.lay_offs(self.table, card)
            if found:
                word, number = self.rng.choice(found)
                action = self.bare_if_clear(("lay", hints.plain([word]), number))
                self.do(action)

    def must_lay(self, card: str) -> bool:
        """A last card that fits may not be discarded in some games."""
        settings = self.table.settings
        bound = settings.last_discard == "unplayable" or settings.floater_must_play
        return bound and self.hand == [card]

    def discard(self) -> None:
        """Throw a card; a taken top card stays, and so does, mostly, a joker."""
        turn = self.table.under_way
        free = [card for card in self.hand if not (card in turn.taken and card not in turn.held)]
        if len(turn.taken) > 1 and (self.rng.random() < 0.3 or not free):
            free = self.hand
        keep = [card for card in free if card != JOKER]
        if keep and self.rng.random() < 0.9:
            free = keep
        self.do(("discard", self.rng.choice(free or self.hand)))

    def bare_if_clear(self, action: tuple[Any, ...]) -> tuple[Any, ...]:
        """Now and then leave the roles of jokers out, where the cards say the same without them."""
        kind, cards, number = action
        if not any(role for _, role in cards) or self.rng.random() < 0.6:
            return action
        bare: list[tuple[str, str | None]] = [(card, None) for card, _ in cards]
        if kind == "lay":
            roles = {word for word, at in hints.lay_offs(self.table, bare[0][0]) if at == number}
            return (kind, bare, number) if len(roles) == 1 else action
        try:
            same = (
                read_meld(bare, self.table.settings).roles
                == read_meld(cards, self.table.settings).roles
            )
        except Illegal:
            return action
        return (kind, bare, number) if same else action
