"""A ruleset in words: a rulebook that a family can play from, in Markdown or HTML."""

from meldref_authoring.rulebook.book import make_rulebook, origins_in
from meldref_authoring.rulebook.pages import as_html, as_markdown, as_section, block_html

__all__ = ["as_html", "as_markdown", "as_section", "block_html", "make_rulebook", "origins_in"]
