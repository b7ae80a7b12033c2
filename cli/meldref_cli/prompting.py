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
        read = _with_menu(offer)
    except ImportError:
        _complete_by_readline(offer)
        read = input

    def ask(prompt: str) -> str | None:
        try:
            return read(prompt).strip()
        except EOFError:
            return None

    return ask


def _with_menu(offer: Offer) -> Callable[[str], str]:
    from prompt_toolkit import PromptSession
    from prompt_toolkit.completion import WordCompleter

    def whole() -> list[str]:
        written = str(session.default_buffer.document.text_before_cursor)
        begun = written[max(written.rfind(";"), written.rfind(":")) + 1 :].lstrip()
        return [written.removesuffix(begun) + one for one in offer(written)]

    lines = WordCompleter(whole, ignore_case=True, sentence=True)
    session = PromptSession[str](completer=lines, complete_while_typing=False)
    return lambda prompt: str(session.prompt(prompt))


def _complete_by_readline(offer: Offer) -> None:
    try:
        import readline
    except ImportError:
        return
    found: list[str] = []

    def complete(text: str, state: int) -> str | None:
        if not state:
            found[:] = offer(readline.get_line_buffer()[: readline.get_endidx()])
        blank = " " * (len(text) - len(text.lstrip()))
        return blank + found[state] if state < len(found) else None

    readline.set_completer(complete)
    readline.set_completer_delims(";:")
    readline.parse_and_bind("tab: complete")
