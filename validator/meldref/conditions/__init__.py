"""The language of house rules: read, checked against the facts there are, and bound to a position."""
