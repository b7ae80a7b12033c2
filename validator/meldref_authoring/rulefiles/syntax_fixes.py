"""What was meant where YAML cannot be read: common mistakes in rules, and how to fix them.

A YAML parser says what it expected; what follows says what was probably written wrongly, at the
line that has to be fixed. Lines and columns count from 0 here, as the parser counts, ends
exclusive.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from meldref.core.diagnostics import Edit
from meldref.core.text import in_words
from meldref.documents.advice import Stop, SyntaxAdviser, SyntaxFix, replaced
from meldref.documents.reader import quote_text

_KEY: Final = r"[A-Za-z_][\w.-]*"
_GLUED: Final = re.compile(
    rf"\s*(?P<key>{_KEY}(?=:(?!//)\S)|[0-9][\w-]*(?=:(?:\S+$|[{{\[\"'])))(?P<colon>:)"
)
"""A key without a space after its colon; behind a number, a single word tells it from prose."""
_ODD_SPACE: Final = re.compile("[\u00a0\u1680\u2000-\u200b\u202f\u205f\u3000]")
_CURLY: Final = "“”„‟«»‘’‚"
_CURLY_TEXT: Final = re.compile("[“”„‟«»](.*)[“”„‟«»]")
_FENCE: Final = re.compile(r"\s*(```|~~~)[\w-]*\s*")
_COMMENT: Final = re.compile(r"(?:^|\s+)#.*$")
_QUOTED: Final = re.compile(r"(\s*(?:- +)?" + _KEY + r":\s+|\s*- +)'(.*'.*)'\s*")
_TEXTS: Final = frozenset(("name", "about", "source", "says", "why"))
"""Keys whose value is a text, in which there may be a colon."""
_UNSEEN: Final = re.compile(r"\?[^\s,}\]#]*(?: +[^\s,}\]#]+)*")
"""Cards between braces or brackets, the first of which nobody saw."""

_CONDITIONS: Final = frozenset(("when", "unless", "award"))
_BARE: Final = re.compile(
    r"\b((?:when|unless|award)(?P<colons>)|says|why|source):\s+(?P<text>[^\s\"'{].*?)"
    r"(?=\s*,\s*(?(colons)[\w-]+|(?:forbid|award|for|when|unless|says|why|source)):"
    r"|\s+(?P<next>(?(colons)[A-Za-z][\w-]*|(?:forbid|award|when|unless|says|why|source))):\s"
    r"|\s*\}\s*(?:[,}#]|$))"
)
"""An expression or text of a house rule without quotes, between braces, up to the next key or
closing brace; `next` is that key where no comma is before it."""
_BRACKETED: Final = re.compile(r"[^\s{}\[\],:\"'#]+$")
_BRACKETED_ALL: Final = re.compile(r"[^\s{},:\"'#]+")
"""A word with brackets in it."""


class _Expert(SyntaxAdviser):
    """Knows what people write wrongly in rules files."""

    def before_reading(self, lines: Sequence[str]) -> SyntaxFix | None:
        """A mistake that YAML would misread: marks of a code block, or odd spaces."""
        first = next((number for number, text in enumerate(lines) if text.strip()), 0)
        if _FENCE.fullmatch(lines[first]):
            fences = [number for number, text in enumerate(lines) if _FENCE.fullmatch(text)]
            mark = lines[first].strip()
            message = f"{mark} marks a code block, which does not belong in a rules file: "
            message += "remove these lines"
            edits = tuple(Edit(number + 1, 1, number + 2, 1, "") for number in fences)
            return SyntaxFix(message, first, 0, len(lines[first]), edits)
        odd = tuple(
            replaced(number, match.start(), match.end(), " ")
            for number, text in enumerate(lines)
            for match in _ODD_SPACE.finditer(text, 0, len(text) - len(text.lstrip()))
        )
        if not odd:
            return None
        message = "this looks like a space but is another character: use plain spaces"
        return SyntaxFix(message, odd[0].line - 1, odd[0].column - 1, odd[0].column, odd)

    def explain(self, stop: Stop, lines: Sequence[str]) -> tuple[SyntaxFix, ...]:
        """What was probably meant where the parser stopped, there and on lines like it."""
        first = _explain(stop, lines)
        if not first.message.startswith("between {"):
            return (first,)
        others = [unquoted(text, number) for number, text in enumerate(lines)]
        return (first, *[other for other in others if other and other.line != first.line])

    def without_anchor(self, lines: Sequence[str], line: int, mark: str) -> tuple[Edit, ...]:
        """The edit that takes an anchor out of a line; none where something else refers to it."""
        match = re.search(rf"(?<=\s){re.escape(mark)}\s+", lines[line])
        if match is None or any(f"*{mark[1:]}" in text for text in lines):
            return ()
        return (replaced(line, match.start(), match.end(), ""),)

    def quoted(self, text: str, line: int) -> tuple[Edit, ...]:
        """The edit that puts the value of a line in quotes."""
        return _quote_value(text, line)

    def one_section(self, lines: Sequence[str], first: int, second: int) -> tuple[Edit, ...]:
        """The edits that move the lines below a second key to the end of those below the first.

        None if unclear.
        """
        if not all(_content(lines[key]).endswith(":") for key in (first, second)):
            return ()
        block, target = _below(lines, second), _below(lines, first)
        if len(block) == 0 or len(target) == 0:
            return ()
        shift = _indent(lines[target[0]]) - _indent(lines[block[0]])
        text = ""
        for line in lines[second + 1 : block[-1] + 1]:
            text += " " * max(_indent(line) + shift, 0) + line.lstrip(" ") if line.strip() else line
            text += "\n"
        behind = target[-1] + 2
        return (Edit(behind, 1, behind, 1, text), Edit(second + 1, 1, block[-1] + 2, 1, ""))


ADVISER: Final = _Expert()


def shift_lines(lines: Sequence[str], numbers: Sequence[int], by: int) -> tuple[Edit, ...]:
    """The edits that indent lines further, or less far."""
    indents = [(number, _indent(lines[number])) for number in numbers]
    return tuple(replaced(number, 0, indent, " " * (indent + by)) for number, indent in indents)


def block_of(lines: Sequence[str], key: int) -> tuple[int, ...]:
    """The line of a key, and all lines that belong to it."""
    return (key, *_below(lines, key))


# --- what the parser describes in other words -----------------------------------------------------


def _explain(stop: Stop, lines: Sequence[str]) -> SyntaxFix:
    """What was probably meant where the parser stopped."""
    line, column = stop.at
    text = lines[line]
    if text[column : column + 1] == "\t" or text[: column + 1].strip(" ").startswith("\t"):
        return _tab(lines, line)
    curly = _curly(lines, line)
    if curly is not None:
        return curly
    if "could not find expected ':'" in stop.problem:
        return _no_colon(lines, stop.since[0])
    if "mapping values are not allowed" in stop.problem:
        return _stray_colon(lines, line, column)
    if "cannot start any token" in stop.problem:
        sign = text[column : column + 1]
        return SyntaxFix(
            f"a text that starts with {sign} needs quotes",
            line,
            column,
            None,
            _quote_value(text, line),
        )
    unseen = _UNSEEN.match(text, column)
    if unseen is not None:
        end = unseen.end()
        edits = (replaced(line, column, end, quote_text(unseen[0])),)
        return SyntaxFix("a text that starts with ? needs quotes", line, column, end, edits)
    if "end of stream" in stop.problem:
        line, column = stop.since
        end = len(lines[line].rstrip())
        message = "this quotation mark is not closed: add another one at the end of the text"
        edits = (_insert(line, end, lines[line][column : column + 1]),)
        return SyntaxFix(message, line, column, end, edits)
    if "flow sequence" in stop.context or "flow mapping" in stop.context:
        return _open_bracket(stop, lines)
    if any(word in stop.problem or word in stop.context for word in ("anchor", "alias", "tag")):
        sign = text[column : column + 1]
        if sign not in "&*!":
            sign = "&, * or !"
        message = f"a text that starts with {sign} needs quotes"
        return SyntaxFix(message, line, column, None, _quote_value(text, line))
    if "expected" in stop.problem:
        return _misplaced(stop, lines)
    return SyntaxFix(f"this is not YAML: {stop.problem}", line, column)


def _tab(lines: Sequence[str], line: int) -> SyntaxFix:
    """Tabs where lines are indented.

    Each becomes one step of the indentation that the file has otherwise.
    """
    steps = [_indent(text) for text in lines if text.startswith(" ") and text.strip()]
    step = " " * (min(steps) if steps else 2)
    blanks = [text[: len(text) - len(text.lstrip(" \t"))] for text in lines]
    edits = tuple(
        replaced(number, 0, len(blank), blank.replace("\t", step))
        for number, blank in enumerate(blanks)
        if "\t" in blank
    )
    column = lines[line].find("\t")
    return SyntaxFix("a tab: rules files are indented with spaces", line, column, column + 1, edits)


def _curly(lines: Sequence[str], line: int) -> SyntaxFix | None:
    """Quotation marks as word processors make them, which YAML takes for letters."""
    match = re.search(f"(?::\\s+|[\\[,]\\s*|^\\s*-\\s+)([{_CURLY}])", lines[line])
    if match is None:
        return None
    start = match.start(1)
    closed = _CURLY_TEXT.search(lines[line], start)
    end = closed.end() if closed else start + 1
    edits = (replaced(line, start, end, quote_text(closed[1])),) if closed else ()
    message = f'{match[1]} is not a quotation mark in a rules file: write straight ones, "…"'
    return SyntaxFix(message, line, start, end, edits)


def _no_colon(lines: Sequence[str], line: int) -> SyntaxFix:
    """A line that is neither a key with its value nor a comment."""
    text = _content(lines[line])
    indent = _indent(text)
    words = text.split()
    glued = _GLUED.match(text)
    if glued is not None:  # `target:1000` or `2:13`
        end = glued.end()
        message = f"a space is missing after the colon of {glued['key']}"
        return SyntaxFix(message, line, indent, end + 1, (_insert(line, end, " "),))
    is_key = False
    if 1 <= len(words) <= 2 and re.fullmatch(_KEY, words[0]):
        is_key = len(words) == 1 or words[0].islower()
    if not is_key:
        message = "this line is neither a key with its value nor a comment: a comment begins with #"
        return SyntaxFix(message, line, indent, len(text), (_insert(line, indent, "# "),))
    edits = (_insert(line, indent + len(words[0]), ":"),)
    return SyntaxFix(f"a colon is missing after {words[0]}", line, indent, len(text), edits)


def _stray_colon(lines: Sequence[str], line: int, column: int) -> SyntaxFix:
    """A colon where no key can be: the line before may lack one, or the text may need quotes."""
    above = _above(lines, line)
    before = _content(lines[above]) if above is not None else ""
    if re.search(r":\s", lines[line][:column]):
        return _second_colon(lines[line], line, column)
    has_colon = re.search(r":(\s|$)", before) is not None
    if above is not None and not has_colon and not before.lstrip().startswith("- "):
        return _no_colon(lines, above)
    message = (
        "this line is indented further than the one above it, "
        "which has its value already: indent both alike"
    )
    indent = _indent(lines[line])
    edits = shift_lines(lines, block_of(lines, line), _indent(before) - indent)
    return SyntaxFix(message, line, indent, column, edits)


def _second_colon(text: str, line: int, column: int) -> SyntaxFix:
    """`game: target: 1000`, where braces are missing, or a text with a colon, where quotes are."""
    nested = re.fullmatch(rf"(\s*(?:- +)?{_KEY}:\s+)({_KEY}:\s.*)", _content(text))
    message = "a second colon in the line: a text with a colon needs quotes"
    if nested is None:
        return SyntaxFix(message, line, column, None, _quote_value(text, line))
    outer, inner = nested[1].strip(" -:\t"), nested[2]
    written = quote_text(inner)
    if outer == "moves":
        written = f"[{written}]"
    elif outer in _CONDITIONS:
        message = f"a second colon in the line: there is no colon in what {outer} says"
        return SyntaxFix(message, line, column)
    elif outer not in _TEXTS:
        message = "a second colon in the line: nested keys need braces, "
        message += "and a text with a colon needs quotes"
        written = f"{{{inner}}}"
    edits = (replaced(line, len(nested[1]), len(nested[0]), written),)
    return SyntaxFix(message, line, column, None, edits)


def unquoted(text: str, line: int) -> SyntaxFix | None:
    """Texts between braces with a comma or a bracket in them, which YAML takes for its own."""
    bare = [match for match in _BARE.finditer(text) if re.search(r"[,[]|:\s", match["text"])]
    if not bare or "{" not in text[: bare[0].start()]:
        return None
    edits: list[Edit] = []
    written: list[str] = []
    for match in bare:
        quoted = quote_text(match["text"])
        written.append(f"{match[1]}: {quoted}")
        if match["next"]:
            written.append(f"a comma before {match['next']}")
            quoted += ","
        edits.append(replaced(line, *match.span("text"), quoted))
    what = "an expression with a comma or a square bracket"
    if bare[0][1] not in _CONDITIONS:
        what = "a text with a comma, a colon or a square bracket"
    message = f"between {{ and }}, {what} needs quotes: write {in_words(written)}"
    return SyntaxFix(message, line, *bare[0].span("text"), tuple(edits))


def _open_bracket(stop: Stop, lines: Sequence[str]) -> SyntaxFix:
    """A bracket that is not closed on its line, or a comma that is missing behind it."""
    line, column = stop.since
    bare = _bracket_in_word(stop, lines) or unquoted(lines[stop.at[0]], stop.at[0])
    if bare is not None:
        return bare
    enclosed = re.fullmatch(r"(\s*(?:when|unless|award):\s+)\[(.*?)\]?", _content(lines[line]))
    if enclosed is not None:
        message = "a condition has no square brackets around it"
        condition = enclosed[2]
        if condition.count("[") != condition.count("]"):
            return SyntaxFix(message, line, column)
        edits = (replaced(line, len(enclosed[1]), len(enclosed[0]), condition),)
        return SyntaxFix(message, line, column, None, edits)
    opening, closing = "[]" if "sequence" in stop.context else "{}"
    last = _above(lines, stop.at[0], line)
    if last is not None:
        end = len(_content(lines[last]))
        message = f"{opening} is not closed: {closing} is missing at the end of line {last + 1}"
        return SyntaxFix(message, line, column, None, (_insert(last, end, closing),))
    at = stop.at[1]
    separated = f"the parts between {opening} and {closing} are separated by commas"
    gap = re.search(rf"(\s+)({_KEY})\s*$", lines[line][:at])
    if gap is None:
        return SyntaxFix(f"a comma is missing: {separated}", line, at, at)
    message = f"a comma is missing before {gap[2]}: {separated}"
    return SyntaxFix(message, line, gap.end(1), at, (_insert(line, gap.start(), ","),))


def _bracket_in_word(stop: Stop, lines: Sequence[str]) -> SyntaxFix | None:
    """A text with a bracket in it, such as a path to an item of a list, between braces."""
    line, at = stop.at
    word = _BRACKETED.search(lines[line], 0, at)
    if word is None or lines[line][at : at + 1] != "[":
        return None
    whole = _BRACKETED_ALL.match(lines[line], word.start())
    end = at + 1 if whole is None else whole.end()
    quoted = quote_text(lines[line][word.start() : end])
    message = f"between {{ and }}, a text with a square bracket needs quotes: write {quoted}"
    edits = (replaced(line, word.start(), end, quoted),)
    return SyntaxFix(message, line, word.start(), end, edits)


def _misplaced(stop: Stop, lines: Sequence[str]) -> SyntaxFix:
    """A line that fits nothing above it."""
    line, column = stop.at
    text, indent = _content(lines[line]), _indent(lines[line])
    quoted = _QUOTED.fullmatch(text)
    if quoted is not None:
        start, end = len(quoted[1]), len(text)
        message = "the text ends at its second ', and more follows: "
        message += "a text with an apostrophe needs double quotes"
        edit = replaced(line, start, end, quote_text(quoted[2]))
        return SyntaxFix(message, line, start, end, (edit,))
    above = _above(lines, line)
    if above is not None and column == indent != _indent(lines[above]):
        message = (
            f"this line is indented by {column} spaces, the one above it by "
            f"{_indent(lines[above])}: lines that belong together have the same indentation"
        )
        edits = shift_lines(lines, block_of(lines, line), _indent(lines[above]) - column)
        return SyntaxFix(message, line, column, len(text), edits)
    message = "this line does not fit what is above it: check the indentation, colons and brackets"
    return SyntaxFix(message, line, column, notes=(f"the YAML parser says: {stop.problem}",))


def _quote_value(text: str, line: int) -> tuple[Edit, ...]:
    """The edit that puts the value of a line in quotes."""
    match = re.fullmatch(rf"(\s*(?:- +)?{_KEY}:\s+|\s*- +)([^\s\"'\[{{].*)", _content(text))
    if match is None:
        return ()
    start = len(match[1])
    return (replaced(line, start, start + len(match[2]), quote_text(match[2])),)


def _insert(line: int, column: int, text: str) -> Edit:
    return replaced(line, column, column, text)


# --- lines ----------------------------------------------------------------------------------------


def _indent(text: str) -> int:
    return len(text) - len(text.lstrip(" "))


def _content(text: str) -> str:
    """A line without its comment."""
    return _COMMENT.sub("", text).rstrip()


def _above(lines: Sequence[str], line: int, first: int = 0) -> int | None:
    """The nearest line above a line that says something."""
    for number in range(line - 1, first - 1, -1):
        if _content(lines[number]).strip():
            return number
    return None


def _below(lines: Sequence[str], key: int) -> range:
    """The lines further in than a key, directly below it: to the last that says something."""
    last = key
    for number in range(key + 1, len(lines)):
        if lines[number].strip() and _indent(lines[number]) <= _indent(lines[key]):
            break
        if lines[number].strip():
            last = number
    return range(key + 1, last + 1)
