"""What was meant where YAML cannot be read: slips of people who write rules by hand, and how to fix them.

A YAML parser says what it expected; what follows says what was probably written wrongly, at the line that has to
be fixed. Lines and columns count from 0 here, as the parser counts, ends exclusive.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from meldref.core.diagnostics import Edit
from meldref.core.records import record

_KEY: Final = r"[A-Za-z_][\w.-]*"
_ODD_SPACE: Final = re.compile("[\u00a0\u1680\u2000-\u200b\u202f\u205f\u3000]")
_CURLY: Final = "“”„‟«»‘’‚"
_CURLY_TEXT: Final = re.compile("[“”„‟«»](.*)[“”„‟«»]")
_FENCE: Final = re.compile(r"\s*(```|~~~)[\w-]*\s*")
_COMMENT: Final = re.compile(r"(?:^|\s+)#.*$")
_QUOTED: Final = re.compile(r"(\s*(?:- +)?" + _KEY + r":\s+|\s*- +)'(.*'.*)'\s*")
_TEXTS: Final = frozenset(("name", "about", "source"))
"""Keys whose value is a text, in which there may be a colon."""
_UNSEEN: Final = re.compile(r"\?[^\s,}\]#]*(?: +[^\s,}\]#]+)*")
"""Cards that begin with one that nobody saw, between braces or brackets."""

_EXPRESSION: Final = re.compile(
    r"\b(when|unless|award):\s+([^\s\"'].*?)(?=\s*(?:,\s*(?:forbid|award|for|when|unless|says|why|source):|\}\s*(?:[,}#]|$)))"
)
"""An expression of a house rule without quotes, between braces, up to the next key or the closing brace."""


@record
class SyntaxFix:
    """One slip: what to say of it, where, and the edits that fix it where there is no doubt."""

    message: str
    line: int
    column: int
    end: int | None = None
    notes: tuple[str, ...] = ()
    edits: tuple[Edit, ...] = ()


@record
class Stop:
    """Where and why a YAML parser stopped: the problem, what it was reading, and the place of each."""

    problem: str
    context: str
    at: tuple[int, int]
    since: tuple[int, int]


def before_reading(lines: Sequence[str]) -> SyntaxFix | None:
    """A slip that a YAML parser would take for something else: marks of a code block, blanks that are none."""
    first = next((number for number, text in enumerate(lines) if text.strip()), 0)
    if _FENCE.fullmatch(lines[first]):
        fences = [number for number, text in enumerate(lines) if _FENCE.fullmatch(text)]
        message = f"{lines[first].strip()} marks a code block and is no part of the rules: take these lines out"
        edits = tuple(Edit(number + 1, 1, number + 2, 1, "") for number in fences)
        return SyntaxFix(message, first, 0, len(lines[first]), (), edits)
    odd: list[Edit] = []
    for number, text in enumerate(lines):
        indent = len(text) - len(text.lstrip())
        odd += [
            Edit(number + 1, found.start() + 1, number + 1, found.end() + 1, " ")
            for found in _ODD_SPACE.finditer(text, 0, indent)
        ]
    if not odd:
        return None
    line, column = odd[0].line - 1, odd[0].column - 1
    message = "this blank is no plain space, though it looks like one: write spaces"
    return SyntaxFix(message, line, column, column + 1, (), tuple(odd))


def explain(stop: Stop, lines: Sequence[str]) -> SyntaxFix:
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
            f"a text that starts with {sign} needs quotes", line, column, None, (), _quote(text, line)
        )
    unseen = _UNSEEN.match(text, column)
    if unseen is not None:
        edit = Edit(line + 1, column + 1, line + 1, unseen.end() + 1, quote_text(unseen[0]))
        return SyntaxFix("a text that starts with ? needs quotes", line, column, unseen.end(), (), (edit,))
    if "end of stream" in stop.problem:
        return _open_quote(lines, *stop.since)
    if "flow sequence" in stop.context or "flow mapping" in stop.context:
        return _open_bracket(stop, lines)
    if any(word in stop.problem or word in stop.context for word in ("anchor", "alias", "tag")):
        sign = text[column : column + 1]
        message = f"a text that starts with {sign if sign in '&*!' else '&, * or !'} needs quotes"
        return SyntaxFix(message, line, column, None, (), _quote(text, line))
    if "expected" in stop.problem:
        return _misplaced(stop, lines)
    return SyntaxFix(f"this is no YAML: {stop.problem}", line, column)


def quote_text(text: str) -> str:
    """A text in straight double quotes, as YAML and JSON both read it."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'


def line_with(text: str, line: int, edits: Sequence[Edit]) -> str:
    """A line as edits would make it; empty where they change other lines, or nothing that can be seen."""
    if not edits or any((edit.line, edit.end_line) != (line, line) or "\n" in edit.text for edit in edits):
        return ""
    new = text
    for edit in sorted(edits, key=lambda edit: edit.column, reverse=True):
        new = new[: edit.column - 1] + edit.text + new[edit.end_column - 1 :]
    return "" if new.strip() == text.strip(" \t\u00a0\ufeff") else new.strip()


def take_out(lines: Sequence[str], line: int, mark: str) -> tuple[Edit, ...]:
    """The edit that takes an anchor out of a line; none where something else refers to it."""
    found = re.search(rf"(?<=\s){re.escape(mark)}\s+", lines[line])
    if found is None or any(f"*{mark[1:]}" in text for text in lines):
        return ()
    return (Edit(line + 1, found.start() + 1, line + 1, found.end() + 1, ""),)


def quote_value(lines: Sequence[str], line: int) -> tuple[Edit, ...]:
    """The edit that puts the value of a line in quotes."""
    return _quote(lines[line], line)


def move_section(lines: Sequence[str], first: int, second: int) -> tuple[Edit, ...]:
    """The edits that put what stands below one key behind what stands below another; none where that is unclear.

    Args:
        lines: the text.
        first: the line of the key that stays.
        second: the line of the key, further down, whose lines move.
    """
    if not all(_content(lines[key]).endswith(":") for key in (first, second)):
        return ()
    block, target = _below(lines, second), _below(lines, first)
    if len(block) == 0 or len(target) == 0:
        return ()
    shift = _indent(lines[target[0]]) - _indent(lines[block[0]])
    moved = [_shifted(lines[number], shift) for number in range(second + 1, block[-1] + 1)]
    behind = target[-1] + 2
    text = "".join(f"{one}\n" for one in moved)
    return (Edit(behind, 1, behind, 1, text), Edit(second + 1, 1, block[-1] + 2, 1, ""))


def shift_lines(lines: Sequence[str], numbers: Sequence[int], by: int) -> tuple[Edit, ...]:
    """The edits that indent lines further, or less far."""
    return tuple(
        Edit(number + 1, 1, number + 1, _indent(lines[number]) + 1, " " * (_indent(lines[number]) + by))
        for number in numbers
    )


def block_of(lines: Sequence[str], key: int) -> tuple[int, ...]:
    """The line of a key, and all lines that belong to it."""
    return (key, *_below(lines, key))


# --- what the parser calls otherwise ---------------------------------------------------------------------------


def _tab(lines: Sequence[str], line: int) -> SyntaxFix:
    """Tabs where lines are indented; each becomes one step of the indentation that the file has otherwise."""
    steps = [_indent(text) for text in lines if text.startswith(" ") and text.strip()]
    step = " " * (min(steps) if steps else 2)
    edits = []
    for number, text in enumerate(lines):
        blank = text[: len(text) - len(text.lstrip(" \t"))]
        if "\t" in blank:
            edits.append(Edit(number + 1, 1, number + 1, len(blank) + 1, blank.replace("\t", step)))
    column = lines[line].find("\t")
    message = "a tab: rules files are indented with spaces"
    return SyntaxFix(message, line, column, column + 1, (), tuple(edits))


def _curly(lines: Sequence[str], line: int) -> SyntaxFix | None:
    """Quotation marks as word processors make them, which YAML takes for letters."""
    found = re.search(f"(:\\s+|[\\[,]\\s*|^\\s*-\\s+)([{_CURLY}])", lines[line])
    if found is None:
        return None
    text = lines[line]
    start = found.start(2)
    closed = _CURLY_TEXT.search(text, start)
    edits: tuple[Edit, ...] = ()
    if closed is not None:
        edits = (Edit(line + 1, start + 1, line + 1, closed.end() + 1, quote_text(closed[1])),)
    message = f'{text[start]} is no quotation mark in a rules file: write straight ones, "…"'
    return SyntaxFix(message, line, start, closed.end() if closed else start + 1, (), edits)


def _no_colon(lines: Sequence[str], line: int) -> SyntaxFix:
    """A line that is neither a key with its value nor a comment."""
    text = _content(lines[line])
    indent = _indent(text)
    words = text.split()
    glued = re.fullmatch(rf"\s*({_KEY}):(?!//)(\S.*)", text)
    if glued is not None:
        return _glued(line, indent, glued[1])
    is_key = bool(words) and re.fullmatch(_KEY, words[0]) and (len(words) == 1 or words[0].islower())
    if len(words) > 2 or not is_key:
        message = "this line is neither a key with its value nor a comment: a comment begins with #"
        return SyntaxFix(message, line, indent, len(text), (), (_insert(line, indent, "# "),))
    message = f"a colon is missing after {words[0]}"
    return SyntaxFix(message, line, indent, len(text), (), (_insert(line, indent + len(words[0]), ":"),))


def _glued(line: int, column: int, key: str) -> SyntaxFix:
    """`target:1000`: no space behind the colon."""
    end = column + len(key) + 1
    edits = (_insert(line, end, " "),)
    return SyntaxFix(f"a space is missing after the colon of {key}", line, column, end + 1, (), edits)


def _stray_colon(lines: Sequence[str], line: int, column: int) -> SyntaxFix:
    """A colon where no key can be: the line before may lack one, or the text wants quotes."""
    above = line - 1
    while above >= 0 and not _content(lines[above]).strip():
        above -= 1
    before = _content(lines[above]) if above >= 0 else ""
    if re.search(r":\s", lines[line][:column]):
        return _second_colon(lines[line], line, column)
    if above >= 0 and not re.search(r":(\s|$)", before) and not before.lstrip().startswith("- "):
        return _no_colon(lines, above)
    message = "this line is indented further than the one above it, which has its value already: indent both alike"
    shift = _indent(before) - _indent(lines[line])
    return SyntaxFix(
        message, line, _indent(lines[line]), column, (), shift_lines(lines, block_of(lines, line), shift)
    )


def _second_colon(text: str, line: int, column: int) -> SyntaxFix:
    """`game: target: 1000`, where braces are missing, or a text with a colon, where quotes are."""
    nested = re.fullmatch(rf"(\s*(?:- +)?{_KEY}:\s+)({_KEY}:\s.*)", _content(text))
    if nested is None:
        message = "a second colon in the line: a text with a colon needs quotes"
        return SyntaxFix(message, line, column, None, (), _quote(text, line))
    outer, inner = nested[1].strip(" -:\t"), nested[2]
    if outer in _TEXTS or outer == "moves":
        message = "a second colon in the line: a text with a colon needs quotes"
        written = f"[{quote_text(inner)}]" if outer == "moves" else quote_text(inner)
    else:
        message = "a second colon in the line: keys below a key have braces, and a text with a colon needs quotes"
        written = f"{{{inner}}}"
    edits = (Edit(line + 1, len(nested[1]) + 1, line + 1, len(nested[0]) + 1, written),)
    return SyntaxFix(message, line, column, None, (), edits)


def _open_quote(lines: Sequence[str], line: int, column: int) -> SyntaxFix:
    """A quotation mark without another one; it belongs at the end of its line."""
    text = lines[line]
    end = len(text.rstrip())
    edits = (_insert(line, end, text[column : column + 1]),)
    message = "a quotation mark that is not closed: another one belongs at the end of the text"
    return SyntaxFix(message, line, column, end, (), edits)


def unquoted(text: str, line: int) -> SyntaxFix | None:
    """An expression between braces that has a comma or a square bracket in it, which YAML reads as its own."""
    for found in _EXPRESSION.finditer(text):
        if "," in found[2] or "[" in found[2]:
            written = quote_text(found[2])
            message = (
                "between { and }, an expression with a comma or a square bracket needs quotes: "
                f"write {found[1]}: {written}"
            )
            edit = Edit(line + 1, found.start(2) + 1, line + 1, found.end(2) + 1, written)
            return SyntaxFix(message, line, found.start(2), found.end(2), (), (edit,))
    return None


def _open_bracket(stop: Stop, lines: Sequence[str]) -> SyntaxFix:
    """A bracket that is not closed on its line, or a comma that is missing behind it."""
    line, column = stop.since
    bare = unquoted(lines[stop.at[0]], stop.at[0])
    if bare is not None:
        return bare
    opening, closing = "[]" if "sequence" in stop.context else "{}"
    last = next((row for row in range(stop.at[0] - 1, line - 1, -1) if _content(lines[row]).strip()), None)
    if last is not None:
        end = len(_content(lines[last]))
        message = f"{opening} is not closed: {closing} is missing at the end of line {last + 1}"
        return SyntaxFix(message, line, column, None, (), (_insert(last, end, closing),))
    at = stop.at[1]
    gap = re.search(rf"(\s+){_KEY}\s*$", lines[line][:at])
    message = f"a comma is missing: what stands between {opening} and {closing} has commas between its parts"
    edits = (_insert(line, gap.start(), ","),) if gap else ()
    return SyntaxFix(message, line, gap.end(1) if gap else at, at, (), edits)


def _misplaced(stop: Stop, lines: Sequence[str]) -> SyntaxFix:
    """A line that fits nothing above it."""
    line, column = stop.at
    quoted = _QUOTED.fullmatch(_content(lines[line]))
    if quoted is not None:
        start = len(quoted[1])
        end = len(_content(lines[line]))
        message = "the text ends at its second ', and more follows: a text with an apostrophe needs double quotes"
        edits = (Edit(line + 1, start + 1, line + 1, end + 1, quote_text(quoted[2])),)
        return SyntaxFix(message, line, start, end, (), edits)
    above = next((number for number in range(line - 1, -1, -1) if _content(lines[number]).strip()), None)
    if above is not None and column == _indent(lines[line]) != _indent(lines[above]):
        message = (
            f"this line is indented by {column} spaces, the one above it by {_indent(lines[above])}: "
            "what belongs together has the same indentation"
        )
        shift = _indent(lines[above]) - column
        return SyntaxFix(
            message, line, column, len(_content(lines[line])), (), shift_lines(lines, block_of(lines, line), shift)
        )
    message = "this line fits nothing above it: look at the indentation, and at colons and brackets"
    return SyntaxFix(message, line, column, None, (f"the YAML parser says: {stop.problem}",))


def _quote(text: str, line: int) -> tuple[Edit, ...]:
    """The edit that puts the value of a line in quotes."""
    found = re.fullmatch(rf"(\s*(?:- +)?{_KEY}:\s+|\s*- +)([^\s\"'\[{{].*)", _content(text))
    if found is None:
        return ()
    start = len(found[1])
    return (Edit(line + 1, start + 1, line + 1, start + len(found[2]) + 1, quote_text(found[2])),)


def _insert(line: int, column: int, text: str) -> Edit:
    return Edit(line + 1, column + 1, line + 1, column + 1, text)


# --- lines -----------------------------------------------------------------------------------------------------


def _indent(text: str) -> int:
    return len(text) - len(text.lstrip(" "))


def _content(text: str) -> str:
    """A line without its comment."""
    return _COMMENT.sub("", text).rstrip()


def _below(lines: Sequence[str], key: int) -> range:
    """The lines further in than a key, directly below it: to the last that says something."""
    last = key
    for number in range(key + 1, len(lines)):
        if lines[number].strip() and _indent(lines[number]) <= _indent(lines[key]):
            break
        if lines[number].strip():
            last = number
    return range(key + 1, last + 1)


def _shifted(text: str, by: int) -> str:
    return " " * max(_indent(text) + by, 0) + text.lstrip(" ") if text.strip() else text
