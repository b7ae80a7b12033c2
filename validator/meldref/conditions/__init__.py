"""The language of house rules: read, checked against the facts, and bound to a position."""
