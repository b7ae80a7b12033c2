"""Run the cases of `tests/cases` against this model: position, moves, verdict."""

import re
from typing import Any

from model import notation
from model.cards import UNKNOWN
from model.logcheck import check_log
from model.melds import new_meld, read_meld
from model.scoring import hand_score, table_points
from model.settings import Illegal, Settings, Unsupported, changed, named
from model.table import Table, neighbour
from model.turns import fits_table, may_stop, must_be_finished, play_line

ALIKE = {
    "draw.deep.unused": {
        "call",
        "call.nothing",
        "call.scope",
        "call.hand",
    },  # one duty for cards taken and called
    "call.scope": {
        "call.nothing"
    },  # a card that does not lie in the pile is none that can be called
    "hand.missing": {"call.nothing"},
    "turn.order": {"turn.over", "game.tie"},  # who is not tied has no turn in a tie-break hand
    "turn.unfinished": {"draw.deep.unused"},  # both are found at the end of the turn
}
"""Codes of this model, and finer ones of the library for the same thing."""
GIVEN = {
    "players",
    "to_move",
    "hands",
    "table",
    "pile",
    "stock",
    "discarded_by",
    "floating",
    "hand",
    "opening",
    "wild",
}


def run_case(case: dict[str, Any]) -> list[str]:
    """What is not as the case expects it; raises Unsupported where the model cannot judge it."""
    if "[Set " in case.get("log", ""):
        raise Unsupported("settings that a log makes")
    header = re.search(r'\[Options "(.*)"\]', case.get("log", ""))
    options = [option.strip() for option in header[1].split(",")] if header else []
    settings = named(case["rules"], (*options, *case.get("with", ())))
    settings = changed(settings, case.get("set", {}))
    expect = case["expect"]
    if "log" in case:
        first = re.search(r"^hand\b *(\d*)", case["log"], re.MULTILINE)
        if first is not None and first[1] != "1":
            raise Unsupported("a log that begins with a later hand, or one without a number")
        if "\nup " in case["log"] and "\ndeal " not in case["log"]:
            raise Unsupported("a hand whose deal is not written")
        findings = check_log(case["log"], settings)
        return wrong_verdict(expect, findings)
    before = position(case["given"], settings)
    movers = {move.partition(":")[0] for move in case["moves"]}
    if any(UNKNOWN in before.hands.get(player, ()) for player in movers):
        raise Unsupported("a player whose hand is unknown plays")
    if UNKNOWN in before.pile:
        raise Unsupported("cards of the pile that nobody saw")
    if any(re.search(r"\bswap \S+(;|$)", move) for move in case["moves"]):
        raise Unsupported("an exchange on a meld that is not named")
    if case["given"].get("discarded_by") == "nobody" and any(
        " rummy " in move for move in case["moves"][1:]
    ):
        raise Unsupported("a call on the card turned up once a turn has begun")
    if case["expect"]["verdict"] == "open":
        raise Unsupported("what nobody can know")
    if case["expect"].get("because") == "out.stuck":
        raise Unsupported("whether a turn that was left open could have been ended")
    after = before.copy()
    findings = judge(after, case["moves"])
    if findings and findings[0][0] > expect.get("at", findings[0][0]):
        raise Unsupported("an earlier turn that nobody finishes, after a mistake")
    return wrong_verdict(expect, findings) or (
        [] if findings else wrong_state(expect, before, after)
    )


def judge(table: Table, moves: list[str]) -> list[tuple[int, str]]:
    """Play the moves; the first finding as [(line, code)]."""
    number = 0
    try:
        for number, move in enumerate(moves, 1):
            play_move(table, move, number)
        may_stop(table)
    except Illegal as finding:
        return [(finding.line or number, finding.code)]
    return []


def play_move(table: Table, move: str, number: int) -> None:
    """Play one move of a case."""
    parsed = notation.turn(move)
    if parsed is not None:
        play_line(table, parsed[1], parsed[2], number)
    elif move == "reshuffle":
        must_be_finished(table)
        table.turn_pile_over()
    else:  # a card turned up, which no game here does after the deal
        raise Illegal("setup.deal", move)


def words(text: str) -> list[str]:
    """Cards, with `?*7` written out."""
    found = []
    for word in text.split():
        count = re.fullmatch(r"\?(?:\*(\d+))?", word)
        found += [UNKNOWN] * int(count[1] or 1) if count else [word]
    return found


def position(given: dict[str, Any], settings: Settings) -> Table:
    """The table that a position describes."""
    if set(given) - GIVEN:
        raise Unsupported(f"{set(given) - GIVEN}")
    settings = settings.of_hand(given.get("hand", 1))
    players = given.get("players", ["A", "B"])
    to_move = given.get("to_move", players[0])
    hands = {}
    for player in players:
        hand = given.get("hands", {}).get(player)
        hands[player] = [UNKNOWN] * 7 if hand is None else words(hand)
    pile = words(given.get("pile", ""))
    table = Table(settings, players, to_move, hands, pile, [])
    table.wild_rank = given.get("wild", settings.wild_rank)
    for number, meld in enumerate(given.get("table", {}).values(), 1):
        lay_out(table, number, meld)
    table.floating = set(given.get("floating", ()))
    table.opening = "opening" in given
    table.back = settings.back(given.get("hand", 1))
    before = neighbour(players, to_move, back=not table.back)
    table.last_player = table.discarder = given.get("discarded_by", before)
    table.window = bool(pile) and not table.opening
    table.last_discard = pile[-1] if pile else None
    set_stock(table, given.get("stock"))
    gone_out(table, discard_is_written="discarded_by" in given)
    table.end_without_stock()
    table.end_where_nobody_can_draw()
    return table


def gone_out(table: Table, *, discard_is_written: bool) -> None:
    """The hand is over where somebody else than the player to move has no cards and does not float."""
    settings = table.settings
    to_move = table.players.index(table.to_move)
    after = table.players[to_move + 1 :] + table.players[:to_move]
    # From the player to move, as turns go round, whoever went out first comes first.
    for player in reversed(after) if table.back else after:
        hand = table.hands[player]
        thrown = bool(table.pile) and player == table.discarder
        may_float = settings.melding_all == "floats" and not (thrown and discard_is_written)
        may_float = may_float and settings.last_turns == "none"
        if hand or player in table.floating or may_float:
            continue
        if thrown and settings.last_discard == "unplayable" and fits_table(table, table.pile[-1]):
            raise Unsupported("a last discard that could have been laid")
        table.go_out(player)
        claimable = settings.last_discard == "claimable" and settings.calls != "none"
        table.provisional = claimable and thrown and fits_table(table, table.pile[-1])


def lay_out(table: Table, number: int, meld: dict[str, str]) -> None:
    """A meld of a position, with who laid what."""
    laid = [(notation.laid(word), player) for player, text in meld.items() for word in text.split()]
    reading = read_meld([card for card, _ in laid], table.settings, table.wild_rank)
    table.melds[number] = new_meld([card for card, _ in laid], reading, "")
    owners = [
        (card[0], role, player) for (card, player), role in zip(laid, reading.roles, strict=True)
    ]
    table.laid.setdefault(next(iter(meld)), []).append(number)
    for index, (card, role, _) in enumerate(table.melds[number].cards):
        entry = next(owner for owner in owners if owner[:2] == (card, role))
        owners.remove(entry)
        table.melds[number].cards[index] = entry
        table.melding_turns[entry[2]] = 1


def set_stock(table: Table, stock: str | int | None) -> None:
    """The stock: known cards, unknown ones, or whatever the pack leaves."""
    known = words(stock) if isinstance(stock, str) else []
    table.stock = [card for card in known if card != UNKNOWN]
    if stock == 0 or (isinstance(stock, str) and UNKNOWN not in known):
        return
    settings = table.settings
    table.unseen = settings.pack(len(table.players))
    shown = [card for hand in table.hands.values() for card in hand] + table.pile + table.stock
    shown += [card for meld in table.melds.values() for card, _, _ in meld.cards]
    for card in shown:
        if card != UNKNOWN:
            table.unseen.remove(card)
    if stock is not None:
        size = stock if isinstance(stock, int) else known.count(UNKNOWN)
        table.hidden = len(table.unseen) - size


def wrong_verdict(expect: dict[str, Any], findings: list[tuple[int, str]]) -> list[str]:
    """Whether legal or illegal, where, and why."""
    if expect["verdict"] == "legal":
        return [f"found {findings}"] if findings else []
    if not findings:
        return ["found nothing"]
    line, code = findings[0]
    because = expect.get("because", code)
    fits = code == because or code.startswith(because + ".") or because in ALIKE.get(code, ())
    return [] if line == expect.get("at", line) and fits else [f"found {findings}"]


def wrong_state(expect: dict[str, Any], before: Table, after: Table) -> list[str]:
    """Where the table after the moves is not what the case says."""
    wrong = []

    def compare(what: str, found: object, expected: object) -> None:
        if found != expected:
            wrong.append(f"{what}: {found}, not {expected}")

    if "then" in expect:
        compare("then", what_then(after), expect["then"])
    for player, points in expect.get("points", {}).items():
        compare(
            f"points of {player}",
            table_points(after, player) - table_points(before, player),
            points,
        )
    for player, points in expect.get("score", {}).items():
        compare(f"score of {player}", hand_score(after, player), points)
    for player, hand in expect.get("hands", {}).items():
        compare(f"hand of {player}", sorted(after.hands[player]), sorted(words(hand)))
    if "pile" in expect:
        compare("pile", after.pile, words(expect["pile"]))
    for number, (name, meld) in enumerate(expect.get("table", {}).items(), 1):
        found = [(card, role, player) for card, role, player in after.melds[number].cards]
        expected = [
            (card, role or card, player)
            for player, text in meld.items()
            for card, role in map(notation.laid, text.split())
        ]
        found = [(card, role.rstrip("*"), player) for card, role, player in found]
        compare(name, sorted(found), sorted(expected))
    return wrong


def what_then(table: Table) -> str:
    """How it goes on, in the words of the cases."""
    if table.over and not table.provisional:
        return "over"
    if table.last_player in table.floating and not table.hands[table.last_player]:
        return "floats"
    return f"plays {table.to_move}"
