"""A ruleset in words: a rulebook that a family can play from, in Markdown or HTML."""

from meldref.authoring.rulebook.book import make_rulebook, origins_in
from meldref.authoring.rulebook.html import as_html
from meldref.authoring.rulebook.markdown import as_markdown

__all__ = ["as_html", "as_markdown", "make_rulebook", "origins_in"]
