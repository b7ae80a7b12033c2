"""What was meant by a word of a condition that means nothing there, and what to write instead."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from difflib import get_close_matches
from typing import Final

from meldref.conditions.facts import CARD, CARD_OF_LIST, ELEMENTS, LISTS, PLAYER, SUBJECTS
from meldref.conditions.types import END, HAND, ORDER, WORDS, Fact, Sort, Term
from meldref.conditions.types import LISTS as ITEMS
from meldref.core.text import in_words
from meldref.ruleset.model import GAME

_WRITTEN: Final = (
    "ten T, 10 T, ace A, king K, queen Q, jack J, knave J, two 2, three 3, four 4, five 5, six 6, "
    "seven 7, eight 8, nine 9, length size, count size, value points, colour suit, color suit, len count, "
    "every all, some any, caller player, buyer player, opponent players, other players"
)
_OTHER_WORDS: Final = dict(pair.split() for pair in _WRITTEN.split(", "))
"""What people write for ranks, facts and functions."""
COLOURS: Final = {"red": "[hearts, diamonds]", "black": "[clubs, spades]"}
USUAL: Final = {"card.suit": Sort.SUIT, "meld.owner": Sort.OWNER, "turn.drew": Sort.DRAWN}
"""The fact that a word alone is most likely meant for."""
_ALWAYS: Final = frozenset(("true", "yes", "on", "always"))
_NEVER: Final = frozenset(("false", "no", "off", "never"))
COUNTED: Final = frozenset(["size", "count", "length", "len", "number"])
"""What people write behind a list for how long it is."""
NO_WAY: Final = (
    "; what cannot be said in a condition is said in customs, "
    "or with adjust in the log (docs/limits.md)"
)


_TESTS: Final = {
    "joker": ".is_joker",
    "wild": ".is_wild",
    "natural": "not .is_wild",
    **{word: f".suit is {word}s" for word in ("club", "diamond", "heart", "spade")},
    **{colour: f".suit in {suits}" for colour, suits in COLOURS.items()},
    **{word: f".rank is {rank}" for word, rank in _OTHER_WORDS.items() if rank in WORDS[Sort.RANK]},
}
"""What is asked of each card of a list where people write a word for such cards, such as jokers."""
_OF_CARDS: Final = {Sort.RANK: "rank", Sort.SUIT: "suit"}
"""The facts of a card that have words of their own."""
_ROWS: Final = {"meld": "meld.cards", "turn": "turn.taken"}
"""The cards of a subject; those of a player are in hand."""
_WINS: Final = frozenset(("win", "wins", "won", "winner", "is_winner", "won_hand", "wins_hand"))
_SYNONYMS: Final = {
    **dict.fromkeys(("player.hand_size", "player.card_count", "player.hand_count"), "player.cards"),
    **dict.fromkeys(("player.opened", "player.is_down", "player.laid_down"), "player.has_melded"),
    **dict.fromkeys(("stock.cards", "stock.count", "stock.left"), "stock.size"),
    **dict.fromkeys(("turn.number", "turn.count"), "player.turns"),
    **dict.fromkeys(("game.hand", "round", "deal", "hand_number"), "hand.number"),
}
"""The fact that is written by another name, which is another's or unlike it."""
_OTHERS: Final = {
    "dealer": "any(players, .is_dealer and …)",
    "leader": "all(players, .total <= player.total)",
    **dict.fromkeys(("everybody", "everyone", "all_players"), "all(players, …)"),
    **dict.fromkeys(("anybody", "anyone", "somebody", "someone"), "any(players, …)"),
}
"""What is asked about players that no subject is."""
NOBODY: Final = frozenset(("winner", "loser", "discarder"))
"""Players that no fact is about, however like the name of another one theirs is."""
_FACTORS: Final = {"double": 1, "doubled": 1, "twice": 1, "triple": 2, "treble": 2, "quadruple": 3}
"""How many times a score is added to itself by words for its multiples."""
_NEAR: Final = 0.7
"""How alike two words are at least, one of which was meant by the other: `calls` is not `cards`."""


def meant(word: str, known: Iterable[str]) -> str | None:
    """The word that was probably meant."""
    words = list(known)
    plain = word.lower().replace("-", "_")
    for form in (plain, plain.removesuffix("s"), plain.removesuffix("es")):
        if _OTHER_WORDS.get(form) in words:
            return _OTHER_WORDS[form]
    same = [word for word in words if word.lower() == plain or word.lower() == f"{plain}s"]
    if same:
        return same[0]
    short = [word for word in words if len(plain) == 1 and word.startswith(plain) and len(word) > 1]
    if len(short) == 1:
        return short[0]
    swapped = [word for word in words if sorted(word) == sorted(plain)]
    if swapped:
        return swapped[0]
    others = [
        word for word in words if word not in plain.split("_")
    ]  # next_player is another player
    return next(iter(get_close_matches(plain, others, 1, _NEAR)), None)


def ranks(op: str, than: Term) -> str:
    """What is written for ranks above or below another, the ace apart."""
    order = [*ORDER[1:]]
    if than.op != "constant" or than.value not in order:
        return "in [2-9]"
    at = order.index(than.value)
    left = order[at + (op == ">") :] if op[0] == ">" else order[: at + (op == "<=")]
    return f"in [{left[0]}-{left[-1]}]" if len(left) > 1 else "in [2-9]"


def owned(name: str, contexts: Collection[str] = ()) -> list[str]:
    """The facts of that name that can be asked at some actions, each with what it is a fact of."""
    return [
        f"{subject}.{name}"
        for subject, (facts, where, _) in SUBJECTS.items()
        if name in facts and (where & facts[name].where).issuperset(contexts)
    ]


def card_test(name: str) -> str | None:
    """What is asked of a card by a word for its sort: `is_ace` is `.rank is A`."""
    sort = name.removeprefix("is_") if name.startswith("is_") else ""
    test = _TESTS.get(sort)
    return test if test is not None and test.startswith(".") else None


def counted(word: str, subject: str, contexts: Collection[str]) -> str | None:
    """How cards are counted that a word such as `jokers` names; None where it names no cards."""
    plain = word.lower().removesuffix("_cards").removesuffix("_card")
    tests = [_TESTS[form] for form in (plain, plain.removesuffix("s")) if form in _TESTS]
    if plain.endswith("es") and plain[:-2] in _TESTS:
        tests.append(_TESTS[plain[:-2]])
    return f"count({_row(subject, contexts)}, {tests[0]})" if tests else None


def _row(subject: str, contexts: Collection[str]) -> str:
    """The cards of a subject, or those that a condition is most likely about."""
    if not subject:
        subject = "meld" if SUBJECTS["meld"][1].issuperset(contexts) else "player"
    return _ROWS.get(subject, f"{subject}.hand")


def synonym(word: str, contexts: Collection[str]) -> str | None:
    """The fact that is asked by another name, if it can be asked at these actions."""
    fact = _SYNONYMS.get(word)
    if fact is None:
        return None
    return fact if fact in owned(fact.rpartition(".")[2], contexts) else None


def of_others(subject: str, name: str, contexts: Collection[str]) -> str:
    """What to say of a subject that does not exist: what is asked of such a player instead."""
    players = _OTHERS.get(subject)
    if players is not None:
        return f": ask {players}"
    if subject in {"winner", "loser"}:
        goes_out = subject == "winner" and HAND in contexts and name in PLAYER
        return f": who went out is out, as in out.{name}" if goes_out else NO_WAY
    return NO_WAY


def wins(word: str, contexts: Collection[str]) -> str | None:
    """What to write for who won the hand; None where a word does not ask it."""
    if word.lower() not in _WINS or not contexts:
        return None
    if GAME in contexts:
        return "write player.won"
    if HAND in contexts:
        return (
            "player.went_out says who went out, and player.score how many points the hand brought"
        )
    if END in contexts:
        return "player.goes_out says that this end of the turn is going out"
    return "nobody has won while the hand is played"


def multiple(word: str, contexts: Collection[str]) -> str | None:
    """The points that a word such as `double` asks for, on top of what is scored anyway."""
    times = _FACTORS.get(word.lower())
    if times is None:
        return None
    if GAME in contexts:
        points = "player.total"
    elif HAND in contexts:
        points = "player.score"
    else:
        points = (
            "sum(cards, .points)" if LISTS["cards"].where.issuperset(contexts) else "turn.points"
        )
    written = points if times == 1 else f"{times} * {points}"
    return f"{word} is no number: write {written}, which comes on top"


def unknown(word: str, element: Sort | None, contexts: Collection[str] = ()) -> str:
    """What to say of a word that is nothing by itself."""
    cards = counted(word, "", contexts)
    if element is None and cards is not None and not owned(word, contexts):
        return f"there is no {word} here: write {cards}"
    fact = synonym(word, contexts)
    if fact is not None:
        return f"there is no {word} here: write {fact}"
    multiplied = multiple(word, contexts)
    if multiplied is not None:
        return multiplied
    for name in (word, f"is_{word}"):
        if element is not None and name in ELEMENTS[element]:
            return f"{word} is a fact of the one looked at: write .{name}"
    owners = owned(word, contexts) or owned(f"is_{word}", contexts)
    elsewhere = owned(word)
    if elsewhere and not owners:
        return (
            f"{word} cannot be asked here: {elsewhere[0]} is a fact of other rules (docs/facts.md)"
        )
    if owners:
        return f"{word} is a fact of something: write {in_words(owners, 'or')}"
    if word in SUBJECTS:
        facts = list(SUBJECTS[word][0])
        return f"{word} is asked for a fact: {word}.{facts[0]}" + (
            f", {word}.{facts[1]} …" if facts[1:] else ""
        )
    near = meant(word, [*LISTS, *SUBJECTS])
    return f"there is no {word} here{f'; did you mean {near}?' if near else NO_WAY}"


def alone(word: str, element: Sort | None, contexts: Collection[str] = ()) -> str:
    """What to say of a word where a condition belongs."""
    if word.lower() in _ALWAYS:
        return f"{word} is no condition: a rule without one always applies, so leave it out"
    if word.lower() in _NEVER:
        return f"{word} is no condition: a rule that never applies is left out"
    no_card = not SUBJECTS["card"][1].issuperset(contexts)
    test = next((sort for sort in _OF_CARDS if no_card and word in WORDS[sort]), None)
    cards = None if word in WORDS[Sort.SUIT] else counted(word, "", contexts)
    if test is not None:
        cards = f"count({_row('', contexts)}, .{_OF_CARDS[test]} is {word})"
    if element is None and cards is not None:
        return f"{word} stands alone: write {cards.replace('count(', 'any(', 1)}"
    facts = {"card.rank": Sort.RANK, **USUAL}
    fact = next((name for name, sort in facts.items() if word in WORDS[sort]), None)
    return (
        f"{word} stands alone: compare it, as in {fact} is {word}"
        if fact
        else unknown(word, element, contexts)
    )


def fact_of_list(subject: str, name: str, contexts: Collection[str]) -> tuple[str, str | None]:
    """What to say of a fact of a whole list, and what to write instead if that is certain."""
    sort = LISTS[subject].sort
    if name in COUNTED:
        return f"{subject} is {sort}: write count({subject})", f"count({subject})"
    each = f"any({subject}, .{name} …) or " if name in ELEMENTS[ITEMS[sort]] else ""
    owner = subject.removesuffix("s")
    facts, where, _ = SUBJECTS.get(owner, ({}, frozenset[str](), ""))
    is_meant = name in facts and where.issuperset(contexts)
    single = f"; did you mean {owner}.{name}?" if is_meant else ""
    return f"{subject} is {sort}: ask {each}count({subject}){single}", None


def no_subject(word: str, contexts: Collection[str]) -> tuple[str, str | None]:
    """What to say of a fact of something that has none, and what to write instead if certain."""
    subject, _, name = word.partition(".")
    instead = synonym(word, contexts)
    if instead is not None:
        return f"there is no {word} here: write {instead}", instead
    problem = f"there is no {subject} here"
    others = of_others(subject, name, contexts)
    if others != NO_WAY or subject in NOBODY:
        return f"{problem}{others}", None
    owners = [owner for owner, (facts, *_) in SUBJECTS.items() if name in facts]
    near = meant(subject, owners or SUBJECTS)
    if near:
        return f"{problem}; did you mean {near}.{name}?", f"{near}.{name}"
    every = meant(subject, LISTS)
    if every is not None and name in ELEMENTS[ITEMS[LISTS[every].sort]]:
        return f"{problem}: ask any({every}, .{name})", None
    return f"{problem}{NO_WAY}", None


def no_fact(
    facts: Mapping[str, Fact], word: str, name: str, subject: str, contexts: Collection[str]
) -> tuple[str, str | None]:
    """What to say of a name that is no fact of a subject, and what to write instead if certain.

    `word` is the name as it is written, with its subject, or only a dot before it in a list.
    """
    whole, _, last = word.rpartition(".")
    row = facts.get(whole.partition(".")[2])
    if whole and last in COUNTED and row is not None and row.sort in ITEMS:
        return f"{whole} is a list: write count({whole})", f"count({whole})"
    if "." in name:
        return f"{word} has a dot too many: a fact has no facts of its own", None
    if name in CARD_OF_LIST and name not in CARD:
        cards = "meld.cards" if SUBJECTS["meld"][1].issuperset(contexts) else "player.laid"
        return f"{word} is asked of the cards of a list: any({cards}, .{name} …)", None
    problem = f"{subject} has no fact {name}"
    won = wins(name, contexts) if facts is PLAYER else None
    written = None
    if whole and subject not in {"card", "top", "stock", "hand"}:
        written = counted(name, subject, contexts)
    if written is None and won is not None:
        return f"{problem}: {won}", None
    written = written or synonym(f"{subject}.{name}", contexts)
    test = card_test(name) if "rank" in facts and "is_joker" in facts else None
    if written is None and test is not None:
        written = f"{whole}{test}"
    if written is not None:
        return f"{problem}: write {written}", written
    here = [fact for fact in facts if facts[fact].where.issuperset(contexts)]
    near = meant(name, here)
    if near is None:
        return f"{problem}; it has {in_words(here)}{NO_WAY}", None
    return f"{problem}; did you mean {whole}.{near}?", f"{whole}.{near}"
