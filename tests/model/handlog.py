"""What a log says about one hand: the deal, the turns, assertions in between."""

from typing import Any

from model import notation
from model.cards import JOKER, UNKNOWN
from model.scoring import Game, hand_score
from model.settings import Illegal, Unsupported
from model.table import Table, neighbour
from model.turns import may_stop, must_be_finished, play_line


class HandLog:
    """One hand of a log."""

    def __init__(self, game: Game, line: int, dealer: str | None, number: int):
        self.game = game
        self.settings = game.settings.of_hand(number)
        self.players = game.playing()
        self.line = line
        self.back = game.settings.back(number)
        self.dealer = dealer
        # cards of the pack that have not turned up
        self.unseen = self.settings.pack(len(self.players))
        self.dealt: dict[str, list[str]] = {}
        self.up: str | None = None
        self.stock: list[str] = []
        self.wild: str | None = self.settings.wild_rank
        self.table: Table | None = None
        self.sheet: dict[str, int] | None = None  # the scores of a hand that has no turns
        self.out: str | None = None
        self.counted = False

    # -- the deal
    # ------------------------------------------------------------------------------------------

    def turn_up(self, cards: list[str]) -> list[str]:
        """Cards that come out of the pack: it must have them."""
        for card in cards:
            if card == JOKER and not (self.settings.jokers or self.settings.jokers_for):
                raise Illegal("setup.deck", "there are no jokers")
            if card not in self.unseen:
                raise Illegal("log.copies", f"{card} has turned up before")
            self.unseen.remove(card)
        return cards

    def before_turns(self, rest: str) -> list[str]:
        """The cards of a line that belongs before the first turn."""
        if "?" in rest:
            raise Unsupported("unknown cards")
        if self.table:
            raise Illegal("log.syntax", "the hand has begun")
        return notation.cards(rest.split())

    def first(self) -> str | None:
        """Who plays first, where the dealer is known."""
        if self.dealer is None:
            return None
        return neighbour(self.players, self.dealer, back=self.back)

    def deal(self, player: str, words: str) -> None:
        """`deal Ann 5h 6h …`."""
        cards = self.before_turns(words)
        if player in self.dealt:
            raise Illegal("setup.deal", f"{player} is dealt cards twice")
        is_first = {player == self.first()} if self.dealer else {False, True}
        if not cards:
            raise Illegal("setup.deal", f"{player} is dealt no cards")
        number = len(self.players)
        counts = {self.settings.dealt(number, cards[0], first=first) for first in is_first}
        if len(cards) not in counts:
            raise Illegal("setup.deal", f"{player} is dealt {len(cards)} cards")
        self.dealt[player] = self.turn_up(cards)

    def turn_over(self, rest: str) -> None:
        """`up 6c`."""
        cards = self.before_turns(rest)
        if len(cards) != 1 or self.up:
            raise Illegal("setup.deal", "one card is turned up")
        self.up = self.turn_up(cards)[0]

    def start_table(self, player: str) -> Table:
        """The first turn: the deal is complete, or it is not."""
        if not self.dealt:
            raise Unsupported("unknown hands")
        if set(self.dealt) != set(self.players) or self.up is None:
            raise Illegal("setup.deal", "the deal is not complete", self.line)
        if self.dealer is None:  # whoever plays first sits beside the dealer
            self.dealer = neighbour(self.players, player, back=not self.back)
        first = self.first()
        assert first is not None  # the dealer is known by now
        table = Table(
            self.settings, self.players, first, self.dealt, [self.up], self.stock, self.unseen
        )
        table.opening, table.back = True, self.back
        table.wild_rank = self.wild
        return table

    # -- turns
    # ---------------------------------------------------------------------------------------------

    def turn(
        self, line: int, written: int | None, player: str, actions: list[tuple[Any, ...]]
    ) -> None:
        """A turn line."""
        if player not in self.players:
            raise Illegal("turn.order", f"{player} does not play this hand")
        if self.table is None:
            self.table = self.start_table(player)
        table = self.table
        goes_on = table.turn is not None and table.turn.player == player
        play_line(table, player, actions, line)
        if written is None:
            return
        if goes_on or actions[0][0] in ("rummy", "buy"):
            raise Illegal("log.number", "only ordinary turns have numbers")
        if written != table.turns:
            raise Illegal("log.number", f"this is turn {table.turns}")

    def name_stock(self, rest: str) -> None:
        """`stock 5h 6h …`, before the first turn, or once the pile was shuffled into the stock."""
        if self.table is None or "?" in rest:
            self.stock += self.turn_up(self.before_turns(rest))
        else:
            self.table.name_stock(notation.cards(rest.split()))

    def turn_pile_over(self) -> None:
        """`reshuffle`."""
        if self.table is None:
            raise Illegal("stock.reshuffle", "nobody has played")
        must_be_finished(self.table)
        self.table.turn_pile_over()

    def check_assertion(self, what: str, *words: str) -> None:
        """`= hand Ann 5`, `= pile 6s 4c`, `= stock 12`, `= table m1 5h 6h 7h`."""
        table = self.table
        if table is None:
            raise Unsupported("an assertion before the first turn")
        found: list[str] | int
        cards = list(words)
        if not cards:
            raise Illegal("log.syntax", "an assertion of nothing")
        if what == "hand":
            player = cards.pop(0)
            if player not in table.hands:
                raise Illegal("log.name", player)
            found = table.hands[player]
        elif what == "pile":
            found = table.pile
        elif what == "stock":
            found = table.stock_size()
        elif what == "table":
            number = notation.meld_number(cards[:1])
            cards = [card.partition("=")[0] for card in cards[1:]]
            found = (
                [card for card, _, _ in table.melds[number].cards] if number in table.melds else []
            )
        else:
            raise Unsupported(what)
        if len(cards) == 1 and cards[0].isdigit():
            right = int(cards[0]) == (found if isinstance(found, int) else len(found))
        elif isinstance(found, int):
            raise Unsupported("cards of the stock")
        elif UNKNOWN in found or "?" in cards:
            raise Unsupported("cards that nobody saw")
        else:
            right = cards == found if what == "pile" else sorted(cards) == sorted(found)
        if not right:
            raise Illegal("log.assert", f"{what}: {found}")

    # -- the end
    # -------------------------------------------------------------------------------------------

    def may_stop(self) -> None:
        """The log is at its end."""
        if self.table:
            may_stop(self.table)

    def end(self, reason: str, out: str | None) -> None:
        """`end out Ann`, `end out`, `end stock`, `end agreed`."""
        self.out = out
        table = self.table
        self.game.stopped = reason == "agreed" and self.settings.agreed_end
        if table is None:
            self.is_sheet()
            if reason == "out" and out is None:
                raise Unsupported("who went out is not written")
            if reason == "agreed" and not self.game.stopped:
                raise Illegal("end.reason", "nobody may stop the game")
            return
        must_be_finished(table)
        agreed = reason == "agreed" and self.settings.agreed_end
        declined = reason == "stock" and not table.stock_size() and not table.can_be_renewed()
        if not table.over and (agreed or declined):
            table.over = (reason, None)
        if not table.over:
            raise Illegal("end.early", "the hand is not over")
        ended, who = table.over
        if reason != ended or out not in (who, None):
            raise Illegal("end.reason", f"{table.over}")
        table.provisional = False

    def is_sheet(self) -> None:
        """Only a hand without a deal may go without turns."""
        if self.dealt:
            raise Illegal("end.early", "nobody has played")

    def count(self) -> None:
        """Count the hand into the totals, once; it has to be over."""
        if self.counted:
            return
        table = self.table
        if table is None:
            scores, out = self.sheet or {}, self.out
        else:
            must_be_finished(table)
            if not table.over:
                raise Illegal("end.early", "the hand is not over")
            table.provisional = False
            scores, out = self.computed(), table.over[1]
        self.counted = True
        self.game.add(scores, out)

    def computed(self) -> dict[str, int]:
        """The scores by the rules."""
        table = self.table
        assert table is not None
        return {player: hand_score(table, player) for player in self.players}

    def score(self, written: dict[str, int]) -> None:
        """`score Ann 45, Bob -20`."""
        if self.table is None:
            self.write_sheet(written)
        self.count()
        right = self.computed() if self.table else self.sheet or {}
        if any(right.get(player) != points for player, points in written.items()):
            raise Illegal("score.hand", f"{right}")

    def write_sheet(self, scores: dict[str, int]) -> None:
        """The scores of a hand that has no turns; the first ones written are those."""
        self.is_sheet()
        if set(scores) - set(self.game.playing()):
            raise Illegal("game.tie", "those who are not level play along")
        if set(scores) < set(self.game.playing()):
            raise Unsupported("a score that is not written")
        self.sheet = self.sheet or scores

    def total(self, written: dict[str, int]) -> None:
        """`total Ann 45, Bob -20`: on a sheet without scores, what the hand brought."""
        before = self.game.totals
        if not self.table and self.sheet is None:
            if all(before[player] == points for player, points in written.items()):
                return  # that is how things stood before the hand
            self.write_sheet(
                {player: points - before[player] for player, points in written.items()}
            )
        self.count()
        if any(before[player] != points for player, points in written.items()):
            raise Illegal("score.total", f"{before}")
