"""Logs as one page to look at: every state recorded while they are refereed, and the page that plays them."""
