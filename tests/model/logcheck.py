"""Judge a whole canonical RGN log with full knowledge. The first finding is the last."""

import re
from dataclasses import dataclass, field

from model import notation
from model.cards import one_pack
from model.scoring import Game, hand_score
from model.settings import Illegal, Settings, Unsupported, named
from model.table import Table
from model.turns import must_be_finished, play_line

IGNORED = ("cut", "note")


def check_log(text: str, settings: Settings | None = None) -> list[tuple[int, str]]:
    """The first finding as [(line, code)], or [] for a clean log. Without settings, the headers tell."""
    audit = Audit(settings)
    number = 0
    try:
        for number, line in enumerate(text.splitlines(), 1):  # noqa: B007 - used where a finding is caught
            stripped = notation.strip(line)
            if stripped:
                audit.read(number, stripped)
        audit.finish()
    except Illegal as finding:
        return [(finding.line or number, finding.code)]
    return []


@dataclass
class Hand:
    """What a log has said about the hand so far."""

    line: int
    dealer: str | None
    unseen: list[str]  # cards of the pack that have not turned up
    dealt: dict[str, list[str]] = field(default_factory=dict)
    up: str | None = None
    stock: list[str] = field(default_factory=list)
    wild: str | None = None
    table: Table | None = None
    sheet: dict[str, int] | None = None  # scores of a hand that has no turns
    out: str | None = None
    closed: bool = False


class Audit:
    """Reads line after line; raises Illegal at the first that is wrong."""

    def __init__(self, settings: Settings | None):
        self.given = settings
        self.headers: dict[str, tuple[int, str]] = {}
        self.game: Game | None = None
        self.hand: Hand | None = None
        self.hands = 0
        self.dealer: str | None = None

    def read(self, number: int, line: str) -> None:
        """Take one line in."""
        if line.startswith("["):
            self.header(number, line)
            return
        if self.game is None:
            self.start_game()
        word, _, rest = line.partition(" ")
        reader = getattr(self, f"read_{word}", None) if word.isalpha() else None
        if word == "=":
            self.check_assertion(rest)
        elif word == "hand":
            self.read_hand(number, rest)
        elif reader and not re.match(r"\w+\s*:", line):
            reader(rest)
        elif word not in IGNORED:
            self.turn(number, line)

    def header(self, number: int, line: str) -> None:
        found = notation.HEADER.match(line)
        if not found:
            raise Illegal("log.syntax", "no header")
        if self.game is not None:
            self.finish()
            self.__init__(self.given)
        self.headers[found["key"]] = (number, found["value"])

    def start_game(self) -> None:
        """All headers are read."""
        headers = {key: value for key, (_, value) in self.headers.items()}
        settings = self.given
        if settings is None:
            options = tuple(word.strip() for word in headers.get("Options", "").split(",") if word.strip())
            settings = named(headers.get("Rules", "500-rummy"), options)
        if "Players" not in headers:
            raise Illegal("log.syntax", "no players")
        players = notation.names(headers["Players"])
        line = self.headers["Players"][0]
        if len(set(players)) != len(players):
            raise Illegal("log.name", "two players of one name", line)
        if not settings.min_players <= len(players) <= settings.max_players:
            raise Illegal("setup.players", f"{len(players)} players", line)
        self.game = Game(settings, players)
        self.dealer = headers.get("Dealer")
        if self.dealer is not None and self.dealer not in players:
            raise Illegal("log.name", self.dealer, self.headers["Dealer"][0])

    def known(self, player: str) -> str:
        """A name that has to be a player's."""
        name = player.strip().strip('"')
        if name not in self.game.players:
            raise Illegal("log.name", f"nobody is called {name}")
        return name

    def current(self) -> Hand:
        if self.hand is None:
            raise Illegal("log.syntax", "no hand has begun")
        return self.hand

    # -- hands ---------------------------------------------------------------------------------------------

    def read_hand(self, number: int, rest: str) -> None:
        """`hand 2 dealer Ann`."""
        found = re.fullmatch(r"(\d+)(?: dealer (.+))?", rest)
        if not found:
            raise Illegal("log.syntax", "no hand line")
        self.finish_hand()
        if self.game.winner:
            raise Illegal("game.over", f"{self.game.winner} has won")
        self.hands += 1
        if int(found[1]) != self.hands:
            raise Illegal("log.number", f"this is hand {self.hands}")
        dealer = self.known(found[2]) if found[2] else self.dealer
        if self.dealer is not None and dealer != self.dealer:
            raise Illegal("setup.dealer", f"{self.dealer} deals")
        self.dealer = dealer
        settings = self.game.settings
        pack = one_pack(settings.jokers) * settings.packs(len(self.game.playing()))
        self.hand = Hand(number, dealer, pack)

    def finish_hand(self) -> None:
        """Before another hand: this one has to be over."""
        if self.hand is None:
            return
        if self.hand.table:
            must_be_finished(self.hand.table)
            if not self.hand.table.over:
                raise Illegal("end.early", "the hand was not over")
        self.close()
        if self.dealer:
            playing = self.game.playing()
            seats = self.game.players
            after = seats[seats.index(self.dealer) + 1 :] + seats[: seats.index(self.dealer) + 1]
            self.dealer = next(player for player in after if player in playing)
        self.hand = None

    def finish(self) -> None:
        """The log is at its end: it may stop anywhere but in a turn."""
        if self.hand and self.hand.table:
            must_be_finished(self.hand.table)

    def turn_up(self, cards: list[str]) -> list[str]:
        """Cards that come out of the pack: it must have them."""
        hand = self.current()
        for card in cards:
            if card == "Jk" and not self.game.settings.jokers:
                raise Illegal("setup.deck", "there are no jokers")
            if card not in hand.unseen:
                raise Illegal("log.copies", f"{card} has turned up before")
            hand.unseen.remove(card)
        return cards

    def before_turns(self, rest: str) -> list[str]:
        """The cards of a line that belongs before the first turn."""
        if "?" in rest:
            raise Unsupported("unknown cards")
        if self.current().table:
            raise Illegal("log.syntax", "the hand has begun")
        return notation.cards(rest.split())

    def read_deal(self, rest: str) -> None:
        """`deal Ann 5h 6h …`."""
        name, _, words = rest.partition(" ")
        player = self.known(name)
        cards = self.turn_up(self.before_turns(words))
        hand = self.current()
        if player in hand.dealt:
            raise Illegal("setup.deal", f"{player} is dealt cards twice")
        players = self.game.playing()
        counts = {self.game.settings.dealt(len(players), first=first) for first in (False, True)}
        if hand.dealer and player in players:
            first = players[(players.index(hand.dealer) + 1) % len(players)]
            counts = {self.game.settings.dealt(len(players), first=player == first)}
        if len(cards) not in counts:
            raise Illegal("setup.deal", f"{player} is dealt {len(cards)} cards")
        hand.dealt[player] = cards

    def read_up(self, rest: str) -> None:
        cards = self.turn_up(self.before_turns(rest))
        if len(cards) != 1 or self.current().up:
            raise Illegal("setup.deal", "one card is turned up")
        self.current().up = cards[0]

    def read_stock(self, rest: str) -> None:
        self.current().stock += self.turn_up(self.before_turns(rest))

    def read_wild(self, rest: str) -> None:
        self.current().wild = rest.strip()

    def start_table(self, first: str) -> Table:
        """The first turn: the deal is complete, or it is not."""
        hand = self.current()
        if not hand.dealt:
            raise Unsupported("unknown hands")
        players = self.game.playing()
        if set(hand.dealt) != set(players) or hand.up is None:
            raise Illegal("setup.deal", "the deal is not complete", hand.line)
        if hand.dealer:
            first = players[(players.index(hand.dealer) + 1) % len(players)]
        else:  # whoever plays first sits to the dealer's left
            self.dealer = players[players.index(first) - 1]
        return Table(
            self.game.settings,
            players,
            first,
            hand.dealt,
            [hand.up],
            hand.stock,
            hand.unseen,
            opening=True,
            wild_rank=hand.wild,
        )

    # -- turns ---------------------------------------------------------------------------------------------

    def turn(self, number: int, line: str) -> None:
        parsed = notation.turn(line)
        if parsed is None:
            if line.split()[0] in ("gap", "undo", "void", "show", "chips", "reshuffle"):
                raise Unsupported(line)
            raise Illegal("log.syntax", "this is no line of a log")
        written, name, actions = parsed
        player = self.known(name)
        hand = self.current()
        if hand.table is None:
            hand.table = self.start_table(player)
        table = hand.table
        if player not in table.players:
            raise Illegal("turn.order", f"{player} does not play this hand")
        ordinary = actions[0][0] != "rummy" and not (table.turn and table.turn.player == player)
        play_line(table, player, actions, number)
        if written is not None and (not ordinary or written != table.turns):
            raise Illegal("log.number", f"this is turn {table.turns}")

    def check_assertion(self, rest: str) -> None:
        """`= hand Ann 5`, `= pile 6s 4c`, `= stock 12`, `= table m1 5h 6h 7h`."""
        what, *words = rest.split()
        hand = self.current()
        if hand.table is None and what in ("hand", "pile", "stock", "table"):
            raise Unsupported("an assertion before the first turn")
        table = hand.table
        if what == "hand":
            expected: object = sorted(table.hands[self.known(words.pop(0))])
            expected = len(expected) if len(words) == 1 and words[0].isdigit() else expected
        elif what == "pile":
            expected = table.pile
        elif what == "stock":
            expected = table.stock_size()
        elif what == "table":
            number = notation.meld_number(words[:1])
            del words[:1]
            expected = sorted(card for card, _, _ in table.melds[number].cards) if number in table.melds else []
        else:
            raise Unsupported(rest)
        written: object = words if what == "pile" else sorted(word.partition("=")[0] for word in words)
        if isinstance(expected, int):
            written = int(words[0])
        if written != expected:
            raise Illegal("log.assert", f"{expected}")

    # -- the end of hand and game ---------------------------------------------------------------------------

    def read_end(self, rest: str) -> None:
        """`end out Ann`, `end stock`, `end agreed`."""
        reason, _, name = rest.partition(" ")
        if reason not in ("out", "stock", "agreed") or (reason == "out") != bool(name):
            raise Illegal("log.syntax", "no such ending")
        hand = self.current()
        hand.out = self.known(name) if reason == "out" else None
        if hand.table is None:
            if hand.dealt:
                raise Illegal("end.early", "nobody has played")
            return
        table = hand.table
        must_be_finished(table)
        agreed = reason == "agreed" and self.game.settings.agreed_end
        declined = reason == "stock" and not table.stock_size() and not table.over
        if agreed or declined:
            table.over = (reason, None)
        if not table.over:
            raise Illegal("end.early", "the hand is not over")
        if table.over != (reason, hand.out):
            raise Illegal("end.reason", f"{table.over}")
        table.provisional = False

    def close(self) -> None:
        """Count the hand into the totals, once."""
        hand = self.hand
        if hand is None or hand.closed:
            return
        if hand.table is None:
            scores, out = hand.sheet or {}, hand.out
        elif hand.table.over:
            scores = {player: hand_score(hand.table, player) for player in hand.table.players}
            out = hand.table.over[1]
        else:
            must_be_finished(hand.table)
            raise Illegal("end.early", "the hand is not over")
        hand.closed = True
        self.game.add(scores, out)

    def read_score(self, rest: str) -> None:
        hand = self.current()
        written = {self.known(name): points for name, points in notation.points(rest).items()}
        if hand.table is None:
            if hand.dealt:
                raise Illegal("end.early", "nobody has played")
            hand.sheet = written
            self.close()
            return
        self.close()
        computed = {player: hand_score(hand.table, player) for player in hand.table.players}
        if any(computed.get(player) != points for player, points in written.items()):
            raise Illegal("score.hand", f"{computed}")

    def read_total(self, rest: str) -> None:
        self.close()
        written = {self.known(name): points for name, points in notation.points(rest).items()}
        if any(self.game.totals[player] != points for player, points in written.items()):
            raise Illegal("score.total", f"{self.game.totals}")

    def read_adjust(self, rest: str) -> None:
        name, points = rest.split()[:2]
        self.game.totals[self.known(name)] += int(points)

    def read_result(self, rest: str) -> None:
        self.close()
        written = [self.known(name) for name in rest.split(",")]
        if self.game.winner is None or written != [self.game.winner]:
            raise Illegal("game.winner", f"{self.game.winner}")
