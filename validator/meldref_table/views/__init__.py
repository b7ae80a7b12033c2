"""A log as a player, or everybody, could write it.

`masking` knows what is kept of a line, `view` replays what is kept, since that shows what the
viewer knows, `possible` says what hands must and cannot hold of what was not seen.
"""
