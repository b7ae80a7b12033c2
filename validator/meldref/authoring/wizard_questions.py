"""The ten questions on which tables of Rummy 500 really differ, and what each answer says as rules."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from meldref.core.records import record
from meldref.documents.reader import Value

_NOTHING: Final[Mapping[str, Value]] = MappingProxyType({})


@record
class Answer:
    """One answer: the word for it, what it means, and the rules it makes, by key path.

    `along` are rules that go with it where it is not what the game says already: who counts low cards at five
    counts a low ace so.
    """

    word: str
    text: str
    says: Mapping[str, Value]
    along: Mapping[str, Value] = _NOTHING


@record
class Question:
    """One question: the name of its option, what it is about, what is asked, and the answers.

    Without answers, it asks for a number.
    """

    name: str
    topic: str
    text: str
    answers: tuple[Answer, ...] = ()
    number: str = ""
    """The key that a number answers."""


QUESTIONS: Final = (
    Question(
        "jokers",
        "wild cards",
        "Which cards are wild?",
        (
            Answer("wild", "jokers, two in each pack", {"deck.jokers": 2, "melds.wild.cards": ["joker"]}),
            Answer("none", "none, and no jokers in the pack", {"deck.jokers": 0, "melds.wild.cards": []}),
            Answer("twos", "jokers, and the twos as well", {"deck.jokers": 2, "melds.wild.cards": ["joker", 2]}),
            Answer(
                "named",
                "a rank that the dealer names for each hand, and no jokers",
                {"deck.jokers": 0, "melds.wild.cards": ["named"]},
            ),
        ),
    ),
    Question(
        "values",
        "two to nine",
        "What do the cards from two to nine count?",
        (
            Answer("face", "the number on them", {"scoring.values.2-9": "face"}, {"scoring.low_ace": 1}),
            Answer("fives", "five each", {"scoring.values.2-9": 5}, {"scoring.low_ace": 5}),
        ),
    ),
    Question(
        "aces",
        "aces",
        "What does an ace count?",
        (
            Answer("15-or-1", "15, but 1 in A-2-3", {"scoring.values.A": 15, "scoring.low_ace": 1}),
            Answer("15-or-5", "15, but 5 in A-2-3", {"scoring.values.A": 15, "scoring.low_ace": 5}),
            Answer("15", "15 wherever it is", {"scoring.values.A": 15, "scoring.low_ace": "same"}),
            Answer("25", "25 wherever it is", {"scoring.values.A": 25, "scoring.low_ace": "same"}),
            Answer(
                "four-at-100",
                "15, but 5 in A-2-3, and four of one player 100 together",
                {"scoring.four_aces": 100, "scoring.values.A": 15, "scoring.low_ace": 5},
            ),
        ),
    ),
    Question(
        "top",
        "the top card of the pile, taken alone",
        "Who takes the top card of the pile alone …",
        (
            Answer("free", "may keep it", {"draw.top.must": "nothing"}),
            Answer("must-use", "has to use it at once", {"draw.top.must": "be_used"}),
        ),
    ),
    Question(
        "deep",
        "the deepest of several cards taken, to be used",
        "Who takes several cards of the pile has to use the deepest of them …",
        (
            Answer(
                "any-way",
                "in a new meld, or laid off",
                {"draw.deep.must": "be_used", "draw.use": ["meld", "lay_off"]},
            ),
            Answer("new-meld", "in a new meld", {"draw.deep.must": "be_used", "draw.use": ["meld"]}),
            Answer("keep", "not at all", {"draw.deep.must": "nothing"}),
        ),
    ),
    Question(
        "lay-off",
        "laying off",
        "Onto which melds may cards be laid off?",
        (
            Answer("any", "anybody's, at any time", {"layoff.onto": "any", "layoff.before_melding": "allowed"}),
            Answer(
                "after-melding",
                "anybody's, once one has melded",
                {"layoff.onto": "any", "layoff.before_melding": "forbidden"},
            ),
            Answer("own", "one's own alone", {"layoff.onto": "own"}),
        ),
    ),
    Question(
        "calls",
        "calling “Rummy!”",
        "What can be called with “Rummy!”?",
        (
            Answer("pile", "any card of the pile that fits", {"calls.of": "pile"}),
            Answer(
                "last-discard",
                "the latest discard alone, which is laid off, and play goes on as it was",
                {
                    "calls.of": "last_discard",
                    "calls.takes": "called_cards",
                    "calls.more_melds": "forbidden",
                    "calls.discard": "none",
                    "calls.then": "unchanged",
                },
            ),
            Answer("none", "nothing; nobody calls", {"calls.of": "none"}),
        ),
    ),
    Question(
        "going-out",
        "going out",
        "How does a player go out?",
        (
            Answer(
                "any-way",
                "by melding every card, or with a last discard",
                {"out.melding_all": "ends_hand", "out.last_discard": "any"},
            ),
            Answer(
                "discard", "with a last discard only", {"out.melding_all": "forbidden", "out.last_discard": "any"}
            ),
            Answer(
                "floating",
                "with a last discard; who melds every card floats",
                {"out.melding_all": "floats", "out.last_discard": "any"},
            ),
            Answer(
                "unplayable",
                "with a last discard that fits no meld; else one floats",
                {
                    "out.melding_all": "floats",
                    "out.last_discard": "unplayable",
                    "out.challenge": "taken_back",
                    "floating.playable": "must_be_used",
                },
            ),
            Answer(
                "claimable",
                "with a last discard that nobody can call; else one floats",
                {
                    "out.melding_all": "floats",
                    "out.last_discard": "claimable",
                    "out.claimed": "floats",
                    "floating.playable": "must_be_used",
                },
            ),
        ),
    ),
    Question(
        "win",
        "winning",
        "Who wins?",
        (
            Answer("highest", "the highest total", {"game.winner": "highest", "game.reached_by": "anybody"}),
            Answer(
                "go-out",
                "only a player who goes out and then stands at the target",
                {"game.winner": "player_out", "game.reached_by": "player_out"},
            ),
        ),
    ),
    Question("target", "the end of a game", "How many points end a game?", number="game.target"),
)
