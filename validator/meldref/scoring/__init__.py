"""What hands and games come to, which judges nothing.

`counting` counts a hand without a log, and makes score sheets; `standings` are over many games.
"""
