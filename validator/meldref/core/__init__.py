"""What everything is built on: cards, what is found, what a log can say, records, the cache, words."""
