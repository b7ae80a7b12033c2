"""Asking for a line: at a terminal with completion, else from standard input."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from typing import TypeAlias

Offer: TypeAlias = Callable[[str], Iterable[str]]
"""How the last action of a line may go on."""
Ask: TypeAlias = "Callable[[str], str | None]"
"""Asks for a line, behind a prompt; None where there is none any more."""


def asking(offer: Offer, *, terminal: bool) -> Ask:
    """What asks for the next line, without spaces around it.

    On a terminal, Tab completes by what is offered: with a menu where prompt_toolkit is installed
    (the extra `table`), else with readline where Python has it.
    """
    if not terminal:
        return _read_input

    def offer_visible(text: str) -> Iterator[str]:
        return (ending for ending in offer(text) if ending.isprintable())

    try:
        read = _with_menu(offer_visible)
    except ImportError:
        _complete_by_readline(offer_visible)
        read = input

    def ask(prompt: str) -> str | None:
        try:
            return read(prompt).strip()
        except EOFError:
            return None

    return ask


def _read_input(_: str) -> str | None:
    """The next line of standard input, where nobody sees a prompt."""
    line = sys.stdin.readline()
    return line.strip() if line else None


def _with_menu(offer: Offer) -> Callable[[str], str]:
    from prompt_toolkit import PromptSession
    from prompt_toolkit.completion import WordCompleter

    def whole() -> list[str]:
        written = str(session.default_buffer.document.text_before_cursor)
        begun = written[max(written.rfind(";"), written.rfind(":")) + 1 :].lstrip()
        return [written.removesuffix(begun) + ending for ending in offer(written)]

    lines = WordCompleter(whole, ignore_case=True, sentence=True)
    session = PromptSession[str](completer=lines, complete_while_typing=False)
    return lambda prompt: str(session.prompt(prompt))


def _complete_by_readline(offer: Offer) -> None:
    try:
        import readline
    except ImportError:
        return
    offers: list[str] = []

    def complete(text: str, state: int) -> str | None:
        if not state:
            offers[:] = offer(readline.get_line_buffer()[: readline.get_endidx()])
        blank = " " * (len(text) - len(text.lstrip()))
        return blank + offers[state] if state < len(offers) else None

    readline.set_completer(complete)
    readline.set_completer_delims(";:")
    readline.parse_and_bind("tab: complete")
