"""With few cards hidden, what is said of a log is so for every way to put them back: each one is audited.

`MELDREF_DEALS` is how many hands are tried in the sweep.
"""

import os
import re
from collections import Counter
from itertools import permutations, product
from random import Random

import pytest

from meldref.core.cards import card_text
from meldref.core.diagnostics import errors_in
from meldref.engine.judge import judge_for
from meldref.notation.reader import read_lines
from meldref.replay.log import NO_OVERRIDES, Replay
from meldref.rulefiles.shelf import RulesetCache
from meldref_evidence.explaining import WEIGHING, RecordExplainer
from simulated import log_of, ruleset

HANDS = int(os.environ.get("MELDREF_DEALS", "50"))
RULES = [
    ("500-rummy", ["no-jokers"], ["deal.cards=4"]),
    ("500-rummy", ["keep-taken-card"], ["deal.cards=5", "deck.packs=2"]),
    ("500-rummy", ["floating"], ["deal.cards=5"]),
    ("500-rum", [], ["deal.cards=6"]),
    ("michigan-rum", [], ["deal.cards=5"]),
    ("kalooki-40", [], ["deal.cards=6", "melds.first_points=0"]),
    ("gilfoy-500-rummy", [], ["deal.cards=6"]),
    ("500-rummy", ["floating", "unplayable-last-discard"], ["deal.cards=5"]),
]
OF_CARDS = {"hand.missing", "log.copies", "log.assert", "hand.count"}
"""Codes of a log in which the hidden cards were put back where they cannot have been."""
MOST_LINES = 36
NAMES = ("Ann", "Bob", "Cy")
CARD = re.compile(r"\b(?:[A2-9TJQK][cdhs]|Jk)\b")
SHELF = RulesetCache()


def audit(text):
    """The errors of a log, and what is open in it."""
    run = Replay("", NO_OVERRIDES, SHELF, 0, explainer=WEIGHING)
    run.feed(read_lines(text))
    report = run.finish()
    return errors_in(report.findings), report.open


class Hidden:
    """A legal hand whose whole stock is listed, with `<0>`, `<1>`... in the places of some cards."""

    def __init__(self, seed):
        self.rng = Random(f"every deal {seed}")
        name, options, settings = RULES[seed % len(RULES)]
        kinds = ("greedy", "random", "greedy")[: self.rng.choice((2, 2, 3))]
        text = "\n" * MOST_LINES
        while text.count("\n") >= MOST_LINES or "reshuffle" in text:
            number = self.rng.randrange(10**6)
            text, _ = log_of(name, options, settings, kinds, number, hands=1)
        listed = re.search(r"^stock (.*)$", text, re.MULTILINE)[1].split()
        copies = judge_for(ruleset(name, options, settings), len(kinds)).copies
        deck = Counter({card_text(card): number for card, number in enumerate(copies) if number})
        placed = re.findall(r"^(?:deal \w+|up|stock) (.*)$", text, re.MULTILINE)
        rest = list((deck - Counter(" ".join(placed).split())).elements())
        self.rng.shuffle(rest)
        self.lines = text.replace(f"stock {' '.join(listed)}", "stock").splitlines()
        self.cards = []
        self._hide([*listed, *rest], len(listed))

    def _hide(self, stock, drawn):
        """Hides some cards that were dealt or drawn, rather those that few lines show."""
        dealt = [(at, line.split()) for at, line in enumerate(self.lines) if line[:5] == "deal "]
        rows = [(row, place) for _, row in dealt for place in range(2, len(row))]
        rows += [(stock, place) for place in range(min(drawn + 1, len(stock)))]
        text = "\n".join(self.lines)
        self.rng.shuffle(rows)
        rows.sort(key=lambda row: text.count(row[0][row[1]]) // 2)
        for number, (row, place) in enumerate(self.rng.sample(rows[:9], self.rng.choice((3, 4)))):
            self.cards.append(row[place])
            row[place] = f"<{number}>"
        next_card = iter(stock)
        for at, row in dealt:
            self.lines[at] = " ".join(row)
        for at, line in enumerate(self.lines):
            if line == "stock":
                self.lines[at] = " ".join(["stock", *stock])
            elif ": " in line:
                self.lines[at] = re.sub(r"(?<=\bdraw )\w+", lambda _: next(next_card), line)

    def spoilt(self):
        """The lines with one thing changed, which may be possible or not."""
        lines, rng = [*self.lines], self.rng
        turns = [at for at, line in enumerate(lines) if re.match(r"(\d+\. )?\w+: ", line)]
        way = rng.choice(("score", "score", "card", "drop", "show", "thrown", "thrown"))
        if way == "score":
            at = next(at for at, line in enumerate(lines) if line.startswith("score "))
            scores = re.findall(r"\w+ -?\d+", lines[at])
            seat = rng.randrange(len(scores))
            name, points = scores[seat].split()
            scores[seat] = f"{name} {int(points) + rng.choice((-15, -10, -5, -1, 5, 10, 15))}"
            return [*lines[:at], f"score {', '.join(scores)}"]
        at = rng.choice(turns)
        actions = lines[at].split("; ")
        if way == "show":
            end = next(at for at, line in enumerate(lines) if line.startswith("end "))
            name = re.match(r"(?:\d+\. )?(\w+)", lines[at])[1]
            return [*lines[: end + 1], f"show {name} {rng.choice(self.cards)}"]
        if way == "drop" and len(actions) > 2:
            actions.pop(rng.randrange(1, len(actions) - 1))
        elif way == "thrown" and ": take " in lines[at]:
            actions[-1] = f"discard {CARD.search(actions[0])[0]}"
        else:
            shown = CARD.findall(actions[-1])
            actions[-1] = actions[-1].replace(shown[0], rng.choice(self.cards)) if shown else ""
        lines[at] = "; ".join(filter(None, actions))
        return lines[: at + rng.randrange(len(lines))]


def put(text, cards):
    """A log with cards in the places of those that are hidden."""
    for number, card in enumerate(cards):
        text = text.replace(f"<{number}>", card)
    return text + "\n"


def compare(text, *hands):
    """Holds what an audit says of a log against all deals of the cards hidden in each of its hands.

    The verdict, and whether a finding needs several lines. Over several hands, not all that is
    impossible has to be found.
    """
    cards = [card for hand in hands for card in hand]
    wrong, undecided = audit(put(text, ["?"] * len(cards)))
    deals = product(*[sorted({*permutations(hand)}) for hand in hands])
    found = [audit(put(text, [card for hand in deal for card in hand]))[0] for deal in deals]
    # Deals in which nothing is wrong with where the cards lie.
    fitting = [errors for errors in found if not OF_CARDS & {one.code for one in errors}]
    assert not wrong or all(found), text
    assert wrong or len(hands) > 1 or not all(found), text
    if not wrong and not undecided:
        assert not any(fitting), text
    for finding in wrong:
        together = {finding.span.line, *finding.lines}
        for errors in fitting if finding.lines else ():
            assert together & {one.span.line for one in errors}, text
    several = any(finding.lines for finding in wrong)
    return "wrong" if wrong else "open" if undecided else "clean", several


def check(seed):
    """Compares a hand, as it was played and spoilt in several ways."""
    hidden = Hidden(seed)
    played = "\n".join(hidden.lines)
    assert audit(put(played, hidden.cards)) == ([], [])
    spoilt = ["\n".join(hidden.spoilt()) for _ in range(4)]
    return Counter(compare(text, hidden.cards) for text in [played, *spoilt])


def double(seed):
    """A turn in which the card taken is thrown, of two packs, and later turns that may show the other one."""
    rng = Random(f"double {seed}")
    deck = [rank + suit for rank in "A23456789TJQK" for suit in "cdhs"] * 2
    rng.shuffle(deck)
    for card in ("9h", "9h"):  # one is turned up, the other one hidden
        deck.remove(card)
    cards = ["9h", *[deck.pop() for _ in range(3)]]
    places = rng.sample([0, 0, 1, 1, 2, 2, 3], 4)
    hands = [
        [f"<{number}>" for number, place in enumerate(places) if place == seat] for seat in range(3)
    ]
    hands = [[*hidden, *[deck.pop() for _ in range(5 - len(hidden))]] for hidden in hands]
    stock = deck
    if 3 in places:
        stock.insert(rng.randrange(3), f"<{places.index(3)}>")
    rows = ['[Rules "500-rummy"]', '[Set "deck.packs=2"]', '[Set "deal.cards=5"]']
    rows += ['[Options "no-jokers, no-calls"]', '[Players "Ann, Bob, Cy"]', "hand 1 dealer Cy"]
    rows += [" ".join(["deal", name, *hand]) for name, hand in zip(NAMES, hands, strict=True)]
    rows += ["up 9h", "stock " + " ".join(stock), "1. Ann: take 9h; discard 9h"]
    for turn in range(1, 9):
        seat, drawn = turn % 3, stock[turn - 1]
        hands[seat].append(drawn)
        thrown = hands[seat].pop(rng.randrange(6))
        thrown = "9h" if rng.random() < 0.05 else put(thrown, cards).strip()
        rows.append(f"{turn + 1}. {NAMES[seat]}: draw {drawn}; discard {thrown}")
    return "\n".join(rows), cards


def two_hands(seed):
    """Two hands in which one player goes out at once, and totals or a winner say alone what others held."""
    rng = Random(f"two hands {seed}")
    rows = ['[Rules "500-rummy"]', '[Set "deal.cards=3"]', '[Set "game.target=20"]']
    rows += ['[Options "no-jokers, no-calls"]', '[Players "Ann, Bob, Cy"]']
    hidden = []
    for hand in range(2):
        deck = [rank + suit for rank in "A234T89JQK" for suit in "cdhs"] + ["5d", "6d", "7d"]
        rng.shuffle(deck)
        dealt = [[deck.pop() for _ in range(3)] for _ in NAMES]
        deck += dealt[hand]
        dealt[hand] = ["5c", "6c", "7c"]
        places = [(seat, at) for seat in range(3) for at in range(3) if seat != hand]
        places = rng.sample(places, 3)
        hidden.append([dealt[seat][at] for seat, at in places])
        for number, (seat, at) in enumerate(places, 3 * hand):
            dealt[seat][at] = f"<{number}>"
        rows.append(f"hand {hand + 1} dealer {NAMES[hand - 1]}")
        rows += [" ".join(["deal", name, *cards]) for name, cards in zip(NAMES, dealt, strict=True)]
        rows += [
            f"up {deck.pop()}",
            f"stock {' '.join([*deck, '5h', '5s', '6h', '6s', '7h', '7s'])}",
        ]
        rows += [f"1. {NAMES[hand]}: draw {deck[0]}; meld 5c 6c 7c; discard {deck[0]}"]
        rows += [f"end out {NAMES[hand]}"]
    text = "\n".join(rows)
    if seed % 3 == 0:
        return f"{text}\nresult {rng.choice(NAMES)}", hidden
    run = Replay("", NO_OVERRIDES, SHELF, 0, explainer=RecordExplainer())
    run.feed(read_lines(put(text, [*hidden[0], *hidden[1]])))
    totals = run.finish().scores[-1].totals
    name = rng.choice(NAMES)
    totals[name] += rng.choice((0, 5, -5, 10, -10, 1, -20))
    return f"{text}\ntotal {', '.join(f'{name} {total}' for name, total in totals.items())}", hidden


@pytest.mark.sweep
def test_totals_over_several_hands_and_winners_are_impossible_only_where_every_deal_says_so():
    came = Counter()
    for seed in range(30):
        text, hidden = two_hands(seed)
        came[compare(text, *hidden)] += 1
    assert came["wrong", True] > 0
    assert came["open", False] > 0


@pytest.mark.sweep
def test_what_is_said_of_hidden_cards_is_so_in_every_deal():
    came = sum(map(check, range(5)), Counter())
    assert {verdict for verdict, _ in came} >= {"wrong", "clean"}


@pytest.mark.sweep
def test_a_turn_is_decided_by_other_lines_as_every_deal_has_it():
    came = Counter(compare(*double(seed)) for seed in range(30))
    assert min(came["wrong", True], came["open", False], came["clean", False]) > 0


@pytest.mark.sweep
@pytest.mark.parametrize("start", range(0, HANDS, 25))
def test_what_is_said_of_hidden_cards_is_so_in_every_deal_of_many_hands(start):
    assert sum(map(check, range(start + 100, start + 125)), Counter())["wrong", False]
    for seed in range(start + 100, start + 150):
        compare(*double(seed))
