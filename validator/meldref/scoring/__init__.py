"""What melds and hands are worth.

`points`, and `breakdown`: the sum behind a score, with the keys that had a part in it.
"""
