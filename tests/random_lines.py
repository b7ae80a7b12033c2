"""Events and lines of every kind, for properties."""

from __future__ import annotations

from hypothesis import strategies as st

from meldref.core import events
from meldref.core.cards import ANY_SUIT, Played
from meldref.core.events import Line

texts = st.text(st.characters(exclude_categories=["Cs", "Cc"], exclude_characters='"'), max_size=12)
names = st.one_of(
    st.sampled_from(
        [
            "Ann",
            "Bob",
            "Zoë",
            "stock",
            "Draw",
            "Hand",
            "2 Fast",
            "O'Neil",
            "x6",
            "m1",
            "Jk",
            "5h",
            "आशा",
            "N+S",
        ]
    ),
    texts,
)
naturals = st.integers(0, 51)
cards = st.integers(0, 52)
faces = st.integers(-1, 52)
counts = st.integers(1, 999)
numbers = st.integers(0, 10**9 - 1)
points = st.integers(1 - 10**9, 10**9 - 1)
roles = st.one_of(naturals, st.integers(ANY_SUIT, ANY_SUIT + 12))
played = st.one_of(
    cards.map(Played),
    st.tuples(cards, roles).filter(lambda pair: pair[0] != pair[1]).map(lambda pair: Played(*pair)),
)


def some(of, most=8):
    return st.lists(of, min_size=1, max_size=most).map(tuple)


def maybe(of):
    return st.none() | of


actions = st.one_of(
    st.builds(events.Draw, faces),
    st.builds(events.Take, cards, maybe(counts)),
    st.builds(events.Meld, some(played), maybe(counts)),
    st.builds(events.LayOff, some(played), maybe(counts)),
    st.builds(events.Swap, cards, maybe(counts)),
    st.builds(events.Discard, faces),
    st.builds(events.Call, some(cards)),
    st.just(events.Challenge()),
    st.just(events.Pass()),
)
turns = st.builds(events.Turn, maybe(numbers), names, some(actions), st.just(0))
hands = st.tuples(st.lists(cards, max_size=8).map(tuple), st.integers(0, 2000)).filter(
    lambda hand: hand[0] or hand[1]
)
amounts = some(st.tuples(names, points))
others = st.one_of(
    st.builds(events.Header, st.sampled_from(["Rules", "Players", "X-a", "Colour"]), texts),
    st.builds(events.HandStart, maybe(numbers), maybe(names)),
    st.builds(lambda name, hand: events.Deal(name, *hand), names, hands),
    st.builds(events.UpCard, faces),
    st.builds(events.StockOrder, some(faces, 20)),
    st.just(events.Gap()),
    st.builds(events.HandEnd, st.just("out"), maybe(names)),
    st.builds(events.HandEnd, st.sampled_from(["stock", "agreed"])),
    st.builds(events.Points, st.sampled_from(["score", "total", "chips"]), amounts),
    st.builds(events.Result, some(names)),
    st.builds(events.Cut, some(st.tuples(names, cards))),
    st.builds(events.WildRank, st.integers(0, 12)),
    st.just(events.Reshuffle()),
    st.builds(events.Show, names, some(cards)),
    st.builds(events.Void, texts | st.sampled_from(["misdeal", "wrong deck"])),
    st.just(events.Undo()),
    st.builds(events.Adjust, names, points, texts),
    st.builds(events.Note, texts),
    st.builds(events.AssertHand, names, numbers),
    st.builds(
        lambda name, hand: events.AssertHand(name, None, *hand), names, hands | st.just(((), 0))
    ),
    st.builds(events.AssertPile, st.lists(cards, max_size=9).map(tuple)),
    st.builds(events.AssertTable, counts, some(played)),
    st.builds(events.AssertTable.of, counts, some(st.tuples(names, some(played, 2)), 3)),
    st.builds(events.AssertStock, numbers),
    st.builds(events.AssertScore, names, points),
    st.builds(events.AssertScores.of, st.lists(st.tuples(names, points), min_size=1, max_size=4)),
)
every_event = turns | others
codes = st.from_regex(r"[a-z]{1,5}([.-][a-z]{1,4}){0,2}", fullmatch=True)
lines = st.builds(
    Line,
    st.just(1),
    st.just(""),
    every_event,
    st.lists(codes, max_size=2).map(tuple),
    maybe(texts.map(str.rstrip)),
    maybe(texts.filter(lambda text: not set(text) & set("{}"))),
)
