"""One action: which rules bear on it and what they find, and what it does to a position."""
