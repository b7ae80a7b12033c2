"""One action: which rules bear on it and what they find (`judge`), and what it does to a position (`apply`)."""
