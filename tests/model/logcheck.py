"""Judge a whole canonical RGN log with full knowledge. The first finding is the last."""

import re

from model import notation
from model.cards import JOKER, RANKS
from model.handlog import HandLog
from model.scoring import Game
from model.settings import Illegal, Settings, Unsupported, named

IGNORED = ("note",)
UNKNOWN = ("gap", "undo", "void", "show", "chips")


def check_log(text: str, settings: Settings | None = None) -> list[tuple[int, str]]:
    """The first finding as [(line, code)], or [] for a clean log. Without settings, the headers tell.

    Raises Unsupported where cards are unknown, or for rules that this model does not have.
    """
    audit = Audit(settings)
    number = 0
    try:
        for line in text.split("\n"):
            number += 1
            stripped = notation.strip(line)
            if stripped:
                audit.read(number, stripped)
        audit.finish()
    except Illegal as finding:
        return [(finding.line or number, finding.code)]
    return []


class Audit:
    """Reads line after line; raises Illegal at the first that is wrong."""

    def __init__(self, settings: Settings | None):
        self.given = settings
        self.new_game()

    def new_game(self) -> None:
        """Headers are expected."""
        self.headers: dict[str, tuple[int, str]] = {}
        self.game: Game | None = None
        self.hand: HandLog | None = None
        self.hands = 0
        self.dealer: str | None = None

    def read(self, number: int, line: str) -> None:
        """Take one line in."""
        if line.startswith("["):
            self.header(number, line)
            return
        if self.game is None:
            self.start_game()
        turn = notation.turn(line)
        if turn is not None:
            written, name, actions = turn
            hand = self.current()
            hand.turn(number, written, self.known(name), actions)
            self.dealer = hand.dealer
            return
        word, _, rest = line.partition(" ")
        if word == "hand":
            self.new_hand(number, rest)
        elif word in ("deal", "up", "stock", "wild", "="):
            self.line_of_hand(word, rest)
        elif word in ("end", "score", "total", "adjust", "result"):
            self.line_of_ending(word, rest)
        elif word == "cut" and self.hand is None:
            self.cut(rest)
        elif word == "reshuffle":
            self.current().turn_pile_over()
        elif word in UNKNOWN:
            raise Unsupported(line)
        elif word not in IGNORED:
            raise Illegal("log.syntax", "this is no line of a log")

    def header(self, number: int, line: str) -> None:
        """`[Players "Ann, Bob"]`; after a game, another one begins."""
        found = notation.HEADER.match(line)
        if not found:
            raise Illegal("log.syntax", "no header")
        if self.game is not None:
            self.finish()
            self.new_game()
        self.headers[found["key"]] = (number, found["value"])

    def start_game(self) -> None:
        """All headers are read."""
        headers = {key: value for key, (_, value) in self.headers.items()}
        settings = self.given
        if settings is None:
            options = tuple(
                word.strip() for word in headers.get("Options", "").split(",") if word.strip()
            )
            settings = named(headers.get("Rules", "500-rummy"), options)
        if "Players" not in headers:
            raise Illegal("log.syntax", "no players")
        players = notation.names(headers["Players"])
        line = self.headers["Players"][0]
        if len(set(players)) != len(players):
            raise Illegal("setup.players", "two players of one name", line)
        if not settings.min_players <= len(players) <= settings.max_players:
            raise Illegal("setup.players", f"{len(players)} players", line)
        self.game = Game(settings, players)
        self.dealer = headers.get("Dealer")
        if self.dealer is not None and self.dealer not in players:
            raise Illegal("log.name", self.dealer, self.headers["Dealer"][0])

    @property
    def playing(self) -> Game:
        """The game whose lines are read."""
        assert self.game is not None
        return self.game

    def cut(self, rest: str) -> None:
        """`cut Ann 5h, Bob 9c`: who deals first, unless the cards are level."""
        settings = self.playing.settings
        if settings.first_dealer == "anybody":
            raise Unsupported("a draw for the deal")
        values = {}
        for part in notation.names(rest):
            name, _, card = part.rpartition(" ")
            rank = 14 if notation.cards([card]) == [JOKER] else RANKS.index(card[0])
            values[self.known(name)] = 13 if rank == 0 and settings.cut_ace == "high" else rank
        best = (min if settings.first_dealer == "lowest" else max)(values.values())
        level = [name for name, value in values.items() if value == best]
        if len(level) == 1:
            self.dealer = level[0]

    def known(self, player: str) -> str:
        """A name that has to be a player's."""
        name = player.strip().strip('"')
        if name not in self.playing.players:
            raise Illegal("log.name", f"nobody is called {name}")
        return name

    def current(self) -> HandLog:
        """The hand that is being played."""
        if self.hand is None:
            raise Illegal("log.syntax", "no hand has begun")
        return self.hand

    def new_hand(self, number: int, rest: str) -> None:
        """`hand 2 dealer Ann`."""
        found = re.fullmatch(r"(\d+)(?: dealer (.+))?", rest)
        if not found:
            raise Illegal("log.syntax", "no hand line")
        if self.hand:
            self.hand.count()
            self.pass_the_deal()
        if self.playing.winner or self.playing.closed:
            raise Illegal("game.over", f"{self.playing.winner} has won")
        self.hands += 1
        if int(found[1]) != self.hands:
            raise Illegal("log.number", f"this is hand {self.hands}")
        dealer = self.known(found[2]) if found[2] else self.dealer
        if self.dealer is not None and dealer != self.dealer:
            raise Illegal("setup.dealer", f"{self.dealer} deals")
        self.dealer = dealer
        self.hand = HandLog(self.playing, number, dealer, self.hands)

    def pass_the_deal(self) -> None:
        """The next dealer is the next one who plays, as turns go round in the first hand."""
        if self.dealer is None:
            return
        seats = self.playing.players
        if self.playing.settings.back(1):
            seats = seats[::-1]
        place = seats.index(self.dealer) + 1
        self.dealer = next(
            player for player in seats[place:] + seats[:place] if player in self.playing.playing()
        )

    def line_of_hand(self, word: str, rest: str) -> None:
        """Deal, up-card, stock, wild rank, assertions."""
        hand = self.current()
        if word == "deal":
            name, _, cards = rest.partition(" ")
            hand.deal(self.known(name), cards)
        elif word == "up":
            hand.turn_over(rest)
        elif word == "stock":
            hand.name_stock(rest)
        elif word == "wild":
            hand.wild = rest
        else:
            hand.check_assertion(*(rest.split() or [""]))

    def line_of_ending(self, word: str, rest: str) -> None:
        """End, score, total, adjustment, result."""
        hand = self.current()
        if word == "end":
            reason, _, name = rest.partition(" ")
            if reason not in ("out", "stock", "agreed") or (name and reason != "out"):
                raise Illegal("log.syntax", "no such ending")
            hand.end(reason, self.known(name) if name else None)
        elif word == "adjust":
            for name, points in notation.points(rest.partition('"')[0]).items():
                self.playing.totals[self.known(name)] += points
            if hand.counted:
                if self.playing.tie_break:
                    raise Unsupported("points by agreement among those who are level")
                self.playing.decide([])
        elif word == "result":
            hand.count()
            winners = [self.known(name) for name in rest.split(",")]
            if not self.playing.has_won(winners):
                shares = self.playing.winner is not None and len(winners) > 1
                tied = len(self.playing.tie_break) > 1
                code = "game.tie" if tied or shares else "game.winner"
                raise Illegal(code, f"{self.playing.winner}")
            self.playing.closed = True
        else:
            written = {self.known(name): points for name, points in notation.points(rest).items()}
            if word == "score":
                hand.score(written)
            else:
                hand.total(written)

    def finish(self) -> None:
        """The log is at its end: it may stop anywhere but in a turn that it was playing."""
        if self.hand:
            self.hand.may_stop()
