"""Messages about a line that cannot be read: one `log.syntax` finding, in words of the game."""

from __future__ import annotations

import re
from typing import Final

from meldref.core.diagnostics import Edit, Finding, Span
from meldref.core.meant import did_you_mean
from meldref.core.records import changed
from meldref.notation.actions import VERBS
from meldref.notation.grammar import Misread
from meldref.notation.lines import LINE_WORDS
from meldref.notation.scanner import BLANKS, LONGEST, UTF_16, presentable
from meldref.notation.syntax import CARD_RUNS, HEADER_KEYS, ONE_CARD, expected_text

_FIRST_WORD: Final = r"[^\W\d_][^\s:;,#]*"
_WORDS: Final = r"([^\W\d_][^\s:;,#\"]*((?: [^\s:;,#\"]+){1,4}))"
_NAME_OF_WORDS: Final = rf"[{BLANKS}]*(?:[0-9]+\.[{BLANKS}]*)?{_WORDS}[{BLANKS}]*:"
_NAME_FOLLOWS: Final = rf"[{BLANKS}]*({_FIRST_WORD})[{BLANKS}]*:"
_NUMBER_IN_BRACKETS: Final = r"[(\[#]+[0-9]+[)\]]?"
_PLAIN_WORDS: Final = r"[\w .'’-]+"
_SHOWN: Final = 40
_BARE_HEADER: Final = (
    rf'[{BLANKS}]*({"|".join(HEADER_KEYS)})[{BLANKS}]*[:={BLANKS}][{BLANKS}]*"?([^"]*)'
)
_SUITS: Final = "cdhs♣♧♦♢♥♡♠♤"
_RANKS: Final = "10|[2-9TJQKA]"
_COMMA: Final = rf",[{BLANKS}]*(?:(?:{_RANKS})[{_SUITS}]|Jk)"
_GOES_OUT: Final = r"(?:and +)?(?:(?:goes|went|is) +)?out\b"
_SUIT_FIRST: Final = rf"([{_SUITS}])({_RANKS})\Z"


def syntax_error(line: int, text: str, begin: int, end: int, message: str) -> Finding:
    """A finding about the characters from `begin` to `end` (offsets from 0) of a line."""
    begin = min(begin, len(text))
    end = min(max(begin, end), len(text))
    if begin == end and begin < len(text):
        end = begin + 1
    return Finding("log.syntax", message, Span(line, begin + 1, end + 1), excerpt=presentable(text))


def too_long(line: int, text: str) -> Finding:
    """The finding about a line beyond the most characters a line may have.

    `text` is its beginning.
    """
    return syntax_error(
        line, text, len(text) - 1, len(text), f"a line has at most {LONGEST:,} characters"
    )


def saved_as_windows(line: int, raw: str, text: str) -> Finding:
    """The one finding about a log saved as Windows-1252, at the first line that shows it."""
    begin = next(at for at, character in enumerate(raw) if character >= "\ud800")
    end = next((at for at in range(begin, len(raw)) if raw[at] < "\ud800"), len(raw))
    byte = ord(raw[begin]) - 0xDC00
    looks = f"looks like Windows-1252 (byte 0x{byte:02X} is {text[begin]} there)"
    message = f"not UTF-8; {looks}: save the log as UTF-8"
    return syntax_error(line, text, begin, end, message)


def bad_character(line: int, text: str, at: int) -> Finding:
    """The finding about a control character, or about bytes that are not text."""
    character = text[at]
    if line == 1 and text.startswith(UTF_16):
        return Finding("log.syntax", "the file is UTF-16; save it as UTF-8", Span(1))
    if character >= "\ud800":
        end = at
        while end < len(text) and "\ud800" <= text[end] <= "\udfff":
            end += 1
        return syntax_error(line, text, at, end, _no_utf8(character))
    return syntax_error(line, text, at, at + 1, f"a control character (U+{ord(character):04X})")


def _no_utf8(character: str) -> str:
    """What is wrong with a byte that was read as a lone surrogate, and what it may have been."""
    byte = ord(character) - 0xDC00
    if not 0x80 <= byte <= 0xFF:
        return "bytes that are not UTF-8 text"
    perhaps = bytes([byte]).decode("cp1252", "replace")
    shown = f" (perhaps {perhaps})" if perhaps.isprintable() and perhaps != "\ufffd" else ""
    return f"byte 0x{byte:02X}{shown} is not UTF-8; save the log as UTF-8"


def misread_line(line: int, text: str, misread: Misread, shift: int = 0) -> Finding:
    """The finding about a line that the grammar does not take.

    `shift` is where the part read begins.
    """
    begin, end = misread.begin + shift, misread.end + shift
    start = len(text) - len(text.lstrip(BLANKS))
    first = _first_word(text, start)
    if first:
        word = first[0]
        message = _about_first_word(word, text[first.end() :], misread)
        if message:
            return syntax_error(line, text, start, first.end(), message)
    name = re.match(_NAME_OF_WORDS, text) if misread.expected == {"COLON"} else None
    if name and name[2].split()[0].lower() not in VERBS:
        message = _about_words(name[1], text[name.end() :])
        if message:
            return syntax_error(line, text, name.start(1), name.end(1), message)
    return _misread(line, text, misread, begin, end)


def _about_words(words: str, rest: str) -> str | None:
    """What to write for several words before a colon: a name in quotes, or what they are instead.

    They may be the number of the turn, before another name or behind this one, or what is done.
    None if nobody knows.
    """
    first, name = words.split(maxsplit=1)
    verb = first.rstrip("!").lower()
    if verb in VERBS:
        return f"a turn begins with the player's name: write `{name}: {verb}{rest[:_SHOWN]}`"
    number, other = re.search("[0-9]+", words), re.match(_NAME_FOLLOWS, rest)
    if number and (other or re.fullmatch(_NUMBER_IN_BRACKETS, name)):
        player = other[1] if other else first
        return f"a turn begins with its number: write `{number[0]}. {player}: …`"
    if other or not re.fullmatch(_PLAIN_WORDS, words):
        return None
    return f'a name of several words is written in double quotes: `"{words}":`'


def _first_word(text: str, at: int) -> re.Match[str] | None:
    return re.compile(_FIRST_WORD).match(text, at)


def _misread(line: int, text: str, misread: Misread, begin: int, end: int) -> Finding:
    """The finding about what stands in place of what was expected, or about a header."""
    header = re.match(_BARE_HEADER, text)
    if header is None:
        return syntax_error(line, text, begin, end, _unexpected(text, misread, begin, end))
    message = f'a header is written in brackets: `[{header[1]} "{header[2][:_SHOWN]}"]`'
    return syntax_error(line, text, header.start(1), len(text), message)


def _about_first_word(word: str, rest: str, misread: Misread) -> str | None:
    """What is wrong with the word that opens a line, where that explains the rest."""
    if word.lower() in LINE_WORDS and rest.lstrip(BLANKS).startswith(":"):
        named = "a player of that name is written in double quotes here"
        return f"`{word}` opens a line of its own; {named}"
    if misread.expected == {"COLON"}:
        if word.lower() in VERBS:
            return f"a turn begins with the player's name and `:`, as in `Ann: {word}`"
        meant = did_you_mean(word, sorted(LINE_WORDS - {word.lower()}), quote="`")
        if meant:
            return f"no line begins with `{word}`{meant}"
    return None


def misread_action(line: int, text: str, misread: Misread, shift: int) -> Finding:
    """The finding about an action that the grammar does not take."""
    begin, end = misread.begin + shift, misread.end + shift
    start = len(text) - len(text[shift:].lstrip(BLANKS))
    from meldref.notation.misspelled import misspelled_action  # noqa: PLC0415  rarely needed

    misspelled = misspelled_action(text, start)
    if misspelled is not None and begin < misspelled.end:
        written, meant = text[start : misspelled.end], misspelled.meant
        message = f"no action `{written}`; did you mean `{meant.text}`?"
        wrong = syntax_error(line, text, start, misspelled.end, message)
        edit = Edit(line, start + 1, line, misspelled.end + 1, meant.text)
        return changed(wrong, edits=(edit,)) if meant.sure else wrong
    if "$END" in misread.expected:
        misread = misread._replace(expected=misread.expected | {"SEMICOLON"})
    return _misread(line, text, misread, begin, end)


def misread_cards(line: int, text: str, misread: Misread) -> Finding:
    """The finding about a row of cards, such as a hand, that the grammar does not take."""
    more = misread.expected - {"$END"}
    if more or misread.after:
        misread = misread._replace(expected=more)
    begin, end = misread.begin, misread.end
    return syntax_error(line, text, begin, end, _unexpected(text, misread, begin, end))


def _unexpected(text: str, misread: Misread, begin: int, end: int) -> str:
    """What was expected and what stands there instead; or what is wrong with a readable row."""
    if misread.message:
        return misread.message
    wanted = expected_text(misread.expected, misread.after)
    part = text[begin:end].strip(BLANKS)
    if not part:
        return f"expected {wanted}, but nothing follows"
    if part[0] == '"' and part.count('"') == 1 and text.count('"') % 2:
        return "a closing double quote is missing"
    if part[0] == "{" and "ANNOTATION" in misread.expected:
        return "a closing brace is missing"
    if re.match(_GOES_OUT, text[begin:], re.IGNORECASE):
        return "going out has a line of its own: `end out` and the name"
    if part[0] == "?" and "PLAYS" in (*misread.expected, misread.after):
        return "a card that nobody saw (`?`) cannot be laid on the table"
    run = not CARD_RUNS.isdisjoint((*misread.expected, misread.after))
    if run and re.compile(_COMMA, re.IGNORECASE).match(text, begin):
        return "separate cards with spaces, not commas"
    if run or not ONE_CARD.isdisjoint(misread.expected):
        turned = re.match(_SUIT_FIRST, part, re.IGNORECASE)
        if turned:
            return f"write the rank before the suit: `{turned[2]}{turned[1]}`, not `{turned[0]}`"
    if len(part) > _SHOWN:
        part = part[:_SHOWN] + "…"
    return f"expected {wanted}, found `{presentable(part)}`"
