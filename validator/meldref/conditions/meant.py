"""What was meant by a word of a condition that means nothing there, and what to write instead.

Each offer is a part of a condition, and the checker is the judge: the first that makes sense where
the word stands is what was meant.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import Final, NamedTuple

from meldref.conditions.facts import CARD, ELEMENTS, LISTS, SUBJECTS
from meldref.conditions.types import ORDER, WORDS, Fact, Sort, Term
from meldref.core.meant import nearest, synonym_of
from meldref.core.text import in_words

COLOURS: Final = {"red": "[hearts, diamonds]", "black": "[clubs, spades]"}
_NOT_CONDITIONS: Final = {
    **dict.fromkeys(("true", "yes", "on", "always"), "without one always applies, so leave it out"),
    **dict.fromkeys(("false", "no", "off", "never"), "that never applies is left out"),
}
"""What to say of a rule whose condition is such a word."""
_COUNTED: Final = frozenset(("size", "count", "length", "len", "number"))
"""What people write behind a list for how long it is."""
NO_WAY: Final = (
    "; what no condition can say belongs in customs (`meldref rules explain customs`), "
    "or in an adjust in the log"
)
_TESTS: Final = {
    "joker": ".is_joker",
    "wild": ".is_wild",
    "natural": "not .is_wild",
    **{word: f".suit is {word}s" for word in ("club", "diamond", "heart", "spade")},
    **{colour: f".suit in {suits}" for colour, suits in COLOURS.items()},
}
"""What is asked of each card of a list where people write a word for such cards, such as jokers."""
_ROWS: Final = {"": ("meld.cards", "player.hand"), "meld": ("meld.cards",), "turn": ("turn.taken",)}
"""The cards of a subject; those of a player are in hand."""
_COUNTING: Final = "zero one two three four five six seven eight nine ten eleven twelve"
_NUMBERS: Final = {word: str(number) for number, word in enumerate(_COUNTING.split())}
_COMPARED: Final = ("card.rank", "card.suit", "meld.owner", "turn.drew")
"""The facts that a word alone is most likely meant for."""
_BY_NAME: Final = {
    "player.cards": "player.hand_size player.card_count player.hand_count",
    "player.has_melded": "player.opened player.is_down player.laid_down",
    "stock.size": "stock.cards stock.count stock.left",
    "player.turns": "turn.number turn.count",
    "hand.number": "game.hand round deal hand_number",
    "any(players, .is_dealer)": "dealer",
    "all(players, .total <= player.total)": "leader",
    **dict.fromkeys(
        ("player.won", "player.went_out", "player.goes_out"),
        "player.win player.wins player.winner player.is_winner player.won_hand player.won winner",
    ),
    **dict.fromkeys(
        ("sum(cards, .points)", "turn.points", "player.score", "player.total"),
        "double doubled twice",
    ),
    **dict.fromkeys(
        ("2 * turn.points", "2 * player.score", "2 * player.total"), "triple treble tripled"
    ),
}
"""What people call otherwise, with their words for it; what can be asked first comes first."""


class Unknown(NamedTuple):
    """A sentence about a word that means nothing, and what to write instead if that is certain."""

    message: str
    instead: str | None = None


def about(
    word: str, element: Sort | None, contexts: Collection[str], fits: Callable[[str], bool]
) -> Unknown:
    """What to say of a word that means nothing where it stands.

    `element` is what a list's condition looks at, `contexts` are the actions at which the condition
    is asked; `fits` tells whether a part of a condition makes sense there.
    """
    if word.lower() in _NOT_CONDITIONS:
        return Unknown(f"{word} is no condition: a rule {_NOT_CONDITIONS[word.lower()]}")
    whole, dot, name = word.rpartition(".")
    for offers in _offer_same(word, element):
        fitting = [offer for offer in offers if fits(offer)]
        if fitting:
            message = f"there is no {word} here: write {in_words(fitting, 'or')}"
            is_sure = bool(dot) and len(fitting) == 1 and not fitting[0].startswith("any(")
            return Unknown(message, fitting[0] if is_sure else None)
    for offer in _offer_near(word, element):
        if fits(offer):
            message = f"there is no {word} here; did you mean {offer}?"
            is_sure = bool(dot) and not offer.startswith("any(")
            return Unknown(message, offer if is_sure else None)
    if dot:
        facts = _facts_of(whole, element)
        names = [fact for fact in facts if facts[fact].where.issuperset(contexts)]
        if names:
            has = f"{whole or element} has no fact {name}; it has {in_words(names)}"
            return Unknown(f"{has}{NO_WAY}")
    if whole in LISTS:
        asks = f"any({whole}, …), all({whole}, …) or count({whole})"
        return Unknown(f"{whole} is {LISTS[whole].sort}: ask {asks}")
    if word in SUBJECTS:
        example = f"{word}.{next(iter(SUBJECTS[word][0]))}"
        return Unknown(f"{word} is asked for a fact, such as {example}")
    return Unknown(f"there is no {word} here{NO_WAY}")


def _offer_same(word: str, element: Sort | None) -> Iterator[Iterable[str]]:
    """What a word says in other terms: alternatives, the most likely ones first."""
    whole, dot, name = word.rpartition(".")
    if word in _NUMBERS:
        yield [_NUMBERS[word]]
    for text, names in _BY_NAME.items():
        if word in names.split():
            yield [text]
    if name in _COUNTED:
        yield [f"count({whole})"]
    test = _card_test(name.removeprefix("is_").removesuffix("_cards").removesuffix("_card"))
    if name.startswith("is_") and test:
        yield [f"{whole}{test}"]
    for row in _ROWS.get(whole, (f"{whole}.hand",)):
        if test and name not in WORDS[Sort.SUIT]:
            yield [f"count({row}, {test})"]
            yield [f"any({row}, {test})"]
    if whole == "winner":
        yield [f"out.{name}"]
    if dot and name not in CARD:
        for row in ("meld.cards", "player.laid"):
            yield [f"any({row}, .{name})"]
    if dot:
        return
    for fact in _COMPARED:
        yield [f"{fact} is {word}"]
    for asked in ("rank", "suit"):
        for row in _ROWS[""]:
            yield [f"any({row}, .{asked} is {word})"]
    for fact in (word, f"is_{word}"):
        yield [f".{fact}"]
        yield [f"{subject}.{fact}" for subject in SUBJECTS]


def _offer_near(word: str, element: Sort | None) -> Iterator[str]:
    """What a word is a misspelling of, most likely first."""
    whole, dot, name = word.rpartition(".")
    if not dot:
        near = nearest(word, [*LISTS, *SUBJECTS])
        if near is not None:
            yield near.text
        return
    facts = _facts_of(whole, element)
    fact = nearest(name, facts)
    if fact is not None:
        yield f"{whole}.{fact.text}"
    if whole in LISTS:
        yield f"{whole.removesuffix('s')}.{name}"
    subjects_with_it = [subject for subject, (facts, *_) in SUBJECTS.items() if name in facts]
    subject = nearest(whole, subjects_with_it)
    if subject is not None:
        yield f"{subject.text}.{name}"
    near_list = nearest(whole, LISTS)
    if near_list is not None:
        yield f"any({near_list.text}, .{name})"


def _facts_of(subject: str, element: Sort | None) -> Mapping[str, Fact]:
    """The facts of a subject; of what a list's condition looks at where there is none."""
    if not subject:
        return ELEMENTS[element] if element is not None else {}
    return SUBJECTS[subject][0] if subject in SUBJECTS else {}


def _card_test(word: str) -> str | None:
    """What is asked of each card that a word such as `jokers` or `queen` names."""
    rank = synonym_of(word)
    if rank in WORDS[Sort.RANK]:
        return f".rank is {rank}"
    return _TESTS.get(word) or _TESTS.get(word.removesuffix("s"))


def ranks(op: str, than: Term) -> str:
    """What is written for ranks above or below another, the ace apart."""
    order = [*ORDER[1:]]
    if than.op != "constant" or than.value not in order:
        return "in [2-9]"
    at = order.index(than.value)
    fitting = {
        "<": order[:at],
        "<=": order[: at + 1],
        ">": order[at + 1 :],
        ">=": order[at:],
    }[op]
    if len(fitting) < 2:
        return "in [2-9]"
    return f"in [{fitting[0]}-{fitting[-1]}]"
