"""What is called impossible over the whole record is so, needs each of its lines, and nothing legal is called so."""

import re
from functools import cache
from random import Random

import pytest

from meldref.answers.masking import EVERYBODY
from meldref.core.cards import each, rank_of
from meldref.core.events import Turn
from meldref.notation.reader import read_lines
from meldref.replay.log import Replay
from meldref_evidence.explaining import RecordExplainer
from meldref_table.views.view import view_text
from simulated import findings, log_of

VALUES = {rank: 15 if rank == 0 else rank + 1 if rank < 9 else 10 for rank in range(13)}


def public(seed, kinds=("greedy", "greedy", "random")):
    """A hand of 500 Rummy without jokers, as somebody writes it who sees no hand, and the same in full."""
    full, _ = log_of("500-rummy", ["no-jokers"], [], kinds, seed, hands=1)
    return view_text(full, EVERYBODY), full


def with_scores(text, change):
    """A log in which some scores are others, and nothing follows from them."""
    lines = [line for line in text.splitlines() if not re.match("total|result|chips", line)]
    return "\n".join(
        re.sub(
            r"(\w+) (-?\d+)",
            lambda pair: f"{pair[1]} {int(pair[2]) + change.get(pair[1], 0)}",
            line.removeprefix("score "),
        ).join(["score ", ""])
        if line.startswith("score ")
        else line
        for line in lines
    )


@cache
def can_be(hands, pool):
    """Whether hands of certain sizes and sums can be dealt from a pool of points, gone through card by card."""
    if not hands:
        return True
    (size, points), *rest = hands
    if not size:
        return points == 0 and can_be(tuple(rest), pool)
    tried = set()
    for at, value in enumerate(pool):
        # Cards of a hand are dealt in order, so that none is dealt in two ways.
        if value not in tried and value * size >= points >= value:
            tried.add(value)
            smaller = [(size - 1, points - value), *rest]
            if can_be_from(tuple(smaller), pool[:at] + pool[at + 1 :], value):
                return True
    return False


@cache
def can_be_from(hands, pool, most):
    """As `can_be`, where the first hand gets no card worth more."""
    (size, points), *rest = hands
    if not size:
        return points == 0 and can_be(tuple(rest), pool)
    tried = set()
    for at, value in enumerate(pool):
        if value <= most and value not in tried and value * size >= points >= value:
            tried.add(value)
            if can_be_from(((size - 1, points - value), *rest), pool[:at] + pool[at + 1 :], value):
                return True
    return False


def test_the_second_opinion_knows_what_can_be():
    assert can_be(((2, 20), (1, 15)), (15, 10, 10, 5))
    assert not can_be(((2, 25), (2, 20)), (15, 10, 10, 5))
    assert can_be(((0, 0),), ())


class Account:
    """What a log shows, line by line: a second, much simpler reading, of one pack without a reshuffle."""

    def __init__(self, text):
        self.text, self.shows, self.laying, self.figures = text, {}, {}, {}
        self.players = re.search(r'\[Players "(.*)"\]', text)[1].split(", ")
        for line, _ in read_lines(text):
            number, event = line.number, line.event
            if line.text.startswith("score "):
                self.figures[number] = dict(event.amounts)
            elif re.match(r"deal|up|stock|(\d+\. )?\w+:", line.text):
                cards = re.findall(r"\b([A2-9TJQK])([cdhs])\b", line.text)
                self.shows[number] = {rank + suit for rank, suit in cards}
            if type(event) is Turn and re.search("meld|lay", line.text):
                self.laying.setdefault(event.player, set()).add(number)

    def ends(self):
        """Each player's number of cards at the end, what is known of them, and the points laid."""
        run = Replay("", explainer=RecordExplainer())
        run.feed(item for item in read_lines(self.text) if not item[0].text.startswith("score "))
        position = run.game.hand.play()
        return {
            name: (position.held[seat], list(each(position.hands[seat])), position.points[seat])
            for seat, name in enumerate(self.players)
        }

    def possible(self, kept):
        """Whether some lines can all be true."""
        deck = {rank + suit for rank in "A23456789TJQK" for suit in "cdhs"}
        shown = set().union(*[cards for number, cards in self.shows.items() if number in kept])
        points = {"A": 15, "T": 10, "J": 10, "Q": 10, "K": 10}
        value = {card: points.get(card[0]) or int(card[0]) for card in deck}
        hands, wrong = [], False
        for number, amounts in self.figures.items():
            for name, score in amounts.items():
                held, known, laid = self.ends()[name]
                if number not in kept or not self.laying.get(name, set()) <= kept:
                    continue
                if held == len(known):  # then the score is counted, and nothing is weighed
                    continue
                texts = ["A23456789TJQK"[rank_of(card)] + "cdhs"[card // 13] for card in known]
                sure = [text for text in texts if text in shown]
                rest = laid - score - sum(value[card] for card in sure)
                hands.append((held - len(sure), rest))
                wrong = wrong or rest < 0
        pool = tuple(sorted((value[card] for card in deck - shown), reverse=True))
        return not wrong and can_be(tuple(sorted(hands)), pool)


@pytest.mark.parametrize("seed", range(12))
def test_lines_that_cannot_all_be_true_cannot_and_could_without_any_one_of_them(seed):
    rng = Random(f"weighing {seed}")
    text, _ = public(seed)
    names = re.search(r'\[Players "(.*)"\]', text)[1].split(", ")
    convicted = 0
    for _ in range(6):
        change = {name: rng.choice((0, -1, 1, 40, -40, -25)) for name in names}
        spoilt = with_scores(text, change)
        account = Account(spoilt)
        wrong, _ = findings(spoilt)
        weighed = [one for one in wrong if one.lines or "nobody saw" in one.message]
        everything = set(range(1, len(spoilt.splitlines()) + 1))
        if not wrong:
            assert account.possible(everything)
        for finding in weighed:
            kept = {*finding.lines, finding.span.line}
            convicted += 1
            assert finding.span.line == max(kept)
            assert not account.possible(everything)
            assert not account.possible(kept)
            assert all(account.possible(kept - {line}) for line in kept)
    assert convicted


def test_scores_that_cards_nobody_saw_can_make_are_no_finding():
    for seed in range(20):
        text, full = public(seed)
        assert findings(with_scores(full, {})) == ([], [])
        assert findings(with_scores(text, {}))[0] == []
