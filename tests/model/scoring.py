"""Points of a hand, and what they mean for the game."""

from dataclasses import dataclass, field

from model.cards import JOKER, UNKNOWN
from model.melds import Meld, goes_round
from model.settings import Settings, Unsupported
from model.table import Table


def card_points(card: str, settings: Settings) -> int:
    """What a card counts where nothing else is said."""
    if card == JOKER:
        return settings.joker
    if card[0] == "A":
        return settings.ace
    if card[0] == "T":
        return settings.ten
    if card[0] in "JQK":
        return 10
    return settings.two_to_nine or int(card[0])


def laid_points(meld: Meld, card: str, role: str, settings: Settings) -> int:
    """What a card on the table counts."""
    counted = role if settings.wild_counts == "represented" else card
    if counted[0] == "A" and meld.kind == "sequence":
        worth = ace_points(meld, role, settings)
        if worth is not None:
            return worth
    return card_points(counted, settings)


def ace_points(meld: Meld, role: str, settings: Settings) -> int | None:
    """What an ace counts where it lies in a run; None: as any other."""
    if goes_round(settings) and len(meld.cards) == 13:
        return settings.around_ace
    place = meld.place(role)
    if place == meld.low:
        return settings.low_ace
    return settings.high_ace if place == meld.high else settings.around_ace


def held_points(cards: list[str], settings: Settings) -> int:
    """What the cards left in a hand cost."""
    if UNKNOWN in cards:
        raise Unsupported("what cards count that nobody saw")
    return sum(
        settings.held_ace if card[0] == "A" else card_points(card, settings) for card in cards
    )


def table_points(table: Table, player: str) -> int:
    """What a player has on the table: melds and cards laid off."""
    if table.settings.sides:
        raise Unsupported("how sides score")
    return sum(
        laid_points(meld, card, role, table.settings)
        for meld in table.melds.values()
        for card, role, owner in meld.cards
        if owner == player
    )


def hand_score(table: Table, player: str) -> int:
    """A player's score for the hand."""
    bonus = table.settings.out_bonus if table.over == ("out", player) else 0
    ignored = table.settings.hands_at_stock_end == "ignore" and table.over == ("stock", None)
    settings = table.settings
    points = table_points(table, player) if settings.melds_count else 0
    if settings.hands_count == "to_player_out":
        went_out = table.over == ("out", player)
        others = [card for other, hand in table.hands.items() if other != player for card in hand]
        score = points + (held_points(others, settings) if went_out else 0)
        rummy = settings.going_rummy and went_out and table.melding_turns.get(player) == 1
        return 2 * score if rummy else score
    held = 0 if ignored else held_points(table.hands[player], settings)
    return points + (held if settings.hands_count == "add" else -held) + bonus


@dataclass
class Game:
    """Totals over the hands, and whether the game is over."""

    settings: Settings
    players: list[str]
    totals: dict[str, int] = field(default_factory=dict)
    tie_break: list[str] = field(default_factory=list)  # who shared the lead at the target
    winner: str | None = None
    may_share: list[str] = field(
        default_factory=list
    )  # who was level before and after a tie-break hand
    closed: bool = False  # the winner was written down
    counted: int = 0  # how many hands were
    shared: list[str] = field(default_factory=list)  # who won together
    out: str | None = None  # who went out in the hand counted last
    stopped: bool = False  # by agreement, with the hand that is counted next

    def __post_init__(self) -> None:
        if self.settings.sides:
            raise Unsupported("how sides score")
        self.totals = dict.fromkeys(self.players, 0)

    def add(self, scores: dict[str, int], out: str | None) -> None:
        """Count a hand, which `out` has ended (nobody: the stock)."""
        for player, score in scores.items():
            self.totals[player] += score
        self.out = out
        self.counted += 1
        broken = self.tie_break
        self.decide(broken)
        self.may_share = self.tie_break if broken and self.settings.may_share else []

    def decide(self, broken: list[str]) -> None:
        """Who has won; `broken` are those whose tie the last hand was to break."""
        if self.settings.hands_in_game:
            if self.counted >= self.settings.hands_in_game:
                least = min(self.totals.values())
                self.shared = [name for name, total in self.totals.items() if total == least]
                self.winner = self.shared[0]
            return
        if self.settings.winner == "player_out":
            if self.out is not None and self.totals[self.out] >= self.settings.target:
                self.winner = self.out
            return
        among = broken if broken and self.settings.tied_only else self.players
        best = max(self.totals[player] for player in among)
        leaders = [player for player in among if self.totals[player] == best]
        self.winner = None
        self.tie_break = []
        if best < self.settings.target and not broken and not self.stopped:
            return
        if len(leaders) > 1 and self.settings.tie_first == "player_out":
            if self.out is None:
                raise Unsupported("whether nobody went out, or nobody wrote who")
            leaders = [self.out] if self.out in leaders else leaders
        self.winner = leaders[0] if len(leaders) == 1 else None
        self.tie_break = leaders if len(leaders) > 1 else []

    def has_won(self, players: list[str]) -> bool:
        """Whether these have won, or may share the win."""
        if self.shared:
            return sorted(players) == sorted(self.shared)
        if self.winner is None:
            return bool(self.may_share) and sorted(players) == sorted(self.may_share)
        return players == [self.winner]

    def playing(self) -> list[str]:
        """Who plays the next hand."""
        if self.tie_break and self.settings.tied_only:
            return self.tie_break
        return self.players
