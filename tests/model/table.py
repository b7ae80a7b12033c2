"""Where a hand stands: cards in hands, pile, stock and melds, and the turn that is being played."""

from dataclasses import dataclass, field
from typing import NamedTuple

from model.cards import UNKNOWN, without
from model.melds import Meld
from model.settings import Illegal, Settings


class Play(NamedTuple):
    """One meld, one card laid off, or one exchange, as it was carried out."""

    kind: str  # meld, lay, swap
    number: int  # of the meld
    cards: tuple[str, ...]
    roles: tuple[str, ...]
    place: int  # of a meld's lowest card, of a card laid off


@dataclass
class Turn:
    """What the player of this turn has done so far."""

    player: str
    held: list[str]  # before the draw
    called: bool = False
    drawn: str = ""  # stock, pile, nothing (where the opening has no draw), or "" before the draw
    first: str = ""  # where the first of two cards came from: stock, pile, or "" before it
    taken: list[str] = field(default_factory=list)  # from the pile, deepest first
    duty: str | None = None  # the card that has to be used
    used: list[str] = field(default_factory=list)  # how it was: meld, lay, swap
    floated: bool = False  # the player had no cards when the turn began
    line: int = 0  # where it was last played on
    duty_line: int = 0
    # what "at once" is judged by: the table and the hand after the draw, and all plays since
    melds_then: dict[int, Meld] = field(default_factory=dict)
    hand_then: list[str] = field(default_factory=list)
    plays: list[Play] = field(default_factory=list)

    def copy(self) -> "Turn":
        turn = Turn(**vars(self))
        turn.used = list(self.used)
        turn.plays = list(self.plays)
        turn.hand_then = list(self.hand_then)
        return turn


@dataclass
class Table:
    """One hand of the game. Players sit clockwise in the order of the list."""

    settings: Settings
    players: list[str]
    to_move: str
    hands: dict[str, list[str]]
    pile: list[str]  # bottom to top
    stock: list[str]  # top first, as far as it is known
    unseen: list[str] = field(default_factory=list)  # the cards below, in unknown order
    hidden: int = 0  # how many of those were drawn by now, and nobody told which
    melds: dict[int, Meld] = field(default_factory=dict)
    floating: set[str] = field(default_factory=set)
    turn: Turn | None = None
    interrupted: Turn | None = None  # the turn that a call came into
    opening: bool = False  # no turn has been played yet
    turns: int = 0  # ordinary turns that have begun
    line: int = 0  # the last one that was played
    last_player: str | None = None  # whose turn ended last
    discarder: str | None = None  # who threw the last discard
    last_discard: str | None = None  # while it lies on the pile, uncovered
    window: bool = False  # calls may come
    over: tuple[str, str | None] | None = None  # ("out", player) or ("stock", None)
    out: str | None = None  # who went out first, while the others have their last turns
    provisional: bool = False  # over, unless the last discard is called
    passed: bool = False  # somebody has passed
    shuffled: bool = False  # the pile became the stock, in an order that may be told
    bought: bool = False  # the last discard, by somebody whose turn it is not
    buys: dict[str, int] = field(default_factory=dict)  # of each player
    laid: dict[str, list[int]] = field(default_factory=dict)  # the melds of each player
    melding_turns: dict[str, int] = field(default_factory=dict)  # of each player
    renewed: int = 0  # how often the pile became the stock
    wild_rank: str | None = None
    back: bool = False  # turns go against the clock in this hand

    def copy(self) -> "Table":
        """A table that can be played on without touching this one."""
        table = Table(**vars(self))
        table.hands = {player: list(cards) for player, cards in self.hands.items()}
        table.pile = list(self.pile)
        table.stock = list(self.stock)
        table.unseen = list(self.unseen)
        table.melds = {number: meld.copy() for number, meld in self.melds.items()}
        table.floating = set(self.floating)
        table.melding_turns = dict(self.melding_turns)
        table.buys = dict(self.buys)
        table.laid = {player: list(melds) for player, melds in self.laid.items()}
        table.turn = self.turn.copy() if self.turn else None
        table.interrupted = self.interrupted.copy() if self.interrupted else None
        return table

    @property
    def under_way(self) -> Turn:
        """The turn that is being played, where one is."""
        assert self.turn is not None
        return self.turn

    @property
    def ending(self) -> tuple[str, str | None]:
        """How the hand ended, where it did."""
        assert self.over is not None
        return self.over

    def next_to(self, player: str) -> str:
        """Who plays after a player."""
        return neighbour(self.players, player, back=self.back)

    def draw_card(self, named: str | None) -> str:
        """Take the top card of the stock, which has to be the one named."""
        if self.stock:
            if named not in (None, self.stock[0]):
                raise Illegal("draw.stock", f"{named} is not the top of the stock")
            return self.stock.pop(0)
        if not self.stock_size():
            raise Illegal("draw.stock", "the stock is empty")
        if named is None:
            self.hidden += 1
            return UNKNOWN
        if named not in self.unseen:
            lies = [*self.pile, *(card for hand in self.hands.values() for card in hand)]
            lies += [card for meld in self.melds.values() for card, _, _ in meld.cards]
            code = "log.copies" if named in lies else "draw.stock"
            raise Illegal(code, f"{named} cannot be in the stock")
        self.unseen.remove(named)
        return named

    def nothing_to_draw(self) -> bool:
        """Whether stock and pile are empty: nobody can go on."""
        return not self.stock_size() and not self.pile

    def go_out(self, player: str) -> None:
        """A player has no cards left, and does not float."""
        if self.settings.last_turns == "none":
            self.over = ("out", player)
            return
        self.floating.discard(player)
        self.out = self.out or player

    def stock_ends(self) -> None:
        """The hand is over since there is nothing to draw."""
        self.over = ("out", self.out) if self.out else ("stock", None)

    def end_without_stock(self) -> None:
        """The last card was drawn, and in some games the hand ends with that."""
        ends = self.settings.stock_empty == "last_turn" and not self.opening
        if ends and not self.stock_size() and not self.over and not self.can_be_renewed():
            self.stock_ends()

    def over_by_itself(self) -> bool:
        """Whether the hand is over since nobody can draw, and nobody has said so by passing yet."""
        return self.over == ("stock", None) and self.nothing_to_draw() and not self.passed

    def end_where_nobody_can_draw(self) -> None:
        """A turn is due, and there is no card for it: the hand is over."""
        draws = not (self.opening and self.settings.extra_card)
        if self.turn is None and not self.over and draws and self.nothing_to_draw():
            self.stock_ends()

    def can_be_renewed(self) -> bool:
        """Whether the pile becomes the stock, now that it is empty."""
        settings = self.settings
        used_up = self.renewed + 1
        return (
            settings.reshuffle != "never"
            and used_up != settings.ends_at
            and not self.stock_size()
            and len(self.pile) > 1
        )

    def name_stock(self, cards: list[str]) -> None:
        """The order of a stock that was shuffled is told."""
        if not self.shuffled or self.stock or without(self.unseen, cards) is None:
            raise Illegal("log.syntax", "no stock is to be named")
        for card in cards:
            self.unseen.remove(card)
        self.stock = list(cards)
        self.shuffled = False

    def turn_pile_over(self) -> None:
        """The pile becomes the stock, its lowest card on top."""
        if self.over:
            raise Illegal("end.late", "the hand is over")
        if not self.can_be_renewed():
            raise Illegal("stock.reshuffle", "the pile stays where it is")
        settings = self.settings
        stays = self.pile[-1:] if settings.turned == "but_top" else []
        turned = self.pile[: len(self.pile) - len(stays)]
        self.shuffled = settings.reshuffle == "but_top"
        if self.shuffled:
            self.unseen += turned
        else:
            self.stock = turned
        self.pile = stays
        self.renewed += 1
        if not stays:
            self.last_discard = self.discarder = None

    def stock_size(self) -> int:
        return len(self.stock) + len(self.unseen) - self.hidden

    def show(self, player: str, cards: list[str]) -> None:
        """A player plays cards: those not known to be in the hand are those that were drawn unseen."""
        hand = self.hands[player]
        left = list(hand)
        for card in cards:
            if card not in left and UNKNOWN in left and card in self.unseen:
                for known in (left, hand, self.under_way.hand_then):
                    if UNKNOWN in known:
                        known[known.index(UNKNOWN)] = card
                self.unseen.remove(card)
                self.hidden -= 1
            if card in left:
                left.remove(card)


def neighbour(players: list[str], player: str, *, back: bool) -> str:
    """The next player clockwise, or the one before."""
    return players[(players.index(player) + (-1 if back else 1)) % len(players)]
