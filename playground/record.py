"""Records what the library says about the example, so that the page plays it before Python is there.

    python record.py recorded.json

The states are those that the likely moves lead to, one action after the other; in each, what each
card may do at each place is asked. `page/table.ts` reads it: `stands` by the actions made since the
beginning, `verdicts` by these and the action asked about, each the index of an answer in `said`.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from typing import Any, Final

from meldref_service import Service

EXAMPLE: Final = json.loads((Path(__file__).parent / "page" / "example.json").read_text("utf-8"))
MOVER: Final = EXAMPLE["position"]["to_move"]
MOST_STATES: Final = 220
"""How many states are recorded."""
MOST_OF_HAND: Final = 8
"""Of how many cards in a hand melds are asked about."""
SHOWN: Final = ("layout", "file", "moves", "turns")
TOLD: Final = ("code", "message", "facts", "notes", "help", "rule", "page")
RANKS: Final = "A23456789TJQK"

Data = dict[str, Any]


class Recorder:
    """The states of the example, and what was said in them."""

    def __init__(self) -> None:
        self._service = Service()
        self._index: dict[str, int] = {}
        self.said: list[Data] = []
        self.verdicts: dict[str, dict[str, int]] = {}
        self.stands: dict[str, Data] = {}

    def record(self) -> None:
        """Goes from state to state, the nearest first."""
        start = self._service.ask("position", position=EXAMPLE["position"])
        waiting = [("", start, EXAMPLE["position"])]
        while waiting and len(self.stands) < MOST_STATES:
            path, stand, position = waiting.pop(0)
            if path in self.stands:
                continue
            self.stands[path] = {key: stand[key] for key in SHOWN}
            waiting += self._ask_all(path, stand, position)

    def _ask_all(self, path: str, stand: Data, position: Data) -> Iterator[tuple[str, Data, Data]]:
        """Asks about every action of a state; the states that the legal ones lead to."""
        verdicts = self.verdicts.setdefault(path, {})
        mover = stand["layout"]["to_move"]
        listed = {
            part for one in stand["moves"] for part in (one["move"], one["move"].partition("; ")[0])
        }
        for action in sorted({*_actions(stand["layout"]), *listed} - {"draw"}):
            answer = self._service.ask("play", position=position, move=action)
            after = answer.pop("after", None)
            if "?" in action and not action.startswith(("draw", "discard")):
                answer |= self._fitting(position, action)
            verdicts[action] = self._keep(answer)
            if after is not None and after["file"] is not None and mover == MOVER:
                yield (f"{path}; {action}" if path else action), after, after["file"]

    def _fitting(self, position: Data, action: str) -> Data:
        return {"cards": self._service.ask("fitting", position=position, move=action)["cards"]}

    def _keep(self, answer: Data) -> int:
        """The number of an answer; the same answer is kept once."""
        told: Data = {key: answer[key] for key in ("points", "cards") if key in answer}
        told |= {key: answer[key] for key in ("verdict", "unfinished", "open", "then")}
        told["findings"] = [
            {key: finding[key] for key in TOLD if finding.get(key)}
            for finding in answer["findings"]
        ]
        text = json.dumps(told, sort_keys=True)
        if text not in self._index:
            self._index[text] = len(self.said)
            self.said.append(told)
        return self._index[text]


def _actions(layout: Data) -> Iterator[str]:
    """What the page can ask: each card of the pile, and cards of the hand at each place."""
    yield "draw ?"
    yield from (f"take {card}" for card in layout["pile"] or ())
    for name in layout["players"]:
        yield from (f"{name}: rummy {card}" for card in layout["pile"] or ())
    if layout["to_move"] != MOVER:
        return
    hand = sorted(layout["hands"][layout["to_move"]], key=_place)
    yield from (f"discard {card}" for card in hand)
    for number in (1, 2, 3):
        for cards in combinations(hand[:MOST_OF_HAND], number):
            named = " ".join(cards)
            yield f"meld {named}"
            yield from (f"lay {named} {meld['id']}" for meld in layout["melds"])


def _place(card: str) -> int:
    """Where a card stands in a move, as the page writes it: by ranks, unknown cards first."""
    if card in {"?", "Jk"}:
        return -1 if card == "?" else 99
    return RANKS.index(card[0]) * 4 + "cdhs".index(card[1])


def main() -> None:
    """Writes the record."""
    recorder = Recorder()
    recorder.record()
    data = {
        "said": recorder.said,
        "verdicts": recorder.verdicts,
        "stands": recorder.stands,
    }
    Path(sys.argv[1]).write_text(json.dumps(data, separators=(",", ":")), encoding="utf-8")


if __name__ == "__main__":
    main()
