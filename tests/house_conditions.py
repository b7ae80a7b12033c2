"""Conditions of house rules: at random, from the table of facts, and read plainly where all is known."""

from __future__ import annotations

import operator

from meldref.conditions.facts import ELEMENTS, LISTS, SUBJECTS
from meldref.conditions.types import LISTS as ITEMS
from meldref.conditions.types import WORDS, Sort
from meldref.core.cards import ANY_SUIT, JOKER, RANKS, each
from meldref.core.events import Call, LayOff, Meld, Swap, Take
from meldref.melds import Extension, Reading
from meldref.position.turn import FROM_PILE, FROM_STOCK

SIGNS = {"+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.floordiv}
SUITS = ("clubs", "diamonds", "hearts", "spades")


class Writer:
    """Writes conditions that have a meaning at some actions."""

    def __init__(self, rng, contexts, kinds=("group", "sequence"), without=()):
        self.rng, self.contexts = rng, set(contexts)
        self.words = {**WORDS, Sort.KIND: tuple(kinds)}
        self.facts = [
            (f"{subject}.{fact.name}", fact.sort)
            for subject, (facts, where, _) in SUBJECTS.items()
            for fact in facts.values()
            if self.contexts <= where & fact.where and f"{subject}.{fact.name}" not in without
        ]
        self.facts += [
            (name, fact.sort) for name, fact in LISTS.items() if self.contexts <= fact.where
        ]
        self.element = None

    def known(self, *sorts):
        found = [name for name, sort in self.facts if sort in sorts]
        if self.element is not None:
            own = [
                f
                for f in ELEMENTS[self.element].values()
                if f.sort in sorts and self.contexts <= f.where
            ]
            found += [f".{fact.name}" for fact in own] * 4
        return found

    def condition(self, depth=3):
        rng = self.rng
        if depth <= 0 or rng.random() < 0.3:
            return self.comparison(depth)
        pick = rng.random()
        if pick < 0.5:
            word = rng.choice([" and ", " or "])
            return (
                "("
                + word.join(self.condition(depth - 1) for _ in range(rng.choice([2, 2, 3])))
                + ")"
            )
        if pick < 0.65:
            return f"not {self.comparison(depth - 1)}"
        if pick < 0.8 and self.element is None:
            return self.of_list(rng.choice(["any", "all"]), depth)
        return self.comparison(depth)

    def of_list(self, function, depth):
        sort = self.rng.choice([one for one in ITEMS if self.known(one)])
        row = self.rng.choice(self.known(sort))
        self.element = ITEMS[sort]
        inner = self.number(0) if function == "sum" else self.condition(min(depth - 1, 1))
        where = f", {self.condition(0)}" if function == "sum" and self.rng.random() < 0.3 else ""
        self.element = None
        return f"{function}({row}, {inner}{where})"

    def comparison(self, depth):
        rng = self.rng
        truths = self.known(Sort.YES_NO)
        if truths and rng.random() < 0.25:
            return rng.choice(truths)
        words = [sort for sort in self.words if self.known(sort)]
        if words and rng.random() < 0.5:
            sort = rng.choice(words)
            fact, some = rng.choice(self.known(sort)), self.words[sort]
            if rng.random() < 0.4:
                return f"{fact} in [{', '.join(rng.sample(some, min(len(some), rng.choice([1, 2, 3]))))}]"
            other = rng.choice([rng.choice(some), rng.choice(self.known(sort))])
            return f"{fact} {rng.choice(['is', 'is not'])} {other}"
        if rng.random() < 0.15:
            low = rng.randrange(6)
            return f"{self.number(depth)} in [{low}-{low + rng.randrange(4)}, {rng.randrange(30)}]"
        return f"{self.number(depth)} {rng.choice(['is', 'is not', '<', '<=', '>', '>='])} {self.number(depth)}"

    def number(self, depth):
        rng = self.rng
        pick = rng.random()
        if depth > 0 and pick < 0.25:
            return f"({self.number(depth - 1)} {rng.choice('+-')} {self.number(depth - 1)})"
        if depth > 0 and pick < 0.33:
            return f"{rng.randrange(4)} * {self.number(0)}"
        if depth > 0 and pick < 0.36:
            return f"{self.number(0)} / {rng.randrange(1, 4)}"
        if depth > 0 and pick < 0.37:
            return f"{rng.choice(['round_down', 'round_up'])}({self.number(depth - 1)}, {rng.choice([2, 5])})"
        if depth > 0 and pick < 0.4:
            return (
                f"{rng.choice(['min', 'max'])}({self.number(depth - 1)}, {self.number(depth - 1)})"
            )
        if depth > 0 and pick < 0.55 and self.element is None:
            if rng.random() < 0.3:
                return f"count({rng.choice(self.known(*ITEMS))})"
            return self.of_list(rng.choice(["count", "sum"]), depth)
        if pick < 0.75:
            return str(rng.choice([0, 1, 2, 3, 5, 10, 25]))
        return rng.choice(self.known(Sort.NUMBER))


class Absent:
    """What is not there."""


NO = Absent()


class Plain:
    """Reads a condition plainly: all cards are known, and what nobody can look up is asked of `facts`."""

    def __init__(self, judge, position, seat, action, facts):
        self.judge, self.position, self.seat = judge, position, seat
        self.action, self.facts, self.it, self.of_it = action, facts, None, None

    # --- the tree ---------------------------------------------------------------------------------

    def value(self, node):
        parts = node.parts
        if node.sort in {"or", "and"}:
            return (any if node.sort == "or" else all)([self.truth(part) for part in parts])
        if node.sort == "not":
            return not self.truth(parts[0])
        if node.sort == "group":
            return self.value(parts[0])
        if node.sort == "number":
            return int(node.word)
        if node.sort == "sign":
            value = self.value(parts[0])
            return value if value is NO or node.word == "+" else -value
        if node.sort in {"add", "times"}:
            total = self.value(parts[0])
            for sign, part in zip(node.words, parts[1:], strict=True):
                other = self.value(part)
                if NO in (total, other):
                    return NO
                total = SIGNS[sign](total, other)
            return total
        if node.sort == "compare":
            return self.compare(node)
        if node.sort == "within":
            return self.within(node)
        if node.sort == "call":
            return self.call(node)
        return self.fact(node.word)

    def truth(self, node):
        found = self.value(node)
        if isinstance(found, bool):
            return found
        return found is not NO and found > 1  # wilds_together, alone

    def literal(self, node):
        return node.sort == "name" and "." not in node.word and node.word not in LISTS

    def side(self, node, other):
        if self.literal(node) or (node.word == "pile" and other.word == "turn.drew"):
            return node.word
        if node.sort == "number" and not self.literal(other):
            against = self.value(other)
            return (
                node.word
                if isinstance(against, str) or (against is NO and self.names_word(other))
                else int(node.word)
            )
        return self.value(node)

    def names_word(self, node):
        return node.word.rpartition(".")[2] in {
            "rank",
            "suit",
            "as_rank",
            "as_suit",
            "kind",
            "owner",
            "drew",
        }

    def compare(self, node):
        left, right = node.parts
        a, b = self.side(left, right), self.side(right, left)
        if NO in (a, b):
            return node.word == "is not"
        tests = {"is": a == b, "is not": a != b}
        if node.word not in tests:
            tests = {"<": a < b, "<=": a <= b, ">": a > b, ">=": a >= b}
        return tests[node.word]

    def within(self, node):
        value = self.value(node.parts[0])
        if value is NO:
            return False
        for item in node.parts[1:]:
            if item.sort == "span" and isinstance(value, int):
                if int(item.words[0]) <= value <= int(item.words[1]):
                    return True
            elif str(value) == item.word:
                return True
        return False

    def call(self, node):
        name, parts = node.word, node.parts
        if name in {"round_down", "round_up"}:
            number, step = self.value(parts[0]), int(parts[1].word)
            rest = 0 if number is NO else number % step
            return number if not rest else number - rest + (step if name == "round_up" else 0)
        if name in {"min", "max"}:
            both = [self.value(part) for part in parts]
            return NO if NO in both else {"min": min, "max": max}[name](both)
        row = self.fact(parts[0].word)
        if row is NO:
            return name not in {"any", "all"} and NO
        if len(parts) == 1:
            return len(row)
        found = []
        of_action = isinstance(self.action, Meld | LayOff) and parts[0].word in (
            "cards",
            "meld.cards",
        )
        self.of_it = self.meld() if of_action else None
        for one in row:
            self.it = one
            if len(parts) == 3 and not self.truth(parts[2]):
                continue
            found.append(self.value(parts[1]) if name == "sum" else self.truth(parts[1]))
        self.it = None
        if name == "sum":
            return sum(one for one in found if one is not NO)
        return {"any": any, "all": all, "count": sum}[name](found)

    # --- facts ------------------------------------------------------------------------------------

    def fact(self, word):
        subject, _, name = word.partition(".")
        if subject == "":
            thing = self.it
            kind = "card" if isinstance(thing, tuple) and thing[0] == "card" else "player"
            kind = "meld" if isinstance(thing, tuple) and thing[0] == "meld" else kind
            return getattr(self, f"{kind}_{name}")(thing)
        if not name:
            return {
                "cards": self.cards,
                "pile": self.pile,
                "table": self.table,
                "players": self.players,
            }[subject]()
        if subject == "player":
            return getattr(self, f"player_{name}")(self.seat)
        if subject == "partner":
            half = len(self.position.players) // 2
            if self.judge.ruleset.partnership.sides == "none":
                return (
                    False
                    if name in {"has_melded", "had_melded", "had_contract", "floats", "is_dealer"}
                    else NO
                )
            return getattr(self, f"player_{name}")((self.seat + half) % len(self.position.players))
        if subject == "owner":
            owner = self.seat
            if not isinstance(self.action, Meld):
                owner = self.position.melds[self.action.target - 1].seat
            return getattr(self, f"player_{name}")(owner)
        if subject == "top":
            if not self.position.pile:
                return False if name in {"is_wild", "is_joker", "was_taken", "fits"} else NO
            return getattr(self, f"card_{name}")(self.pile()[-1])
        if subject == "card":
            named = ("card", self.action.card, None)
            if isinstance(self.action, Take):
                named = self.cards()[0]
            return getattr(self, f"card_{name}")(named)
        if subject == "meld":
            return getattr(self, f"meld_{name}")(self.meld())
        return getattr(self, f"{subject}_{name}")()

    def cards_of(self, counted):
        return [("card", card, None) for card in each(counted)]

    def cards(self):
        action = self.action
        if isinstance(action, Take):
            index = len(self.position.pile) - 1 - self.position.pile[::-1].index(action.card)
            if action.count:
                index = len(self.position.pile) - action.count
            taken = self.pile()[index:]
            return taken if self.judge.ruleset.draw.takes == "all_above" else taken[:1]
        assert isinstance(action, Meld | LayOff), Call
        return [("card", *one) for one in self.meld()[1][-len(action.cards) :]]

    def pile(self):
        """Each card with who threw it."""
        return [("card", card, None, by)
                for card, by in zip(self.position.pile, self.facts["throwers"], strict=True)]  # fmt: skip

    def table(self):
        return [("meld", [(one.card, one) for one in meld.cards], meld.shape, meld.seat, number)
                for number, meld in enumerate(self.position.melds)]  # fmt: skip

    def players(self):
        return list(self.position.order)

    def meld(self):
        """The meld of the action, cards with role and points as they will lie."""
        action, book, worth = self.action, self.position.book, self.judge.play.worth
        if isinstance(action, Meld):
            read = book.read(action.cards)
            assert isinstance(read, Reading)
            laid = [(one.card, (one.role, worth.laid(one))) for one in read.laid]
            return ("meld", laid, read.shape, self.seat, None)
        old = self.position.melds[action.target - 1]
        laid, shape = [(one.card, one) for one in old.cards], old.shape
        assert not isinstance(action, Swap)
        for played in action.cards:
            extended = book.extend(shape, played)
            assert isinstance(extended, Extension)
            shape, one = extended
            laid.append((one.card, (one.role, worth.laid(one))))
        return ("meld", laid, shape, old.seat, action.target - 1)

    def role(self, card):
        lies = card[2]
        if lies is None:
            return card[1]
        return lies[0] if type(lies) is tuple else lies.role

    def card_rank(self, card):
        return NO if card[1] == JOKER else RANKS[card[1] % 13]

    def card_number(self, card):
        return NO if card[1] == JOKER else "A23456789TJQK".index(RANKS[card[1] % 13]) + 1

    def card_suit(self, card):
        return NO if card[1] == JOKER else SUITS[card[1] // 13]

    def card_points(self, card):
        if card[2] is None:
            return self.judge.ruleset.scoring.held[card[1]]
        return card[2][1] if type(card[2]) is tuple else card[2].points

    def card_is_wild(self, card):
        if card[2] is None:
            return self.position.book.is_wild(card[1])
        return self.role(card) != card[1]

    def card_is_joker(self, card):
        return card[1] == JOKER

    def card_as_rank(self, card):
        role = self.role(card)
        return NO if role == JOKER else RANKS[(role - ANY_SUIT) if role >= ANY_SUIT else role % 13]

    def card_as_suit(self, card):
        role = self.role(card)
        return NO if role == JOKER or role >= ANY_SUIT else SUITS[role // 13]

    def card_was_taken(self, card):
        turn = self.position.turn
        return card[1] in turn.taken and self.facts["was_taken"](card[1])

    def card_discarded_by(self, card):
        if len(card) == 4:
            by = card[3]
        elif self.card_was_taken(card):
            by = next(one[3] for one in self.turn_taken() if one[1] == card[1])
        else:
            return NO
        return by if by == "nobody" else self.seen_as(by)

    def seen_as(self, seat):
        if seat == self.seat:
            return "player"
        half = len(self.position.players) // 2
        paired = self.judge.ruleset.partnership.sides != "none" and seat == (self.seat + half) % (
            2 * half
        )
        return "partner" if paired else "opponent"

    def card_is_end(self, card):
        lies, meld = card[2], self.of_it
        if lies is None:
            return False
        if meld is None:
            meld = next(one for one in self.table() if any(two[1] is lies for two in one[1]))
        return meld[2].kind == "sequence" and self.role(card) in (
            meld[2].roles[0],
            meld[2].roles[-1],
        )

    def card_fits(self, card):
        return self.facts["fits"](card[1])

    def player_cards(self, seat):
        return len(self.player_hand(seat))

    def player_hand(self, seat):
        return self.cards_of(self.position.hands[seat])

    def player_held(self, seat):
        return sum(self.card_points(card) for card in self.player_hand(seat))

    def player_laid(self, seat):
        return [
            ("card", one.card, one)
            for meld in self.position.melds
            for one in meld.cards
            if one.seat == seat
        ]

    def player_points(self, seat):
        return sum(one[2].points for one in self.player_laid(seat))

    def player_melds(self, seat):
        return [meld for meld in self.table() if meld[3] == seat]

    def player_has_melded(self, seat):
        return bool(self.player_melds(seat))

    def player_had_melded(self, seat):
        return any(meld[4] not in self.facts["fresh"] for meld in self.player_melds(seat))

    def player_had_contract(self, seat):
        contract = self.judge.ruleset.melds.contract or ()
        left = [meld for meld in self.player_melds(seat) if meld[4] not in self.facts["fresh"]]
        left.sort(key=lambda meld: len(meld[1]))
        for kind, _, size in sorted(
            (part.partition(" ") for part in contract), key=lambda it: it[2].zfill(2)
        ):
            fits = [
                meld for meld in left if meld[2].kind == kind and len(meld[1]) >= int(size or 0)
            ]
            if not fits:
                return False
            left.remove(fits[0])
        return bool(contract)

    def player_is_dealer(self, seat):
        return seat == self.facts["dealer"]

    def player_floats(self, seat):
        return seat in self.position.floating

    def player_turns(self, seat):
        return self.facts["turns"][seat]

    def player_melding_turns(self, seat):
        return self.facts["melding_turns"][seat]

    def player_buys(self, seat):
        return 0

    def player_calls(self, seat):
        return 0

    def player_lay_offs(self, seat):
        return self.facts["lay_offs_by"][seat]

    def player_lay_offs_on_own(self, seat):
        return self.facts["lay_offs_on_own"][seat]

    def player_total(self, seat):
        return self.facts["totals"][seat]

    def meld_kind(self, meld):
        return meld[2].kind

    def meld_size(self, meld):
        return len(meld[1])

    def lying(self, meld):
        return [("card", *one) for one in meld[1]]

    def meld_points(self, meld):
        return sum(self.card_points(card) for card in self.lying(meld))

    def meld_wilds(self, meld):
        return sum(self.role(card) != card[1] for card in self.lying(meld))

    def meld_naturals(self, meld):
        return self.meld_size(meld) - self.meld_wilds(meld)

    def meld_wilds_together(self, meld):
        wild = {self.role(card) for card in self.lying(meld) if self.role(card) != card[1]}
        if meld[2].kind != "sequence":
            return min(len(wild), 1)
        signs = "".join("w" if role in wild else " " for role in meld[2].roles)
        return max(map(len, signs.split()), default=0)

    def ends(self, meld):
        """The places of a run's ends; nothing of a group."""
        if meld[2].kind != "sequence":
            return NO, NO
        roles = meld[2].roles
        first = RANKS.index(RANKS[roles[0] % 13]) + 1
        return first, first + len(roles) - 1

    def meld_lowest(self, meld):
        return self.ends(meld)[0]

    def meld_highest(self, meld):
        return self.ends(meld)[1]

    def meld_rank(self, meld):
        ranks = {self.card_as_rank(card) for card in self.lying(meld)}
        return ranks.pop() if len(ranks) == 1 else NO

    def meld_suit(self, meld):
        suits = {self.card_as_suit(card) for card in self.lying(meld)}
        return suits.pop() if len(suits) == 1 and self.meld_rank(meld) is NO else NO

    def meld_cards(self, meld):
        return self.lying(meld)

    def meld_owner(self, meld):
        if meld[3] == self.seat:
            return "player"
        half = len(self.position.players) // 2
        paired = self.judge.ruleset.partnership.sides != "none" and meld[3] == (
            self.seat + half
        ) % (2 * half)
        return "partner" if paired else "opponent"

    def meld_is_new(self, meld):
        return meld[4] is None or meld[4] in self.facts["fresh"]

    def turn_drew(self):
        source = self.position.turn.source
        return {FROM_STOCK: "stock", FROM_PILE: "pile"}.get(source, "nothing")

    def turn_taken(self):
        taken = self.position.turn.taken
        return [("card", card, None, by)
                for card, by in zip(taken, self.facts["threw_taken"], strict=True)]  # fmt: skip

    def turn_melds(self):
        return [meld for meld in self.table() if meld[4] in self.facts["fresh"]]

    def turn_lay_offs(self):
        return self.facts["lay_offs"]

    def turn_swaps(self):
        return self.facts["swaps"]

    def turn_points(self):
        return self.facts["points"]

    def turn_is_call(self):
        return False

    def stock_size(self):
        return self.position.stock_size

    def hand_number(self):
        return self.facts["hand"]

    def hand_is_last(self):
        game = self.judge.ruleset.game
        return game.ends == "after_hands" and self.facts["hand"] >= max(game.hands)

    def hand_contract(self):
        return len(self.judge.ruleset.melds.contract or ())

    def hand_first_points(self):
        return self.judge.ruleset.melds.first_points
