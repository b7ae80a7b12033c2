"""A log as a player, or everybody, could write it, and full logs that it may have been.

`masking` knows what is kept of a line, `view` replays what is kept, since that shows what the
viewer knows, `possible` says what hands must and cannot hold of what was not seen; `witness` goes
the other way: full logs that a log with unknown cards may have been, each audited before it is
given.
"""
