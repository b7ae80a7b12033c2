"""A PettingZoo environment for learning agents, who see what a player at the table sees.

It needs the extra `pettingzoo`. `env` makes an environment as PettingZoo's own games are made:
what is illegal ends the episode for who did it. `raw_env` is the class below that.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import chain
from math import prod
from random import SystemRandom
from types import MappingProxyType
from typing import Any, ClassVar, Final

import numpy as np  # noqa: TID251  what PettingZoo's spaces hold
from gymnasium.spaces import Box, Dict, Discrete, Space
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from meldref.core.cards import UNKNOWN, Card
from meldref.core.events import (
    Buy,
    Call,
    Challenge,
    Discard,
    Draw,
    LayOff,
    Meld,
    Pass,
    Swap,
    Take,
    WildRank,
)
from meldref.rulefiles.load import load_ruleset
from meldref.ruleset.model import Ruleset
from meldref_table.simulate.games import SimulatedHand
from meldref_table.simulate.players import Bot, Chosen, Observation
from meldref_table.simulate.playing import PERSON, Game, written_choice

CARDS: Final = 53
"""The kinds of card: a card's number is its place (52 the joker)."""
MELDS: Final = 32
"""The most melds on the table that an observation has."""
PLAYS: Final = 128
"""The most plays, all with cards of their own, that are offered at once; others are left out."""
KINDS: Final = (Meld, LayOff, Swap, Call)
"""The kinds of numbered plays, as an observation numbers them from 1."""

TAKE: Final = 5
DISCARD: Final = TAKE + CARDS
WILD: Final = DISCARD + CARDS
PLAY: Final = WILD + 13
"""Where the actions begin that take a card, discard one, name a wild rank, or are numbered plays."""
ACTIONS: Final = PLAY + PLAYS
_PLAIN: Final[Mapping[type, int]] = MappingProxyType(
    {type(None): 0, Draw: 1, Pass: 2, Challenge: 3, Buy: 4}
)


def numbered(actions: Sequence[Chosen]) -> dict[int, Chosen]:
    """The actions by their numbers in the action space, each of which has one meaning.

    Melds, lay-offs, exchanges and calls have none of their own: they are numbered as they are
    listed, and an observation has the cards of each. At most `PLAYS` of them are there.
    """
    by_number: dict[int, Chosen] = {}
    plays: list[Chosen] = []
    for action in actions:
        number = _number(action)
        if number is None or number in by_number:
            plays.append(action)
        else:
            by_number[number] = action
    return by_number | dict(enumerate(plays[:PLAYS], PLAY))


def _number(action: Chosen) -> int | None:
    """The number of an action that always has the same; None for others."""
    match action:
        case Take(card=card) if card != UNKNOWN:
            return TAKE + card
        case Discard(card=card) if card != UNKNOWN:
            return DISCARD + card
        case WildRank(rank=rank):
            return WILD + rank
    return _PLAIN.get(type(action))


def _cards(action: Chosen) -> Iterator[Card]:
    """The cards that a play lays, exchanges or calls."""
    match action:
        case Meld(cards=played) | LayOff(cards=played):
            yield from (one.card for one in played)
        case Call(cards=cards):
            yield from cards
        case Swap(card=card):
            yield card


class Layout:
    """Where in an observation what stands, as parts with a shape; seats count from one's own."""

    def __init__(self, players: int) -> None:
        self.players = players
        shapes: dict[str, tuple[int, ...]] = {
            "hand": (CARDS,),
            "pile": (CARDS,),
            "depth": (CARDS,),
            "melds": (MELDS, CARDS),
            "plays": (PLAYS, CARDS + 2),
            **dict.fromkeys(
                ("to_move", "dealer", "held", "points", "totals", "floats"), (players,)
            ),
            "wild_rank": (13,),
            **dict.fromkeys(("stock", "number", "over"), (1,)),
        }
        self.parts: dict[str, tuple[slice, tuple[int, ...]]] = {}
        self.size = 0
        for name, shape in shapes.items():
            end = self.size + prod(shape)
            self.parts[name] = (slice(self.size, end), shape)
            self.size = end

    def part(self, row: np.ndarray, name: str) -> np.ndarray:
        """A part of an observation, in its shape: `hand` are the counts of the seat's cards, say."""
        place, shape = self.parts[name]
        part: np.ndarray = row[place].reshape(shape)
        return part

    def written(self, seen: Observation, offered: Mapping[int, Chosen]) -> np.ndarray:
        """What a seat sees, with the plays that it is offered."""
        row: np.ndarray = np.zeros(self.size, np.int16)
        part = partial(self.part, row)
        _count(part("hand"), seen.hand)
        _count(part("pile"), seen.pile)
        for place, card in enumerate(seen.pile):
            if card != UNKNOWN:
                part("depth")[card] = len(seen.pile) - place
        for cards, meld in zip(part("melds"), seen.melds, strict=False):
            _count(cards, [one.card for one in meld])
        for number, action in offered.items():
            if number >= PLAY:
                play = part("plays")[number - PLAY]
                _count(play, _cards(action))
                kinds = [kind for kind, each in enumerate(KINDS, 1) if isinstance(action, each)]
                play[CARDS:] = kinds[0] if kinds else 0, getattr(action, "target", None) or 0
        for name, seats in (("held", seen.held), ("points", seen.points)):
            part(name)[:] = self._turned(seats, seen.seat)
        part("totals")[:] = self._turned([total or 0 for total in seen.totals], seen.seat)
        for name, there in (("to_move", (seen.to_move,)), ("floats", seen.floating)):
            for seat in there:
                part(name)[(seat - seen.seat) % self.players] = 1
        if seen.dealer is not None:
            part("dealer")[(seen.dealer - seen.seat) % self.players] = 1
        if seen.wild_rank is not None:
            part("wild_rank")[seen.wild_rank] = 1
        part("stock")[:], part("number")[:] = seen.stock, seen.number
        return row

    def _turned(self, of_seats: Sequence[int], seat: int) -> list[int]:
        """Numbers of seats, the own one first."""
        return [*of_seats[seat:], *of_seats[:seat]]

    def over(self, totals: Sequence[int], seat: int) -> np.ndarray:
        """What a seat sees once the episode is over: the totals."""
        row: np.ndarray = np.zeros(self.size, np.int16)
        self.part(row, "over")[:] = 1
        self.part(row, "totals")[:] = self._turned(totals, seat)
        return row


def _count(places: np.ndarray, cards: Iterator[Card] | Sequence[Card]) -> None:
    for card in cards:
        if card != UNKNOWN:
            places[card] += 1


class raw_env(AECEnv):  # noqa: N801  PettingZoo's name for it
    """A table of a game; the agents `player_0` and so on are the seats of persons.

    An episode is a hand, or with `whole_game` a game. At the end of each hand an agent's reward is
    what its side scored. `last` and `observe` give `observation`, whose parts `layout` names, and
    `action_mask`, which is empty for agents whose decision it is not. A hand that is annulled, since
    it has no end in sight, truncates its episode.

    Args:
        rules: the id of a game, or a ruleset that was loaded.
        players: how many play; else as few as may.
        options: options over a game that was named.
        settings: settings over that, as `game.target=200`.
        seats: who decides for each player, as for `meldref.Game`; else an agent for each.
        whole_game: whether an episode is a whole game.
        render_mode: `ansi`, for the log of the hand, or None.

    Raises:
        ValueError: there is no such game, or it is not for that many players.
    """

    metadata: ClassVar[dict[str, Any]] = {
        "name": "meldref_v0",
        "render_modes": ["ansi"],
        "is_parallelizable": False,
        "render_fps": 1,
    }

    def __init__(
        self,
        rules: str | Ruleset = "500-rummy",
        players: int | None = None,
        *,
        options: Sequence[str] = (),
        settings: Sequence[str] = (),
        seats: Sequence[str | Bot] | None = None,
        whole_game: bool = False,
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        if render_mode not in {None, "ansi"}:
            raise ValueError("render_mode is ansi or None")
        self.render_mode, self._whole = render_mode, whole_game
        self._ruleset = _ruleset(rules, options, settings)
        number = len(seats) if players is None and seats is not None else players
        first = Game(self._ruleset, number, seats=seats)
        self._players, self._sitting = first.players, first.seats
        self.layout = Layout(len(self._players))
        """Where in an observation what stands."""
        self.possible_agents = [
            f"player_{seat}" for seat, who in enumerate(self._sitting) if who == PERSON
        ]
        if not self.possible_agents:
            raise ValueError("no seat is an agent's: give `person` for one at least")
        self._spaces = {agent: self._observations() for agent in self.possible_agents}
        self._choices = {agent: Discrete(ACTIONS) for agent in self.possible_agents}
        self._seed = SystemRandom().getrandbits(31)

    def _observations(self) -> Space[Any]:
        most = np.iinfo(np.int16)
        row = Box(most.min, most.max, (self.layout.size,), np.int16)
        return Dict({"observation": row, "action_mask": Box(0, 1, (ACTIONS,), np.int8)})

    def observation_space(self, agent: str) -> Space[Any]:
        """What an agent's observations are."""
        return self._spaces[agent]

    def action_space(self, agent: str) -> Space[Any]:
        """The numbers of actions, see `numbered`."""
        return self._choices[agent]

    def reset(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> None:
        """Begins an episode: that of the seed, else of the number after the last one's.

        Args:
            seed: what the cards are dealt from, as for `meldref.Game`.
            options: `game` in it is a game to play on from, of the same rules and seats, as
                `meldref.game_from_position` makes one; it is copied.

        Raises:
            ValueError: that game has other rules, players or seats, or is over.
        """
        self._seed = self._seed + 1 if seed is None else seed
        given = (options or {}).get("game")
        if given is None:
            self._game = Game(self._ruleset, self._players, self._seed, self._sitting)
        elif (given.ruleset, given.seats) != (self._ruleset, self._sitting) or given.over:
            raise ValueError("a game to play on from has these rules and seats, and is not over")
        else:
            self._game = given.copy()
        self._over, self._counted = False, 0 if given is None else len(given.hands)
        self.agents = [*self.possible_agents]
        self.rewards = dict.fromkeys(self.agents, 0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._go_on()
        self._accumulate_rewards()

    def step(self, action: int | None) -> None:
        """Does the action of this number for the agent whose decision it is.

        Raises:
            ValueError: the mask of that agent has no such action.
        """
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action not in self._offered:
            raise ValueError(f"action {action} is not legal now: the mask has those that are")
        self._cumulative_rewards[agent] = 0
        self._clear_rewards()
        self._game.step(self._offered[int(action)])
        self._go_on()
        self._accumulate_rewards()

    def _go_on(self) -> None:
        """Gives rewards for hands that ended, and says whose decision is next."""
        ended = self._game.hands[self._counted :][: None if self._whole else 1]
        self._counted += len(ended)
        for hand in ended:
            self._reward(hand)
        self._over = self._game.over or bool(ended and not self._whole)
        self._offered = {} if self._over else numbered(self._game.actions)
        if not self._over:
            self.agent_selection = f"player_{self._game.seat}"
            return
        ends = self.truncations if ended[-1].reason == "void" else self.terminations
        ends.update(dict.fromkeys(self.agents, True))
        self._totals = ended[-1].totals
        self.agent_selection = self.agents[0]

    def _reward(self, hand: SimulatedHand) -> None:
        """Gives each agent what its side scored in a hand; nothing where that did not play."""
        for side, score in zip(hand.sides, hand.scores, strict=True):
            for agent in {f"player_{seat}" for seat in side}.intersection(self.agents):
                self.rewards[agent] += score or 0

    def observe(self, agent: str) -> dict[str, np.ndarray]:
        """What an agent sees, and the mask of what it may do now."""
        seat = int(agent.rpartition("_")[2])
        mask: np.ndarray = np.zeros(ACTIONS, np.int8)
        if self._over:
            sides = {one: side for side, seats in enumerate(self._game.sides) for one in seats}
            totals = [self._totals[sides[one]] for one in range(len(self._players))]
            return {"observation": self.layout.over(totals, seat), "action_mask": mask}
        offered = self._offered if agent == self.agent_selection else {}
        mask[[*offered]] = 1
        row = self.layout.written(self._game.observation(seat), offered)
        return {"observation": row, "action_mask": mask}

    def moves(self) -> dict[int, str]:
        """What the agent whose decision it is may do, in notation, by the numbers of the actions."""
        return {number: written_choice(action) for number, action in self._offered.items()}

    def seen(self, agent: str) -> Observation:
        """What an agent sees as a record, with the lines of the hand; see `meldref.Game`."""
        return self._game.observation(int(agent.rpartition("_")[2]))

    def log(self) -> str:
        """The log of the game so far, with all cards: for people who look on, not for agents."""
        return self._game.log(under_way=not self._over)

    def render(self) -> str | None:
        """The log, where `render_mode` is `ansi`."""
        return self.log() if self.render_mode == "ansi" else None


def _ruleset(rules: str | Ruleset, options: Sequence[str], settings: Sequence[str]) -> Ruleset:
    """The rules that are asked for."""
    if not isinstance(rules, str):
        if [*chain(options, settings)]:
            raise ValueError("options and settings go with the id of a game")
        return rules
    ruleset, findings = load_ruleset(rules, options, settings)
    if ruleset is None:
        raise ValueError(findings[0].message)
    return ruleset


def env(*given: Any, **named: Any) -> AECEnv:
    """A `raw_env` in PettingZoo's wrappers.

    An action that the mask does not have ends the episode, with a reward of -1 for who chose it.
    """
    made = wrappers.TerminateIllegalWrapper(raw_env(*given, **named), illegal_reward=-1)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(made))
