"""Asks for a line: with keys and completion on a terminal, plainly where there is none."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable

Offer = Callable[[str], Iterable[str]]
Ask = Callable[[str], "str | None"]


def asking(offer: Offer, *, terminal: bool) -> Ask:
    """What asks for the next line, without blanks around it; it answers None when there is none.

    `offer` says how the last action of a line may go on. On a terminal Tab completes by it: with a menu where
    prompt_toolkit is installed (the extra `table`), else with readline where Python has it.
    """
    if not terminal:
        return lambda _: None if not (line := sys.stdin.readline()) else line.strip()
    try:
        return _with_menu(offer)
    except ImportError:
        return _with_readline(offer)


def _with_menu(offer: Offer) -> Ask:
    from prompt_toolkit import PromptSession
    from prompt_toolkit.completion import Completer, Completion

    class Offered(Completer):  # type: ignore[misc]  # an extra; its types are not there where types are checked
        def get_completions(self, document, complete_event):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN202
            before = document.text_before_cursor
            written = len(_last(before))
            for one in offer(before):
                yield Completion(one, start_position=-written)

    session: PromptSession[str] = PromptSession(completer=Offered(), complete_while_typing=False)
    return lambda prompt: _asked(lambda: session.prompt(prompt))


def _with_readline(offer: Offer) -> Ask:
    try:
        import readline
    except ImportError:
        return lambda prompt: _asked(lambda: input(prompt))
    found: list[str] = []

    def complete(text: str, state: int) -> str | None:
        if not state:
            found[:] = offer(readline.get_line_buffer()[: readline.get_endidx()])
        blank = " " * (len(text) - len(text.lstrip()))
        return blank + found[state] if state < len(found) else None

    readline.set_completer(complete)
    readline.set_completer_delims(";:")
    readline.parse_and_bind("tab: complete")
    return lambda prompt: _asked(lambda: input(prompt))


def _asked(ask: Callable[[], str]) -> str | None:
    try:
        return ask().strip()
    except EOFError:
        return None


def _last(text: str) -> str:
    """The action that is being written."""
    return text[max(text.rfind(";"), text.rfind(":")) + 1 :].lstrip()
