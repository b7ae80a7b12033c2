"""What everything is built on: cards, findings, what a log can say, records, cache, words."""
