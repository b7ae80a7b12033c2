"""What the labels of rows and the heads of columns say, in the languages of those who keep sheets."""

from __future__ import annotations

import re
from enum import StrEnum
from functools import lru_cache
from typing import Final

from meldref_intake.sheets.cells import plain


class Role(StrEnum):
    """What a column holds."""

    ROUND = "round"
    DATE = "date"
    DEALER = "dealer"
    OUT = "out"
    WINNER = "winner"
    PLAYER = "player"
    STANDING = "standing"
    LABEL = "label"
    REMARK = "remark"
    MINUS = "minus"


class Sum(StrEnum):
    """What a row below hands says."""

    TOTAL = "total"
    SUBTOTAL = "subtotal"
    PAID = "paid"
    WINNER = "winner"
    ASIDE = "aside"
    ADJUSTED = "adjusted"


_ROLES: Final = {
    Role.ROUND: "round rounds rnd rd hand hands game games deal # no no. nr nr. runde runden spiel r "
    "h index idx round# hand# rubber blatt manche ronda players player name names spieler",
    Role.DATE: "date day datum tag when wann evening abend played weekday wochentag",
    Role.DEALER: "dealer dealt deals geber dealt-by donneur",
    Role.OUT: "out went-out goes-out gone-out who-went-out player-out closed closer out-first",
    Role.WINNER: "winner won won-by winner-of-hand sieger",
    Role.REMARK: "note notes comment comments remark remarks notiz bemerkung check control kontrolle "
    "checksum prüfsumme probe",
}
_ROLE_OF: Final = {word: role for role, words in _ROLES.items() for word in words.split()}
_NUMBERED: Final = re.compile(r"(?<=\w)-(?:no\.?|nr\.?|num(?:ber)?|nummer|#|id)$")
_TOTAL: Final = re.compile(
    r"(?:grand |final |game |end)?\s*(?:totals?|sums?|scores?|standings?|result)|gesamt\w*|σ|∑|=|final"
    r"|ergebnis|endstand|tot\.?|totaal|totale?s?|summ[ae]|som(?:me|ma)?|sum[ay]|soma|suma|razem|łącznie"
    r"|ogółem|итого?|всего|сумма|celkem|összesen|yhteensä|i alt|toplam|σύνολο|ukupno|合計|总计|總計",
    re.IGNORECASE,
)
_SUBTOTAL: Final = re.compile(
    r"sub-?\s?totals?|running(?: totals?| scores?)?|carried(?: forward| over)?|carry|so far|zwischen\w*"
    r"|brought forward|b/f|starts?|starting (?:scores?|totals?)|übertrag|vortrag|stand"
    r"|(?:total|standing|score|sum)s? (?:so far|after .*)|after (?:hand |round )?\d+|cumulative|cum\.?",
    re.IGNORECASE,
)
_ASIDE: Final = re.compile(
    r"averages?|avg\.?|mean|median|ø|(?:durch)?schnitt|mittel(?:wert)?|moyennes?|moy\.?|promedio|medias?"
    r"|médias?|średni[ae]|gemiddelde?|medel\w*|snitt|gjennomsnitt|gennemsnit|keskiarvo|průměr|átlag"
    r"|среднее|ortalama|rank(?:ing)?|rang|places?|platz(?:ierung)?|plätze|po[sz][iy]c\w+|puesto|miejsce"
    r"|positions?|pos\.?|best|worst|max\.?|min\.?|wins|hands played|diff\w*|rückstand|behind",
    re.IGNORECASE,
)
_ADJUSTED: Final = re.compile(
    r"penalt(?:y|ies)|bonus(?:es)?|handicaps?|malus|straf(?:e|punkte)|adjust\w*|correction|korrektur",
    re.IGNORECASE,
)
_EACH: Final = re.compile(r"\s*(?:/|\(|\b(?:per|pro|par|por|each|a)\b).*", re.IGNORECASE)
"""What follows where an average is said to be one of each hand."""
_PAID: Final = re.compile(r"paid|chips|payout|pays|settlement", re.IGNORECASE)
WINNER: Final = (
    r"winners?|sieger(?:in)?|gewinner(?:in)?|vainqueurs?|gagnante?s?|ganador(?:a|es)?|vencedor(?:a|es)?"
    r"|vincitor[ei]|vincitrice|zwycięzc[ay]|winnaars?|vinnare|vinder|voittaja|vítěz|győztes"
)
"""Words for who has won."""
_WON: Final = re.compile(rf"{WINNER}|won", re.IGNORECASE)
_ANNULLED: Final = re.compile(
    r"crossed[- ]out|struck(?:[- ](?:out|through))?|void(?:ed)?|annul\w*|cancel\w*|mis-?deals?|misdealt"
    r"|thrown[- ]in|(?:not|n['\u2019]t) count(?:s|ed)?|abandoned|gestrichen|ungültig|annulliert|zählt nicht"
    r"|vergeben|verworfen",
    re.IGNORECASE,
)
"""What says of a hand that it does not count."""
WORDS_OF_NAMES: Final = frozenset(["player", "players", "name", "names", "spieler", "who"])
SCORE_WORDS: Final = frozenset(
    ["hand", "score", "scores", "points", "pts", "round", "this", "game", "p", "punkte"]
)
TOTAL_WORDS: Final = frozenset(
    [
        "total",
        "totals",
        "sum",
        "running",
        "cum",
        "cumulative",
        "standing",
        "t",
        "σ",
        "∑",
        "tot",
        "gesamt",
        "stand",
        "summe",
        "endstand",
    ]
)


@lru_cache(maxsize=1 << 12)
def summary_of(label: str) -> Sum | None:
    """What a label says of a row below hands; None if it is that of a hand."""
    text = plain(label).strip(" :.*_").lower()
    if text.isdecimal():
        return None
    for pattern, kind in (
        (_SUBTOTAL, Sum.SUBTOTAL),
        (_TOTAL, Sum.TOTAL),
        (_ASIDE, Sum.ASIDE),
        (_ADJUSTED, Sum.ADJUSTED),
        (_PAID, Sum.PAID),
        (_WON, Sum.WINNER),
    ):
        if text and pattern.fullmatch(text):
            return kind
    if _ASIDE.fullmatch(_EACH.sub("", text)):
        return Sum.ASIDE
    return None


def says_annulled(text: str) -> bool:
    """Whether a text says of a hand that it does not count."""
    return _ANNULLED.search(text) is not None


def without_annulment(label: str) -> str:
    """The label of a hand without what says that it does not count: `2` of `2 (void)` or `~~2~~`."""
    return _ANNULLED.sub("", label).strip(" ()[]~-:,;\u2013\u2014")


def role_of(text: str) -> Role | None:
    """The role that a head says a column has; None where it may be a name."""
    words = "-".join(plain(text).lower().rstrip(":").replace("_", " ").split())
    words = _NUMBERED.sub("", words.removeprefix("the-"))
    return _ROLE_OF.get(words) or _ROLE_OF.get(words.rstrip("."))
