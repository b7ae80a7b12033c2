"""Logs as one page: every state recorded while they are refereed, and the page for it."""
