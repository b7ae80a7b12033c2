"""Random but legal games, written as RGN logs."""

from random import Random
from typing import Any

from model.cards import one_pack
from model.player import CALL, choose_call, choose_turn
from model.scoring import Game, hand_score
from model.settings import Illegal, Settings
from model.table import Table, neighbour
from model.turns import play_line, play_turn

NAMES = ["Ann", "Bob", "Cy", "Dee", "Eve", "Fay", "Gus", "Hal"]
INTERRUPT, ASSERT = 0.03, 0.04


def random_game(
    seed: int | str,
    players: int = 3,
    settings: Settings | None = None,
    hands: int | None = None,
    max_turns: int = 40,
) -> str:
    """A log of random legal play, until the game is over or the number of hands is played.

    After `max_turns` turns of a hand nobody takes from the pile any more, so that the stock runs
    out.
    """
    settings = settings or Settings()
    rng = Random(f"{seed} {players} {settings.rules} {settings.options}")
    names = NAMES[:players]
    dealer = rng.choice(names)
    lines = [f'[Rules "{settings.rules}"]']
    if settings.options:
        lines.append(f'[Options "{", ".join(settings.options)}"]')
    lines += [f'[Players "{", ".join(names)}"]', f'[Dealer "{dealer}"]']
    game = Game(settings, names)
    number = 0
    while not game.winner and (hands is None or number < hands):
        number += 1
        table, deal = deal_hand(game, dealer, rng, number)
        lines += ["", f"hand {number} dealer {dealer}", *deal, *play_hand(table, rng, max_turns)]
        scores = {player: hand_score(table, player) for player in table.players}
        game.add(scores, table.ending[1])
        lines.append(" ".join(word for word in ("end", *table.ending) if word))
        lines.append(f"score {listed(scores)}")
        lines.append(f"total {listed(game.totals)}")
        dealer = neighbour(names, dealer, back=settings.back(1))
    if game.winner:
        lines.append(f"result {game.winner}")
    return "\n".join(lines) + "\n"


def listed(points: dict[str, int]) -> str:
    """`Ann 45, Bob -20`."""
    return ", ".join(f"{player} {value}" for player, value in points.items())


def deal_hand(game: Game, dealer: str, rng: Random, number: int) -> tuple[Table, list[str]]:
    """Shuffle and deal: the table, and the lines that say so."""
    settings, players = game.settings, game.playing()
    pack = one_pack(settings.jokers) * settings.packs(len(players))
    rng.shuffle(pack)
    back = settings.back(number)
    first = neighbour(players, dealer, back=back)
    hands = {}
    for player in players:
        count = settings.dealt(len(players), pack[0], first=player == first)
        hands[player], pack = pack[:count], pack[count:]
    table = Table(settings, players, first, hands, pack[:1], pack[1:], opening=True, back=back)
    lines = [f"deal {player} {' '.join(cards)}" for player, cards in hands.items()]
    return table, [*lines, f"up {pack[0]}", f"stock {' '.join(pack[1:])}"]


def play_hand(table: Table, rng: Random, max_turns: int) -> list[str]:
    """Play a hand out on this table; the lines of its turns."""
    lines = []
    while not table.over or table.provisional:
        call = choose_call(table, rng) if rng.random() < CALL else None
        if call:
            lines.append(play_call(table, call))
            continue
        if table.over:
            break
        player = table.to_move
        after, actions = choose_turn(table, rng, hurry=table.turns >= max_turns)
        head = f"{table.turns + 1}. {player}: "
        if len(actions) > 1 and rng.random() < INTERRUPT:
            first = rng.randrange(1, len(actions))
            lines += [
                head + written(actions[:first]),
                *interrupt(table, player, actions, first, rng),
            ]
        else:
            lines.append(head + written(together(table, player, actions)))
            become(table, after)
        if rng.random() < ASSERT and not table.over:
            lines.append(assertion(table, rng))
    table.provisional = False
    return lines


def become(table: Table, after: Table) -> None:
    vars(table).update(vars(after))


def together(table: Table, player: str, actions: list[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    """A turn with its lay-offs on one meld written as one, the cards in any order, where that says the same."""
    rng = Random(f"{player} {actions}")
    found: list[tuple[Any, ...]] = []
    for action in actions:
        if (
            found
            and action[0] == found[-1][0] == "lay"
            and action[2] is not None
            and action[2] == found[-1][2]
        ):
            cards = [*found[-1][1], *action[1]]
            rng.shuffle(cards)
            found[-1] = ("lay", cards, action[2])
        else:
            found.append(action)
    try:
        play_turn(table.copy(), player, found)
    except Illegal as finding:
        if (
            finding.code != "wild.unbound"
        ):  # a joker might be another card, now that the order tells nothing
            raise
        return actions
    return found


def play_call(table: Table, call: tuple[Table, str, list[tuple[Any, ...]]]) -> str:
    """A call and its line."""
    after, caller, actions = call
    become(table, after)
    return f"{caller}: {written(actions)}"


def interrupt(
    table: Table, player: str, actions: list[tuple[Any, ...]], first: int, rng: Random
) -> list[str]:
    """Write a turn on two lines; a call comes between them where the rules let it and the turn can go on."""
    play_line(table, player, actions[:first])
    line = f"{player}: {written(actions[first:])}"
    call = choose_call(table, rng, in_turn=True)
    if call:
        trial = call[0].copy()
        try:
            play_turn(trial, player, actions[first:])
        except Illegal:
            call = None
    lines = [play_call(table, call)] if call else []
    play_turn(table, player, actions[first:])
    return [*lines, line]


def assertion(table: Table, rng: Random) -> str:
    """What somebody at the table could note."""
    player = rng.choice(table.players)
    return rng.choice(
        [
            f"= hand {player} {len(table.hands[player])}",
            f"= stock {table.stock_size()}",
            f"= pile {' '.join(table.pile)}" if table.pile else f"= stock {table.stock_size()}",
        ]
    )


def written(actions: list[tuple[Any, ...]]) -> str:
    """The actions of a turn in canonical spelling."""
    return "; ".join(written_action(action) for action in actions)


def written_action(action: tuple[Any, ...]) -> str:
    kind, *rest = action
    if kind in ("meld", "lay"):
        words = [card if role is None else f"{card}={role}" for card, role in rest[0]]
        return " ".join([kind, *words, *([f"m{rest[1]}"] if rest[1] else [])])
    if kind == "take":
        return f"take {rest[0]}" + (f" x{rest[1]}" if rest[1] else "")
    if kind == "rummy":
        return " ".join([kind, *rest[0]])
    if kind == "swap":
        return f"swap {rest[0]} m{rest[1]}"
    return " ".join([kind, *rest])
